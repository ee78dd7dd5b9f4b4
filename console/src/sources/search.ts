export const sourceKinds = ['entra', 'okta', 'onelogin', 'scim'] as const;
/** Product of the identity source, which determines the setup instructions. */
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
