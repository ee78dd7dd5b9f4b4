import type { Step } from './session.ts';

/** Requests of OneLogin: members are removed by an array, `active` is a string in some versions. */

const user = 'urn:ietf:params:scim:schemas:core:2.0:User';
const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const group = 'urn:ietf:params:scim:schemas:core:2.0:Group';

const patch = (...Operations: object[]) => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
  Operations,
});

const provisioning: Step[] = [
  {
    what: 'is the person there already?',
    send: ['GET', '/Users?filter=userName eq "{{person}}"'],
    hear: { status: 200, body: { totalResults: 0 } },
  },
  {
    what: 'creates the person',
    send: ['POST', '/Users'],
    body: {
      schemas: [user, enterprise],
      userName: '{{person}}',
      externalId: '{{externalId}}',
      name: { givenName: 'Ada', familyName: 'Lovelace' },
      emails: [{ value: '{{person}}', type: 'work', primary: true }],
      password: '{{password}}',
      active: true,
      [enterprise]: { department: 'Engines' },
    },
    hear: { status: 201, body: { active: true, [enterprise]: { department: 'Engines' } } },
    keep: { id: 'id' },
    after: 'exists',
  },
  {
    what: 'creates the group with the person in it',
    send: ['POST', '/Groups'],
    body: { schemas: [group], displayName: '{{group}}', members: [{ value: '{{id}}' }] },
    hear: { status: 201, body: { members: [{ value: '{{id}}' }] } },
    keep: { groupId: 'id' },
  },
  {
    what: 'removes the person by an array',
    send: ['PATCH', '/Groups/{{groupId}}'],
    body: patch({ op: 'remove', path: 'members', value: [{ value: '{{id}}' }] }),
    hear: { status: 200, body: { displayName: '{{group}}' } },
    lacks: [['members']],
  },
  {
    what: 'suspends the person',
    send: ['PATCH', '/Users/{{id}}'],
    body: patch({ op: 'replace', path: 'active', value: 'false' }),
    hear: { status: 200, body: { active: false } },
    after: 'departed',
  },
  {
    what: 'takes them back',
    send: ['PATCH', '/Users/{{id}}'],
    body: patch({ op: 'replace', path: 'active', value: true }),
    hear: { status: 200, body: { active: true } },
    after: 'returned',
  },
  {
    what: 'deletes the group',
    send: ['DELETE', '/Groups/{{groupId}}'],
    hear: { status: 204, body: null },
  },
  {
    what: 'deletes the person',
    send: ['DELETE', '/Users/{{id}}'],
    hear: { status: 204, body: null },
    after: 'departed',
  },
];

export const onelogin = { provisioning };
