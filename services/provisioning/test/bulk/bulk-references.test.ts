import { describe, expect, test } from '@jest/globals';
import { uuidv7 } from '@ostiary/service';
import {
  bulkClient,
  enterprise,
  group,
  id,
  patch,
  post,
  refused,
  statuses,
  user,
  userSchema,
} from '../support/bulk-client.ts';
import type { ScimResponse } from '../support/service.ts';

const client = bulkClient();
const { bulk, made } = client;

describe('order', () => {
  test('Creations take part in the order when they depend on each other.', async () => {
    const third = Promise.withResolvers<void>();
    client.directory.state.respond = async ({ body }) => {
      if (body?.resource?.displayName === 'first') await third.promise;
      if (body?.resource?.displayName === 'third') third.resolve();
      return undefined;
    };
    await bulk([
      post('a', user('Same', { displayName: 'first' })),
      post('b', user('same', { displayName: 'second' })),
      post('c', user('other', { displayName: 'third' })),
    ]);
    const order = client.directory.commands.map(({ body }) => body.resource.displayName);
    expect(order.indexOf('first')).toBeLessThan(order.indexOf('second'));
    expect(order.indexOf('third')).toBeLessThan(order.indexOf('second'));
  });

  test('A userName that an earlier operation releases can be taken by a later one.', async () => {
    const finished: string[] = [];
    client.directory.state.respond = async ({ method, body }) => {
      if (method === 'DELETE') await new Promise((resolve) => setTimeout(resolve, 20));
      finished.push(`${method} ${body?.resource?.userName ?? ''}`.trim());
      return undefined;
    };
    await bulk([{ method: 'DELETE', path: `/Users/${id}` }, post('a', user('ada'))]);
    expect(finished).toEqual(['DELETE', 'POST ada']);
  });

  test('Changes of one resource keep their order, and changes of different resources do not wait for each other.', async () => {
    const finished: string[] = [];
    const other = uuidv7();
    const third = Promise.withResolvers<void>();
    client.directory.state.respond = async ({ body, path }) => {
      const value = body.operations[0].value;
      if (value === 'one') await third.promise;
      if (value === 'three') third.resolve();
      finished.push(`${path.endsWith(id) ? 'id' : 'other'} ${value}`);
      return undefined;
    };
    const set = (of: string, value: string) => patch(`/Users/${of}`, { op: 'replace', path: 'title', value });
    await bulk([set(id, 'one'), set(id, 'two'), set(other, 'three')]);
    expect(finished).toEqual(['other three', 'id one', 'id two']);
  });
});

describe('references', () => {
  const idOf = (answer: ScimResponse, bulkId: string) =>
    answer.body.Operations.find((o: { bulkId: string }) => o.bulkId === bulkId)
      .location.split('/')
      .at(-1);

  test('References to earlier operations are resolved in values, paths and filters.', async () => {
    const answer = await bulk([
      post('ada', user('ada')),
      post('staff', group('Staff', 'bulkId:ada')),
      patch('/Groups/bulkId:staff', { op: 'remove', path: 'members[value eq "bulkId:ada"]' }),
      patch(`/Users/${id}`, { op: 'add', path: `${enterprise}:manager`, value: 'bulkId:ada' }),
      { method: 'DELETE', path: '/Users/bulkId:ada' },
    ]);
    expect(statuses(answer)).toEqual(['201', '201', '200', '200', '204']);
    const [ada, staff] = [idOf(answer, 'ada'), idOf(answer, 'staff')];
    const [, grouped, ...rest] = client.directory.commands;
    expect(grouped?.body.resource.members).toEqual([{ value: ada }]);
    const removal = rest.find(({ path }) => path.endsWith(staff));
    expect(removal?.body.operations).toEqual([{ op: 'remove', path: `members[value eq "${ada}"]` }]);
    const managed = rest.find(({ path }) => path.endsWith(id));
    expect(JSON.stringify(managed?.body.operations)).toContain(ada);
    expect(client.directory.commands.at(-1)?.path.endsWith(ada)).toBe(true);
  });

  test('A resource that is referenced before its operation is created first.', async () => {
    const answer = await bulk([
      post('board', group('Board', 'bulkId:staff', 'bulkId:ada')),
      post('staff', group('Staff', 'bulkId:ada')),
      post('ada', user('ada', { [enterprise]: { manager: { value: 'bulkId:boss' } } })),
      post('boss', user('boss')),
    ]);
    expect(statuses(answer)).toEqual(['201', '201', '201', '201']);
    expect(made()).toEqual(['boss', 'ada', 'Staff', 'Board']);
    const [boss, ada, staff] = client.directory.commands.map(({ body }) => body.id);
    expect(client.directory.commands[1]?.body.resource[enterprise]).toEqual({ manager: { value: boss } });
    expect(client.directory.commands[3]?.body.resource.members).toEqual([{ value: staff }, { value: ada }]);
  });

  test('References in a circle of managers are resolved: one manager is added when both users exist.', async () => {
    const managedBy = (bulkId: string) => ({
      [enterprise]: { employeeNumber: '7', manager: { value: `bulkId:${bulkId}` } },
    });
    const answer = await bulk(
      [post('ada', user('ada', managedBy('bob'))), post('bob', user('bob', managedBy('ada')))],
      { failOnErrors: 1 },
    );
    expect(answer.body.Operations).toMatchObject([
      { bulkId: 'ada', status: '201', version: 'W/"1"' },
      { bulkId: 'bob', status: '201', version: 'W/"1"' },
    ]);
    const [ada, bob] = [idOf(answer, 'ada'), idOf(answer, 'bob')];
    expect(
      client.directory.commands.map(({ method, body }) => [
        method,
        body.resource?.[enterprise] ?? body.operations,
      ]),
    ).toEqual([
      ['POST', { employeeNumber: '7' }],
      ['POST', { employeeNumber: '7', manager: { value: bob } }],
      ['PATCH', [{ op: 'add', path: `${enterprise}:manager`, value: { value: ada } }]],
    ]);
    expect(client.directory.commands[2]?.path).toBe(`/internal/v1/tenants/demo/Users/${bob}`);
  });

  test('A circle of a thousand users is created in one request, with most users created concurrently.', async () => {
    const next = (index: number) => `p${(index + 1) % 1_000}`;
    let together = 0;
    let most = 0;
    client.directory.state.respond = async () => {
      together += 1;
      most = Math.max(most, together);
      await new Promise((resolve) => setTimeout(resolve, 2));
      together -= 1;
      return undefined;
    };
    const answer = await bulk(
      Array.from({ length: 1_000 }, (_, index) =>
        post(
          `p${index}`,
          user(`p${index}`, { [enterprise]: { manager: { value: `bulkId:${next(index)}` } } }),
        ),
      ),
    );
    expect(new Set(statuses(answer))).toEqual(new Set(['201']));
    expect(most).toBeGreaterThan(4);
    const managers = new Map<string, string>();
    for (const { method, path, body } of client.directory.commands) {
      const id = method === 'POST' ? body.id : path.split('/').at(-1);
      const value =
        method === 'POST' ? body.resource[enterprise]?.manager?.value : body.operations[0].value.value;
      if (value !== undefined) managers.set(id, value);
    }
    for (let index = 0; index < 1_000; index += 1) {
      expect(managers.get(idOf(answer, `p${index}`))).toBe(idOf(answer, next(index)));
    }
  });

  test('A reference of a user to itself as its own manager is resolved.', async () => {
    const answer = await bulk([
      post('ada', user('ada', { [enterprise]: { manager: { value: 'bulkId:ada' } } })),
    ]);
    expect(statuses(answer)).toEqual(['201']);
    expect(client.directory.commands[0]?.body.resource[enterprise]).toBeUndefined();
    expect(client.directory.commands[1]?.body.operations).toEqual([
      { op: 'add', path: `${enterprise}:manager`, value: { value: idOf(answer, 'ada') } },
    ]);
  });

  test('When the second part of a circle of references fails, the error states it and gives the location.', async () => {
    const managedBy = (bulkId: string) => ({ [enterprise]: { manager: { value: `bulkId:${bulkId}` } } });
    client.directory.state.respond = async ({ body }) =>
      body.resource?.userName === 'ada' ? refused(409, 'uniqueness') : undefined;
    const answer = await bulk([
      post('ada', user('ada', managedBy('bob'))),
      post('bob', user('bob', managedBy('ada'))),
    ]);
    expect(answer.body.Operations).toMatchObject([
      { bulkId: 'ada', status: '409', response: { scimType: 'uniqueness' } },
      { bulkId: 'bob', status: '409', location: expect.stringContaining('/Users/') },
    ]);
    expect(answer.body.Operations[1].response.detail).toMatch(/created, but without .*"ada"/);
  });

  test('Groups that refer to each other in a circle are rejected with the reason, and the rest is carried out.', async () => {
    const answer = await bulk([
      post('one', group('One', 'bulkId:two')),
      post('two', group('Two', 'bulkId:three')),
      post('three', group('Three', 'bulkId:one')),
      post('self', group('Self', 'bulkId:self')),
      post('outer', group('Outer', 'bulkId:one')),
      post('fine', group('Fine')),
    ]);
    expect(statuses(answer)).toEqual(['409', '409', '409', '409', '409', '201']);
    expect(answer.body.Operations[0].response).toMatchObject({
      status: '409',
      detail: expect.stringMatching(/contain each other.*"one", "two", "three"/),
    });
    expect(answer.body.Operations[3].response.detail).toBe('A group cannot be a member of itself.');
    expect(made()).toEqual(['Fine']);
  });

  test('A reference to a failed operation is answered with 409, and one to an undefined bulkId with 400.', async () => {
    client.directory.state.respond = async ({ body }) =>
      body?.resource?.userName === 'bad' ? refused(400, 'invalidValue') : undefined;
    const answer = await bulk([
      post('bad', user('bad')),
      post('worse', { schemas: [userSchema], userName: 7 as unknown as string }),
      post('staff', group('Staff', 'bulkId:bad')),
      patch('/Users/bulkId:bad', { op: 'add', path: 'title', value: 'x' }),
      post('lost', group('Lost', 'bulkId:nobody')),
      { method: 'DELETE', path: '/Users/bulkId:nobody' },
      { method: 'PUT', path: `/Users/${id}`, bulkId: 'put', data: user('x') },
      post('wrong', group('Wrong', 'bulkId:put')),
    ]);
    expect(statuses(answer).filter((_: string, i: number) => i !== 1)).toEqual([
      '400',
      '409',
      '409',
      '400',
      '400',
      '200',
      '400',
    ]);
    expect(answer.body.Operations[2].response.detail).toContain('"bad"');
  });

  test('A value that merely looks like a reference is not treated as one.', async () => {
    await bulk([post('ada', user('ada', { displayName: 'bulkId:unknown' }))]);
    expect(client.directory.only().body.resource.displayName).toBe('bulkId:unknown');
  });

  test('In a chain of 1000 references, no operation names a user that does not exist yet.', async () => {
    const { token: own } = await client.service.connector({ name: 'Chain' });
    const operations = Array.from({ length: 1000 }, (_, i) =>
      post(
        `u${i}`,
        user(`user-${i}`, i < 999 ? { [enterprise]: { manager: { value: `bulkId:u${i + 1}` } } } : {}),
      ),
    );
    const answer = await bulk(operations, { token: own });
    expect(new Set(statuses(answer))).toEqual(new Set(['201']));
    const there = new Set<string>();
    let named = 0;
    for (const { method, body } of client.directory.commands) {
      const manager =
        method === 'POST' ? body.resource[enterprise]?.manager?.value : body.operations[0].value.value;
      if (manager !== undefined) named += 1;
      expect(manager === undefined || there.has(manager)).toBe(true);
      if (method === 'POST') there.add(body.id);
    }
    expect([there.size, named]).toEqual([1000, 999]);
  });
});
