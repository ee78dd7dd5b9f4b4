import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { type Host, readAddress } from './address.ts';

/**
 * Error of an unsupported server at DATABASE_URL, with the required action and without an address. Waiting
 * does not help.
 */
export class UnsupportedDatabase extends Error {
  constructor(what: string) {
    super(`DATABASE_URL ${what}`);
    this.name = 'UnsupportedDatabase';
  }
}

/** Timeout of a response in ms. */
const patienceMs = 2_000;
/** Number of attempts to reach two servers, because others may use the pooler at the same time. */
const rounds = 8;
const betweenRoundsMs = 20;

const strangerCa =
  'points to a server whose certificate is not signed by a trusted authority: set the certificate of the authority with sslrootcert=<file>.';
const certificateFaults: Readonly<Record<string, string>> = {
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: strangerCa,
  UNABLE_TO_GET_ISSUER_CERT: strangerCa,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: strangerCa,
  SELF_SIGNED_CERT_IN_CHAIN: strangerCa,
  DEPTH_ZERO_SELF_SIGNED_CERT: strangerCa,
  CERT_SIGNATURE_FAILURE: strangerCa,
  ERR_TLS_CERT_ALTNAME_INVALID:
    'points to a server whose certificate is for another host: use the name in the certificate (sslmode=verify-full compares them).',
};

/**
 * Checks the server at DATABASE_URL before the process starts. An unavailable server is checked once it is
 * available.
 * @returns whether one has responded @throws UnsupportedDatabase
 */
export async function requireSupportedDatabase(url: string): Promise<boolean> {
  const address = readAddress(url);
  const hosts: readonly (Host | undefined)[] = address.hosts.length > 0 ? address.hosts : [undefined];
  const seen = await Promise.all(hosts.map((host) => look(address.url, host)));
  return seen.includes(true);
}

async function look(url: string, host: Host | undefined): Promise<boolean> {
  const first = await connected(url, host);
  if (!first) return false;
  try {
    const backend = await backendOf(first);
    // PostgreSQL reports its process id at login. A pooler invents one, because it has not chosen a server
    // connection yet.
    if (backend === undefined) return false;
    if (backend === processOf(first)) return true;
    if (await handsOn(first, () => connected(url, host))) throw handingOn();
    return true;
  } finally {
    await first.end().catch(() => {});
  }
}

const handingOn = () =>
  new UnsupportedDatabase(
    'points to a pooler that reassigns connections between transactions (PgBouncer: pool_mode = transaction). Notifications, settings, prepared statements and the protection against a replaced primary belong to a connection: connect to PostgreSQL directly, or set pool_mode = session.',
  );

/** Reports whether server processes move between clients while both are connected (transaction pooling). */
async function handsOn(first: pg.Client, connect: () => Promise<pg.Client | undefined>): Promise<boolean> {
  const second = await connect();
  if (!second) return false;
  try {
    for (let round = 0; round < rounds; round += 1) {
      const before = await backendOf(first);
      await second.query('BEGIN');
      const other = await backendOf(second);
      const after = await backendOf(first);
      await second.query('COMMIT');
      if (before !== undefined && (other === before || (after !== undefined && after !== before)))
        return true;
      await sleep(betweenRoundsMs);
    }
    return false;
  } catch (error) {
    return /statement pooling/i.test((error as Error).message);
  } finally {
    await second.end().catch(() => {});
  }
}

/** @returns undefined if a connection fails for a temporary reason @throws UnsupportedDatabase */
async function connected(url: string, host: Host | undefined): Promise<pg.Client | undefined> {
  let client: pg.Client | undefined;
  try {
    client = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: patienceMs,
      query_timeout: patienceMs,
      application_name: 'ostiary looks at the database',
    });
    client.on('error', () => {});
    if (host) Object.assign(client, host);
    await client.connect();
    return client;
  } catch (error) {
    await client?.end().catch(() => {});
    throwWhatStays(error);
    return undefined;
  }
}

function throwWhatStays(error: unknown): void {
  const { code, message = '', path } = error as { code?: string; message?: string; path?: string };
  const fault = certificateFaults[code ?? ''];
  if (fault !== undefined) throw new UnsupportedDatabase(fault);
  if (path !== undefined && (code === 'ENOENT' || code === 'EACCES')) {
    throw new UnsupportedDatabase('names a certificate or key file that cannot be read.');
  }
  if (message === 'The server does not support SSL connections') {
    throw new UnsupportedDatabase('requires TLS (sslmode), which the server does not support.');
  }
}

const processOf = (client: pg.Client): unknown => (client as unknown as { processID?: unknown }).processID;

async function backendOf(client: pg.Client): Promise<number | undefined> {
  try {
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    return rows[0]?.pid;
  } catch (error) {
    if (/statement pooling/i.test((error as Error).message)) throw error;
    return undefined;
  }
}
