/**
 * Attributes that users may change themselves, through /Me and the graph: their names and address. Attributes
 * that identify them to others (userName, e-mail addresses, membership, employment), their status and
 * password are not included; those have owners or procedures of their own.
 */
export const ownAttributes: readonly string[] = [
  'displayName',
  'locale',
  'name',
  'nickName',
  'photos',
  'preferredLanguage',
  'profileUrl',
  'timezone',
];
