/**
 * `npm start`: runs the whole system on this machine until Ctrl-C. Expects a built tree (bootstrap.mjs builds it). If
 * it cannot start, it prints one sentence to stderr and exits with code 1; no process stays behind in any case.
 */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type DemoFile, StartError, type System, seedDemo, startSystem } from '@ostiary/embedded/system';

const root = resolve(import.meta.dirname, '..');
const begun = Number(process.env.OSTIARY_BEGUN) || Date.now();
const abort = new AbortController();
let system: System | undefined;
let stopAsked: number | undefined;
let warnFrom: number | undefined;

const print = (line: string): void => void process.stdout.write(`${line}\n`);
const progress = (message: string): void =>
  print(`${((Date.now() - begun) / 1000).toFixed(1).padStart(6)} s  ${message}`);

// A closed terminal or pipe must not prevent the shutdown.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => stop(name));
// bootstrap.mjs holds the other end of this channel, which closes when the caller has ended.
if (process.send !== undefined) process.on('disconnect', () => stop('the parent process ended'));
for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
  process.on(event, (error: unknown) => void fail(error));
}

main().catch(fail);

async function main(): Promise<void> {
  const { fresh } = flags();
  const home = resolve(root, process.env.OSTIARY_HOME || '.ostiary');
  const port = edgePort();
  const { DATABASE_URL: databaseUrl, REDIS_URL: redisUrl, PUBLIC_ORIGIN: publicOrigin } = process.env;
  system = await startSystem({
    home,
    ports: { gateway: port, auth: port + 1, directory: port + 2, provisioning: port + 3 },
    env: process.env,
    ...(publicOrigin ? { publicOrigin } : {}),
    ...(databaseUrl ? { databaseUrl } : {}),
    ...(redisUrl ? { redisUrl } : {}),
    fresh,
    hold: true,
    log: progress,
    // During the start, processes miss each other for a moment; these warnings are only in their logs.
    onWarning: (name, message) => {
      if (warnFrom !== undefined && performance.now() > warnFrom) print(`${name}: ${message}`);
    },
    signal: abort.signal,
  });
  const demo = await seedDemo(system, progress);
  // Ready includes demo.json.
  await system.release();
  if (stopAsked !== undefined) return;
  progress('Ready');
  warnFrom = performance.now() + 1_500;
  print(welcome(demo, system));
}

function flags(): { fresh: boolean } {
  try {
    const { values } = parseArgs({ options: { fresh: { type: 'boolean', default: false } } });
    return values;
  } catch {
    throw new StartError(
      'Unknown flag. npm start accepts only --fresh, which starts with empty data (npm start -- --fresh).',
    );
  }
}

function edgePort(): number {
  const given = process.env.PORT || '4000';
  const port = Number(given);
  if (Number.isInteger(port) && port >= 1 && port <= 65_432) return port;
  throw new StartError(
    `PORT must be a number from 1 to 65432, not "${given}". The next three ports and the four from PORT + 100 are also used.`,
  );
}

/** Stops everything in order. A second Ctrl-C a moment later exits immediately (the guardian process ends the rest). */
function stop(reason: string): void {
  const now = performance.now();
  if (stopAsked !== undefined) {
    // One Ctrl-C can arrive twice: from the terminal, and forwarded by npm.
    if (now - stopAsked > 1_500 && reason === 'SIGINT') process.exit(130);
    return;
  }
  stopAsked = now;
  progress('Stopping');
  abort.abort();
  if (system === undefined) return; // startSystem cleans up, then fail() ends the process
  system.stopAll().then(
    () => {
      progress('Stopped');
      process.exit(0);
    },
    (error: unknown) => fail(error),
  );
}

async function fail(error: unknown): Promise<void> {
  if (stopAsked === undefined) {
    const message = error instanceof StartError ? error.message : unexpected(error);
    process.stderr.write(`${message}\n`);
  }
  await system?.stopAll().catch(() => undefined);
  if (stopAsked !== undefined) progress('Stopped');
  process.exit(stopAsked === undefined ? 1 : 0);
}

const unexpected = (error: unknown): string =>
  `Ostiary failed unexpectedly: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;

/** Demo data of an earlier release has no API. */
function ofOrders({ tenants: { demo } }: DemoFile): string {
  const { orders } = demo.clients;
  if (orders === undefined) return '';
  return `  API of the organization (https://orders.demo.example): get an access token for it
    curl -s -u '${orders.client_id}:${orders.client_secret}' -d grant_type=client_credentials -d scope=orders:read ${demo.issuer}/token

`;
}

function welcome(demo: DemoFile, running: System): string {
  const { issuer, scim, clients, users } = demo.tenants.demo;
  const { auth, directory, provisioning } = running.urls;
  const basic = `${clients.admin.client_id}:${clients.admin.client_secret}`;
  const token = `curl -s -u '${basic}' -d grant_type=client_credentials ${issuer}/token`;
  return `
 Open in a browser
  Console       ${demo.console}   (tenant demo, user ${users.admin.userName}, password ${users.admin.password})
  Account page  ${issuer}/account   (the same user, or ${users.alice.userName} with ${users.alice.password})
  GraphiQL      ${demo.graphql}

 Addresses
  Origin        ${demo.origin}
  GraphQL       ${demo.graphql}
  Issuer        ${issuer}   (also ${demo.tenants.rival.issuer})
  SCIM          ${scim}
  Services      auth ${auth}, directory ${directory}, provisioning ${provisioning}
  Metrics       ${Object.values(running.metricsUrls).join('  ')}
  Credentials   ${running.home}/demo.json     Logs  ${running.home}/logs

  SCIM: find a user, as an identity source does
    curl -s -H 'Authorization: Bearer ${clients.scim.token}' '${scim}/Users?filter=userName%20eq%20%22alice%22'

  OAuth: get an access token with client credentials
    ${token}

${ofOrders(demo)}  GraphQL: list users with their groups
    curl -s ${demo.graphql} -H 'Content-Type: application/json' -H "Authorization: Bearer $(${token} | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')" -d '{"query":"{ users(first: 5) { totalCount edges { node { userName displayName groups { displayName } } } } }"}'

  Press Ctrl-C to stop.
`;
}
