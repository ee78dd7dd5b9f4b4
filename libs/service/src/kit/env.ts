import { bool, type CleanedEnv, cleanEnv, makeValidator, port, type Spec, str, url } from 'envalid';
import { samplingEnv } from '../tracing/sampling.ts';
import { databaseUrl, replicaUrl } from './database-url.ts';
import { parseRedisAddress } from './redis-address.ts';
import { confidential, confidentially, withSecretFiles } from './secret-files.ts';

export { bool, makeValidator, num, port, str, url } from 'envalid';

/** Error of a missing or invalid environment; `problems` has one sentence per variable. */
export class EnvironmentError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.name = 'EnvironmentError';
    this.problems = problems;
  }
}

/** Validates a whole number of seconds, at least 0. */
export const seconds = makeValidator<number>((input) => {
  if (!/^\d{1,10}$/.test(input)) throw new Error('must be a whole number of seconds');
  return Number(input);
});

/** Validates a whole number, at least 1. */
export const count = makeValidator<number>((input) => {
  if (!/^[1-9]\d{0,8}$/.test(input)) throw new Error('must be a whole number, at least 1');
  return Number(input);
});

/** Validates a shared secret of at least 16 characters. */
export const secret = confidentially(
  makeValidator<string>((input) => {
    if (input.length < 16) throw new Error('must be at least 16 characters');
    return input;
  }),
);

/** Validates 32 random bytes as base64url without padding (43 characters). */
export const base64Key = confidentially(
  makeValidator<Buffer>((input) => {
    const key = Buffer.from(input, 'base64url');
    if (!/^[A-Za-z0-9_-]{43}$/.test(input) || key.length !== 32) {
      throw new Error(
        'must be 32 bytes as base64url (43 characters), e.g. from `openssl rand 32 | basenc --base64url`',
      );
    }
    return key;
  }),
);

/** Validates an http(s) origin: only scheme, host and port. */
export const origin = makeValidator<string>((input) => {
  let parsed: URL;
  try {
    parsed = new URL(input);
  } catch {
    throw new Error('must be an origin such as https://id.example.com');
  }
  if (!/^https?:$/.test(parsed.protocol) || parsed.origin !== input.replace(/\/$/, '')) {
    throw new Error('must be an origin such as https://id.example.com, without a path');
  }
  return parsed.origin;
});

/** Validates a comma-separated list; empty means none. */
export const list = makeValidator<string[]>((input) =>
  input
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== ''),
);

/** Validates a Redis or Valkey address; see `parseRedisAddress`. */
const redisUrl = confidentially(
  makeValidator<string>((input) => {
    parseRedisAddress(input);
    return input;
  }),
);

/** Environment variables of every process; services include them in their own specification. */
export const processEnv = {
  NODE_ENV: str({
    choices: ['production', 'development', 'test'] as const,
    default: 'production',
    desc: '`production` disables features for developers (introspection, the demo).',
  }),
  HOST: str({ default: '127.0.0.1', desc: 'Address to listen on; 0.0.0.0 inside a container.' }),
  METRICS_PORT: port({
    default: undefined,
    desc: 'Port of /metrics, which no other port serves. Unset: PORT + 100.',
  }),
  METRICS_HOST: str({
    default: '127.0.0.1',
    desc: 'Address to serve /metrics on; 0.0.0.0 inside a container. It must not be reachable from the internet.',
  }),
  LOG_LEVEL: str({
    choices: ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const,
    default: 'info',
    desc: 'Minimum level of log messages.',
  }),
  PUBLIC_ORIGIN: origin({
    default: 'http://localhost:4000',
    desc: 'Public origin of the installation. Issuers, links and metadata are built from it, not from request headers.',
  }),
  TRUSTED_PROXIES: list({
    default: ['loopback'],
    desc: 'Proxies whose X-Forwarded-For is trusted: addresses, CIDR ranges or the names loopback, linklocal, uniquelocal. Behind the gateway: the address of the gateway.',
  }),
  DRAIN_SECONDS: seconds({
    default: 0,
    desc: 'Time after SIGTERM for which requests are served while /readyz returns 503, so that load balancers stop sending requests.',
  }),
  SHUTDOWN_TIMEOUT_SECONDS: count({
    default: 15,
    desc: 'Maximum time after DRAIN_SECONDS for requests and jobs in progress.',
  }),
  TERMINATION_GRACE_SECONDS: count({
    default: undefined,
    desc: 'Time between SIGTERM and SIGKILL (`terminationGracePeriodSeconds`). If set, it must exceed the sum of DRAIN_SECONDS and SHUTDOWN_TIMEOUT_SECONDS; otherwise the process does not start.',
  }),
  OTEL_EXPORTER_OTLP_ENDPOINT: url({
    default: undefined,
    desc: 'Address to which traces are sent (OTLP over HTTP), for example http://collector:4318. Unset: no tracing.',
  }),
  ...samplingEnv,
};

/** Environment variables of processes with a database. */
export const databaseEnv = {
  DATABASE_URL: confidential(
    databaseUrl({
      desc: 'PostgreSQL connection URL in the format of libpq. Of several hosts (`one:5432,two:5432`), the one that accepts writes is used, also after a failover. For TLS, use `sslmode=verify-full` and `sslrootcert`.',
      example: 'postgres://ostiary:secret@db:5432/ostiary',
    }),
  ),
  DATABASE_REPLICA_URL: confidential(
    replicaUrl({
      default: undefined,
      desc: 'Streaming standbys of the same database, in the same format (`target_session_attrs=prefer-standby` or `standby`). While a standby is at most one second behind, it serves lists and counts of logs and deliveries, and statistics. It gets up to DATABASE_POOL_SIZE additional connections. Unset: the primary serves all reads.',
    }),
  ),
  DATABASE_POOL_SIZE: count({ default: 10, desc: 'Maximum number of database connections of this process.' }),
  DATABASE_PREPARED_STATEMENTS: bool({
    default: true,
    desc: 'Prepares repeated statements once per connection. Set to false for a proxy that does not support prepared statements. Poolers that share connections between transactions are rejected at the start in any case (PgBouncer requires `pool_mode = session`).',
  }),
};

/** Environment variables of a service's migrations, in which the owner of the schema logs in. */
export const migrationEnv = {
  DATABASE_URL: databaseEnv.DATABASE_URL,
  LOG_LEVEL: processEnv.LOG_LEVEL,
  DATABASE_ROLE: str({
    default: undefined,
    desc: 'Role of the service. It is created if it is missing, and gets rights on the rows of the schema only. Unset: no role is created or changed.',
  }),
  DATABASE_ROLE_PASSWORD: confidential(
    str({ default: undefined, desc: 'Password of the role. Unset: the password does not change.' }),
  ),
};

/** Environment variables of Redis or Valkey. */
export const redisEnv = {
  REDIS_URL: redisUrl({
    desc: 'Redis or Valkey: `redis://user:password@host:6379/0`; `redis+sentinel://user:password@sentinel-1:26379,sentinel-2:26379/master-name` for servers monitored by Sentinels; `redis+cluster://user:password@node-1:6379,node-2:6379` for a cluster. `rediss…` uses TLS, also to the Sentinels, with the optional parameters `?ca=<file>&cert=<file>&key=<file>&servername=<name>`. `?sentinel_username=…&sentinel_password=…` are the credentials for the Sentinels.',
    example: 'redis://valkey:6379',
  }),
  REDIS_PREFIX: str({
    default: 'ostiary',
    desc: 'Prefix of every Redis key, so that installations can share one server.',
  }),
};

type Specs = Record<string, Spec<unknown> & { _parse?: unknown }>;

/**
 * Reads the environment and the secret files that it names. Empty strings count as missing.
 * @throws EnvironmentError with one sentence per invalid or missing variable, without values
 */
export function parseEnv<S extends object>(specs: S, source: NodeJS.ProcessEnv = process.env): CleanedEnv<S> {
  const files = withSecretFiles(specs, source);
  const given = Object.fromEntries(Object.entries(files.values).filter(([, value]) => value !== ''));
  const env = cleanEnv(given, specs, {
    reporter: ({ errors }) => {
      const problems = Object.entries(errors as Record<string, Error | undefined>).flatMap(
        ([name, error]) => {
          // A problem with the file is already reported.
          if (!error || files.problems.some((problem) => problem.startsWith(`${name}_FILE `))) return [];
          const spec = (specs as unknown as Specs)[name];
          if (error.name === 'EnvMissingError' || given[name] === undefined) {
            return [`${name} is not set. ${spec?.desc ?? ''}`.trim()];
          }
          const reason = spec?.choices
            ? `must be one of ${spec.choices.join(', ')}`
            : error.message.startsWith('must')
              ? error.message
              : 'is malformed';
          return [`${name} ${reason}. ${spec?.desc ?? ''}`.trim()];
        },
      );
      problems.unshift(...files.problems);
      if (problems.length > 0) throw new EnvironmentError(problems);
    },
  });
  const wrong = [
    ...repeatedKeys(env, Object.keys(specs)),
    ...('TERMINATION_GRACE_SECONDS' in specs ? impossibleStop(env) : []),
  ];
  if (wrong.length > 0) throw new EnvironmentError(wrong);
  return env;
}

/** A process that is killed during the drain does not complete its work. */
function impossibleStop(env: object): string[] {
  const { DRAIN_SECONDS, SHUTDOWN_TIMEOUT_SECONDS, TERMINATION_GRACE_SECONDS } = env as Record<
    string,
    number | undefined
  >;
  const needed = (DRAIN_SECONDS ?? 0) + (SHUTDOWN_TIMEOUT_SECONDS ?? 0);
  if (TERMINATION_GRACE_SECONDS === undefined || TERMINATION_GRACE_SECONDS > needed) return [];
  return [
    `TERMINATION_GRACE_SECONDS (${TERMINATION_GRACE_SECONDS}) must be greater than the sum of DRAIN_SECONDS and SHUTDOWN_TIMEOUT_SECONDS (${needed}); otherwise the process is killed while it stops.`,
  ];
}

/** A repeated key separates no purposes and replaces nothing. */
function repeatedKeys(env: object, names: readonly string[]): string[] {
  const keys = names.flatMap((name) => {
    const value: unknown = (env as Record<string, unknown>)[name];
    return Buffer.isBuffer(value) ? [{ name, value }] : [];
  });
  const sameKeys = keys.flatMap(({ name, value }, index) => {
    const first = keys.slice(0, index).find((other) => other.value.equals(value));
    return first ? [`${name} must differ from ${first.name}: each key needs its own value.`] : [];
  });
  return [...sameKeys, ...names.flatMap((name) => sameSecret(env as Record<string, unknown>, name))];
}

function sameSecret(env: Record<string, unknown>, second: string): string[] {
  const name = second.replace(/_SECOND$/, '');
  const value = env[second];
  return name !== second && typeof value === 'string' && value === env[name]
    ? [`${second} must differ from ${name}: each secret needs its own value.`]
    : [];
}
