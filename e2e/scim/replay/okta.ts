import type { Step } from './session.ts';

/**
 * Requests of Okta: a profile by PUT with the representation it has read, activation by PATCH without a path, a
 * password in the creation, a group renamed with its id inside the value. It never deletes a user.
 */

const user = 'urn:ietf:params:scim:schemas:core:2.0:User';
const group = 'urn:ietf:params:scim:schemas:core:2.0:Group';
const list = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';

const patch = (...Operations: object[]) => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
  Operations,
});
const lookup = 'startIndex=1&count=100';
const nothing = { status: 200, body: { schemas: [list], totalResults: 0, startIndex: 1, itemsPerPage: 0 } };

const importing: Step[] = [
  {
    what: 'Test API Credentials: two users',
    send: ['GET', '/Users?startIndex=1&count=2'],
    hear: { status: 200, body: { schemas: [list], startIndex: 1, itemsPerPage: 2 } },
  },
  {
    what: 'imports the users, page by page',
    send: ['GET', `/Users?${lookup}`],
    hear: { status: 200, body: { schemas: [list], startIndex: 1 } },
  },
  {
    what: 'the page behind the last is empty',
    send: ['GET', '/Users?startIndex=1000000&count=100'],
    hear: { status: 200, body: { schemas: [list], startIndex: 1_000_000, itemsPerPage: 0 } },
  },
  {
    what: 'imports the groups',
    send: ['GET', `/Groups?${lookup}`],
    hear: { status: 200, body: { schemas: [list], startIndex: 1 } },
  },
];

const push: Step[] = [
  {
    what: 'is the person there already?',
    send: ['GET', `/Users?filter=userName eq "{{person}}"&${lookup}`],
    hear: nothing,
  },
  {
    what: 'creates the person with a password',
    send: ['POST', '/Users'],
    body: {
      schemas: [user],
      userName: '{{person}}',
      name: { givenName: 'Ada', familyName: 'Lovelace' },
      emails: [{ primary: true, value: '{{person}}', type: 'work' }],
      displayName: 'Ada Lovelace',
      locale: 'en-GB',
      externalId: '{{externalId}}',
      groups: [],
      password: '{{password}}',
      active: true,
    },
    hear: { status: 201, body: { userName: '{{person}}', externalId: '{{externalId}}', active: true } },
    keep: { id: 'id' },
    after: 'exists',
  },
  {
    what: 'creating it again is a conflict',
    send: ['POST', '/Users'],
    body: { schemas: [user], userName: '{{person}}', groups: [], active: true },
    hear: { status: 409, body: { status: '409', scimType: 'uniqueness' } },
  },
  {
    what: 'finds it',
    send: ['GET', `/Users?filter=userName eq "{{person}}"&${lookup}`],
    hear: { status: 200, body: { totalResults: 1, startIndex: 1, Resources: [{ id: '{{id}}' }] } },
  },
];

const profileUpdate: Step[] = [
  {
    what: 'reads what is there',
    send: ['GET', '/Users/{{id}}'],
    hear: { status: 200, body: { id: '{{id}}', name: { familyName: 'Lovelace' } } },
  },
  {
    what: 'puts the whole profile, with id, groups and meta',
    send: ['PUT', '/Users/{{id}}'],
    body: {
      schemas: [user],
      id: '{{id}}',
      userName: '{{person}}',
      externalId: '{{externalId}}',
      name: { givenName: 'Ada', familyName: 'King', middleName: 'Augusta' },
      emails: [{ primary: true, value: '{{person}}', type: 'work' }],
      active: true,
      groups: [],
      meta: { resourceType: 'User' },
    },
    hear: {
      status: 200,
      body: {
        id: '{{id}}',
        active: true,
        name: { familyName: 'King', middleName: 'Augusta' },
      },
    },
    lacks: [['displayName'], ['locale']],
  },
];

const groupPush: Step[] = [
  {
    what: 'is the group there already?',
    send: ['GET', `/Groups?filter=displayName eq "{{group}}"&${lookup}`],
    hear: nothing,
  },
  {
    what: 'pushes the group, empty',
    send: ['POST', '/Groups'],
    body: { schemas: [group], displayName: '{{group}}', members: [] },
    hear: { status: 201, body: { displayName: '{{group}}' } },
    keep: { groupId: 'id' },
  },
  {
    what: 'adds the member',
    send: ['PATCH', '/Groups/{{groupId}}'],
    body: patch({ op: 'add', path: 'members', value: [{ value: '{{id}}', display: '{{person}}' }] }),
    hear: { status: 200, body: { members: [{ value: '{{id}}' }] } },
  },
  {
    what: 'renames the group, its id inside the value',
    send: ['PATCH', '/Groups/{{groupId}}'],
    body: patch({ op: 'replace', value: { id: '{{groupId}}', displayName: '{{group}} 2' } }),
    hear: { status: 200, body: { displayName: '{{group}} 2', members: [{ value: '{{id}}' }] } },
  },
  {
    what: 'removes the member',
    send: ['PATCH', '/Groups/{{groupId}}'],
    body: patch({ op: 'remove', path: 'members[value eq "{{id}}"]' }),
    hear: { status: 200, body: { displayName: '{{group}} 2' } },
    lacks: [['members']],
  },
  {
    what: 'replaces all members',
    send: ['PATCH', '/Groups/{{groupId}}'],
    body: patch({ op: 'replace', path: 'members', value: [{ value: '{{id}}', display: '{{person}}' }] }),
    hear: { status: 200, body: { members: [{ value: '{{id}}' }] } },
  },
  {
    what: 'pushes the group empty, which clears it',
    send: ['PATCH', '/Groups/{{groupId}}'],
    body: patch({ op: 'replace', path: 'members', value: [] }),
    hear: { status: 200, body: { displayName: '{{group}} 2' } },
    lacks: [['members']],
  },
  {
    what: 'nobody is in it',
    send: ['GET', '/Users/{{id}}?attributes=groups'],
    hear: { status: 200, body: { id: '{{id}}' } },
    lacks: [['groups']],
  },
  {
    what: 'deletes the group that is pushed no more',
    send: ['DELETE', '/Groups/{{groupId}}'],
    hear: { status: 204, body: null },
  },
];

const deactivate: Step[] = [
  {
    what: 'reads the person',
    send: ['GET', '/Users/{{id}}'],
    hear: { status: 200, body: { id: '{{id}}', active: true } },
  },
  {
    what: 'deactivates them, without a path',
    send: ['PATCH', '/Users/{{id}}'],
    body: patch({ op: 'replace', value: { active: false } }),
    hear: { status: 200, body: { active: false } },
    after: 'departed',
  },
];

const reactivate: Step[] = [
  {
    what: 'activates them again',
    send: ['PATCH', '/Users/{{id}}'],
    body: patch({ op: 'replace', value: { active: true } }),
    hear: { status: 200, body: { active: true } },
    after: 'returned',
  },
];

export const okta = { importing, push, profileUpdate, groupPush, deactivate, reactivate };
