import { isUtf8 } from 'node:buffer';

/** Parses a body as JSON in UTF-8 (RFC 8259 §8.1); undefined if it is invalid. */
export function parseJson(body: Buffer): unknown {
  if (!isUtf8(body)) return undefined;
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}
