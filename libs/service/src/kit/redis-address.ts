import { readFileSync } from 'node:fs';

export interface RedisHost {
  host: string;
  port: number;
}

/** Certificates for TLS. Without any, the system's are trusted. */
export interface RedisTls {
  ca?: string;
  cert?: string;
  key?: string;
  servername?: string;
}

export interface RedisLogin {
  username?: string;
  password?: string;
}

interface Common extends RedisLogin {
  /** Servers, Sentinels or cluster nodes: at least one. */
  hosts: readonly [RedisHost, ...RedisHost[]];
  tls?: RedisTls;
}

/** Address and mode of Redis or Valkey. */
export type RedisAddress =
  | (Common & { mode: 'standalone'; db: number })
  | (Common & { mode: 'sentinel'; db: number; master: string; sentinel: RedisLogin })
  | (Common & { mode: 'cluster' });

const schemes = {
  redis: { mode: 'standalone', port: 6379, tls: false },
  rediss: { mode: 'standalone', port: 6379, tls: true },
  'redis+sentinel': { mode: 'sentinel', port: 26379, tls: false },
  'rediss+sentinel': { mode: 'sentinel', port: 26379, tls: true },
  'redis+cluster': { mode: 'cluster', port: 6379, tls: false },
  'rediss+cluster': { mode: 'cluster', port: 6379, tls: true },
} as const;

type Scheme = (typeof schemes)[keyof typeof schemes];

const ofTls = ['ca', 'cert', 'key', 'servername'] as const;
const ofSentinels = ['sentinel_username', 'sentinel_password'] as const;

/** Error of an invalid REDIS_URL. Its message begins with "must" and contains no part of the value. */
export class RedisAddressError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'RedisAddressError';
  }
}

const wrong = (message: string): RedisAddressError => new RedisAddressError(`must ${message}`);

/**
 * Parses a REDIS_URL:
 * - `redis://user:password@host:6379/0`: one server;
 * - `redis+sentinel://user:password@sentinel-1:26379,sentinel-2:26379/master-name/0`: the primary that the
 * Sentinels name;
 * - `redis+cluster://user:password@node-1:6379,node-2:6379`: a cluster, discovered through any of these
 * nodes.
 * `rediss…` means TLS, also to the Sentinels. Query parameters: `ca`, `cert` and `key` are PEM files,
 * `servername` is the name verified in certificates; `sentinel_username` and `sentinel_password` authenticate
 * at the Sentinels.
 * @throws RedisAddressError
 */
export function parseRedisAddress(url: string): RedisAddress {
  const [, name = '', rest = ''] = /^([a-z+]+):\/\/(.*)$/s.exec(url) ?? [];
  if (!Object.hasOwn(schemes, name)) {
    throw wrong(`begin with one of ${Object.keys(schemes).join('://, ')}://`);
  }
  const scheme: Scheme = schemes[name as keyof typeof schemes];
  const [, authority = '', path = '', query = ''] = /^([^/?#]*)([^?#]*)(?:\?([^#]*))?$/.exec(rest) ?? [];
  const at = authority.lastIndexOf('@');
  const settings = settingsOf(query, scheme);
  const common: Common = {
    hosts: hostsOf(authority.slice(at + 1), scheme),
    ...loginOf(at < 0 ? '' : authority.slice(0, at)),
    ...(scheme.tls && { tls: tlsOf(settings) }),
  };
  const segments = path.split('/').filter((segment) => segment !== '');
  if (scheme.mode === 'standalone') {
    if (common.hosts.length > 1)
      throw wrong('name one host; several are for redis+sentinel:// and redis+cluster://');
    return { ...common, mode: 'standalone', db: databaseOf(segments) };
  }
  if (scheme.mode === 'cluster') {
    if (databaseOf(segments) !== 0) throw wrong('name no database but 0: a cluster has no other');
    return { ...common, mode: 'cluster' };
  }
  const [master, ...others] = segments;
  if (master === undefined)
    throw wrong('name the primary that the Sentinels watch: redis+sentinel://…/mymaster');
  return {
    ...common,
    mode: 'sentinel',
    master: decoded(master),
    db: databaseOf(others),
    sentinel: login(settings.get('sentinel_username') ?? '', settings.get('sentinel_password') ?? ''),
  };
}

function hostsOf(list: string, { port }: Scheme): [RedisHost, ...RedisHost[]] {
  const hosts = list.split(',').map((one) => {
    const [, bracketed, plain, given] =
      /^(?:\[([0-9a-fA-F:.]+)\]|([^:[\]\s]+))(?::(\d{1,5}))?$/.exec(one) ?? [];
    const host = bracketed ?? plain;
    if (host === undefined) throw wrong('name a host, or several hosts with commas between them');
    const number = given === undefined ? port : Number(given);
    if (number < 1 || number > 65_535) throw wrong('name ports between 1 and 65535');
    return { host, port: number };
  });
  // Splitting returns at least one element.
  return hosts as [RedisHost, ...RedisHost[]];
}

function loginOf(text: string): RedisLogin {
  const colon = text.indexOf(':');
  return colon < 0
    ? login(decoded(text), '')
    : login(decoded(text.slice(0, colon)), decoded(text.slice(colon + 1)));
}

const login = (username: string, password: string): RedisLogin => ({
  ...(username !== '' && { username }),
  ...(password !== '' && { password }),
});

function databaseOf(segments: readonly string[]): number {
  const [database = '0', ...more] = segments;
  if (more.length > 0 || !/^\d{1,5}$/.test(database))
    throw wrong('end with the number of a database, or without a path');
  return Number(database);
}

function settingsOf(query: string, scheme: Scheme): Map<string, string> {
  const allowed: string[] = [
    ...(scheme.tls ? ofTls : []),
    ...(scheme.mode === 'sentinel' ? ofSentinels : []),
  ];
  const settings = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(query.replaceAll('+', '%2B'))) {
    if (ofTls.some((one) => one === name) && !scheme.tls)
      throw wrong('begin with rediss: certificate parameters require TLS');
    if (!allowed.includes(name))
      throw wrong(`have no parameters but ${[...ofTls, ...ofSentinels].join(', ')}`);
    settings.set(name, value);
  }
  return settings;
}

function tlsOf(settings: ReadonlyMap<string, string>): RedisTls {
  const tls: RedisTls = {};
  for (const name of ofTls) {
    const value = settings.get(name);
    if (value !== undefined) tls[name] = name === 'servername' ? value : fileOf(name, value);
  }
  if ((tls.cert === undefined) !== (tls.key === undefined)) throw wrong('name both cert and key, or neither');
  return tls;
}

function fileOf(name: string, path: string): string {
  try {
    const text = readFileSync(path, 'utf8');
    if (text.includes('-----BEGIN ')) return text;
  } catch {
    // The same sentence for every failure: the path may be a secret by mistake.
  }
  throw wrong(`name a readable PEM file as ${name}`);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw wrong('have %25 for each % in names and passwords');
  }
}
