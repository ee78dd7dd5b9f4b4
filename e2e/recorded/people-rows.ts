import type { Row } from './row.ts';

const ofBob = { log: 'securityLog', resourceType: 'User', resource: 'bob', select: 'user { id }' } as const;
const ofCarol = { ...ofBob, resource: 'carol' } as const;
const ofGroup = {
  log: 'securityLog',
  resourceType: 'Group',
  resource: 'privileged',
  select: 'group { id }',
} as const;
const ofToken = {
  log: 'securityLog',
  resourceType: 'PersonalAccessToken',
  resource: 'personalToken',
} as const;

/** Changes of sign-in methods and rights, ordered by dependency. */
export const usersRows: readonly Row[] = [
  {
    ...ofToken,
    mutation: 'createPersonalAccessToken',
    input: () => ({ name: 'Script', scopes: ['users:read'] }),
    select: 'personalAccessToken { id } token',
    keep: { personalToken: 'personalAccessToken.id' },
    action: 'personal_access_token.created',
    changes: () => ({ name: { after: 'Script' }, scopes: { after: ['users:read'] } }),
  },
  {
    ...ofToken,
    mutation: 'revokePersonalAccessToken',
    input: (the) => ({ id: the.get('personalToken') }),
    select: 'id',
    action: 'personal_access_token.revoked',
    changes: () => ({ name: { before: 'Script' } }),
  },
  {
    mutation: 'endDelegation',
    input: (the) => ({ id: the.get('delegation') }),
    select: 'id',
    log: 'securityLog',
    action: 'delegation.ended',
    resourceType: 'Delegation',
    resource: 'delegation',
    changes: (the) => ({ clientId: { before: the.get('agent') }, reason: { after: 'ended' } }),
  },
  {
    mutation: 'revokeGrant',
    input: (the) => ({ id: the.get('grant') }),
    select: 'grantId',
    log: 'securityLog',
    action: 'grant.revoked',
    resourceType: 'Grant',
    resource: 'grant',
    changes: (the) => ({ clientId: { before: the.get('web') } }),
  },
  {
    mutation: 'revokeSession',
    input: (the) => ({ id: the.get('session') }),
    select: 'sessionId',
    log: 'securityLog',
    action: 'session.ended',
    resourceType: 'Session',
    resource: 'session',
    changes: () => ({ reason: { after: 'revoked' } }),
  },
  {
    ...ofCarol,
    mutation: 'removePasskey',
    input: (the) => ({ userId: the.get('carol'), id: the.get('passkey') }),
    select: 'passkeyId',
    action: 'user.passkey_removed',
    changes: (the) => ({ passkey: { before: the.get('passkey') } }),
  },
  {
    ...ofCarol,
    mutation: 'removeAuthenticatorApp',
    input: (the) => ({ userId: the.get('carol') }),
    action: 'user.totp_removed',
    changes: () => ({ authenticatorApp: { before: true, after: false } }),
  },
  {
    ...ofCarol,
    mutation: 'revokeAllSessions',
    input: (the) => ({ userId: the.get('carol') }),
    action: 'user.signed_out_everywhere',
    changes: () => ({ sessions: { before: 1, after: 0 } }),
  },
  {
    mutation: 'inviteUser',
    input: (the) => ({ userId: the.get('invitee') }),
    select: 'url',
    keep: { invitation: 'url' },
    log: 'securityLog',
    action: 'user.invited',
    resourceType: 'User',
    resource: 'invitee',
    changes: () => ({ resets: { after: false } }),
  },
  {
    ...ofBob,
    mutation: 'assignRole',
    input: (the) => ({ userId: the.get('bob'), role: 'AUDITOR' }),
    action: 'user.role_assigned',
    changes: () => ({ role: { after: 'auditor' } }),
  },
  {
    ...ofBob,
    mutation: 'removeRole',
    input: (the) => ({ userId: the.get('bob'), role: 'AUDITOR' }),
    action: 'user.role_removed',
    changes: () => ({ role: { before: 'auditor' } }),
  },
  {
    ...ofGroup,
    mutation: 'assignGroupRole',
    prepare: async ({ change, the }) => {
      const { group } = await change<{ group: { id: string } }>(
        'createGroup',
        { displayName: 'Auditors', memberIds: [the.get('bob')] },
        'group { id }',
      );
      the.set('privileged', group.id);
    },
    input: (the) => ({ groupId: the.get('privileged'), role: 'AUDITOR' }),
    action: 'group.role_assigned',
    changes: () => ({ role: { after: 'auditor' }, managedBySources: { after: false } }),
    follows: ['user.role_assigned'],
  },
  {
    ...ofGroup,
    mutation: 'removeGroupRole',
    input: (the) => ({ groupId: the.get('privileged'), role: 'AUDITOR' }),
    action: 'group.role_removed',
    changes: () => ({ role: { before: 'auditor' } }),
    follows: ['user.role_removed'],
  },
  {
    ...ofBob,
    mutation: 'assignApiRole',
    prepare: async ({ change, the }) => {
      const { api } = await change<{ api: { id: string } }>(
        'registerApi',
        { identifier: 'https://payroll.example/api', name: 'Payroll', roles: [{ name: 'approver' }] },
        'api { id }',
      );
      the.set('payroll', api.id);
    },
    input: (the) => ({ userId: the.get('bob'), apiId: the.get('payroll'), role: 'approver' }),
    action: 'user.role_assigned',
    changes: (the) => ({ apiRole: { after: 'approver' }, api: { after: the.get('payroll') } }),
  },
  {
    ...ofBob,
    mutation: 'removeApiRole',
    input: (the) => ({ userId: the.get('bob'), apiId: the.get('payroll'), role: 'approver' }),
    action: 'user.role_removed',
    changes: (the) => ({ apiRole: { before: 'approver' }, api: { before: the.get('payroll') } }),
  },
  {
    ...ofGroup,
    mutation: 'assignGroupApiRole',
    input: (the) => ({ groupId: the.get('privileged'), apiId: the.get('payroll'), role: 'approver' }),
    action: 'group.role_assigned',
    changes: (the) => ({
      apiRole: { after: 'approver' },
      api: { after: the.get('payroll') },
      managedBySources: { after: false },
    }),
    follows: ['user.role_assigned'],
  },
  {
    ...ofGroup,
    mutation: 'removeGroupApiRole',
    input: (the) => ({ groupId: the.get('privileged'), apiId: the.get('payroll'), role: 'approver' }),
    action: 'group.role_removed',
    changes: (the) => ({ apiRole: { before: 'approver' }, api: { before: the.get('payroll') } }),
    follows: ['user.role_removed'],
  },
  {
    ...ofBob,
    mutation: 'resetUserAccess',
    input: (the) => ({ userId: the.get('bob'), compromised: true }),
    select: 'url',
    keep: { resetLink: 'url' },
    action: 'user.invited',
    changes: () => ({ resets: { after: true }, compromised: { after: true } }),
  },
];
