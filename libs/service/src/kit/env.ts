import { bool, type CleanedEnv, cleanEnv, makeValidator, port, type Spec, str, url } from 'envalid';

export { bool, makeValidator, num, port, str, url } from 'envalid';

/** Thrown when the environment is incomplete or wrong: `problems` has one sentence per variable. */
export class EnvironmentError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.name = 'EnvironmentError';
    this.problems = problems;
  }
}

/** A whole number of seconds, at least 0. */
export const seconds = makeValidator<number>((input) => {
  if (!/^\d{1,10}$/.test(input)) throw new Error('must be a whole number of seconds');
  return Number(input);
});

/** A whole number, at least 1. */
export const count = makeValidator<number>((input) => {
  if (!/^[1-9]\d{0,8}$/.test(input)) throw new Error('must be a whole number, at least 1');
  return Number(input);
});

/** A shared secret of at least 16 characters. */
export const secret = makeValidator<string>((input) => {
  if (input.length < 16) throw new Error('must be at least 16 characters');
  return input;
});

/** 32 random bytes, base64url without padding (43 characters). */
export const base64Key = makeValidator<Buffer>((input) => {
  const key = Buffer.from(input, 'base64url');
  if (!/^[A-Za-z0-9_-]{43}$/.test(input) || key.length !== 32) {
    throw new Error(
      'must be 32 bytes as base64url (43 characters), e.g. from `openssl rand 32 | basenc --base64url`',
    );
  }
  return key;
});

/** An http(s) origin: scheme, host and port, nothing more. */
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

/** A comma-separated list; empty means none. */
export const list = makeValidator<string[]>((input) =>
  input
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== ''),
);

/** What every process reads; a service spreads this into its own specification. */
export const processEnv = {
  NODE_ENV: str({
    choices: ['production', 'development', 'test'] as const,
    default: 'production',
    desc: 'production hides what only developers need (introspection, the demo); the default is the safe one.',
  }),
  HOST: str({ default: '127.0.0.1', desc: 'Address to listen on; 0.0.0.0 inside a container.' }),
  METRICS_PORT: port({
    default: undefined,
    desc: 'Port of its own for /metrics, which is served nowhere else. Unset: PORT + 100.',
  }),
  METRICS_HOST: str({
    default: '127.0.0.1',
    desc: 'Address to serve /metrics on; 0.0.0.0 inside a container. Never one that the Internet reaches.',
  }),
  LOG_LEVEL: str({
    choices: ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const,
    default: 'info',
    desc: 'Lowest level that is logged.',
  }),
  PUBLIC_ORIGIN: origin({
    default: 'http://localhost:4000',
    desc: 'The one origin clients see. Issuers, links and metadata are made from it, never from a request header.',
  }),
  TRUSTED_PROXIES: list({
    default: ['loopback'],
    desc: 'Proxies whose X-Forwarded-For is believed: addresses, CIDR ranges or the names loopback, linklocal, uniquelocal. Behind the gateway: the gateway.',
  }),
  DRAIN_SECONDS: seconds({
    default: 0,
    desc: 'How long to keep serving after SIGTERM while /readyz already says 503, so that load balancers notice.',
  }),
  SHUTDOWN_TIMEOUT_SECONDS: seconds({
    default: 15,
    desc: 'After this many seconds a stopping process gives up waiting for requests and jobs.',
  }),
  OTEL_EXPORTER_OTLP_ENDPOINT: url({
    default: undefined,
    desc: 'Where traces are sent (OTLP over HTTP, e.g. http://collector:4318). Unset: no tracing, at no cost.',
  }),
};

/** What the processes with a database read. */
export const databaseEnv = {
  DATABASE_URL: url({
    desc: 'PostgreSQL connection URL.',
    example: 'postgres://ostiary:secret@db:5432/ostiary',
  }),
  DATABASE_POOL_SIZE: count({ default: 10, desc: 'Largest number of database connections of this process.' }),
  DATABASE_PREPARED_STATEMENTS: bool({
    default: true,
    desc: 'Whether statements that come again and again are prepared once per connection. Turn off behind a pooler that hands connections on between transactions without knowing prepared statements (PgBouncer before 1.21).',
  }),
};

/** What migrating a service's schema reads, besides the address of the database: there, its owner logs in. */
export const migrationEnv = {
  DATABASE_URL: databaseEnv.DATABASE_URL,
  LOG_LEVEL: processEnv.LOG_LEVEL,
  DATABASE_ROLE: str({
    default: undefined,
    desc: 'The role that the service works with: it is made if it is missing, and given the rows of the schema and nothing else. Unset: no rights are given.',
  }),
  DATABASE_ROLE_PASSWORD: str({ default: undefined, desc: 'Its password. Unset: it keeps the one it has.' }),
};

/** What every process reads about Redis or Valkey. */
export const redisEnv = {
  REDIS_URL: url({ desc: 'Redis or Valkey connection URL.', example: 'redis://valkey:6379' }),
  REDIS_PREFIX: str({
    default: 'ostiary',
    desc: 'First part of every Redis key, so that installations can share one server.',
  }),
};

type Specs = Record<string, Spec<unknown> & { _parse?: unknown }>;

/**
 * Reads the environment once. Empty strings count as missing.
 * @throws EnvironmentError with one sentence per wrong or missing variable; values are never repeated in it.
 */
export function parseEnv<S extends object>(specs: S, source: NodeJS.ProcessEnv = process.env): CleanedEnv<S> {
  const given = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== ''));
  const env = cleanEnv(given, specs, {
    reporter: ({ errors }) => {
      const problems = Object.entries(errors as Record<string, Error | undefined>).flatMap(
        ([name, error]) => {
          if (!error) return [];
          const spec = (specs as unknown as Specs)[name];
          if (error.name === 'EnvMissingError' || source[name] === undefined || source[name] === '') {
            return [`${name} is not set. ${spec?.desc ?? ''}`.trim()];
          }
          const reason = spec?.choices
            ? `must be one of ${spec.choices.join(', ')}`
            : error.message.startsWith('must')
              ? error.message
              : 'is not of the right form';
          return [`${name} ${reason}. ${spec?.desc ?? ''}`.trim()];
        },
      );
      if (problems.length > 0) throw new EnvironmentError(problems);
    },
  });
  const repeated = repeatedKeys(env, Object.keys(specs));
  if (repeated.length > 0) throw new EnvironmentError(repeated);
  return env;
}

/** A key that is there twice would be none of what two are for: neither a separation, nor a replacement. */
function repeatedKeys(env: object, names: readonly string[]): string[] {
  const keys = names.flatMap((name) => {
    const value: unknown = (env as Record<string, unknown>)[name];
    return Buffer.isBuffer(value) ? [{ name, value }] : [];
  });
  return keys.flatMap(({ name, value }, index) => {
    const first = keys.slice(0, index).find((other) => other.value.equals(value));
    return first ? [`${name} must be another key than ${first.name}: they have the same value.`] : [];
  });
}
