/**
 * What people may change of themselves, through /Me as in the graph: how they are called and addressed. What decides who
 * they are to others (userName, e-mail addresses, membership, employment), whether they may sign in and their password isn't
 * among it: that has an owner, or a procedure, of its own.
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
