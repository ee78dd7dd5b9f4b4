import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { codeMint, redeemAll } from '../codes.ts';
import type { BenchContext, Row, Scenario } from '../scenario.ts';

interface Size {
  grants: number;
  /** Megabytes of all tables of the authorization server, with their indexes. */
  megabytes: number;
  /** Number of keys in Valkey. */
  keys: number;
}

const tables = ['grants', 'refresh_families', 'sessions', 'revocations', 'credentials'];

async function sizeOf(context: BenchContext, sql: pg.Client, keys: () => Promise<number>): Promise<Size> {
  const { rows } = await sql.query<{ grants: number; bytes: string }>(
    `SELECT (SELECT count(*)::int FROM auth.grants) AS grants, sum(pg_total_relation_size(c.oid))::text AS bytes
     FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = 'auth' AND c.relkind = 'r'`,
  );
  context.log(`  ${rows[0]?.grants} grants, ${rows[0]?.bytes} bytes`);
  return {
    grants: rows[0]?.grants ?? 0,
    megabytes: Math.round(Number(rows[0]?.bytes) / 104_857.6) / 10,
    keys: await keys(),
  };
}

/** Moves all timestamps back by 100 days, so that lifetimes are over; the retention is the product's own. */
async function age(sql: pg.Client): Promise<void> {
  const { rows } = await sql.query<{ table: string; changes: string }>(
    `SELECT table_name AS "table", string_agg(format('%1$I = %1$I - interval ''100 days''', column_name), ', ') AS changes
     FROM information_schema.columns
     WHERE table_schema = 'auth' AND data_type LIKE 'timestamp%' AND table_name = ANY($1)
       AND NOT (table_name = 'sessions' OR table_name = 'credentials') GROUP BY 1`,
    [tables],
  );
  for (const { table, changes } of rows) await sql.query(`UPDATE auth.${table} SET ${changes}`);
}

/**
 * 200,000 grants in ten waves, each of which expires and is pruned by the running process. Runs long, so only on
 * request: `npm run bench -- soak`.
 */
export const soak: Scenario = {
  name: 'soak',
  onRequest: true,
  async run(context): Promise<Row[]> {
    const { system, seconds, log } = context;
    const perWave = seconds < 8 ? 1_000 : 20_000;
    const mint = await codeMint(context);
    const sql = new pg.Client({ connectionString: system.databaseUrl });
    await sql.connect();
    const tokenUrl = `${system.urls.auth}/t/demo/token`;
    const sizes: Size[] = [];
    let keysLeft = 0;
    try {
      for (let wave = 1; wave <= 10; wave += 1) {
        log(`wave ${wave} of 10`);
        for (let done = 0; done < perWave; done += 1_000) {
          const tokens = await redeemAll(
            tokenUrl,
            (await mint.issue(1_000)).map((code) => mint.form(code)),
          );
          const some = tokens.slice(0, 250).map(({ refresh_token }) => ({
            grant_type: 'refresh_token',
            client_id: mint.clientId,
            refresh_token,
          }));
          await redeemAll(tokenUrl, some);
        }
        await age(sql);
        await pruned(sql);
        sizes.push(await sizeOf(context, sql, () => mint.keys()));
      }
      keysLeft = await expired(() => mint.keys(), log);
    } finally {
      await sql.end();
      mint.close();
    }
    const [half, last] = [sizes[4], sizes.at(-1)];
    return [
      ...sizes.map((size, index) => ({
        name: `soak, after ${((index + 1) * perWave).toLocaleString('en')} grants`,
        figures: { ...size },
      })),
      {
        name: 'soak: size at the end, ratio to that after half of them',
        figures: { ratio: ((last?.megabytes ?? 0) / (half?.megabytes ?? 1)).toFixed(2) },
      },
      { name: 'soak: keys once redeemed codes are forgotten', figures: { keys: keysLeft } },
    ];
  },
};

/**
 * Waits until redeemed codes are deleted. They are stored as long as the tokens from them, so that a replay can revoke
 * these.
 */
async function expired(keys: () => Promise<number>, log: (line: string) => void): Promise<number> {
  log('waiting until redeemed codes are forgotten, ten minutes or so');
  const deadline = Date.now() + 900_000;
  let left = await keys();
  while (left > 1_000 && Date.now() < deadline) {
    await sleep(5_000);
    left = await keys();
  }
  return left;
}

/** Waits until the process has deleted expired rows, about once per minute. */
async function pruned(sql: pg.Client): Promise<void> {
  const deadline = Date.now() + 300_000;
  for (;;) {
    const { rows } = await sql.query<{ left: number }>(
      "SELECT count(*)::int AS left FROM auth.grants WHERE expires_at < now() - interval '1 hour'",
    );
    if (rows[0]?.left === 0) return;
    if (Date.now() > deadline) throw new Error(`${rows[0]?.left} expired grants are still there`);
    await sleep(2_000);
  }
}
