import { ScimError } from '../errors.ts';
import type { JsonValue } from '../json.ts';
import { isStorable } from '../text.ts';

export interface JsonLimits {
  /** Maximum depth of arrays and objects, default 32. A Bulk request with a full resource needs about 8. */
  maxDepth?: number;
}

/** Names through which assignment by name would reach a prototype. No attribute has them. */
const unsafeKeys: readonly string[] = ['__proto__', 'constructor', 'prototype'];

/**
 * Parses the body of a SCIM request (RFC 8259). Stricter than JSON.parse: no duplicate keys (which parsers
 * resolve differently), limited nesting, no NUL or lone surrogate (which PostgreSQL cannot store), and valid
 * UTF-8. Members named `__proto__`, `constructor` or `prototype` are omitted. Linear, without recursion.
 * @throws ScimError invalidSyntax
 */
export function parseScimJson(body: string | Uint8Array, limits: JsonLimits = {}): JsonValue {
  const text = typeof body === 'string' ? body : decode(body);
  scan(text, limits.maxDepth ?? 32);
  let value: JsonValue;
  try {
    value = JSON.parse(text) as JsonValue;
  } catch {
    throw ScimError.invalidSyntax('The body is not valid JSON.');
  }
  checkStrings(value);
  return value;
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw ScimError.invalidSyntax('The body is not valid UTF-8.');
  }
}

/** An open object or array. `keys` is undefined for an array; `key` is true if the next string is a key. */
interface Level {
  readonly keys: Set<string> | undefined;
  key: boolean;
}

/** Checks nesting and duplicate keys, which JSON.parse accepts. Malformed text is left to JSON.parse. */
function scan(text: string, maxDepth: number): void {
  const levels: Level[] = [];
  let level: Level | undefined;
  for (let index = 0; index < text.length; index += 1) {
    switch (text.charCodeAt(index)) {
      case 0x7b: // {
      case 0x5b: // [
        level = text[index] === '{' ? { keys: new Set(), key: true } : { keys: undefined, key: false };
        levels.push(level);
        if (levels.length > maxDepth) {
          throw ScimError.invalidSyntax(`The body is nested deeper than ${maxDepth} levels.`);
        }
        break;
      case 0x7d: // }
      case 0x5d: // ]
        levels.pop();
        level = levels.at(-1);
        break;
      case 0x2c: // ,
        if (level?.keys !== undefined) level.key = true;
        break;
      case 0x22: {
        const end = stringEnd(text, index);
        if (level?.keys !== undefined && level.key) {
          level.key = false;
          addKey(level.keys, text.slice(index, end + 1));
        }
        index = end;
        break;
      }
      default:
    }
  }
}

/** Returns the index of the quote that closes the string opened at `start`, or the end of the text. */
function stringEnd(text: string, start: number): number {
  let index = start + 1;
  while (index < text.length && text.charCodeAt(index) !== 0x22)
    index += text.charCodeAt(index) === 0x5c ? 2 : 1;
  return index;
}

function addKey(keys: Set<string>, token: string): void {
  let key: string;
  try {
    key = JSON.parse(token) as string;
  } catch {
    throw ScimError.invalidSyntax('The body is not valid JSON.');
  }
  if (keys.has(key))
    throw ScimError.invalidSyntax(`The body has the key ${JSON.stringify(key.slice(0, 60))} twice.`);
  keys.add(key);
}

/** Checks every string, and removes the unsafe keys. */
function checkStrings(root: JsonValue): void {
  const pending: JsonValue[] = [root];
  for (let value = pending.pop(); value !== undefined; value = pending.pop()) {
    if (typeof value === 'string') {
      checkText(value);
    } else if (Array.isArray(value)) {
      for (const item of value) pending.push(item);
    } else if (typeof value === 'object' && value !== null) {
      for (const key of unsafeKeys) {
        if (Object.hasOwn(value, key)) delete value[key];
      }
      for (const [key, member] of Object.entries(value)) {
        checkText(key);
        pending.push(member);
      }
    }
  }
}

function checkText(text: string): void {
  if (!isStorable(text)) throw ScimError.invalidSyntax('The body has a string with NUL or a lone surrogate.');
}
