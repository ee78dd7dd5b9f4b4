/**
 * Whether what Ostiary promises holds in its databases: nobody who has left has a way in, no event is lost, nothing happened
 * twice, no two people are mixed up. Reads only, in short statements, so it can run beside everything else at any size.
 *
 * node scripts/audit-invariants.ts [--json] [--settle-seconds 10] [--waiting-seconds 60] [--batch 2000]
 *   [--statement-timeout-seconds 10]
 * DATABASE_URL, or DATABASE_URL_AUTH, _DIRECTORY and _PROVISIONING where they are different; without any, the databases of
 * the `npm start` that runs here. Exit code 0: all holds. 1: something doesn't. 2: it couldn't be said.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { connectReadOnly, type Flaw, type Scan, type Sql, scanPage } from '@ostiary/database';
import { checksBetween } from './invariants/between.ts';
import type { Check, Limits, Result, Sources } from './invariants/check.ts';
import { type Report, readable } from './invariants/report.ts';

const examplesShown = 20;
const services = ['auth', 'directory', 'provisioning'] as const;

/** Where each service says what must hold in its tables. */
const scansOf: Record<(typeof services)[number], string> = {
  auth: '../services/auth/dist/upkeep/data/invariants.js',
  directory: '../services/directory/dist/database/data/invariants.js',
  provisioning: '../services/provisioning/dist/database/data/invariants.js',
};

try {
  process.exitCode = await main();
} catch (error) {
  console.error(
    `The invariants could not be checked: ${error instanceof Error ? error.message : String(error)}`,
  );
  process.exitCode = 2;
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      json: { type: 'boolean', default: false },
      'settle-seconds': { type: 'string', default: '10' },
      'waiting-seconds': { type: 'string', default: '60' },
      'statement-timeout-seconds': { type: 'string', default: '10' },
      batch: { type: 'string', default: '2000' },
    },
  });
  const number = (name: Exclude<keyof typeof values, 'json'>): number => {
    const given = Number(values[name]);
    if (!Number.isInteger(given) || given < 0) throw new Error(`--${name} must be a whole number`);
    return given;
  };
  const limits: Limits = {
    batch: Math.max(1, number('batch')),
    waitingSeconds: number('waiting-seconds'),
    settleMs: number('settle-seconds') * 1000,
  };
  const begun = performance.now();
  const { sources, close } = await connect(number('statement-timeout-seconds') * 1000);
  try {
    const checks: Result[] = [];
    for (const check of [...ownChecks(sources, limits), ...checksBetween(sources, limits)]) {
      checks.push(await resultOf(check));
    }
    const report: Report = {
      ok: checks.every(({ flaws }) => flaws === 0),
      at: new Date().toISOString(),
      tookMs: Math.round(performance.now() - begun),
      checks,
    };
    process.stdout.write(`${values.json ? JSON.stringify(report, null, 2) : readable(report)}\n`);
    return report.ok ? 0 : 1;
  } finally {
    await close();
  }
}

async function resultOf({ name, says, run }: Check): Promise<Result> {
  const result: Result = { name, says, looked: 0, flaws: 0, examples: [] };
  result.looked = await run((flaw: Flaw) => {
    result.flaws += 1;
    if (result.examples.length < examplesShown) result.examples.push(flaw);
  });
  return result;
}

/** What must hold inside each service's own tables. */
function ownChecks(sources: Sources, limits: Limits): Check[] {
  const check = (sql: Sql, scan: Scan): Check => ({
    name: scan.name,
    says: scan.says,
    async run(report) {
      let looked = 0;
      let after: readonly string[] | undefined;
      do {
        const page = await scanPage(sql, scan, after, limits.batch);
        for (const flaw of page.flaws) report(flaw);
        looked += page.looked;
        after = page.next;
      } while (after !== undefined);
      return looked;
    },
  });
  return services.flatMap((name) =>
    sources[name].facts.scans(limits.waitingSeconds).map((scan) => check(sources[name].sql, scan)),
  );
}

async function connect(statementTimeoutMs: number): Promise<{ sources: Sources; close(): Promise<void> }> {
  const opened: { close(): Promise<void> }[] = [];
  const close = async () => {
    await Promise.all(opened.map((connection) => connection.close().catch(() => undefined)));
  };
  try {
    const source = async (name: (typeof services)[number]) => {
      const sql = await connectReadOnly(databaseOf(name), { statementTimeoutMs });
      opened.push(sql);
      return { facts: await import(new URL(scansOf[name], import.meta.url).href), sql };
    };
    const [auth, directory, provisioning] = [
      await source('auth'),
      await source('directory'),
      await source('provisioning'),
    ];
    return { sources: { auth, directory, provisioning } as Sources, close };
  } catch (error) {
    await close();
    throw error;
  }
}

function databaseOf(service: (typeof services)[number]): string {
  const url =
    process.env[`DATABASE_URL_${service.toUpperCase()}`] || process.env.DATABASE_URL || embeddedDatabase();
  if (url === undefined) {
    throw new Error(
      'there is no database: set DATABASE_URL (or DATABASE_URL_AUTH, _DIRECTORY and _PROVISIONING), or run npm start here',
    );
  }
  return url;
}

/** The database of the `npm start` that runs from here, if one does. */
function embeddedDatabase(): string | undefined {
  const home = resolve(process.env.OSTIARY_HOME ?? join(import.meta.dirname, '..', '.ostiary'));
  const [state, password] = ['postgres/postmaster.pid', 'postgres.password'].map((file) => join(home, file));
  if (state === undefined || password === undefined || !existsSync(state) || !existsSync(password))
    return undefined;
  const port = readFileSync(state, 'utf8').split('\n')[3];
  const url = new URL(`postgres://postgres@127.0.0.1:${port}/postgres`);
  url.password = readFileSync(password, 'utf8').trim();
  return url.href;
}
