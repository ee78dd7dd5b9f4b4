import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { uuidv7 } from '@ostiary/service';
import { directoryIsBuilt, type Source, startWithDirectory, type WithDirectory } from './real-directory.ts';
import type { ScimResponse } from './service.ts';

const userSchema = 'urn:ietf:params:scim:schemas:core:2.0:User';
const groupSchema = 'urn:ietf:params:scim:schemas:core:2.0:Group';
const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const patchOp = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
const bulkRequest = 'urn:ietf:params:scim:api:messages:2.0:BulkRequest';
const errorSchema = 'urn:ietf:params:scim:api:messages:2.0:Error';

/** What a client can get wrong in what it writes, and what it is told. */
(directoryIsBuilt ? describe : describe.skip)('bad input', () => {
  let system: WithDirectory;
  let hr: Source;
  let rival: Source;

  beforeAll(async () => {
    system = await startWithDirectory();
    hr = await system.source('rfc');
    rival = await system.source('rfc', 'rival');
  }, 60_000);
  afterAll(async () => {
    await system?.close();
  }, 30_000);

  const verdict = ({ status, body }: ScimResponse) => [status, body?.scimType];
  const user = (more: object = {}) => ({ schemas: [userSchema], userName: `user-${uuidv7()}`, ...more });
  const create = async (more: object = {}, at: Source = hr) => {
    const answer = await at.call('POST', '/Users', { body: user(more) });
    expect(answer.status).toBe(201);
    return answer.body as { id: string; userName: string } & Record<string, unknown>;
  };
  const createGroup = async (at: Source = hr, ...members: string[]) => {
    const answer = await at.call('POST', '/Groups', {
      body: { schemas: [groupSchema], displayName: 'G', members: members.map((value) => ({ value })) },
    });
    expect(answer.status).toBe(201);
    return answer.body.id as string;
  };
  const patch = (path: string, operation: object, at: Source = hr) =>
    at.call('PATCH', path, { body: { schemas: [patchOp], Operations: [operation] } });
  const read = async (path: string, at: Source = hr) => (await at.call('GET', path)).body;

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
    ])('that is or has %s is invalidSyntax, wherever it is sent', async (_what, body) => {
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
        expect(verdict(await hr.call(method, path, { body }))).toEqual([400, 'invalidSyntax']);
      }
    });

    test('that is too large is 413, also when its length is not announced', async () => {
      const body = JSON.stringify(user({ displayName: 'x'.repeat(200_000) }));
      expect(verdict(await hr.call('POST', '/Users', { body }))).toEqual([413, undefined]);
      const chunked = await fetch(`${system.service.url}/t/demo/scim/v2/Users`, {
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
    ])('whose schemas are %s is invalidSyntax', async (_what, schemas) => {
      const { id } = await create();
      for (const [method, path] of [
        ['POST', '/Users'],
        ['PUT', `/Users/${id}`],
      ] as const) {
        const answer = await hr.call(method, path, { body: { ...user(), schemas } });
        expect(verdict(answer)).toEqual([400, 'invalidSyntax']);
      }
    });

    test('with unknown attributes has them ignored', async () => {
      const made = await create({ favouriteColour: 'blue', name: { givenName: 'Ada', shoeSize: 7 } });
      expect(made.favouriteColour).toBeUndefined();
      expect(made.name).toEqual({ givenName: 'Ada' });
    });

    test('with an id has it ignored, on creation and replacement', async () => {
      const [victim, forged] = [await create(), uuidv7()];
      const made = await create({ id: forged });
      expect(made.id).not.toBe(forged);
      expect((await create({ id: victim.id })).id).not.toBe(victim.id);
      const replaced = await hr.call('PUT', `/Users/${made.id}`, { body: { ...user(), id: victim.id } });
      expect([replaced.status, replaced.body.id]).toEqual([200, made.id]);
      expect((await read(`/Users/${victim.id}`)).userName).toBe(victim.userName);
    });

    test.each([
      ['a userName that is a number', { userName: 7 }],
      ['no userName', { userName: undefined }],
      ['an empty userName', { userName: '' }],
      ['a userName that is null', { userName: null }],
      ['active that is a text', { active: 'yes' }],
      ['emails that are an object', { emails: { value: 'a@b.c' } }],
      ['emails that are texts', { emails: ['a@b.c'] }],
      ['a name that is a text', { name: 'Ada' }],
      ['a givenName that is an array', { name: { givenName: ['Ada'] } }],
      ['an extension that is a text', { schemas: [userSchema, enterprise], [enterprise]: 'x' }],
    ])('with %s is invalidValue', async (_what, more) => {
      const answer = await hr.call('POST', '/Users', { body: user(more) });
      expect(verdict(answer)).toEqual([400, 'invalidValue']);
    });
  });

  describe('names of prototypes', () => {
    const clean = () => {
      expect(({} as Record<string, unknown>).polluted).toBeUndefined();
      expect(Object.getOwnPropertyNames(Object.prototype)).not.toContain('polluted');
    };

    test('in a body are left out', async () => {
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
    ])('as the path %s of a PATCH are invalidPath, or no target', async (path) => {
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

    test('as keys of a PATCH without path change nothing', async () => {
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

    test('are no attributes to filter, sort or choose by, and no resource types', async () => {
      for (const name of ['__proto__', 'constructor', 'toString', 'prototype']) {
        expect(verdict(await hr.call('GET', `/Users?filter=${name}%20pr`))).toEqual([400, 'invalidFilter']);
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

    test('as bulkIds and paths of a Bulk are names like others', async () => {
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

  describe('two primary values', () => {
    const two = [
      { value: 'a@example.com', primary: true },
      { value: 'b@example.com', primary: true },
    ];

    test('are invalidValue on creation and replacement', async () => {
      expect(verdict(await hr.call('POST', '/Users', { body: user({ emails: two }) }))).toEqual([
        400,
        'invalidValue',
      ]);
      const { id } = await create();
      const replaced = await hr.call('PUT', `/Users/${id}`, { body: user({ emails: two }) });
      expect(verdict(replaced)).toEqual([400, 'invalidValue']);
    });

    test('by a PATCH leave the new one primary', async () => {
      const { id } = await create({ emails: [two[0]] });
      expect((await patch(`/Users/${id}`, { op: 'add', path: 'emails', value: [two[1]] })).status).toBe(200);
      const emails = (await read(`/Users/${id}`)).emails as { value: string; primary?: boolean }[];
      expect(emails.filter(({ primary }) => primary).map(({ value }) => value)).toEqual(['b@example.com']);
      expect(emails).toHaveLength(2);
    });

    test('within one PATCH operation are invalidValue', async () => {
      const { id } = await create();
      expect(verdict(await patch(`/Users/${id}`, { op: 'add', path: 'emails', value: two }))).toEqual([
        400,
        'invalidValue',
      ]);
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
    ])('of %s is %s, and nothing is changed', async (_what, scimType, operation) => {
      const made = await create({ title: 'T' });
      const answer = await hr.call('PATCH', `/Users/${made.id}`, {
        body: {
          schemas: [patchOp],
          Operations: [{ op: 'replace', path: 'title', value: 'changed' }, operation],
        },
      });
      expect(verdict(answer)).toEqual([400, scimType]);
      expect(await read(`/Users/${made.id}`)).toEqual(made);
    });

    test('of a reference that never changes is mutability: members are added and removed, not turned into others', async () => {
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

    test('without a match may create what Entra ID means, by its profile only', async () => {
      const entra = await system.source('entra');
      const { id } = await create();
      const operation = { op: 'replace', path: 'emails[type eq "work"].value', value: 'a@example.com' };
      expect(verdict(await patch(`/Users/${id}`, operation))).toEqual([400, 'noTarget']);
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
    ])('that is the message %j is invalidSyntax', async (body) => {
      const { id } = await create();
      expect(verdict(await hr.call('PATCH', `/Users/${id}`, { body }))).toEqual([400, 'invalidSyntax']);
    });
  });

  test('of 50 parallel creations of one userName, in any case, one is 201 and the others are uniqueness', async () => {
    const name = `Race-${uuidv7()}`;
    const cased = (i: number) =>
      [...name].map((c, at) => ((i >> (at % 5)) & 1 ? c.toUpperCase() : c.toLowerCase())).join('');
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) => hr.call('POST', '/Users', { body: user({ userName: cased(i) }) })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    const others = answers.filter(({ status }) => status !== 201);
    expect(others.map(verdict)).toEqual(others.map(() => [409, 'uniqueness']));
    const taken = await create();
    const { id } = await create();
    const renamed = await patch(`/Users/${id}`, {
      op: 'replace',
      path: 'userName',
      value: taken.userName.toUpperCase(),
    });
    expect(verdict(renamed)).toEqual([409, 'uniqueness']);
    const replaced = await hr.call('PUT', `/Users/${id}`, { body: user({ userName: taken.userName }) });
    expect(verdict(replaced)).toEqual([409, 'uniqueness']);
    expect(JSON.stringify(replaced.body)).not.toContain(taken.id);
    // Another tenant may have the name.
    expect((await rival.call('POST', '/Users', { body: user({ userName: taken.userName }) })).status).toBe(
      201,
    );
  }, 30_000);

  describe('what belongs to another tenant', () => {
    test('is answered like what exists nowhere, word by word', async () => {
      const theirs = await create({}, rival);
      const theirGroup = await createGroup(rival);
      for (const [type, foreign] of [
        ['Users', theirs.id],
        ['Groups', theirGroup],
      ] as const) {
        for (const [method, body] of [
          ['GET', undefined],
          ['PUT', type === 'Users' ? user() : { schemas: [groupSchema], displayName: 'x' }],
          ['PATCH', { schemas: [patchOp], Operations: [{ op: 'add', path: 'displayName', value: 'x' }] }],
          ['DELETE', undefined],
        ] as const) {
          const ask = (id: string) => hr.call(method, `/${type}/${id}`, body ? { body } : {});
          const [there, nowhere] = [await ask(foreign), await ask(uuidv7())];
          expect(there.status).toBe(404);
          expect(there.body).toEqual(nowhere.body);
        }
      }
      expect(await read(`/Users/${theirs.id}`, rival)).toEqual(theirs);
    });

    test('can not be a member, and neither can what is deleted, malformed or made up: the same 400', async () => {
      const theirs = await create({}, rival);
      const gone = await create();
      await hr.call('DELETE', `/Users/${gone.id}`);
      const group = await createGroup();
      const wrong = [theirs.id, gone.id, await createGroup(rival), uuidv7(), '42', '', 'hr-1'];
      const bodies = [];
      for (const value of wrong) {
        const created = await hr.call('POST', '/Groups', {
          body: { schemas: [groupSchema], displayName: 'G', members: [{ value }] },
        });
        const added = await patch(`/Groups/${group}`, { op: 'add', path: 'members', value: [{ value }] });
        const replaced = await hr.call('PUT', `/Groups/${group}`, {
          body: { schemas: [groupSchema], displayName: 'G', members: [{ value }] },
        });
        for (const answer of [created, added, replaced]) {
          expect(verdict(answer)).toEqual([400, 'invalidValue']);
          bodies.push(JSON.stringify(answer.body));
        }
      }
      expect(new Set(bodies.slice(0, 12)).size).toBe(1);
      expect((await read(`/Groups/${group}`)).members ?? []).toEqual([]);
    });

    test('is not reached through a Bulk', async () => {
      const theirs = await create({}, rival);
      const answer = await hr.call('POST', '/Bulk', {
        body: {
          schemas: [bulkRequest],
          Operations: [
            { method: 'DELETE', path: `/t/rival/scim/v2/Users/${theirs.id}` },
            { method: 'DELETE', path: `/../../rival/scim/v2/Users/${theirs.id}` },
            { method: 'DELETE', path: `https://id.example.test/t/rival/scim/v2/Users/${theirs.id}` },
            { method: 'DELETE', path: `/Users/${theirs.id}` },
            {
              method: 'POST',
              path: '/Groups',
              bulkId: 'g',
              data: { schemas: [groupSchema], displayName: 'G', members: [{ value: theirs.id }] },
            },
          ],
        },
      });
      expect(answer.body.Operations.map(({ status }: { status: string }) => status)).toEqual([
        '400',
        '400',
        '400',
        '404',
        '400',
      ]);
      expect(JSON.stringify(answer.body)).not.toContain(theirs.userName);
      expect((await rival.call('GET', `/Users/${theirs.id}`)).status).toBe(200);
    });

    test('and a token of that tenant is none here', async () => {
      const answer = await system.service.scim('GET', '/Users', { token: rival.token });
      expect(answer.status).toBe(401);
    });
  });

  describe('an externalId', () => {
    test('never names a resource, not even a numeric one or one that is somebody’s id', async () => {
      const victim = await create({ externalId: '1' });
      const imposter = await create({ externalId: victim.id });
      for (const path of ['/Users/1', '/Users/01', '/Users/0', '/Users/-1', '/Users/1.0']) {
        expect((await hr.call('GET', path)).status).toBe(404);
        expect((await hr.call('DELETE', path)).status).toBe(404);
      }
      expect((await read(`/Users/${victim.id}`)).id).toBe(victim.id);
      expect((await read(`/Users/${imposter.id}`)).externalId).toBe(victim.id);
      const found = await hr.call('GET', `/Users?filter=${encodeURIComponent(`id eq "1"`)}`);
      expect(found.body.totalResults).toBe(0);
      const group = await createGroup();
      const member = await patch(`/Groups/${group}`, { op: 'add', path: 'members', value: [{ value: '1' }] });
      expect(verdict(member)).toEqual([400, 'invalidValue']);
    });

    test('that is a number is not a text', async () => {
      expect(verdict(await hr.call('POST', '/Users', { body: user({ externalId: 1 }) }))).toEqual([
        400,
        'invalidValue',
      ]);
    });

    test('is each source’s own', async () => {
      const other = await system.source('rfc');
      const { id } = await create({ externalId: 'hr-7' });
      expect((await read(`/Users/${id}`, other)).externalId).toBeUndefined();
      const filter = encodeURIComponent('externalId eq "hr-7"');
      expect((await hr.call('GET', `/Users?filter=${filter}`)).body.totalResults).toBe(1);
      expect((await other.call('GET', `/Users?filter=${filter}`)).body.totalResults).toBe(0);
    });
  });

  test('too fast is 429 with Retry-After', async () => {
    const { token, connector } = await system.service.connector({ name: 'Fast' });
    await system.service.database.sql.query('UPDATE provisioning.connectors SET limits = $1 WHERE id = $2', [
      { requestsPerMinute: 2 },
      connector.id,
    ]);
    const answers = [];
    for (let i = 0; i < 3; i += 1)
      answers.push(await system.service.scim('GET', '/Users?count=0', { token }));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 429]);
    expect(Number(answers[2]?.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  test('a circle of groups is refused, by PATCH and in a Bulk', async () => {
    const inner = await createGroup();
    const outer = await createGroup(hr, inner);
    const circle = await patch(`/Groups/${inner}`, { op: 'add', path: 'members', value: [{ value: outer }] });
    expect(verdict(circle)).toEqual([400, 'invalidValue']);
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
      { status: '400', response: { schemas: [errorSchema], scimType: 'invalidValue' } },
      { status: '400' },
    ]);
  });

  test('whatever is thrown at it, it is never a 500', async () => {
    const { id } = await create();
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
    const requests: Promise<ScimResponse>[] = [];
    for (const value of odd) {
      for (const name of [
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
      ]) {
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
  }, 60_000);
});
