import { eventually } from '@ostiary/service/testing';
import type { Row } from './row.ts';
import type { World } from './world.ts';

const log = 'auditLog';
const ofUser = { log, resourceType: 'User', select: 'user { id }' } as const;
const ofGroup = { log, resourceType: 'Group', select: 'group { id }' } as const;
const ofSchema = { log, resourceType: 'Schema', select: 'schema { id }' } as const;
const ofTenant = { log, resourceType: 'Tenant', select: 'tenant { id }' } as const;

/**
 * Waits until auth has processed `count` offboardings of dora. Otherwise a later change could be processed together
 * with this one, and the offboarding would be attributed to the later change.
 */
const heardOf =
  (count: number) =>
  async ({ read, the }: World): Promise<void> => {
    await eventually(
      () => read<{ departures: object[] }>(`{ departures(userId: "${the.get('dora')}") { trigger } }`),
      ({ departures }) => departures.length >= count,
    );
  };

/** Changes of the directory, ordered by dependency. */
export const directoryRows: readonly Row[] = [
  {
    ...ofTenant,
    mutation: 'updateTenant',
    input: () => ({ deletionPolicy: 'SOFT', name: 'Recorded here' }),
    action: 'tenant.updated',
    resource: 'tenant',
    changes: () => ({
      deletionPolicy: { before: 'hard', after: 'soft' },
      name: { before: 'Recorded', after: 'Recorded here' },
    }),
  },
  {
    ...ofTenant,
    mutation: 'updateTenantPolicy',
    select: 'policy { version }',
    input: () => ({ uniqueGroupNames: true, requiredClientProfile: null }),
    action: 'tenant.policy_updated',
    resource: 'tenant',
    changes: () => ({ uniqueGroupNames: { before: false, after: true } }),
  },
  {
    ...ofTenant,
    mutation: 'createTenant',
    by: 'operator',
    input: (the) => ({ id: the.get('aside'), name: 'Aside' }),
    action: 'tenant.created',
    resource: 'aside',
    changes: () => ({ name: { after: 'Aside' } }),
  },
  {
    ...ofTenant,
    mutation: 'suspendTenant',
    by: 'operator',
    input: (the) => ({ id: the.get('aside') }),
    action: 'tenant.suspended',
    resource: 'aside',
    changes: () => ({ status: { before: 'active', after: 'suspended' } }),
  },
  {
    ...ofTenant,
    mutation: 'resumeTenant',
    by: 'operator',
    input: (the) => ({ id: the.get('aside') }),
    action: 'tenant.resumed',
    resource: 'aside',
    changes: () => ({ status: { before: 'suspended', after: 'active' } }),
  },
  {
    ...ofSchema,
    mutation: 'createSchema',
    input: (the) => ({
      id: the.get('urn'),
      name: 'Badges',
      attributes: [{ name: 'badge' }, { name: 'pin', mutability: 'WRITE_ONLY', returned: 'NEVER' }],
    }),
    action: 'schema.created',
    resource: 'urn',
    changes: () => ({ name: { after: 'Badges' } }),
  },
  {
    ...ofSchema,
    mutation: 'updateSchema',
    input: (the) => ({ id: the.get('urn'), name: 'Badges and pins' }),
    action: 'schema.updated',
    resource: 'urn',
    changes: () => ({ name: { before: 'Badges', after: 'Badges and pins' } }),
  },
  {
    ...ofUser,
    mutation: 'createUser',
    input: () => ({ userName: 'dora', nickName: 'D' }),
    keep: { dora: 'user.id' },
    action: 'user.created',
    resource: 'dora',
    changes: () => ({ userName: { after: 'dora' }, nickName: { after: 'D' } }),
  },
  {
    ...ofUser,
    mutation: 'updateUser',
    input: (the) => ({
      id: the.get('dora'),
      nickName: 'Do',
      extensions: { [the.get('urn')]: { badge: '7', pin: the.get('pin') } },
    }),
    action: 'user.updated',
    resource: 'dora',
    changes: (the) => ({
      nickName: { before: 'D', after: 'Do' },
      [the.get('urn')]: { after: { badge: '7', pin: '(never returned, changed)' } },
    }),
    secrets: ['pin'],
  },
  {
    ...ofUser,
    mutation: 'updateMe',
    input: () => ({ nickName: 'Boss' }),
    action: 'user.updated',
    resource: 'administrator',
    changes: () => ({ nickName: { after: 'Boss' } }),
  },
  {
    ...ofUser,
    mutation: 'deactivateUser',
    input: (the) => ({ id: the.get('dora') }),
    action: 'user.deactivated',
    resource: 'dora',
    changes: () => ({ active: { before: true, after: false } }),
    follows: ['user.departed'],
  },
  {
    ...ofUser,
    mutation: 'reactivateUser',
    prepare: heardOf(1),
    input: (the) => ({ id: the.get('dora') }),
    action: 'user.reactivated',
    resource: 'dora',
    changes: () => ({ active: { before: false, after: true } }),
  },
  {
    ...ofGroup,
    mutation: 'createGroup',
    input: (the) => ({ displayName: 'Everybody', memberIds: [the.get('dora')] }),
    keep: { group: 'group.id' },
    action: 'group.created',
    resource: 'group',
    changes: (the) => ({
      displayName: { after: 'Everybody' },
      members: { after: { added: [the.get('dora')], total: 1 } },
    }),
  },
  {
    ...ofGroup,
    mutation: 'createGroup',
    case: 'by an app for a person',
    by: 'delegate',
    input: () => ({ displayName: 'Delegated' }),
    keep: { delegated: 'group.id' },
    action: 'group.created',
    resource: 'delegated',
    changes: () => ({ displayName: { after: 'Delegated' } }),
  },
  {
    ...ofGroup,
    mutation: 'updateGroup',
    input: (the) => ({ id: the.get('group'), displayName: 'All' }),
    action: 'group.updated',
    resource: 'group',
    changes: () => ({ displayName: { before: 'Everybody', after: 'All' } }),
  },
  {
    ...ofGroup,
    mutation: 'addGroupMembers',
    input: (the) => ({ groupId: the.get('group'), memberIds: [the.get('bob')] }),
    action: 'group.updated',
    resource: 'group',
    changes: (the) => ({ members: { after: { added: [the.get('bob')], total: 1 } } }),
  },
  {
    ...ofGroup,
    mutation: 'removeGroupMembers',
    input: (the) => ({ groupId: the.get('group'), memberIds: [the.get('bob')] }),
    action: 'group.updated',
    resource: 'group',
    changes: (the) => ({ members: { before: { removed: [the.get('bob')], total: 1 } } }),
  },
  {
    ...ofUser,
    mutation: 'deleteUser',
    input: (the) => ({ id: the.get('dora') }),
    select: 'id',
    action: 'user.deleted',
    resource: 'dora',
    changes: () => ({ userName: { before: 'dora' }, nickName: { before: 'Do' } }),
    // The group of which the user was a member, and the offboarding.
    follows: ['group.updated', 'user.departed'],
  },
  {
    ...ofUser,
    mutation: 'restoreUser',
    prepare: heardOf(2),
    input: (the) => ({ id: the.get('dora') }),
    action: 'user.restored',
    resource: 'dora',
    changes: () => ({ userName: { after: 'dora' }, nickName: { after: 'Do' } }),
    follows: ['group.updated'],
    // The next row deletes her again. If auth processes the reactivation after that deletion, the directory reports the
    // user as deleted, and the reactivation event completes the offboarding.
    mayFollow: 'user.departed',
  },
  {
    ...ofUser,
    mutation: 'purgeUser',
    prepare: async (world) => {
      await world.change('deleteUser', { id: world.the.get('dora') }, 'id');
      await heardOf(3)(world);
    },
    input: (the) => ({ id: the.get('dora') }),
    select: 'id',
    action: 'user.purged',
    resource: 'dora',
    changes: () => ({ userName: { before: 'dora' } }),
  },
  {
    ...ofSchema,
    mutation: 'deleteSchema',
    input: (the) => ({ id: the.get('urn') }),
    select: 'id',
    action: 'schema.deleted',
    resource: 'urn',
    changes: () => ({ name: { before: 'Badges and pins' } }),
  },
  {
    ...ofGroup,
    mutation: 'deleteGroup',
    input: (the) => ({ id: the.get('group') }),
    select: 'id',
    action: 'group.deleted',
    resource: 'group',
    changes: () => ({ displayName: { before: 'All' } }),
  },
  {
    ...ofGroup,
    mutation: 'restoreGroup',
    input: (the) => ({ id: the.get('group') }),
    action: 'group.restored',
    resource: 'group',
    changes: () => ({ displayName: { after: 'All' } }),
  },
  {
    ...ofGroup,
    mutation: 'purgeGroup',
    prepare: async ({ change, the }) => {
      await change('deleteGroup', { id: the.get('group') }, 'id');
    },
    input: (the) => ({ id: the.get('group') }),
    select: 'id',
    action: 'group.purged',
    resource: 'group',
    changes: () => ({ displayName: { before: 'All' } }),
  },
];
