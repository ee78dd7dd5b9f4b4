import { isUtf8 } from 'node:buffer';

/** What a body says in JSON (RFC 8259 §8.1: in UTF-8); undefined when it says nothing. */
export function parseJson(body: Buffer): unknown {
  if (!isUtf8(body)) return undefined;
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}
