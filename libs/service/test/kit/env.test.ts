import { describe, expect, test } from '@jest/globals';
import {
  base64Key,
  databaseEnv,
  EnvironmentError,
  parseEnv,
  port,
  processEnv,
  secret,
} from '../../src/index.ts';

const problemsOf = (specs: object, source: NodeJS.ProcessEnv): readonly string[] => {
  try {
    parseEnv(specs, source);
  } catch (error) {
    if (error instanceof EnvironmentError) return error.problems;
    throw error;
  }
  return [];
};

describe('parseEnv', () => {
  test('The function parseEnv returns typed values and defaults.', () => {
    const env = parseEnv(
      { ...processEnv, PORT: port({ default: 4000 }) },
      { PORT: '5000', TRUSTED_PROXIES: '10.0.0.0/8, loopback' },
    );
    expect(env.PORT).toBe(5000);
    expect(env.TRUSTED_PROXIES).toEqual(['10.0.0.0/8', 'loopback']);
    expect(env.NODE_ENV).toBe('production');
  });

  test('The function parseEnv reports one sentence per missing or wrong variable and never repeats a value.', () => {
    const problems = problemsOf(
      {
        ...processEnv,
        ...databaseEnv,
        KEY: base64Key({ desc: 'A key.' }),
        SECRET: secret({ desc: 'A secret.' }),
      },
      {
        LOG_LEVEL: 'loud',
        KEY: 'hunter2-not-a-key',
        SECRET: 'short',
        PUBLIC_ORIGIN: 'https://id.example.com/path',
      },
    );
    expect(problems).toHaveLength(5);
    expect(problems.join('\n')).toMatch(/DATABASE_URL is not set/);
    expect(problems.join('\n')).toMatch(/LOG_LEVEL must be one of/);
    expect(problems.join('\n')).toMatch(/KEY must be 32 bytes as base64url/);
    expect(problems.join('\n')).toMatch(/SECRET must be at least 16 characters/);
    expect(problems.join('\n')).toMatch(/PUBLIC_ORIGIN must be an origin/);
    expect(problems.join('\n')).not.toMatch(/hunter2|short|loud/);
  });

  test('A second key must be a valid key that differs from the first.', () => {
    const key = (n: number) => Buffer.alloc(32, n).toString('base64url');
    const keys = {
      THE_KEY: base64Key({ desc: 'A key.' }),
      THE_KEY_SECOND: base64Key({ default: undefined, desc: 'Another.' }),
    };
    expect(problemsOf(keys, { THE_KEY: key(1) })).toEqual([]);
    expect(problemsOf(keys, { THE_KEY: key(1), THE_KEY_SECOND: key(2) })).toEqual([]);
    expect(problemsOf(keys, { THE_KEY: key(1), THE_KEY_SECOND: key(1) })).toEqual([
      'THE_KEY_SECOND must differ from THE_KEY: each key needs its own value.',
    ]);
    expect(problemsOf(keys, { THE_KEY: key(1), THE_KEY_SECOND: key(2).slice(1) })).toEqual([
      expect.stringMatching(/^THE_KEY_SECOND must be 32 bytes as base64url/),
    ]);
  });

  test('A database may be several servers, one of which must accept writes.', () => {
    const said = (url: string) => problemsOf(databaseEnv, { DATABASE_URL: url });
    for (const url of [
      'postgres://u:p@one:5432,two:5432/db?target_session_attrs=read-write',
      'postgresql://one,two,[::1]:5433/db?target_session_attrs=primary',
      'postgres:///db?host=%2Ftmp',
      'postgres://u:p@one/db?sslmode=verify-full&sslrootcert=/etc/ca.pem',
    ]) {
      expect(said(url)).toEqual([]);
    }
    expect(said('mysql://one/db')).toEqual([
      expect.stringMatching(/^DATABASE_URL must be of the form postgres:/),
    ]);
    expect(said('postgres://u:hidden@one:x,two/db')).toEqual([
      expect.stringMatching(/^DATABASE_URL must name several hosts as host:port/),
    ]);
    expect(said('postgres://u:hidden@one/db?target_session_attrs=any')).toEqual([
      expect.stringMatching(/^DATABASE_URL must have target_session_attrs=read-write or primary/),
    ]);
    expect(said('postgres://u:hidden@one:x,two/db').join()).not.toMatch(/hidden/);
  });

  test('Replicas are standbys, and there need be none.', () => {
    const said = (url: string) =>
      problemsOf(databaseEnv, { DATABASE_URL: 'postgres://one/db', DATABASE_REPLICA_URL: url });
    for (const url of [
      '',
      'postgres://u:p@two/db',
      'postgres://u:p@one,two:5433/db?target_session_attrs=prefer-standby',
      'postgres://u:p@two/db?target_session_attrs=standby',
    ]) {
      expect(said(url)).toEqual([]);
    }
    for (const attributes of ['read-write', 'primary', 'any', 'read-only', '']) {
      expect(said(`postgres://u:hidden@two/db?target_session_attrs=${attributes}`)).toEqual([
        expect.stringMatching(
          /^DATABASE_REPLICA_URL must have target_session_attrs=standby or prefer-standby/,
        ),
      ]);
    }
    expect(said('mysql://u:hidden@two/db').join()).not.toMatch(/hidden/);
  });

  test('An empty environment variable counts as missing.', () => {
    expect(problemsOf(databaseEnv, { DATABASE_URL: '' })).toEqual([
      expect.stringMatching(/^DATABASE_URL is not set/),
    ]);
  });
});
