import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { runningDemo } from '../support/demo.ts';
import { connect, listen } from '../support/live.ts';
import { stateOf } from './belongings.ts';
import { Collection, inParallel, type Matrix, type Row } from './matrix.ts';
import { send } from './observe.ts';
import { type Compared, changes, readings } from './targets.ts';
import { type Actor, createWorld, type World } from './world.ts';

const table = JSON.parse(readFileSync(new URL('./matrix.json', import.meta.url), 'utf8')) as Record<
  string,
  Row
>;
/** Command that writes the changed table. */
const remedy =
  'If that is meant: npm run authorization-matrix, and read the diff of e2e/authorization/matrix.json.';

let world: World;
beforeAll(async () => {
  world = await createWorld(runningDemo());
});

const actor = (name: string): Actor => {
  const found = world.actors.find((each) => each.name === name);
  if (!found) throw new Error(`nobody is called ${name}`);
  return found;
};

const alternatives = (rule: string): string[] => rule.split(' | ');
/** Reports whether the rule permits users to access their own data with any token, or with a self-service scope. */
const isOwn = (rule: string): boolean => rule === 'user' || /^self:\w+ of one's own$/.test(rule);

describe('access to every field and mutation', () => {
  const parts = 4;
  let collection: Collection;
  let observed: Matrix;
  beforeAll(() => {
    collection = new Collection(world);
  });
  for (let part = 0; part < parts; part += 1) {
    beforeAll(() => collection.ask(6, { part, of: parts }));
  }
  beforeAll(async () => {
    observed = await collection.matrix();
  });

  test('Every field of every type has a row in the table, and every row has a field.', () => {
    expect({ remedy, fields: Object.keys(observed.rows) }).toEqual({
      remedy,
      fields: Object.keys(table).sort(),
    });
  });

  test('The running graph behaves as the table says for every field and mutation.', () => {
    expect(observed.cells).toBeGreaterThan(10_000);
    expect({ remedy, rows: observed.rows }).toEqual({ remedy, rows: table });
  });

  test('All surfaces agree, no request fails and nothing is changed.', () => {
    expect(observed.problems).toEqual([]);
  });
});

/** Verifies that the table follows from the rules, and not only from one observed run. */
describe('the table follows from the rules of the schema', () => {
  const scopesOf = (name: string): Set<string> | undefined =>
    name.startsWith('app:') && name !== 'app:*' ? new Set(name === 'app:' ? [] : [name.slice(4)]) : undefined;

  test('An app with one scope reads exactly the fields that require the scope.', () => {
    for (const [coordinate, row] of Object.entries(table)) {
      if (/inherit|[&/]/.test(row.rule)) continue;
      for (const whose of ['opens', 'any', 'own', 'other'] as const) {
        for (const reader of row[whose]?.split(' ') ?? []) {
          const scopes = scopesOf(reader);
          if (!scopes) continue;
          const named = alternatives(row.rule).some((each) => scopes.has(each));
          expect({ coordinate, whose, reader, named }).toEqual({ coordinate, whose, reader, named: true });
        }
      }
    }
  });

  test('A user without a role reads nothing of another user and changes only their own data.', () => {
    for (const [coordinate, row] of Object.entries(table)) {
      const others = row.other?.split(' ') ?? [];
      expect({ coordinate, others: others.includes('user') }).toEqual({ coordinate, others: false });
      if (coordinate.startsWith('Mutation.') && row.any?.split(' ').includes('user')) {
        const own = alternatives(row.rule).some(isOwn);
        expect({ coordinate, own }).toEqual({ coordinate, own: true });
      }
    }
  });

  test('Every mutation declares the credentials and rights that it confers.', () => {
    const silent = Object.keys(table).filter(
      (coordinate) => coordinate.startsWith('Mutation.') && (table[coordinate]?.confers ?? '') === '',
    );
    expect(silent).toEqual([]);
  });

  test('An auditor changes only their own data, and a help desk changes no role, client or key.', () => {
    const may = (name: string) =>
      Object.keys(table).filter(
        (each) => each.startsWith('Mutation.') && table[each]?.any?.split(' ').includes(name),
      );
    expect(may('auditor')).toEqual(may('user'));
    expect(may('helpDesk').filter((each) => !may('user').includes(each))).toEqual([
      'Mutation.inviteUser',
      'Mutation.resetUserAccess',
    ]);
  });

  test('A caller without a token and an app without scopes read nothing.', () => {
    for (const [coordinate, row] of Object.entries(table)) {
      for (const whose of ['opens', 'any', 'own', 'other'] as const) {
        const readers = row[whose]?.split(' ') ?? [];
        expect({
          coordinate,
          readers: readers.filter((each) => each === 'anonymous' || each === 'app:'),
        }).toEqual({
          coordinate,
          readers: [],
        });
      }
    }
  });
});

describe('tokens that do not count', () => {
  test('Invalid tokens are rejected for the whole request, at the gateway and at each subgraph.', async () => {
    const { gateway, ...subgraphs } = world.urls;
    for (const refused of world.refused) {
      for (const url of [gateway, ...Object.values(subgraphs)]) {
        const answer = await send(url, refused, '{ __typename }');
        expect({
          who: refused.name,
          status: answer.status,
          code: answer.errors?.[0]?.extensions?.code,
        }).toEqual({
          who: refused.name,
          status: 401,
          code: 'UNAUTHENTICATED',
        });
        expect(answer.data ?? null).toBeNull();
      }
    }
  });

  test('Invalid tokens open no subscription over either transport.', async () => {
    const query = 'subscription { userChanged { id } }';
    await Promise.all(
      world.refused.map(async ({ name, token }) => {
        const stream = await listen(world.demo.graphql, token, { query });
        const socket = connect(world.demo.graphql, { authorization: `Bearer ${token}` });
        const status = ((await stream.ended) as { response?: Response }).response?.status;
        expect({ name, status, close: (await socket.closed).code }).toEqual({
          name,
          status: 401,
          close: 4401,
        });
      }),
    );
  });
});

describe('resources of another tenant', () => {
  /** Returns all actors except the platform token without a tenant, which may read every tenant. */
  const everybody = () => world.actors.filter((who) => who.name !== 'platform');

  /** @returns the answers, one for each comparison */
  async function allAlike(who: Actor, jobs: readonly (() => Promise<Compared>)[]): Promise<string[]> {
    const answers: string[] = [];
    await inParallel(
      jobs.map((job) => async () => {
        const { door, theirs, none } = await job();
        expect({ who: who.name, door, answer: theirs }).toEqual({ who: who.name, door, answer: none });
        const text = JSON.stringify(theirs);
        // A request that is rejected as a whole proves nothing.
        expect(text).not.toMatch(/GRAPHQL_VALIDATION_FAILED|GRAPHQL_PARSE_FAILED|INTERNAL_SERVER_ERROR/);
        answers.push(text);
      }),
      6,
    );
    return answers;
  }

  test('Every caller reads a resource of another tenant like one that does not exist, by every query.', async () => {
    let count = 0;
    for (const who of everybody()) count += (await allAlike(who, readings(world, who, world.foreign))).length;
    expect(count).toBeGreaterThan(500);
  });

  test('Each of these queries returns data to a caller that is permitted to read it.', async () => {
    const who = actor('app:*');
    const nothing: string[] = [];
    await inParallel(
      readings(world, who, world.ours).map((job) => async () => {
        const { door, theirs, none } = await job();
        if (JSON.stringify(theirs) === JSON.stringify(none)) nothing.push(door);
      }),
      6,
    );
    // The directory returns any id of an object of another service, whether it exists or not.
    const ofOthers = nothing.filter((door) => /^directory nodes?\(.* type: /.test(door));
    expect(ofOthers.filter((door) => / type: (SCHEMA|TENANT)/.test(door))).toEqual([]);
    // The authorization server stores only the roles of a group, and this one has none.
    const others = nothing.filter((door) => !ofOthers.includes(door));
    expect(others.sort()).toEqual(['auth Group disguised', 'auth Group plain']);
  });

  test('The administrator of the other tenant reads resources of this tenant like ones that do not exist.', async () => {
    await allAlike(world.rivalAdmin, readings(world, world.rivalAdmin, world.ours));
  });

  test('A caller with all rights changes another tenant’s resource like a nonexistent one, and the other way round.', async () => {
    const { demo, foreign, ours, rivalAdmin } = world;
    const everything = actor('app:*');
    const before = [
      await stateOf(demo, rivalAdmin.token ?? '', foreign),
      await stateOf(demo, everything.token ?? '', ours),
    ];
    for (const [who, of] of [
      [everything, foreign],
      [actor('tenantAdmin'), foreign],
      [actor('platform:tenant'), foreign],
      [rivalAdmin, ours],
    ] as const) {
      const answers = await allAlike(who, changes(world, who, of));
      const missing = answers.join().match(/"NotFound"/g) ?? [];
      expect({ who: who.name, missing: missing.length > 60 }).toEqual({ who: who.name, missing: true });
    }
    expect([
      await stateOf(demo, rivalAdmin.token ?? '', foreign),
      await stateOf(demo, everything.token ?? '', ours),
    ]).toEqual(before);
  });
});

test('A user without a role changes a resource of another user like one that does not exist.', async () => {
  const before = await stateOf(world.demo, actor('app:*').token ?? '', world.ours);
  const jobs = changes(world, actor('user'), world.ours, (rule) => alternatives(rule).some(isOwn));
  for (const job of jobs) {
    const { door, theirs, none } = await job();
    expect({ door, answer: theirs }).toEqual({ door, answer: none });
    expect(JSON.stringify(theirs)).toMatch(/NotFound|FORBIDDEN/);
  }
  expect(jobs.length).toBeGreaterThan(1);
  expect(await stateOf(world.demo, actor('app:*').token ?? '', world.ours)).toEqual(before);
});
