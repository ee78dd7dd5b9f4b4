import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { Agent, Pool } from 'undici';
import { type CodeMint, codeMint, redeemAll } from '../codes.ts';
import { type BenchContext, basic, pidOf, type Row, type Scenario } from '../scenario.ts';
import { source } from './departing.ts';
import { doors, inTransaction, loadTenants, loadUsers, tenantNumber } from './growth-load.ts';
import { allCpu, type Figure, Meter, medianOf, ratios, type Used } from './growth-meter.ts';
import { accounts, authorizeAddress, authorizing, Visitor } from './logins.ts';

/** Number of concurrent requests. */
const concurrency = 8;
/** Number of tokens that are requested repeatedly. */
const usual = 64;
const form = 'application/x-www-form-urlencoded';

interface Request {
  path: string;
  method?: 'GET' | 'POST' | 'PATCH';
  headers?: Record<string, string>;
  body?: string;
  status?: number;
}

/** An operation whose cost should not grow. */
interface Operation {
  name: string;
  /** Number of measured requests. */
  count: number;
  /** Prepares unmeasured data and returns the function that is measured. */
  prepare(count: number): Promise<() => Promise<void>>;
}

/** Sends a number of requests, some concurrently. */
async function send(origin: string, count: number, next: (n: number) => Request): Promise<void> {
  const pool = new Pool(origin, { connections: concurrency });
  let sent = 0;
  const worker = async () => {
    while (sent < count) {
      const { status = 200, method = 'POST', ...request } = next(sent++);
      const answer = await pool.request({ method, ...request });
      const text = await answer.body.text();
      if (answer.statusCode !== status)
        throw new Error(`${request.path}: ${answer.statusCode} ${text.slice(0, 200)}`);
    }
  };
  try {
    await Promise.all(Array.from({ length: concurrency }, worker));
  } finally {
    await pool.close();
  }
}

class Operations {
  readonly #context: BenchContext;
  readonly #mint: CodeMint;
  readonly #sql: pg.Client;
  readonly #authorize: string;
  /** Highest tenant number so far. */
  tenants = 0;

  constructor(o: { context: BenchContext; mint: CodeMint; sql: pg.Client; authorize: string }) {
    this.#context = o.context;
    this.#mint = o.mint;
    this.#sql = o.sql;
    this.#authorize = o.authorize;
  }

  /** @param scale 1 for rounds of the default length */
  all(scale: number): Operation[] {
    const count = (usually: number) => Math.max(8, Math.round(usually * scale));
    return [
      { name: 'token', count: count(4_000), prepare: (n) => this.#tokens(n, () => 'demo') },
      { name: 'sign-in', count: count(48), prepare: (n) => this.#signIns(n) },
      { name: 'code exchange', count: count(1_000), prepare: (n) => this.#exchanges(n) },
      {
        name: 'introspection, known tokens',
        count: count(4_000),
        prepare: (n) => this.#introspections(n, usual),
      },
      {
        name: 'introspection, each token once',
        count: count(1_000),
        prepare: (n) => this.#introspections(n, n),
      },
      { name: 'SCIM create', count: count(600), prepare: (n) => this.#creates(n) },
      { name: 'departure', count: count(300), prepare: (n) => this.#departures(n) },
    ];
  }

  /** Uses a different tenant for each request. */
  everywhere(scale: number): Operation {
    const of = (n: number) => (this.tenants === 0 ? 'demo' : tenantNumber(1 + (n % this.tenants)));
    return {
      name: 'token, of each tenant in turn',
      count: Math.max(8, Math.round(4_000 * scale)),
      prepare: async (n) => {
        // Each tenant has been requested before, some time ago.
        await (await this.#tokens(Math.max(1, this.tenants), of))();
        return this.#tokens(n, of);
      },
    };
  }

  async #tokens(count: number, tenantOf: (n: number) => string): Promise<() => Promise<void>> {
    const { system, demo } = this.#context;
    const headers = { authorization: basic(demo.tenants.demo.clients.admin), 'content-type': form };
    return () =>
      send(system.urls.auth, count, (n) => ({
        path: `/t/${tenantOf(n)}/token`,
        headers,
        body: 'grant_type=client_credentials',
      }));
  }

  async #signIns(count: number): Promise<() => Promise<void>> {
    const { system } = this.#context;
    const users = await accounts(this.#context);
    const signIn = authorizing(this.#authorize);
    return async () => {
      const agent = new Agent({ connections: users.length });
      let begun = 0;
      await Promise.all(
        users.map(async (user) => {
          while (begun++ < count) await signIn(new Visitor(system.urls.auth, agent), user);
        }),
      );
      await agent.close();
    };
  }

  async #exchanges(count: number): Promise<() => Promise<void>> {
    const codes = await this.#mint.issue(count);
    return () =>
      send(this.#context.system.urls.auth, count, (n) => ({
        path: '/t/demo/token',
        headers: { 'content-type': form },
        body: new URLSearchParams(this.#mint.form(codes[n] ?? '')).toString(),
      }));
  }

  async #introspections(count: number, different: number): Promise<() => Promise<void>> {
    const { system, demo } = this.#context;
    const codes = await this.#mint.issue(different);
    const url = `${system.urls.auth}/t/demo/token`;
    const tokens = await redeemAll(
      url,
      codes.map((code) => this.#mint.form(code)),
    );
    const headers = { authorization: basic(demo.tenants.demo.clients.api), 'content-type': form };
    return () =>
      send(system.urls.auth, count, (n) => ({
        path: '/t/demo/introspect',
        headers,
        body: new URLSearchParams({ token: tokens[n % tokens.length]?.access_token ?? '' }).toString(),
      }));
  }

  async #creates(count: number): Promise<() => Promise<void>> {
    const run = randomBytes(6).toString('hex');
    return () =>
      this.#scim(count, (n) => ({
        path: '/Users',
        status: 201,
        body: {
          userName: `new-${run}-${n}@example.com`,
          displayName: `New ${n}`,
          externalId: `${run}-${n}`,
          active: true,
        },
      }));
  }

  async #departures(count: number): Promise<() => Promise<void>> {
    const run = randomBytes(6).toString('hex');
    const names = Array.from({ length: count }, (_, n) => `leaver-${run}-${n}`);
    const ids = await source(this.#context).createMany(names);
    await this.#employ(ids);
    return () =>
      this.#scim(count, (n) => ({
        path: `/Users/${ids[n]}`,
        method: 'PATCH',
        body: { Operations: [{ op: 'replace', path: 'active', value: false }] },
      }));
  }

  /** Signs users in when auth has received them. */
  async #employ(ids: readonly string[]): Promise<void> {
    for (let known = 0; known < ids.length; ) {
      const { rows } = await this.#sql.query<{ known: number }>(
        `SELECT count(*)::int AS known FROM auth.subjects WHERE tenant = 'demo' AND id = ANY ($1)`,
        [ids],
      );
      known = rows[0]?.known ?? 0;
    }
    await inTransaction(this.#sql, async () => {
      const list = ids.map((id) => `'${id}'::uuid`).join(',');
      await this.#sql.query(
        `CREATE TEMP TABLE grown ON COMMIT DROP AS
         SELECT 'demo' AS tenant, id, gen_random_uuid() AS session, gen_random_uuid() AS granted, true AS signed_in
           FROM unnest(ARRAY[${list}]) AS id`,
      );
      for (const statement of doors) await this.#sql.query(statement);
    });
  }

  #scim(count: number, next: (n: number) => Omit<Request, 'body'> & { body: object }): Promise<void> {
    const { system, demo } = this.#context;
    const headers = {
      authorization: `Bearer ${demo.tenants.demo.clients.scim.token}`,
      'content-type': 'application/scim+json',
    };
    return send(system.urls.provisioning, count, (n) => {
      const { path, method, status, body } = next(n);
      const schema = method === 'PATCH' ? 'api:messages:2.0:PatchOp' : 'schemas:core:2.0:User';
      return {
        path: `/t/demo/scim/v2${path}`,
        ...(method && { method }),
        ...(status !== undefined && { status }),
        headers,
        body: JSON.stringify({ schemas: [`urn:ietf:params:scim:${schema}`], ...body }),
      };
    });
  }
}

/** A dimension of growth, and its sizes. */
interface Axis {
  name: string;
  sizes: readonly number[];
  grow(to: number): Promise<void>;
}

const sizesOf = (variable: string, quick: boolean, few: string, many: string): number[] =>
  (process.env[variable] ?? (quick ? few : many)).split(',').filter(Boolean).map(Number);

function axes(context: BenchContext, sql: pg.Client, operations: Operations): Axis[] {
  const quick = context.seconds < 8;
  const encryptionKey = context.system.secrets.ENCRYPTION_KEY;
  let users = 0;
  return [
    {
      name: 'tenants',
      sizes: sizesOf('BENCH_TENANTS', quick, '1,100', '1,100,10000'),
      async grow(to) {
        // One of them is the measured tenant.
        await loadTenants(sql, { from: operations.tenants + 1, to: to - 1, encryptionKey });
        operations.tenants = Math.max(operations.tenants, to - 1);
      },
    },
    {
      name: 'users in the tenant',
      sizes: sizesOf('BENCH_USERS', quick, '100,5000', '100,10000,1000000'),
      async grow(to) {
        await loadUsers(sql, { from: users + 1, to });
        users = Math.max(users, to);
      },
    },
  ];
}

const round = (used: Used): Record<Figure, number> =>
  Object.fromEntries(
    Object.entries(used).map(([figure, value]) => [figure, Math.round(value * 100) / 100]),
  ) as Record<Figure, number>;

/** Maximum permitted growth factor. */
const most = 1.3;

class Measurement {
  readonly rows: Row[] = [];
  readonly #context: BenchContext;
  readonly #meter: Meter;
  readonly #operations: Operations;

  constructor(context: BenchContext, meter: Meter, operations: Operations) {
    this.#context = context;
    this.#meter = meter;
    this.#operations = operations;
  }

  async along({ name, sizes, grow }: Axis): Promise<void> {
    const { log, rounds, seconds } = this.#context;
    const scale = Number(process.env.BENCH_SCALE ?? (seconds < 8 ? 0.25 : 1));
    const least = new Map<string, Used>();
    for (const size of sizes) {
      log(`Filling up to ${size.toLocaleString('en')} ${name}`);
      await grow(size);
      const idle = await this.#meter.idle(5);
      this.#note(`idle, a second, ${size.toLocaleString('en')} ${name}`, 'idle', idle, least);
      const operations = [
        ...this.#operations.all(scale),
        ...(name === 'tenants' ? [this.#operations.everywhere(scale)] : []),
      ];
      for (const { name: what, count, prepare } of operations) {
        // Warm-up of processes and query plans.
        await (await prepare(count))();
        const runs: Used[] = [];
        for (let round = 0; round < rounds; round += 1) {
          const work = await prepare(count);
          runs.push(await this.#meter.each(count, idle, work));
        }
        this.#note(`${what}, ${size.toLocaleString('en')} ${name}`, what, medianOf(runs), least);
      }
    }
  }

  #note(name: string, what: string, used: Used, least: Map<string, Used>): void {
    const first = least.get(what);
    least.set(what, first ?? used);
    const ratio = ratios(used, first ?? used);
    const cpu = allCpu(used) / allCpu(first ?? used);
    const grown = [...(cpu > most ? ['CPU'] : []), ...(ratio.buffers > most ? ['buffers'] : [])].join(', ');
    const row: Row = {
      name,
      figures: {
        ...round(used),
        'ratio of CPU': cpu.toFixed(2),
        'of statements': ratio.statements.toFixed(2),
        'of buffers': ratio.buffers.toFixed(2),
        ...(grown && { 'MORE THAN 1.3': grown }),
      },
    };
    this.#context.log(`  ${row.name}: ${JSON.stringify(row.figures)}`);
    this.rows.push(row);
  }
}

/**
 * Cost of requests with growing numbers of tenants and users: CPU, and pages read by PostgreSQL, with ratios to the
 * smallest size. Runs long and needs disk space: `npm run bench -- growth`. BENCH_TENANTS=1,100 and
 * BENCH_USERS=100,10000 set other sizes, an empty value skips one; BENCH_SCALE=0.2 sends fewer requests.
 */
export const growth: Scenario = {
  name: 'growth',
  onRequest: true,
  countsStatements: true,
  async run(context): Promise<Row[]> {
    const { system } = context;
    const sql = new pg.Client({ connectionString: system.databaseUrl });
    // The next statement reports a lost connection; without a listener the event would end the process.
    sql.on('error', (error) => context.log(`The database connection was lost: ${error.message}`));
    await sql.connect();
    await sql.query('CREATE EXTENSION IF NOT EXISTS pg_stat_statements');
    const mint = await codeMint(context);
    const operations = new Operations({ context, mint, sql, authorize: await authorizeAddress(context) });
    const meter = new Meter({
      sql,
      services: [pidOf(system, 'auth'), pidOf(system, 'directory'), pidOf(system, 'provisioning')],
      postgres: system.pid('postgres'),
      valkey: system.pid('valkey'),
    });
    const measurement = new Measurement(context, meter, operations);
    try {
      for (const axis of axes(context, sql, operations)) await measurement.along(axis);
    } finally {
      mint.close();
      await sql.end();
    }
    return measurement.rows;
  },
};
