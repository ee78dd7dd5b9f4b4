import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { uuidv7 } from '@ostiary/service';
import { insertLog } from '../../src/provisioning-log/log.data.ts';
import { type RecordingDirectory, startRecordingDirectory } from '../support/recording-directory.ts';
import { type RunningService, startService } from '../support/service.ts';

const scopes = ['connectors:read', 'provisioning:read', 'audit:read'];

let directory: RecordingDirectory;
let service: RunningService;
let token: string;
let rival: string;

/** Each list has five entries of the own tenant and one of the other tenant, which must stay hidden. */
beforeAll(async () => {
  directory = await startRecordingDirectory();
  service = await startService({ directoryUrl: directory.url });
  token = service.authorization.token({ subject: 'reader', scopes });
  rival = service.authorization.token({ tenant: 'rival', subject: 'reader', scopes });
  for (const tenant of ['demo', 'demo', 'rival', 'demo', 'demo', 'demo']) {
    await service.connector({ tenant });
    const log = { source: 'direct', actorKind: 'client', actorId: 'c', method: 'GET', requestId: 'r' };
    const nothing = { resourceType: null, resourceId: null, scimType: null, detail: null };
    await insertLog(service.database.sql, [
      { ...log, ...nothing, tenant, id: uuidv7(), at: new Date(), status: 200, durationMs: 1 },
    ]);
  }
});
afterAll(async () => {
  await service?.close();
  await directory?.close();
});

interface Answer {
  ids: string[];
  cursors: string[];
  hasNextPage: boolean;
  hasPreviousPage: boolean;
  startCursor: string | null;
  endCursor: string | null;
}

const ask = (list: string, variables: object, by: string) =>
  service.graph(
    `query ($first: Int, $after: String, $last: Int, $before: String) {
      list: ${list}(first: $first, after: $after, last: $last, before: $before) {
        pageInfo { hasNextPage hasPreviousPage startCursor endCursor } edges { cursor node { id } } } }`,
    { token: by, variables },
  );

async function page(list: string, variables: object = {}, by = token): Promise<Answer> {
  const { body } = await ask(list, variables, by);
  expect(body.errors).toBeUndefined();
  const { edges, pageInfo } = body.data.list as {
    edges: { cursor: string; node: { id: string } }[];
    pageInfo: Omit<Answer, 'ids' | 'cursors'>;
  };
  return { ids: edges.map(({ node }) => node.id), cursors: edges.map(({ cursor }) => cursor), ...pageInfo };
}

describe.each([
  ['connectors', 'oldest first'],
  ['provisioningLog', 'newest first'],
  ['connectorLog', 'newest first'],
])('%s, %s,', (list, order) => {
  test('The list is the same forward and back: each entry once, in one order, with pageInfo as in Relay.', async () => {
    const all = await page(list);
    expect(all.ids).toHaveLength(5);
    expect(all.ids).toEqual(order === 'oldest first' ? all.ids.toSorted() : all.ids.toSorted().reverse());
    expect([all.hasNextPage, all.hasPreviousPage]).toEqual([false, false]);
    expect([all.startCursor, all.endCursor]).toEqual([all.cursors[0], all.cursors[4]]);

    const forward: Answer[] = [];
    for (let after: string | null = null; forward.length < 3; after = forward.at(-1)?.endCursor ?? null) {
      forward.push(await page(list, { first: 2, after }));
    }
    expect(forward.flatMap(({ ids }) => ids)).toEqual(all.ids);
    expect(forward.map(({ hasPreviousPage, hasNextPage }) => [hasPreviousPage, hasNextPage])).toEqual([
      [false, true],
      [true, true],
      [true, false],
    ]);

    const back: Answer[] = [];
    for (let before: string | null = null; back.length < 3; before = back[0]?.startCursor ?? null) {
      back.unshift(await page(list, { last: 2, before }));
    }
    expect(back.flatMap(({ ids }) => ids)).toEqual(all.ids);
    expect(back.map(({ hasPreviousPage, hasNextPage }) => [hasPreviousPage, hasNextPage])).toEqual([
      [false, true],
      [true, true],
      [true, false],
    ]);
    expect(back[2]?.ids).toEqual(all.ids.slice(3));
    // The same entry has the same cursor in both directions.
    expect(back.flatMap(({ cursors }) => cursors)).toEqual(all.cursors);
  });

  test('The list with only a cursor has pages of twenty entries, and beyond either end an empty page.', async () => {
    const all = await page(list);
    expect((await page(list, { before: all.cursors[3] })).ids).toEqual(all.ids.slice(0, 3));
    expect(await page(list, { before: all.cursors[0] })).toMatchObject({
      ids: [],
      hasNextPage: true,
      hasPreviousPage: false,
      startCursor: null,
    });
    expect(await page(list, { after: all.cursors[4] })).toMatchObject({
      ids: [],
      hasNextPage: false,
      hasPreviousPage: true,
    });
    expect((await page(list, { last: 100 })).ids).toEqual(all.ids);
  });

  test.each<[object, string]>([
    [{ first: 1, last: 1 }, 'first'],
    [{ first: 1, before: 'x' }, 'first'],
    [{ last: 1, after: 'x' }, 'after'],
    [{ after: 'x', before: 'x' }, 'after'],
    [{ first: 0 }, 'first'],
    [{ last: 0 }, 'last'],
    [{ last: -1 }, 'last'],
    [{ first: 101 }, 'first'],
    [{ last: 101 }, 'last'],
    [{ last: 1, before: 'forged' }, 'before'],
    [{ first: 1, after: 'forged' }, 'after'],
  ])('The list rejects %j and names the argument.', async (variables, argument) => {
    const { body } = await ask(list, variables, token);
    expect(body.errors[0].extensions).toMatchObject({ code: 'BAD_USER_INPUT', argument });
  });

  test('The list rejects a cursor of another list, and a cursor of another tenant gives no additional access.', async () => {
    const others = ['connectors', 'provisioningLog', 'connectorLog'].filter((name) => name !== list);
    for (const name of others) {
      const { cursors } = await page(name);
      const { body } = await ask(list, { last: 1, before: cursors[0] }, token);
      expect(body.errors[0].extensions.code).toBe('BAD_USER_INPUT');
    }
    const { cursors } = await page(list);
    const own = await page(list, {}, rival);
    expect(own.ids).toHaveLength(1);
    for (const cursor of [cursors[0], cursors[4]]) {
      for (const variables of [
        { last: 5, before: cursor },
        { first: 5, after: cursor },
      ]) {
        const { ids } = await page(list, variables, rival);
        expect(ids.every((id) => own.ids.includes(id))).toBe(true);
      }
    }
  });
});
