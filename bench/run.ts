// Starts the system once, runs the scenarios, prints a table and writes bench/results/<time>.json.
//   npm run bench                       all except soak, scim_scale, growth, subscriptions, console and identity_servers
//   npm run bench -- scim departures    only these
//   npm run bench -- --quick            shorter rounds
//   DATABASE_URL=… REDIS_URL=… npm run bench -- departures     with external servers whose databases are empty
// While other processes use more than a tenth of the machine, no measurement starts. Results that were measured during
// such a load are not published: they are in neither the table nor the file, and the exit code is 1. `--busy` prints
// them with a note. When a scenario fails, the logs of the processes are kept, and their folder is printed.
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { seedDemo, startSystem } from '@ostiary/embedded/system';
import pg from 'pg';
import { maxTaken, percent, takenByOthers, watchOthers } from './machine.ts';
import type { Row, Scenario } from './scenario.ts';
import { clientCredentials } from './scenarios/client-credentials.ts';
import { codeAndRefresh } from './scenarios/code-and-refresh.ts';
import { consoleInBrowser } from './scenarios/console/console.ts';
import { departures } from './scenarios/departures.ts';
import { edge } from './scenarios/edge.ts';
import { gatewayCpu } from './scenarios/gateway-cpu.ts';
import { growth } from './scenarios/growth.ts';
import { guard } from './scenarios/guard.ts';
import { identityServers } from './scenarios/identity-servers.ts';
import { idle } from './scenarios/idle.ts';
import { introspection } from './scenarios/introspection.ts';
import { passwordLogins } from './scenarios/logins.ts';
import { usersQuery } from './scenarios/people-query.ts';
import { scaleOut } from './scenarios/scale-out.ts';
import { scim } from './scenarios/scim.ts';
import { scimScale } from './scenarios/scim-scale.ts';
import { soak } from './scenarios/soak.ts';
import { subscriptions } from './scenarios/subscriptions.ts';
import { verifier } from './scenarios/verifier.ts';

const scenarios: Scenario[] = [
  clientCredentials,
  scaleOut,
  codeAndRefresh,
  identityServers,
  introspection,
  passwordLogins,
  scim,
  scimScale,
  usersQuery,
  gatewayCpu,
  guard,
  verifier,
  edge,
  growth,
  idle,
  departures,
  soak,
  subscriptions,
  consoleInBrowser,
];

const wanted = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const quick = process.argv.includes('--quick');
const busy = process.argv.includes('--busy');
const unknown = wanted.filter((name) => !scenarios.some((scenario) => scenario.name === name));
if (unknown.length > 0) {
  console.error(
    `There is no scenario ${unknown.join(', ')}; there are ${scenarios.map(({ name }) => name).join(', ')}.`,
  );
  process.exit(1);
}

// One client sends all requests here.
const unlimited = { GRAPH_POINTS_PER_MINUTE: '999999999' };

const home = await mkdtemp(join(tmpdir(), 'ostiary-bench-'));
const log = (message: string) => console.error(message);
const taken = await takenByOthers();
if (taken > maxTaken && !busy) {
  console.error(
    `Others take ${percent(taken)} of this machine, more than ${percent(maxTaken)}: nothing is measured.`,
  );
  process.exit(1);
}
const { DATABASE_URL: databaseUrl, REDIS_URL: redisUrl } = process.env;
const start = () =>
  startSystem({
    home,
    log,
    env: { LOG_LEVEL: 'warn', ...unlimited },
    ...(databaseUrl !== undefined && { databaseUrl }),
    ...(redisUrl !== undefined && { redisUrl }),
  });
const chosen = scenarios.filter(({ name, onRequest }) =>
  wanted.length > 0 ? wanted.includes(name) : !onRequest,
);
let system = await start();
if (databaseUrl === undefined && chosen.some(({ countsStatements }) => countsStatements)) {
  const sql = new pg.Client({ connectionString: system.databaseUrl });
  await sql.connect();
  await sql.query('ALTER SYSTEM SET shared_preload_libraries = pg_stat_statements');
  await sql.end();
  await system.stopAll();
  system = await start();
}
const rows: Row[] = [];
const unpublished: string[] = [];
const load: Record<string, number> = {};
let failed = false;
try {
  const demo = await seedDemo(system, log);
  for (const scenario of chosen) {
    log(`Measuring ${scenario.name}`);
    const others = watchOthers();
    const measured = await scenario.run({ system, demo, seconds: quick ? 2 : 8, rounds: quick ? 1 : 3, log });
    const part = others();
    load[scenario.name] = Math.round(part * 100) / 100;
    if (part > maxTaken && !busy) unpublished.push(`${scenario.name} (others took ${percent(part)})`);
    else rows.push(...measured);
  }
} catch (error) {
  failed = true;
  throw error;
} finally {
  await system.stopAll();
  if (failed) log(`What the processes logged is kept: ${await keptLogs(home)}`);
  await rm(home, { recursive: true, force: true });
}

/** Keeps the logs of a failed run, without its databases and secrets. */
async function keptLogs(of: string): Promise<string> {
  const kept = await mkdtemp(join(tmpdir(), 'ostiary-bench-logs-'));
  await cp(join(of, 'logs'), kept, { recursive: true });
  return kept;
}

const machine = { cpus: cpus().length, model: cpus()[0]?.model ?? 'unknown', node: process.version };
const folder = new URL('./results/', import.meta.url);
await mkdir(folder, { recursive: true });
const at = new Date().toISOString();
await writeFile(
  new URL(`${at.replaceAll(':', '-')}.json`, folder),
  `${JSON.stringify({ at, machine, load, rows }, null, 2)}\n`,
);

console.log(`\n${machine.cpus} × ${machine.model}, Node ${machine.node}, ${at}\n`);
for (const { name, figures } of rows) {
  const text = Object.entries(figures).map(([figure, value]) => `${figure} ${value}`);
  console.log(`${name.padEnd(70)} ${text.join('   ')}`);
}
console.log(
  `\nTaken by others: ${Object.entries(load)
    .map(([name, part]) => `${name} ${percent(part)}`)
    .join(', ')}`,
);
if (unpublished.length > 0) {
  console.log(
    `Not published, because others took more than ${percent(maxTaken)} of the machine: ${unpublished.join(', ')}`,
  );
  process.exitCode = 1;
}
