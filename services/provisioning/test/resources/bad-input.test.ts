import { describe, expect, test } from '@jest/globals';
import { uuidv7 } from '@ostiary/service';
import {
  bulkRequest,
  carelessSources,
  enterprise,
  errorSchema,
  groupSchema,
  userSchema,
} from '../support/careless-sources.ts';
import type { ScimResponse } from '../support/service.ts';

const odd: unknown[] = [
  null,
  true,
  0,
  -1,
  1e308,
  '',
  ' ',
  'x'.repeat(5000),
  [],
  [[]],
  {},
  { a: {} },
  [null],
  '\u202e',
  '𝕏',
  '%00',
  "'; --",
];

const namesOfEverything = [
  'userName',
  'name',
  'emails',
  'active',
  'externalId',
  'schemas',
  'password',
  'groups',
  'meta',
  'id',
  enterprise,
];

/** Errors of clients in a body. */
describe('bad input', () => {
  const careless = carelessSources();
  const { hr, outcome, user, create, createGroup, patch, read } = careless;

  describe('a body', () => {
    test.each([
      ['no JSON', '{"schemas":'],
      ['half a text', '{"userName":"a'],
      ['another format', '<user/>'],
      ['nothing', ''],
      ['white space', '   '],
      ['a text', '"user"'],
      ['an array', '[]'],
      ['a number', '7'],
      ['null', 'null'],
      ['a key twice', `{"schemas":["${userSchema}"],"userName":"a","userName":"b"}`],
      ['a key twice, once escaped', `{"schemas":["${userSchema}"],"userName":"a","user\\u004eame":"b"}`],
      ['a key twice further in', `{"schemas":["${userSchema}"],"userName":"a","name":{"x":1,"x":2}}`],
      ['a NUL', `{"schemas":["${userSchema}"],"userName":"a\\u0000b"}`],
      ['a NUL in a key', `{"schemas":["${userSchema}"],"user\\u0000Name":"ab"}`],
      ['half a surrogate pair', `{"schemas":["${userSchema}"],"userName":"a\\ud800"}`],
      ['arrays without end', `${'['.repeat(40_000)}${']'.repeat(40_000)}`],
      ['objects without end', `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`],
      [
        'arrays without end in a User',
        `{"schemas":["${userSchema}"],"userName":"a","x":${'['.repeat(33)}${']'.repeat(33)}}`,
      ],
      ['NaN', `{"schemas":["${userSchema}"],"userName":NaN}`],
      ['a comment', `{/**/"schemas":["${userSchema}"],"userName":"a"}`],
    ])('A body that is or has %s is rejected as invalidSyntax, at every endpoint.', async (_what, body) => {
      const id = uuidv7();
      for (const [method, path] of [
        ['POST', '/Users'],
        ['PUT', `/Users/${id}`],
        ['PATCH', `/Users/${id}`],
        ['POST', '/Groups'],
        ['POST', '/Bulk'],
        ['POST', '/.search'],
        ['POST', '/Users/.search'],
      ] as const) {
        expect(outcome(await hr.call(method, path, { body }))).toEqual([400, 'invalidSyntax']);
      }
    });

    test('A body that is too large is rejected with 413, also when its length is not announced.', async () => {
      const body = JSON.stringify(user({ displayName: 'x'.repeat(200_000) }));
      expect(outcome(await hr.call('POST', '/Users', { body }))).toEqual([413, undefined]);
      const chunked = await fetch(`${careless.system.service.url}/t/demo/scim/v2/Users`, {
        method: 'POST',
        headers: { 'content-type': 'application/scim+json', authorization: `Bearer ${hr.token}` },
        body: new ReadableStream({
          start(controller) {
            controller.enqueue(new TextEncoder().encode(body));
            controller.close();
          },
        }),
        duplex: 'half',
      } as RequestInit);
      expect(chunked.status).toBe(413);
    });

    test.each([
      ['missing', undefined],
      ['empty', []],
      ['another one', [groupSchema]],
      ['unknown ones', ['urn:example:unknown']],
      ['an unknown one beside', [userSchema, 'urn:example:unknown']],
      ['a text', userSchema],
      ['not texts', [7, null, {}]],
    ])('A body whose schemas are %s is rejected as invalidSyntax.', async (_what, schemas) => {
      const { id } = await create();
      for (const [method, path] of [
        ['POST', '/Users'],
        ['PUT', `/Users/${id}`],
      ] as const) {
        const answer = await hr.call(method, path, { body: { ...user(), schemas } });
        expect(outcome(answer)).toEqual([400, 'invalidSyntax']);
      }
    });

    test('Unknown attributes in a body are ignored.', async () => {
      const made = await create({ favouriteColour: 'blue', name: { givenName: 'Ada', shoeSize: 7 } });
      expect(made.favouriteColour).toBeUndefined();
      expect(made.name).toEqual({ givenName: 'Ada' });
    });

    test('An id in a body is ignored, on creation and replacement.', async () => {
      const [victim, forged] = [await create(), uuidv7()];
      const made = await create({ id: forged });
      expect(made.id).not.toBe(forged);
      expect((await create({ id: victim.id })).id).not.toBe(victim.id);
      const replaced = await hr.call('PUT', `/Users/${made.id}`, { body: { ...user(), id: victim.id } });
      expect([replaced.status, replaced.body.id]).toEqual([200, made.id]);
      expect((await read(`/Users/${victim.id}`)).userName).toBe(victim.userName);
    });

    test('Blank texts, empty objects and entries without a value are neither stored nor returned.', async () => {
      const blank = {
        schemas: [userSchema, enterprise],
        externalId: '',
        displayName: ' ',
        title: '',
        name: { givenName: '', familyName: '\t' },
        emails: [{ type: 'work', value: '' }, { type: 'home', primary: true }, {}],
        addresses: [{ type: 'work', locality: '' }],
        roles: [{ display: 'None' }],
        [enterprise]: { department: '', manager: {} },
      };
      const bare = ['id', 'schemas', 'meta', 'userName', 'active'].sort();
      const { id, userName } = await create(blank);
      const path = `/Users/${id}`;
      expect(Object.keys(await read(path)).sort()).toEqual(bare);
      const emails = [{ type: 'work', value: 'ada@example.com' }];
      const replaced = await hr.call('PUT', path, {
        body: user({ ...blank, userName, emails, title: 'Ms' }),
      });
      expect(replaced.body).toMatchObject({ schemas: [userSchema], emails, title: 'Ms' });
      await patch(path, { op: 'replace', path: 'title', value: ' ' });
      const patched = await patch(path, {
        op: 'replace',
        path: 'emails[type eq "work"].value',
        value: '',
      });
      expect(patched.status).toBe(200);
      expect(Object.keys(patched.body).sort()).toEqual(bare);
    });

    test.each([
      ['a userName that is a number', { userName: 7 }],
      ['no userName', { userName: undefined }],
      ['an empty userName', { userName: '' }],
      ['a blank userName', { userName: ' \t' }],
      ['a userName that is null', { userName: null }],
      ['active that is a text', { active: 'yes' }],
      ['emails that are an object', { emails: { value: 'a@b.c' } }],
      ['emails that are texts', { emails: ['a@b.c'] }],
      ['a name that is a text', { name: 'Ada' }],
      ['a givenName that is an array', { name: { givenName: ['Ada'] } }],
      ['an extension that is a text', { schemas: [userSchema, enterprise], [enterprise]: 'x' }],
    ])('A body with %s is rejected as invalidValue.', async (_what, more) => {
      const answer = await hr.call('POST', '/Users', { body: user(more) });
      expect(outcome(answer)).toEqual([400, 'invalidValue']);
    });
  });

  describe('two primary values', () => {
    const two = [
      { value: 'a@example.com', primary: true },
      { value: 'b@example.com', primary: true },
    ];

    test('Two primary values are rejected as invalidValue on creation and replacement.', async () => {
      expect(outcome(await hr.call('POST', '/Users', { body: user({ emails: two }) }))).toEqual([
        400,
        'invalidValue',
      ]);
      const { id } = await create();
      const replaced = await hr.call('PUT', `/Users/${id}`, { body: user({ emails: two }) });
      expect(outcome(replaced)).toEqual([400, 'invalidValue']);
    });

    test('A second primary value added by a PATCH leaves only the new one primary.', async () => {
      const { id } = await create({ emails: [two[0]] });
      expect((await patch(`/Users/${id}`, { op: 'add', path: 'emails', value: [two[1]] })).status).toBe(200);
      const emails = (await read(`/Users/${id}`)).emails as { value: string; primary?: boolean }[];
      expect(emails.filter(({ primary }) => primary).map(({ value }) => value)).toEqual(['b@example.com']);
      expect(emails).toHaveLength(2);
    });

    test('Two primary values within one PATCH operation are rejected as invalidValue.', async () => {
      const { id } = await create();
      expect(outcome(await patch(`/Users/${id}`, { op: 'add', path: 'emails', value: two }))).toEqual([
        400,
        'invalidValue',
      ]);
    });
  });

  test('A circle of groups is rejected, by PATCH and in a Bulk.', async () => {
    const inner = await createGroup();
    const outer = await createGroup(hr, inner);
    const circle = await patch(`/Groups/${inner}`, { op: 'add', path: 'members', value: [{ value: outer }] });
    expect(outcome(circle)).toEqual([409, undefined]);
    const group = (bulkId: string, member: string) => ({
      method: 'POST',
      path: '/Groups',
      bulkId,
      data: { schemas: [groupSchema], displayName: bulkId, members: [{ value: `bulkId:${member}` }] },
    });
    const answer = await hr.call('POST', '/Bulk', {
      body: { schemas: [bulkRequest], Operations: [group('a', 'b'), group('b', 'a')] },
    });
    expect(answer.body.Operations).toMatchObject([
      { status: '409', response: { schemas: [errorSchema] } },
      { status: '409' },
    ]);
  });

  test('A caller that sends requests too fast receives 429 with Retry-After.', async () => {
    const { token, connector } = await careless.system.service.connector({ name: 'Fast' });
    await careless.system.service.database.sql.query(
      'UPDATE provisioning.connectors SET limits = $1 WHERE id = $2',
      [{ requestsPerMinute: 2 }, connector.id],
    );
    const answers = [];
    for (let i = 0; i < 3; i += 1)
      answers.push(await careless.system.service.scim('GET', '/Users?count=0', { token }));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 429]);
    expect(Number(answers[2]?.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  test('No input of any kind leads to a 500.', async () => {
    const { id } = await create();
    const requests: Promise<ScimResponse>[] = [];
    for (const value of odd) {
      for (const name of namesOfEverything) {
        requests.push(hr.call('POST', '/Users', { body: { ...user(), [name]: value } }));
      }
      for (const path of [
        'userName',
        'emails',
        'emails[type eq "x"]',
        'name',
        'members',
        enterprise,
        value,
      ]) {
        requests.push(patch(`/Users/${id}`, { op: 'add', path, value }));
        requests.push(patch(`/Users/${id}`, { op: 'remove', path, value }));
      }
      requests.push(
        hr.call('POST', '/Groups', { body: { schemas: [groupSchema], displayName: value, members: value } }),
      );
      requests.push(hr.call('POST', '/Bulk', { body: { schemas: [bulkRequest], Operations: value } }));
      requests.push(hr.call('POST', '/Bulk', { body: { schemas: [bulkRequest], Operations: [value] } }));
    }
    for (const answer of await Promise.all(requests)) {
      expect(answer.status).toBeLessThan(500);
      if (answer.status >= 400) expect(answer.body.schemas).toEqual([errorSchema]);
      expect(JSON.stringify(answer.body ?? '')).not.toMatch(
        /select .* from|insert into|node_modules|\bat \w+ \(|directory\./i,
      );
    }
  });
});
