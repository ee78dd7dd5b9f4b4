import { once } from 'node:events';
import { connect as connectTcp } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { Redis as Server } from 'ioredis';
import type { Logger } from '../kit/log.ts';
import {
  parseRedisAddress,
  type RedisAddress,
  type RedisHost,
  type RedisLogin,
} from '../kit/redis-address.ts';
import { loginOptions } from './client.ts';

/**
 * Error of a server at REDIS_URL in another mode than stated, or of an unsupported one. Waiting does not
 * help.
 */
export class UnsupportedRedis extends Error {
  constructor(what: string) {
    super(`REDIS_URL ${what}`);
    this.name = 'UnsupportedRedis';
  }
}

/** Oldest supported version, for GETDEL, and SET with GET. */
const oldest = { major: 6, minor: 2 };
const patienceMs = 2_000;

/** Fields of `INFO`, by name. */
type Info = ReadonlyMap<string, string>;

/**
 * Checks the server at REDIS_URL before the process starts. An unavailable Redis is checked once it is
 * available.
 * @param begun whether the process has started in the meantime; a replica may then be about to be promoted
 * @returns whether it answered @throws UnsupportedRedis with the required action
 */
export async function requireSupportedRedis(
  url: string,
  log: Pick<Logger, 'warn'>,
  begun = false,
): Promise<boolean> {
  const address = parseRedisAddress(url);
  const info = address.mode === 'sentinel' ? await primaryInfo(address) : await firstInfo(address, address);
  if (info === undefined) return false;
  const mode = info.get('redis_mode') ?? 'standalone';
  if (address.mode !== 'sentinel') requireMode(address.mode, mode);
  else if (mode === 'cluster')
    throw new UnsupportedRedis(
      'points to Sentinels of a cluster: use redis+cluster:// with the addresses of its nodes.',
    );
  requireVersion(info);
  if (!begun && address.mode === 'standalone' && info.get('role') === 'slave') {
    throw new UnsupportedRedis(
      'points to a replica, which does not accept writes: use the address of the primary, or of Sentinels (redis+sentinel://).',
    );
  }
  const policy = info.get('maxmemory_policy');
  if (policy !== undefined && policy !== 'noeviction') {
    log.warn(
      { event: 'redis.eviction_enabled', policy },
      'Redis may evict keys; set maxmemory-policy to noeviction, otherwise sign-ins and events are delayed when memory is full',
    );
  }
  return true;
}

function requireMode(configured: 'standalone' | 'cluster', found: string): void {
  if (configured === found) return;
  if (found === 'sentinel') {
    throw new UnsupportedRedis(
      'points to a Sentinel: use redis+sentinel://…/<name of the primary> with the addresses of all Sentinels.',
    );
  }
  throw new UnsupportedRedis(
    found === 'cluster'
      ? 'points to a node of a cluster: use redis+cluster:// with the addresses of several nodes.'
      : 'begins with redis+cluster://, but the server is not a node of a cluster: use redis://.',
  );
}

function requireVersion(info: Info): void {
  const version = info.get('valkey_version') ?? info.get('redis_version');
  const [, major, minor] = /^(\d+)\.(\d+)/.exec(version ?? '') ?? [];
  if (major === undefined || Number(major) > oldest.major) return;
  if (Number(major) === oldest.major && Number(minor) >= oldest.minor) return;
  throw new UnsupportedRedis(
    `points to a server of version ${version}: the minimum is Redis ${oldest.major}.${oldest.minor} or any version of Valkey.`,
  );
}

/** Returns INFO of the first server that answers. */
async function firstInfo(address: RedisAddress, login: RedisLogin): Promise<Info | undefined> {
  for (const host of address.hosts) {
    const info = await infoOf(host, address, login);
    if (info) return info;
  }
  return undefined;
}

/** Returns INFO of the primary that the Sentinels name. */
async function primaryInfo(address: Extract<RedisAddress, { mode: 'sentinel' }>): Promise<Info | undefined> {
  let known = true;
  for (const host of address.hosts) {
    // A server that accepts the credentials of the data servers is no Sentinel: Sentinels have their own
    // users.
    const info = (await infoOf(host, address, address.sentinel)) ?? (await infoOf(host, address, address));
    if (!info) continue;
    if (info.get('redis_mode') !== 'sentinel') {
      throw new UnsupportedRedis(
        'begins with redis+sentinel://, but the server is not a Sentinel: use redis:// or redis+cluster://.',
      );
    }
    const primary = await asked(host, address, address.sentinel, (server) =>
      server.call('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', address.master),
    );
    if (Array.isArray(primary)) {
      return infoOf({ host: String(primary[0]), port: Number(primary[1]) }, address, address);
    }
    known = primary !== null;
  }
  if (!known) throw new UnsupportedRedis('names a primary that the Sentinels do not monitor.');
  return undefined;
}

async function infoOf(host: RedisHost, address: RedisAddress, login: RedisLogin): Promise<Info | undefined> {
  const text = await asked(host, address, login, (server) => server.info());
  // A Sentinel has its own users, so a refused login does not rule it out.
  if (text === 'refused') {
    const open = await asked(host, address, {}, (server) => server.info('server'));
    return typeof open === 'string' && open.includes('redis_mode:sentinel') ? readInfo(open) : undefined;
  }
  return text === undefined ? undefined : readInfo(text);
}

/** @returns undefined if it does not respond, 'refused' if it rejects the login */
async function asked<T>(
  host: RedisHost,
  { tls }: RedisAddress,
  login: RedisLogin,
  question: (server: Server) => Promise<T>,
): Promise<T | 'refused' | undefined> {
  const server = new Server({
    ...loginOptions({ ...login, ...(tls && { tls }) }),
    ...host,
    connectionName: 'ostiary:start',
    lazyConnect: true,
    retryStrategy: null,
    enableReadyCheck: false,
    connectTimeout: patienceMs,
    commandTimeout: patienceMs,
  });
  let failure: unknown;
  server.on('error', (error) => {
    failure ??= error;
  });
  try {
    await server.connect();
    return await question(server);
  } catch (error) {
    const problem = `${failure ?? ''} ${error}`;
    if (/WRONGPASS|NOAUTH|NOPERM|without any password/.test(problem)) return 'refused';
    requireTrust(failure ?? error);
    // Some servers do not respond at all to an unexpected protocol.
    if (!/ECONNREFUSED|ENOTFOUND|EAI_AGAIN|UNREACH/.test(problem))
      await requireSameTls(host, tls !== undefined);
    return undefined;
  } finally {
    server.disconnect();
  }
}

/** Throws if the certificate is not trusted, which waiting does not change. */
function requireTrust(error: unknown): void {
  const code = (error as { code?: string } | null)?.code ?? '';
  if (!/SELF_SIGNED|UNABLE_TO|CERT_SIGNATURE|ERR_TLS_CERT_ALTNAME/.test(code)) return;
  throw new UnsupportedRedis(
    `points to a server whose certificate is not trusted (${code}): set its authority with ?ca=<file>, and the name in the certificate with &servername=<name> if it differs from the address.`,
  );
}

/** @throws UnsupportedRedis if it responds only with, or only without, TLS */
async function requireSameTls(host: RedisHost, isOn: boolean): Promise<void> {
  if (!(await answers(host, !isOn))) return;
  throw new UnsupportedRedis(
    isOn
      ? 'begins with rediss, but the server does not support TLS.'
      : 'begins with redis, but the server accepts only TLS: use rediss.',
  );
}

/** Reports whether a server responds at all. No secret is sent, so its identity does not matter. */
async function answers(host: RedisHost, overTls: boolean): Promise<boolean> {
  const socket = overTls ? connectTls({ ...host, rejectUnauthorized: false }) : connectTcp(host);
  socket.setTimeout(patienceMs, () => socket.destroy());
  try {
    await once(socket, overTls ? 'secureConnect' : 'connect');
    if (overTls) return true;
    socket.write('PING\r\n');
    const [answer] = (await once(socket, 'data')) as [Buffer];
    return /^[+-][A-Z]/.test(answer.toString());
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

const readInfo = (text: string): Info =>
  new Map(
    text.split('\r\n').flatMap((line) => {
      const colon = line.indexOf(':');
      return colon < 0 ? [] : [[line.slice(0, colon), line.slice(colon + 1)] as const];
    }),
  );
