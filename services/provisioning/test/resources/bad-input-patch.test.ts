import { describe, expect, test } from '@jest/globals';
import { uuidv7 } from '@ostiary/service';
import {
  bulkRequest,
  carelessSources,
  enterprise,
  patchOp,
  userSchema,
} from '../support/careless-sources.ts';

/** Errors of clients in a PATCH and in names. */
describe('bad input to a change', () => {
  const careless = carelessSources();
  const { hr, outcome, user, create, createGroup, patch, read } = careless;

  describe('names of prototypes', () => {
    const clean = () => {
      expect(({} as Record<string, unknown>).polluted).toBeUndefined();
      expect(Object.getOwnPropertyNames(Object.prototype)).not.toContain('polluted');
    };

    test('Names of prototypes in a body are ignored.', async () => {
      for (const key of ['__proto__', 'constructor', 'prototype']) {
        const text = JSON.stringify(user()).replace(
          /\}$/,
          `,"${key}":{"polluted":"yes","prototype":{"polluted":"yes"}}}`,
        );
        const made = await hr.call('POST', '/Users', { body: text });
        expect(made.status).toBe(201);
        expect(JSON.stringify(made.body)).not.toContain('polluted');
        const nested = JSON.stringify(user({ name: { givenName: 'x' } })).replace(
          '"givenName"',
          `"${key}":{"polluted":1},"givenName"`,
        );
        expect((await hr.call('POST', '/Users', { body: nested })).status).toBe(201);
      }
      clean();
    });

    test.each([
      '__proto__',
      '__proto__.polluted',
      'constructor',
      'constructor.prototype',
      'constructor.prototype.polluted',
      'name.__proto__',
      'name.constructor',
      'emails.__proto__.polluted',
      'emails[type eq "work"].__proto__',
      '__proto__[type eq "work"]',
      'toString',
      'hasOwnProperty',
      `${enterprise}:__proto__`,
      `${enterprise}:constructor.prototype`,
      `${userSchema}:__proto__`,
      'urn:__proto__:polluted',
    ])('The name %s as the path of a PATCH is rejected as invalidPath or noTarget.', async (path) => {
      const { id } = await create({ name: { givenName: 'x' }, emails: [{ value: 'a@b.c', type: 'work' }] });
      for (const op of ['add', 'replace', 'remove']) {
        const answer = await patch(`/Users/${id}`, {
          op,
          path,
          ...(op === 'remove' ? {} : { value: { polluted: 'yes' } }),
        });
        expect(answer.status).toBe(400);
        expect(answer.body.scimType).toMatch(/^(invalidPath|noTarget)$/);
      }
      clean();
    });

    test('Names of prototypes as keys of a PATCH without path change nothing.', async () => {
      const { id } = await create();
      for (const key of [
        '__proto__',
        'constructor',
        'prototype',
        '__proto__.polluted',
        'constructor.prototype.polluted',
      ]) {
        const body = `{"schemas":["${patchOp}"],"Operations":[{"op":"add","value":{"${key}":{"polluted":"yes"},"title":"x"}}]}`;
        const answer = await hr.call('PATCH', `/Users/${id}`, { body });
        expect(answer.status).toBeLessThan(500);
        expect(JSON.stringify(await read(`/Users/${id}`))).not.toContain('polluted');
      }
      clean();
    });

    test('Names of prototypes are no attributes to filter, sort or select by, and no resource types.', async () => {
      for (const name of ['__proto__', 'constructor', 'toString', 'prototype']) {
        expect(outcome(await hr.call('GET', `/Users?filter=${name}%20pr`))).toEqual([400, 'invalidFilter']);
        expect((await hr.call('GET', `/Users?sortBy=${name}`)).status).toBe(400);
        const chosen = await hr.call('GET', `/Users?attributes=${name}&count=1`);
        expect(chosen.status).toBeLessThan(500);
        expect((await hr.call('GET', `/${name}`)).status).toBe(404);
        expect((await hr.call('GET', `/Users/${name}`)).status).toBe(404);
        expect((await hr.call('GET', `/Schemas/${name}`)).status).toBe(404);
        expect((await hr.call('GET', `/ResourceTypes/${name}`)).status).toBe(404);
      }
      clean();
    });

    test('Names of prototypes are ordinary names as bulkIds and paths of a Bulk.', async () => {
      const operations = ['__proto__', 'constructor', 'toString'].map((bulkId) => ({
        method: 'POST',
        path: '/Users',
        bulkId,
        data: user(),
      }));
      const answer = await hr.call('POST', '/Bulk', {
        body: {
          schemas: [bulkRequest],
          Operations: [...operations, { method: 'DELETE', path: '/Users/bulkId:valueOf' }],
        },
      });
      expect(answer.body.Operations.map(({ status }: { status: string }) => status)).toEqual([
        '201',
        '201',
        '201',
        '400',
      ]);
      clean();
    });
  });

  describe('a PATCH', () => {
    test.each([
      ['id', 'mutability', { op: 'replace', path: 'id', value: uuidv7() }],
      ['meta', 'mutability', { op: 'replace', path: 'meta.created', value: '2020-01-01T00:00:00Z' }],
      ['groups', 'mutability', { op: 'add', path: 'groups', value: [{ value: uuidv7() }] }],
      ['the userName, removed', 'invalidValue', { op: 'remove', path: 'userName' }],
      ['the userName, empty', 'invalidValue', { op: 'replace', path: 'userName', value: '' }],
      ['the userName, null', 'invalidValue', { op: 'replace', path: 'userName', value: null }],
      ['an unknown attribute', 'invalidPath', { op: 'add', path: 'favouriteColour', value: 'blue' }],
      ['an unknown sub-attribute', 'invalidPath', { op: 'add', path: 'name.shoeSize', value: 7 }],
      ['an unknown schema', 'invalidPath', { op: 'add', path: 'urn:example:unknown:User:x', value: 7 }],
      ['half a path', 'invalidPath', { op: 'add', path: 'emails[type eq', value: 'x' }],
      ['an array index', 'invalidPath', { op: 'add', path: 'emails[0].value', value: 'x' }],
      ['a path with NUL', 'invalidSyntax', { op: 'add', path: 'user\u0000Name', value: 'x' }],
      [
        'a filter with an unknown attribute',
        'invalidPath',
        { op: 'replace', path: 'emails[colour eq "x"].value', value: 'x' },
      ],
      [
        'nothing that matches',
        'noTarget',
        { op: 'replace', path: 'emails[type eq "work"].value', value: 'x' },
      ],
      ['a remove without path', 'noTarget', { op: 'remove' }],
      ['an op that is none', 'invalidSyntax', { op: 'move', path: 'title', value: 'x' }],
      ['a value of another type', 'invalidValue', { op: 'replace', path: 'active', value: 'no' }],
      ['no value', 'invalidValue', { op: 'add', path: 'title' }],
    ])('A PATCH with %s is rejected as %s, and nothing is changed.', async (_what, scimType, operation) => {
      const made = await create({ title: 'T' });
      const answer = await hr.call('PATCH', `/Users/${made.id}`, {
        body: {
          schemas: [patchOp],
          Operations: [{ op: 'replace', path: 'title', value: 'changed' }, operation],
        },
      });
      expect(outcome(answer)).toEqual([400, scimType]);
      expect(await read(`/Users/${made.id}`)).toEqual(made);
    });

    test('A PATCH of an immutable reference is rejected as mutability; members can only be added and removed.', async () => {
      const [one, other] = [await create(), await create()];
      const group = await createGroup(hr, one.id);
      const answer = await patch(`/Groups/${group}`, {
        op: 'replace',
        path: `members[value eq "${one.id}"].value`,
        value: other.id,
      });
      expect(answer.status).toBe(400);
      expect((await read(`/Groups/${group}`)).members).toMatchObject([{ value: one.id }]);
    });

    test('A PATCH without a match may create the element that Entra ID expects, in its profile only.', async () => {
      const entra = await careless.system.source('entra');
      const { id } = await create();
      const operation = { op: 'replace', path: 'emails[type eq "work"].value', value: 'a@example.com' };
      expect(outcome(await patch(`/Users/${id}`, operation))).toEqual([400, 'noTarget']);
      expect((await patch(`/Users/${id}`, operation, entra)).body.emails).toEqual([
        { type: 'work', value: 'a@example.com' },
      ]);
    });

    test.each([
      [undefined],
      [{ schemas: [patchOp] }],
      [{ schemas: [patchOp], Operations: {} }],
      [{ schemas: [patchOp], Operations: [] }],
      [{ schemas: [patchOp], Operations: [null] }],
      [{ schemas: [patchOp], Operations: [[]] }],
      [{ schemas: [patchOp], Operations: [{}] }],
      [{ schemas: [patchOp], Operations: [{ op: 7 }] }],
      [{ schemas: [userSchema], Operations: [{ op: 'add', path: 'title', value: 'x' }] }],
      [{ Operations: [{ op: 'add', path: 'title', value: 'x' }] }],
    ])('A PATCH with the message %j is rejected as invalidSyntax.', async (body) => {
      const { id } = await create();
      expect(outcome(await hr.call('PATCH', `/Users/${id}`, { body }))).toEqual([400, 'invalidSyntax']);
    });
  });
});
