// What the types are made from. Problems have one shape, and examples and long texts are for the pages of the API, so the
// kept document changes only when the API does: a line for every path.
export function slim(whole) {
  for (const path of Object.values(whole.paths)) {
    for (const operation of Object.values(path)) {
      for (const status of Object.keys(operation.responses ?? {})) {
        if (!status.startsWith('2')) delete operation.responses[status];
      }
      operation.responses.default = { content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } } };
      for (const media of Object.values(operation.requestBody?.content ?? {})) delete media.example;
      for (const parameter of operation.parameters ?? []) delete parameter.example;
    }
  }
  const short = (value) => JSON.stringify(value, (name, own) => (name === 'description' && typeof own === 'string' ? undefined : own));
  const paths = Object.entries(whole.paths).map(([path, item]) => `${JSON.stringify(path)}:${short(item)}`);
  const { openapi, info, components } = whole;
  return `{"openapi":${short(openapi)},"info":${short({ title: info.title, version: info.version })},"components":${short(components)},"paths":{\n${paths.join(',\n')}\n}}\n`;
}
