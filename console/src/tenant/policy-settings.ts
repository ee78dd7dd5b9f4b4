import type { TenantPolicySettingsQuery } from './generated/tenant.ts';

export type TenantPolicy = NonNullable<TenantPolicySettingsQuery['tenantPolicy']>;

export type Setting = { name: SettingName } & (
  | { kind: 'boolean' }
  | { kind: 'lines' }
  | { kind: 'days' }
  | { kind: 'choice'; options: readonly string[] }
  | { kind: 'owned' }
);

export type SettingName =
  | 'requireSecondFactorForAdministrators'
  | 'requiredClientProfile'
  | 'ownedCredentialsOnOffboarding'
  | 'introspectionByAnyClient'
  | 'bannedPasswordWords'
  | 'webOrigins'
  | 'knownSecretOverlapDays'
  | 'signInRetentionDays'
  | 'uniqueGroupNames'
  | 'scimSecurityEvents';

/** Settings of the tenant policy by group. */
export const settingsOf = {
  people: [
    { name: 'requireSecondFactorForAdministrators', kind: 'boolean' },
    { name: 'bannedPasswordWords', kind: 'lines' },
    { name: 'ownedCredentialsOnOffboarding', kind: 'owned' },
    { name: 'knownSecretOverlapDays', kind: 'days' },
    { name: 'signInRetentionDays', kind: 'days' },
  ],
  apps: [
    { name: 'requiredClientProfile', kind: 'choice', options: ['STANDARD', 'FAPI2'] },
    { name: 'introspectionByAnyClient', kind: 'boolean' },
    { name: 'webOrigins', kind: 'lines' },
  ],
  directory: [
    { name: 'uniqueGroupNames', kind: 'boolean' },
    { name: 'scimSecurityEvents', kind: 'boolean' },
  ],
} as const satisfies Record<string, readonly Setting[]>;

export const settingGroups = ['people', 'apps', 'directory'] as const;
