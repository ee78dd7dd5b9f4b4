import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  jsonEqual,
  ownAttributes,
  PATCH_OP,
  readPatchMessage,
  ScimError,
  type SentOperation,
} from '@ostiary/scim';
import { member, schemaUrns, withoutSchema } from '../../compatibility/index.ts';
import type { ScimResource } from '../../protocol/index.ts';

/** In lower case, for comparisons. */
const own: ReadonlySet<string> = new Set(ownAttributes.map((name) => name.toLowerCase()));

const refusal = (name: string): ScimError =>
  ScimError.forbidden(
    `${JSON.stringify(name.slice(0, 60))} is not an attribute that users can change themselves.`,
  );

/**
 * Returns the PATCH that equals a PUT on /Me: the user's own attributes as given or cleared, all others unchanged.
 * @throws ScimError 403 when another attribute has a new value
 */
export function replaceOwn(current: ScimResource, body: unknown): JsonObject {
  if (!isJsonObject(body)) throw ScimError.invalidSyntax('The body must be a User resource.');
  const given = new Map<string, JsonValue>();
  for (const [key, value] of Object.entries(body)) {
    const name = withoutSchema(key);
    if (own.has(name)) {
      if (value !== null) given.set(name, value);
    } else if (!ignored.has(name) && value !== null) {
      const known = member(current, key.toLowerCase());
      if (known === undefined || !jsonEqual(known, value)) throw refusal(key);
    }
  }
  const cleared = Object.keys(current).filter((key) => {
    const name = key.toLowerCase();
    return own.has(name) && !given.has(name);
  });
  const operations = [
    ...[...given].map(([path, value]) => ({ op: 'replace', path, value })),
    ...cleared.map((path) => ({ op: 'remove', path })),
  ];
  return { schemas: [PATCH_OP], Operations: operations.length > 0 ? operations : [{ op: 'add', value: {} }] };
}

/** Read-only attributes, which are ignored (RFC 7644 §3.5.1). */
const ignored: ReadonlySet<string> = new Set(['id', 'meta', 'groups', 'schemas']);

/**
 * Checks that a PATCH on /Me changes only the user's own attributes. An invalid PatchOp message is rejected when it
 * is parsed.
 * @throws ScimError 403
 */
export function requireOwn(body: unknown): void {
  for (const { path, value } of readable(body)) {
    const isWhole = path === undefined || isUserSchema(path);
    const names = isWhole ? namesIn(value) : [path];
    const wrong = names.find((name) => !own.has(attributeIn(name)));
    if (wrong !== undefined) throw refusal(wrong);
  }
}

function readable(body: unknown): readonly SentOperation[] {
  try {
    return readPatchMessage(body, { anyCaseOperations: true, emptyPathIsAbsent: true });
  } catch (error) {
    if (error instanceof ScimError) return [];
    throw error;
  }
}

const isUserSchema = (path: unknown): boolean =>
  typeof path === 'string' && path.trim().toLowerCase() === schemaUrns.user;

function namesIn(value: unknown): string[] {
  if (!isJsonObject(value as JsonObject)) return [];
  return Object.entries(value as JsonObject).flatMap(([key, inner]) =>
    isUserSchema(key) ? namesIn(inner) : [key],
  );
}

/**
 * Returns `name` of `name.givenName`, `photos` of `photos[type eq "photo"].value`, and of both after the User's URN.
 */
const attributeIn = (path: string): string => withoutSchema(path.trim()).split(/[.[\s]/, 1)[0] ?? '';
