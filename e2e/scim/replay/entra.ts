import type { Step } from './session.ts';

/**
 * Requests of Microsoft Entra ID: `op` with a capital letter, booleans as strings, an unknown schema in groups, groups
 * read without their members, members removed by a value array, a manager as a bare id.
 */

const user = 'urn:ietf:params:scim:schemas:core:2.0:User';
const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const group = 'urn:ietf:params:scim:schemas:core:2.0:Group';
const foreignGroup = 'http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group';
const list = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';

const patch = (...Operations: object[]) => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
  Operations,
});
const nothing = { status: 200, body: { schemas: [list], totalResults: 0, itemsPerPage: 0 } };
const found = (id: string) => ({ status: 200, body: { totalResults: 1, Resources: [{ id }] } });

const initialCycle: Step[] = [
  {
    what: 'Test Connection: a user that doesn’t exist',
    send: ['GET', '/Users?filter=userName eq "3f1c1d1e-7a0b-4c58-8d4c-000000000000"'],
    hear: nothing,
  },
  {
    what: 'is the manager there already?',
    send: ['GET', '/Users?filter=userName eq "{{boss}}"'],
    hear: nothing,
  },
  {
    what: 'creates the manager',
    send: ['POST', '/Users'],
    body: {
      schemas: [user, enterprise],
      externalId: '{{bossExternalId}}',
      userName: '{{boss}}',
      active: true,
      displayName: 'Grace Hopper',
      meta: { resourceType: 'User' },
      name: { formatted: 'Grace Hopper', familyName: 'Hopper', givenName: 'Grace' },
      roles: [],
    },
    hear: { status: 201, body: { userName: '{{boss}}', active: true } },
    keep: { bossId: 'id' },
  },
  {
    what: 'is the person there already?',
    send: ['GET', '/Users?filter=userName eq "{{person}}"'],
    hear: nothing,
  },
  {
    what: 'creates the person, booleans as text',
    send: ['POST', '/Users'],
    body: {
      schemas: [user, enterprise],
      externalId: '{{externalId}}',
      userName: '{{person}}',
      active: 'True',
      displayName: 'Ada Lovelace',
      emails: [{ primary: true, type: 'work', value: '{{person}}' }],
      meta: { resourceType: 'User' },
      name: { formatted: 'Ada Lovelace', familyName: 'Lovelace', givenName: 'Ada' },
      [enterprise]: { department: 'Engines', manager: '{{bossId}}' },
      roles: [],
    },
    hear: {
      status: 201,
      body: {
        externalId: '{{externalId}}',
        active: true,
        [enterprise]: { department: 'Engines', manager: { value: '{{bossId}}' } },
      },
    },
    keep: { id: 'id' },
    after: 'exists',
  },
  {
    what: 'reads it back',
    send: ['GET', '/Users/{{id}}'],
    hear: { status: 200, body: { id: '{{id}}', userName: '{{person}}' } },
  },
  {
    what: 'finds it by its externalId',
    send: ['GET', '/Users?filter=externalId eq "{{externalId}}"'],
    hear: found('{{id}}'),
  },
  {
    what: 'finds it by its e-mail address',
    send: ['GET', '/Users?filter=emails[type eq "work"].value eq "{{person}}"'],
    hear: found('{{id}}'),
  },
];

const groupSync: Step[] = [
  {
    what: 'is the group there already? its members don’t matter',
    send: ['GET', '/Groups?excludedAttributes=members&filter=displayName eq "{{group}}"'],
    hear: nothing,
  },
  {
    what: 'creates the group, with a schema of its own',
    send: ['POST', '/Groups'],
    body: {
      schemas: [group, foreignGroup],
      externalId: '{{groupExternalId}}',
      displayName: '{{group}}',
      meta: { resourceType: 'Group' },
    },
    hear: { status: 201, body: { schemas: [group], displayName: '{{group}}' } },
    keep: { groupId: 'id' },
  },
  {
    what: 'reads the group without its members',
    send: ['GET', '/Groups/{{groupId}}?excludedAttributes=members'],
    hear: { status: 200, body: { id: '{{groupId}}', displayName: '{{group}}' } },
    lacks: [['members']],
  },
  {
    what: 'adds the person',
    send: ['PATCH', '/Groups/{{groupId}}'],
    body: patch({ op: 'Add', path: 'members', value: [{ $ref: null, value: '{{id}}' }] }),
    hear: { status: 204, body: null },
  },
  {
    what: 'adds the manager',
    send: ['PATCH', '/Groups/{{groupId}}'],
    body: patch({ op: 'Add', path: 'members', value: [{ $ref: null, value: '{{bossId}}' }] }),
    hear: { status: 204, body: null },
  },
  {
    what: 'the person is in the group',
    send: ['GET', '/Users/{{id}}'],
    hear: { status: 200, body: { groups: [{ value: '{{groupId}}', display: '{{group}}' }] } },
  },
  {
    what: 'renames the group',
    send: ['PATCH', '/Groups/{{groupId}}'],
    body: patch({ op: 'Replace', path: 'displayName', value: '{{group}} 2' }),
    hear: { status: 204, body: null },
  },
  {
    what: 'asks whether the person is a member',
    send: ['GET', '/Groups?filter=id eq "{{groupId}}" and members eq "{{id}}"&attributes=id'],
    hear: found('{{groupId}}'),
  },
  {
    what: 'removes the manager by a value array, and nobody else',
    send: ['PATCH', '/Groups/{{groupId}}'],
    body: patch({ op: 'Remove', path: 'members', value: [{ $ref: null, value: '{{bossId}}' }] }),
    hear: { status: 204, body: null },
  },
  {
    what: 'the person is still in it',
    send: ['GET', '/Groups/{{groupId}}'],
    hear: { status: 200, body: { displayName: '{{group}} 2', members: [{ value: '{{id}}' }] } },
  },
];

const incrementalCycle: Step[] = [
  {
    what: 'finds the person',
    send: ['GET', '/Users?filter=userName eq "{{person}}"'],
    hear: found('{{id}}'),
  },
  {
    what: 'changes what changed: paths with a filter, dotted and with an URN',
    send: ['PATCH', '/Users/{{id}}'],
    body: patch(
      { op: 'Replace', path: 'emails[type eq "work"].value', value: 'king.{{person}}' },
      { op: 'Replace', path: 'name.familyName', value: 'King' },
      { op: 'Add', path: 'phoneNumbers[type eq "mobile"].value', value: '+44 20 7946 0000' },
      { op: 'Add', path: `${enterprise}:employeeNumber`, value: '701984' },
    ),
    hear: {
      status: 200,
      body: {
        emails: [{ type: 'work', value: 'king.{{person}}', primary: true }],
        name: { familyName: 'King', givenName: 'Ada' },
        phoneNumbers: [{ type: 'mobile', value: '+44 20 7946 0000' }],
        [enterprise]: { employeeNumber: '701984', department: 'Engines' },
      },
    },
  },
  {
    what: 'changes more without a path, by dotted and URN keys',
    send: ['PATCH', '/Users/{{id}}'],
    body: patch({
      op: 'Replace',
      value: {
        displayName: 'Ada King',
        'name.givenName': 'Augusta',
        [`${enterprise}:department`]: 'Looms',
      },
    }),
    hear: {
      status: 200,
      body: {
        displayName: 'Ada King',
        name: { givenName: 'Augusta', familyName: 'King' },
        [enterprise]: { department: 'Looms', employeeNumber: '701984' },
      },
    },
  },
  {
    what: 'replaces by the primary, quoted',
    send: ['PATCH', '/Users/{{id}}'],
    body: patch({ op: 'Replace', path: 'emails[primary eq "True"].value', value: '{{person}}' }),
    hear: { status: 200, body: { emails: [{ type: 'work', value: '{{person}}', primary: true }] } },
  },
  {
    what: 'replaces a part of a value that isn’t there',
    send: ['PATCH', '/Users/{{id}}'],
    body: patch({ op: 'Replace', path: 'addresses[type eq "work"].locality', value: 'London' }),
    hear: { status: 200, body: { addresses: [{ type: 'work', locality: 'London' }] } },
  },
  {
    what: 'asks whether the manager is assigned',
    send: ['GET', '/Users?filter=id eq "{{id}}" and manager eq "{{bossId}}"&attributes=id'],
    hear: found('{{id}}'),
  },
  {
    what: 'unassigns the manager',
    send: ['PATCH', '/Users/{{id}}'],
    body: patch({ op: 'Replace', path: `${enterprise}:manager`, value: '' }),
    hear: { status: 200, body: { [enterprise]: { department: 'Looms' } } },
    lacks: [[enterprise, 'manager']],
  },
  {
    what: 'assigns it again, by a bare id',
    send: ['PATCH', '/Users/{{id}}'],
    body: patch({ op: 'Add', path: `${enterprise}:manager`, value: '{{bossId}}' }),
    hear: { status: 200, body: { [enterprise]: { manager: { value: '{{bossId}}' } } } },
  },
];

const disable: Step[] = [
  {
    what: 'disables the person, who was unassigned',
    send: ['PATCH', '/Users/{{id}}'],
    body: patch({ op: 'Replace', path: 'active', value: 'False' }),
    hear: { status: 200, body: { id: '{{id}}', active: false } },
    after: 'departed',
  },
  {
    what: 'still finds them, disabled',
    send: ['GET', '/Users?filter=userName eq "{{person}}"'],
    hear: { status: 200, body: { totalResults: 1, Resources: [{ id: '{{id}}', active: false }] } },
  },
];

const restore: Step[] = [
  {
    what: 'enables the person, who was assigned again',
    send: ['PATCH', '/Users/{{id}}'],
    body: patch({ op: 'Replace', path: 'active', value: 'True' }),
    hear: { status: 200, body: { id: '{{id}}', active: true } },
    after: 'returned',
  },
];

const removal: Step[] = [
  {
    what: 'deletes the group',
    send: ['DELETE', '/Groups/{{groupId}}'],
    hear: { status: 204, body: null },
  },
  {
    what: 'deletes the person for good',
    send: ['DELETE', '/Users/{{id}}'],
    hear: { status: 204, body: null },
    after: 'departed',
  },
  {
    what: 'who is gone',
    send: ['GET', '/Users/{{id}}'],
    hear: { status: 404, body: { status: '404' } },
  },
];

export const entra = { initialCycle, groupSync, incrementalCycle, disable, restore, removal };
