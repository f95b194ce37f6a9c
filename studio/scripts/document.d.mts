export function slim(document: unknown): string;
