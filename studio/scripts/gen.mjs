// The types of the API from the document that the server describes itself with, kept beside them.
//   node scripts/gen.mjs [URL]    takes the document from a running server, if one is named, and writes the types
//   node scripts/gen.mjs --check  says whether the types fit the document
import { readFileSync, writeFileSync } from 'node:fs';
import openapiTS, { astToString } from 'openapi-typescript';
import { slim } from './document.mjs';

const document = new URL('../src/api/openapi.json', import.meta.url);
const types = new URL('../src/api/schema.ts', import.meta.url);
const [argument] = process.argv.slice(2);

if (argument && argument !== '--check') {
  const answer = await fetch(new URL('/api/openapi.json', argument));
  writeFileSync(document, slim(await answer.json()));
}
const text = '// Made by `npm run gen` from openapi.json.\n' + astToString(await openapiTS(JSON.parse(readFileSync(document, 'utf8'))));
if (argument === '--check') {
  if (readFileSync(types, 'utf8') !== text) {
    console.error('src/api/schema.ts is stale: npm run gen');
    process.exit(1);
  }
} else {
  writeFileSync(types, text);
}
