import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import { runningDemo } from '../story/demo.ts';
import { doorsFor, given, nobody } from './doors.ts';
import { collect, inParallel, type Matrix, type Row } from './matrix.ts';
import { type Answer, type Door, documentFor, send } from './observe.ts';
import { type Actor, createWorld, type World } from './world.ts';

jest.setTimeout(180_000);

const table = JSON.parse(readFileSync(new URL('./matrix.json', import.meta.url), 'utf8')) as Record<
  string,
  Row
>;
/** How a changed table gets written: then its diff is there to be read. */
const remedy =
  'If that is meant: npm run authorization-matrix, and read the diff of e2e/authorization/matrix.json.';

let world: World;
beforeAll(async () => {
  world = await createWorld(runningDemo());
});

describe('who may read and change what', () => {
  let observed: Matrix;
  beforeAll(async () => {
    observed = await collect(world);
  });

  test('every field of every type has a row in the table, and every row a field', () => {
    expect({ remedy, fields: Object.keys(observed.rows) }).toEqual({
      remedy,
      fields: Object.keys(table).sort(),
    });
  });

  test('the running graph does what the table says, at every door', () => {
    expect(observed.cells).toBeGreaterThan(10_000);
    expect({ remedy, rows: observed.rows }).toEqual({ remedy, rows: table });
  });

  test('all doors agree, nothing failed, nothing was changed', () => {
    expect(observed.problems).toEqual([]);
  });
});

/** What the rules say of who isn't asked by name: that the table is not only what the graph did once. */
describe('the table follows from the rules of the schema', () => {
  const scopesOf = (name: string): Set<string> | undefined =>
    name.startsWith('app:') && name !== 'app:*' ? new Set(name === 'app:' ? [] : [name.slice(4)]) : undefined;
  const alternatives = (rule: string): string[] => rule.split(' | ');

  test('an app with one scope gets what that scope is written on, and nothing else', () => {
    for (const [coordinate, row] of Object.entries(table)) {
      if (/inherit|[&/]/.test(row.rule)) continue;
      for (const whose of ['any', 'own', 'other'] as const) {
        for (const reader of row[whose]?.split(' ') ?? []) {
          const scopes = scopesOf(reader);
          if (!scopes) continue;
          const named = alternatives(row.rule).some((each) => scopes.has(each));
          expect({ coordinate, whose, reader, named }).toEqual({ coordinate, whose, reader, named: true });
        }
      }
    }
  });

  test('a person without a role gets nothing of anybody else, and changes only what is theirs', () => {
    for (const [coordinate, row] of Object.entries(table)) {
      const others = row.other?.split(' ') ?? [];
      expect({ coordinate, others: others.includes('user') }).toEqual({ coordinate, others: false });
      if (coordinate.startsWith('Mutation.') && row.any?.split(' ').includes('user')) {
        expect({ coordinate, rule: row.rule.split(' | ') }).toEqual({
          coordinate,
          rule: expect.arrayContaining(['user']),
        });
      }
    }
  });

  test('an auditor changes nothing but what is their own, a help desk no role, client or key', () => {
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

  test('nobody without a token, and no app without scopes, gets anything', () => {
    for (const [coordinate, row] of Object.entries(table)) {
      for (const whose of ['any', 'own', 'other'] as const) {
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
  test('are refused as a whole, at the gateway and at each subgraph', async () => {
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
});

describe('what belongs to another tenant', () => {
  /** Both answers, each with its id made unrecognisable. */
  async function compare(door: Door, who: Actor, one: string, other: string): Promise<void> {
    const ask = async (id: string): Promise<Omit<Answer, 'status'>> => {
      const swapped = JSON.parse(JSON.stringify({ ...door, model: null }).replaceAll('$$', id)) as Door;
      const { query } = documentFor({ ...swapped, model: door.model }, given);
      const { data, errors } = await send(door.url, who, query, { r: swapped.representations });
      return JSON.parse(JSON.stringify({ data, errors }).replaceAll(id, '<id>')) as Answer;
    };
    const [theirs, none] = await Promise.all([ask(one), ask(other)]);
    const strip = (answer: Omit<Answer, 'status'>) => ({
      ...answer,
      errors: answer.errors?.map((error) => ({ ...error, locations: undefined })),
    });
    expect({ door: door.name, who: who.name, ...strip(theirs) }).toEqual({
      door: door.name,
      who: who.name,
      ...strip(none),
    });
  }

  /** Doors that take an id, with `$$` for it. */
  function doors(who: Actor): { door: Door; kind: string }[] {
    const kinds: Record<string, string> = {
      user: 'user',
      group: 'group',
      client: 'client',
      connector: 'connector',
      User: 'user',
      Group: 'group',
      Client: 'client',
      Connector: 'connector',
      Tenant: 'tenant',
    };
    const seen = new Set<string>();
    return doorsFor(world, who).flatMap((door) => {
      const kind = kinds[door.entity ?? door.field];
      const name = `${door.url} ${door.entity ?? door.field} ${door.style}`;
      if (kind === undefined || seen.has(name)) return [];
      seen.add(name);
      const call = door.entity === undefined ? `${door.field}(id: "$$")` : door.call;
      const representations = door.entity === undefined ? [] : [{ __typename: door.entity, id: '$$' }];
      return [{ door: { ...door, name, call, representations }, kind }];
    });
  }

  test('answers like what does not exist, at every door, to everybody', async () => {
    // The platform's own tokens for no tenant in particular are for all of them.
    const actors = world.actors.filter((who) => who.name !== 'platform');
    const jobs = actors.flatMap((who) =>
      doors(who).map(
        ({ door, kind }) =>
          () =>
            compare(door, who, world.foreign[kind as keyof World['foreign']], nobody),
      ),
    );
    expect(jobs.length).toBeGreaterThan(200);
    await inParallel(jobs, 6);
  });

  test("and ours so to the other tenant's administrator", async () => {
    const ours = { ...world.ids, tenant: world.tenant.id } as Record<string, string>;
    const jobs = doors(world.rivalAdmin).map(
      ({ door, kind }) =>
        () =>
          compare(door, world.rivalAdmin, ours[kind] ?? '', nobody),
    );
    await inParallel(jobs, 6);
  });
});
