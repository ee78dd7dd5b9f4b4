import pg from 'pg';
import { type Peer, startPeer } from '../peer.ts';
import { pidOf, type Row, type Scenario } from '../scenario.ts';
import { explain, type Question, scansTheTable } from './scim-scale/explain.ts';
import { loadGroup, loadPeople } from './scim-scale/load.ts';
import { person, workEmail } from './scim-scale/people.ts';
import { type Call, type Sample, type Server, sample } from './scim-scale/sample.ts';

const patchOp = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
const tenant = 'demo';
/** Parts of names that one in 1,000 users has, and one in 200: too many for an exact count of all matches. */
const [rarePart, commonPart] = ['ortovs', 'ortov'];

/** A server with its base URL and the ids of its resources. */
interface Target {
  label: string;
  server: Server;
  base: string;
  ids: string[];
  /** Groups of ten and of many members. */
  groups: { few: string; many: string };
  cursors: boolean;
}

interface Shape {
  name: string;
  question?: Question;
  next(target: Target): (previous: unknown) => Call;
}

let serial = Date.now();
const at = <T>(list: readonly T[], n: number): T => list[n % list.length] as T;
/** Returns repeatable numbers that are spread widely. */
const scattered = (): (() => number) => {
  let n = 0;
  return () => (n = (n + 15_485_863) % 1_000_003);
};

const get = (path: string): Call => ({ method: 'GET', path });
const list = (
  { base }: Target,
  question: Question & { cursor?: string; count?: string; startIndex?: string },
): Call => get(`${base}/Users?${new URLSearchParams({ ...question } as Record<string, string>)}`);
const patch = (path: string, ...Operations: object[]): Call => ({
  method: 'PATCH',
  path,
  body: { schemas: [patchOp], Operations },
});
/** Adds and removes a member alternately, so that the size of the group stays the same. */
const membership = (target: Target, size: 'few' | 'many') => {
  let n = 0;
  return () => {
    const op = n % 2 === 0 ? 'add' : 'remove';
    const value = at(target.ids, target.ids.length - 1 - (Math.floor(n / 2) % 200));
    n += 1;
    return patch(
      `${target.base}/Groups/${target.groups[size]}?excludedAttributes=members`,
      op === 'add'
        ? { op, path: 'members', value: [{ value }] }
        : { op, path: `members[value eq "${value}"]` },
    );
  };
};

const filtered = (name: string, filter: (n: number) => string): Shape => ({
  name,
  question: { filter: filter(777) },
  next: (target) => {
    const number = scattered();
    return () => list(target, { filter: filter(1 + (number() % target.ids.length)), count: '100' });
  },
});

const shapes: Shape[] = [
  {
    name: 'read',
    next: (target) => {
      const number = scattered();
      return () => get(`${target.base}/Users/${at(target.ids, number())}`);
    },
  },
  filtered('userName eq', (n) => `userName eq "${workEmail(n)}"`),
  filtered(
    'emails[type eq "work" and value eq …]',
    (n) => `emails[type eq "work" and value eq "${workEmail(n)}"]`,
  ),
  filtered('name.familyName co, in one of a thousand', () => `name.familyName co "${rarePart}"`),
  filtered('name.familyName co, in one of 200', () => `name.familyName co "${commonPart}"`),
  filtered('displayName co, in every third', () => 'displayName co "er"'),
  {
    name: 'first page sorted by name.familyName',
    question: { sortBy: 'name.familyName' },
    next: (target) => () => list(target, { sortBy: 'name.familyName', count: '100' }),
  },
  { name: 'cursor walk', question: {}, next: (target) => walking(target, {}) },
  {
    name: 'cursor walk sorted by userName',
    question: { sortBy: 'userName' },
    next: (target) => walking(target, { sortBy: 'userName' }),
  },
  {
    name: 'create',
    next:
      ({ base }) =>
      () => {
        serial += 1;
        return {
          method: 'POST',
          path: `${base}/Users`,
          body: { ...person(serial), externalId: String(serial) },
        };
      },
  },
  {
    name: 'PATCH user',
    next: (target) => {
      const number = scattered();
      return () => {
        serial += 1;
        return patch(`${target.base}/Users/${at(target.ids, number())}`, {
          op: 'replace',
          path: 'title',
          value: `Title ${serial}`,
        });
      };
    },
  },
  { name: 'add or remove a member of 10', next: (target) => membership(target, 'few') },
  { name: 'add or remove a member of the large group', next: (target) => membership(target, 'many') },
];

/** Requests the next page each time, by cursor or by index without cursors, and starts again at the end. */
function walking(target: Target, question: Question): (previous: unknown) => Call {
  let pages = 0;
  return (previous) => {
    const { nextCursor = '' } = (previous ?? {}) as { nextCursor?: string };
    if (target.cursors) return list(target, { ...question, count: '100', cursor: nextCursor });
    const startIndex = String(1 + ((pages * 100) % target.ids.length));
    pages += 1;
    return list(target, { ...question, count: '100', startIndex });
  };
}

/**
 * One growing tenant: queries and changes of provisioning clients through the SCIM API, compared with SCIMMY in memory.
 * Runs long and needs disk space: `npm run bench -- scim_scale`; BENCH_PEOPLE=1000,100000 sets other sizes,
 * BENCH_SHAPES=familyName selects shapes by name, BENCH_CONNECTIONS=8 sets the concurrency, BENCH_PEER=none skips
 * SCIMMY.
 */
export const scimScale: Scenario = {
  name: 'scim_scale',
  onRequest: true,
  async run({ system, demo, seconds, log }): Promise<Row[]> {
    const sizes = (process.env.BENCH_PEOPLE ?? (seconds < 8 ? '1000,20000' : '1000,100000,1000000'))
      .split(',')
      .map(Number);
    const sql = new pg.Client({ connectionString: system.databaseUrl });
    // The next statement reports a lost connection; without a listener the event would end the process.
    sql.on('error', (error) => log(`The database connection was lost: ${error.message}`));
    await sql.connect();
    const peer = await startPeer('scimmy', { NODE_OPTIONS: '--max-old-space-size=8192' });
    const ours: Target = {
      label: 'Ostiary',
      server: {
        origin: system.urls.provisioning,
        headers: headersWith(demo.tenants.demo.clients.scim.token),
        pids: [pidOf(system, 'provisioning'), pidOf(system, 'directory')],
        stores: system.pid('postgres') === undefined ? [] : [pidOf(system, 'postgres')],
      },
      base: `/t/${tenant}/scim/v2`,
      ids: [],
      groups: { few: '', many: '' },
      cursors: true,
    };
    const theirs: Target = {
      label: 'SCIMMY in memory',
      server: { origin: peer.origin, headers: headersWith('bench'), pids: [peer.pid], stores: [] },
      base: '/scim/v2',
      ids: [],
      groups: { few: '', many: '' },
      cursors: false,
    };
    const rows: Row[] = [];
    try {
      for (const size of sizes) {
        log(`Filling up to ${size.toLocaleString('en')} people`);
        await grow(sql, ours, size);
        if (besidePeer) await growPeer(peer, theirs, size);
        for (const shape of shapes.filter(({ name }) => name.includes(chosen))) {
          for (const target of besidePeer ? [ours, theirs] : [ours]) {
            const measured = await sample(target.server, shape.next(target), {
              seconds: Math.min(seconds, 5),
              connections,
            });
            // Waits for requests that were given up, which would be attributed to the next shape.
            if (measured === undefined) await peer.ask({ users: [] });
            log(`  ${shape.name}, ${target.label}: ${JSON.stringify(measured)}`);
            rows.push({
              name: `${shape.name}, ${size.toLocaleString('en')}, ${target.label}`,
              figures: figuresOf(measured),
            });
          }
          if (shape.question) rows.push(await planOf(sql, shape, size, log));
        }
      }
    } finally {
      await peer.stop();
      await sql.end();
    }
    return [...rows, ...growth(rows, sizes)];
  },
};

const headersWith = (token: string): Record<string, string> => ({
  authorization: `Bearer ${token}`,
  'content-type': 'application/scim+json',
  accept: 'application/scim+json',
});

async function grow(sql: pg.Client, target: Target, size: number): Promise<void> {
  const { ids } = await loadPeople(sql, { tenant, source: 'bench', from: target.ids.length + 1, to: size });
  for (const id of ids) target.ids.push(id);
  const make = (members: readonly string[]) =>
    loadGroup(sql, { tenant, displayName: `Group of ${members.length} among ${size}`, members });
  target.groups = { few: await make(target.ids.slice(0, 10)), many: await make(membersOf(target.ids)) };
}

async function growPeer(peer: Peer, target: Target, size: number): Promise<void> {
  while (target.ids.length < size) {
    const from = target.ids.length + 1;
    const users = Array.from({ length: Math.min(2_000, size - from + 1) }, (_, i) => person(from + i));
    target.ids.push(...(await peer.ask<string[]>({ users })));
  }
  const make = async (members: readonly string[]): Promise<string> => {
    const group = {
      displayName: `Group of ${members.length}`,
      members: members.map((value) => ({ value, type: 'User' })),
    };
    return (await peer.ask<string[]>({ group }))[0] as string;
  };
  target.groups = { few: await make(target.ids.slice(0, 10)), many: await make(membersOf(target.ids)) };
}

/** At most 100,000 users, without the last ones, which are added and removed. */
const membersOf = (ids: readonly string[]): readonly string[] =>
  ids.slice(0, Math.min(100_000, Math.ceil(ids.length / 2)));

/** Selected shapes, concurrency and peer. */
const chosen = process.env.BENCH_SHAPES ?? '';
const connections = Number(process.env.BENCH_CONNECTIONS ?? 2);
const besidePeer = process.env.BENCH_PEER !== 'none';

const figuresOf = (measured: Sample | undefined): Row['figures'] =>
  measured === undefined ? { answers: 'none within 30 s' } : { ...measured };

async function planOf(
  sql: pg.Client,
  shape: Shape,
  size: number,
  log: (message: string) => void,
): Promise<Row> {
  const plans = await explain(sql, tenant, shape.question ?? {});
  log(`EXPLAIN ${shape.name}, ${size.toLocaleString('en')} people\n${plans.join('\n---\n')}`);
  const buffers = plans.reduce((sum, plan) => {
    const [, hit = '0', read = '0'] = /Buffers: shared(?: hit=(\d+))?(?: read=(\d+))?/.exec(plan) ?? [];
    return sum + Number(hit) + Number(read);
  }, 0);
  return {
    name: `${shape.name}, ${size.toLocaleString('en')}: plan`,
    figures: { statements: plans.length, buffers, scansTheTable: plans.some(scansTheTable) ? 'YES' : 'no' },
  };
}

/** Returns the change of the median from the smallest to the largest size. */
function growth(rows: readonly Row[], sizes: readonly number[]): Row[] {
  const medianOf = (shape: string, size: number | undefined): number | undefined => {
    const row = rows.find(({ name }) => name === `${shape}, ${size?.toLocaleString('en')}, Ostiary`);
    return typeof row?.figures.p50 === 'number' ? row.figures.p50 : undefined;
  };
  return shapes.flatMap(({ name }) => {
    const [small, large] = [medianOf(name, sizes[0]), medianOf(name, sizes.at(-1))];
    if (small === undefined || large === undefined || sizes.length < 2) return [];
    return [
      {
        name: `${name}: p50 at the largest size, ratio to that at the smallest`,
        figures: { ratio: (large / small).toFixed(2) },
      },
    ];
  });
}
