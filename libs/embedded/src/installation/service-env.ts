import type { OwnCredentials } from './credentials.ts';
import type { Secrets } from './secrets.ts';
import type { ServiceName } from './service-names.ts';

export interface Surroundings {
  origin: string;
  urls: Record<ServiceName, string>;
  databaseUrl: string;
  redisUrl: string;
  /** Separate for each process, for PostgreSQL and Valkey. */
  credentials: OwnCredentials;
  secrets: Secrets;
  /** Settings for every process (LOG_LEVEL, lifetimes, ...); addresses and secrets are computed here. */
  env: NodeJS.ProcessEnv;
}

/** Ports of a process: public, and for metrics. */
export interface Ports {
  port: number;
  metrics: number;
}

/** Returns the environment of one process, as its specification requires. */
export function serviceEnv(service: ServiceName, ports: Ports, s: Surroundings): Record<string, string> {
  return {
    ...inherited(),
    HOST: '127.0.0.1',
    GRAPH_INTROSPECTION: 'true',
    GRAPH_GRAPHIQL: 'true',
    NODE_ENV: 'production',
    ...memory,
    // Tenants of the demo; others can be entered in the console.
    ...(service === 'gateway' ? { CONSOLE_TENANTS: 'demo,rival' } : {}),
    ...settings(service, s.env),
    PORT: String(ports.port),
    METRICS_PORT: String(ports.metrics),
    PUBLIC_ORIGIN: s.origin,
    REDIS_URL: s.credentials.redis[service],
    ...keys(s.secrets, 'STREAM_KEY'),
    ...(service === 'gateway' ? {} : databaseEnv(service, s)),
    ...neighbours(service, s.urls),
    ...ownSecrets(service, s.secrets),
  };
}

/**
 * glibc's memory settings, which a process cannot set itself (mallopt(3)); equal to the Dockerfile's. With
 * the default thresholds each process retains about 30 MB from its start. Fewer arenas would save little.
 */
const memory: Readonly<Record<string, string>> = {
  MALLOC_MMAP_THRESHOLD_: '1048576',
  MALLOC_TRIM_THRESHOLD_: '1048576',
};

type Replaceable = keyof Secrets extends infer N
  ? N extends `${infer First}_SECOND`
    ? First
    : never
  : never;

/** Returns a secret, and the second one that is valid during a replacement. */
function keys(secrets: Secrets, name: Replaceable & keyof Secrets): Record<string, string> {
  const second = secrets[`${name}_SECOND`];
  return { [name]: secrets[name], ...(second ? { [`${name}_SECOND`]: second } : {}) };
}

function databaseEnv(service: ServiceName, s: Surroundings): Record<string, string> {
  return {
    DATABASE_URL: s.credentials.database[service] ?? s.databaseUrl,
    ...keys(s.secrets, 'EVENT_KEY'),
  };
}

/** Returns the URLs of the services that a process calls. */
function neighbours(
  service: ServiceName,
  { auth, directory, provisioning }: Surroundings['urls'],
): Record<string, string> {
  const called: Record<ServiceName, Record<string, string>> = {
    auth: { DIRECTORY_URL: directory },
    directory: { AUTH_URL: auth, PROVISIONING_URL: provisioning },
    provisioning: { AUTH_URL: auth, DIRECTORY_URL: directory },
    gateway: { AUTH_URL: auth, DIRECTORY_URL: directory, PROVISIONING_URL: provisioning },
  };
  return called[service];
}

/**
 * Returns the secrets of only one process, in addition to the authorization server, which has all platform
 * clients.
 */
function ownSecrets(service: ServiceName, secrets: Secrets): Record<string, string> {
  const own: Record<ServiceName, Record<string, string>> = {
    auth: {
      ...keys(secrets, 'ENCRYPTION_KEY'),
      ...keys(secrets, 'SERVICE_CLIENT_SECRET_DIRECTORY'),
      ...keys(secrets, 'SERVICE_CLIENT_SECRET_PROVISIONING'),
      ...keys(secrets, 'SERVICE_CLIENT_SECRET_GATEWAY'),
      ...keys(secrets, 'OPERATOR_CLIENT_SECRET'),
    },
    directory: { SERVICE_CLIENT_SECRET: secrets.SERVICE_CLIENT_SECRET_DIRECTORY },
    provisioning: {
      ...keys(secrets, 'TOKEN_KEY'),
      SERVICE_CLIENT_SECRET: secrets.SERVICE_CLIENT_SECRET_PROVISIONING,
    },
    gateway: { SERVICE_CLIENT_SECRET: secrets.SERVICE_CLIENT_SECRET_GATEWAY },
  };
  return own[service];
}

/** Returns the variables of this environment that a process needs to run. */
function inherited(): Record<string, string> {
  const names = [
    'PATH',
    'HOME',
    'TMPDIR',
    'LANG',
    'LC_ALL',
    'TZ',
    'NODE_EXTRA_CA_CERTS',
    'NODE_COMPILE_CACHE',
  ];
  return Object.fromEntries(names.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));
}

/** Settings of the outermost process; others listen on loopback, behind it. */
const edgeOnly = new Set(['HOST', 'TRUSTED_PROXIES']);

/**
 * Returns the caller's settings: secrets only for their owner, no variables of tools, and only the ports
 * chosen here.
 */
function settings(service: ServiceName, env: NodeJS.ProcessEnv): Record<string, string> {
  const foreign =
    /^(npm_|JEST_|TURBO_|OSTIARY_|NODE_OPTIONS$|NODE_CHANNEL_|.*_SECRET(_|$)|[A-Z]+_KEY$|[A-Z]+_KEY_SECOND$|DATABASE_URL(_|$)|REDIS_URL(_|$)|.*_PASSWORD(_|$))/;
  return Object.fromEntries(
    Object.entries(env).filter(
      (entry): entry is [string, string] =>
        Boolean(entry[1]) && !foreign.test(entry[0]) && (!edgeOnly.has(entry[0]) || service === 'gateway'),
    ),
  );
}
