/** Names of multi-valued attributes in lower case, for the rewrites. */

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

/** Returns the path without its schema prefix, in lower case: `urn:…:2.0:User:emails[…].value` → `emails[…].value`. */
export function withoutSchema(path: string): string {
  const lower = path.toLowerCase();
  const schema = knownSchemas.find((urn) => lower.startsWith(`${urn}:`));
  return schema ? lower.slice(schema.length + 1) : lower;
}

/**
 * Reports whether the path ends at a single value: neither a multi-valued attribute nor a selection of its elements.
 * A tenant's own attributes are unknown here.
 */
export function isSingleValued(path: string): boolean {
  const bare = withoutSchema(path);
  return !bare.endsWith(']') && !bare.startsWith('urn:') && !multiValued.has(bare);
}

/** Reports whether the path is a whole multi-valued attribute. */
export const isWholeMultiValued = (path: string): boolean => multiValued.has(withoutSchema(path));
