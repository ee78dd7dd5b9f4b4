/** What the rewrites have to know about attributes; names in lower case. */

const multiValued = new Set([
  'addresses',
  'emails',
  'entitlements',
  'groups',
  'ims',
  'members',
  'phonenumbers',
  'photos',
  'roles',
  'schemas',
  'x509certificates',
]);

export const schemaUrns = {
  user: 'urn:ietf:params:scim:schemas:core:2.0:user',
  group: 'urn:ietf:params:scim:schemas:core:2.0:group',
  enterpriseUser: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:user',
} as const;

const knownSchemas: readonly string[] = Object.values(schemaUrns);

/** The path without the schema it may start with, in lower case: `urn:…:2.0:User:emails[…].value` → `emails[…].value`. */
export function withoutSchema(path: string): string {
  const lower = path.toLowerCase();
  const schema = knownSchemas.find((urn) => lower.startsWith(`${urn}:`));
  return schema ? lower.slice(schema.length + 1) : lower;
}

/**
 * Whether the path is known to end at one value: neither a multi-valued attribute nor elements chosen from one. What a
 * tenant has defined itself isn't known here.
 */
export function isSingleValued(path: string): boolean {
  const bare = withoutSchema(path);
  return !bare.endsWith(']') && !bare.startsWith('urn:') && !multiValued.has(bare);
}

/** Whether the path is a multi-valued attribute as a whole. */
export const isWholeMultiValued = (path: string): boolean => multiValued.has(withoutSchema(path));
