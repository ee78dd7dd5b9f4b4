export const sourceKinds = ['entra', 'okta', 'onelogin', 'scim'] as const;
/** What an identity source is, as far as setting it up goes. */
export type SourceKind = (typeof sourceKinds)[number];

export const sourceTabs = [
  'requests',
  'connection',
  'rights',
  'attributes',
  'compatibility',
  'changes',
] as const;
export type SourceTab = (typeof sourceTabs)[number];
