import type { OwnCredentials } from './credentials.ts';
import type { Secrets } from './secrets.ts';
import type { ServiceName } from './service-names.ts';

export interface Surroundings {
  origin: string;
  urls: Record<ServiceName, string>;
  databaseUrl: string;
  redisUrl: string;
  /** Each process has its own for PostgreSQL and Valkey. */
  credentials: OwnCredentials;
  secrets: Secrets;
  /** Settings for every process (LOG_LEVEL, lifetimes, ...); addresses and secrets are computed here. */
  env: NodeJS.ProcessEnv;
}

/** Where a process listens: for everybody, and for who gathers metrics. */
export interface Ports {
  port: number;
  metrics: number;
}

/** The environment of one process, as its typed specification expects it. */
export function serviceEnv(service: ServiceName, ports: Ports, s: Surroundings): Record<string, string> {
  return {
    ...inherited(),
    HOST: '127.0.0.1',
    GRAPH_INTROSPECTION: 'true',
    GRAPH_GRAPHIQL: 'true',
    NODE_ENV: 'production',
    ...memory,
    // Those of the demo; any other tenant can be named at the console itself.
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
 * How glibc keeps memory, which a process can't say of itself (mallopt(3)); the Dockerfile says the same. With as much kept for later as was
 * ever freed at once, each process keeps some 30 MB of what it needed to start. Fewer arenas would keep little less.
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

/** A secret, and the second one that is valid while it is replaced. */
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

/** Where the services are that a process calls. */
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

/** What only one process may know, apart from the authorization server, which knows the platform's clients. */
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

/** What of our own surroundings a process needs to run at all. */
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

/** What is about the outermost process alone: the others stay on loopback, behind it. */
const edgeOnly = new Set(['HOST', 'TRUSTED_PROXIES']);

/** What the caller set. Secrets go to their owner only, tools' own variables to nobody, ports to nobody but as chosen here. */
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
