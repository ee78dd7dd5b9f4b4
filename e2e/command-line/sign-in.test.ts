import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { Browser } from '../support/browser.ts';
import { runningDemo, unique } from '../support/demo.ts';
import { walk } from '../support/sign-in.ts';
import { asDemo, ended, newHome, ostiary, start } from './command-line.ts';

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};
const demo = runningDemo();
const { demo: tenant } = demo.tenants;
let clientId = '';

beforeAll(async () => {
  const scopes = ['openid', 'offline_access', 'users:read', 'sessions:read', 'clients:read'];
  const created = await ostiary(
    [
      'client',
      'create',
      unique('Command line'),
      '--kind',
      'device',
      ...scopes.flatMap((name) => ['--scope', name]),
      '--json',
    ],
    asDemo(),
  );
  clientId = created.json.id;
});

interface Here {
  env: Record<string, string>;
  profile: string;
}

const somewhere = (): Here => {
  const folder = newHome();
  return {
    env: { HOME: folder, XDG_CONFIG_HOME: folder },
    profile: join(folder, 'ostiary', 'profiles', 'default.json'),
  };
};

/** Signs in the administrator in a browser. */
async function login({ env }: Here): Promise<{ code: number | null; stderr: string }> {
  const child = start(['login', '--server', demo.origin, '--tenant', 'demo', '--client-id', clientId], env);
  const done = ended(child);
  const address = await new Promise<string>((resolve) => {
    let said = '';
    child.stderr?.on('data', (chunk) => {
      said += chunk;
      const [, url] = /open (http\S+user_code=\S+)/.exec(said) ?? [];
      if (url !== undefined) resolve(url);
    });
  });
  await walk(new Browser(demo.origin), new URL(address), tenant.users.admin);
  return done;
}

describe('ostiary login', () => {
  test('A user signs in with a browser, runs commands and signs out, after which the tokens are invalid.', async () => {
    const here = somewhere();
    expect(await login(here)).toMatchObject({ code: 0 });
    expect(statSync(here.profile).mode & 0o777).toBe(0o600);
    expect(statSync(join(here.profile, '..')).mode & 0o777).toBe(0o700);
    const whoami = await ostiary(['whoami', '--json'], here.env);
    expect(whoami.json).toMatchObject({
      kind: 'person',
      tenant: 'demo',
      clientId,
      scopes: expect.arrayContaining(['users:read']),
    });
    expect((await ostiary(['user', 'find', 'alice', '--json'], here.env)).json).toHaveLength(1);

    // Eight parallel commands with an expired access token: reuse of a refresh token would revoke its family.
    const profile = JSON.parse(readFileSync(here.profile, 'utf8'));
    const expired = { ...profile, tokens: { ...profile.tokens, accessToken: 'expired', expiresAt: 0 } };
    writeFileSync(here.profile, JSON.stringify(expired), { mode: 0o600 });
    const all = await Promise.all(
      Array.from({ length: 8 }, () => ostiary(['user', 'find', 'alice'], here.env)),
    );
    expect(all.map(({ code, stderr }) => [code, stderr])).toEqual(all.map(() => [0, '']));

    const { tokens } = JSON.parse(readFileSync(here.profile, 'utf8'));
    expect(await ostiary(['logout'], here.env)).toMatchObject({ code: 0 });
    expect(readFileSync(here.profile, 'utf8')).not.toContain('oken');
    expect(await ostiary(['user', 'find', 'alice'], here.env)).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('ostiary login'),
    });
    const refreshed = await fetch(`${tenant.issuer}/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'refresh_token',
        refresh_token: tokens.refreshToken,
        client_id: clientId,
      }),
    });
    expect(refreshed.status).toBe(400);
    writeFileSync(here.profile, JSON.stringify({ ...profile, tokens }), { mode: 0o600 });
    expect(await ostiary(['user', 'find', 'alice'], here.env)).toMatchObject({ code: 3, stdout: '' });
    expect(await ostiary(['logout'], somewhere().env)).toMatchObject({
      code: 0,
      stdout: 'No user was signed in.\n',
    });
  });

  test('If the command is interrupted while it waits for the browser, no user is signed in and no file is written.', async () => {
    const here = somewhere();
    const child = start(
      ['login', '--server', demo.origin, '--tenant', 'demo', '--client-id', clientId],
      here.env,
    );
    const done = ended(child);
    await new Promise<void>((resolve) => child.stderr?.once('data', () => resolve()));
    child.kill('SIGINT');
    expect(await done).toMatchObject({ code: 130, stderr: expect.stringContaining('No user was signed in') });
    expect(existsSync(here.profile)).toBe(false);
  });

  test('A profile that other users can read, or that is damaged, is rejected with a remedy.', async () => {
    const here = somewhere();
    expect(await login(here)).toMatchObject({ code: 0 });
    const { tokens } = JSON.parse(readFileSync(here.profile, 'utf8'));
    chmodSync(here.profile, 0o644);
    const readable = await ostiary(['whoami'], here.env);
    expect(readable).toMatchObject({ code: 2, stderr: expect.stringContaining(`chmod 600 ${here.profile}`) });
    chmodSync(here.profile, 0o600);
    for (const text of [
      '',
      '{',
      'null',
      '[]',
      '{"server":1}',
      '{"server":"x","tenant":"demo","clientId":"x"}',
    ]) {
      writeFileSync(here.profile, text);
      const damaged = await ostiary(['whoami'], here.env);
      expect(damaged).toMatchObject({ code: 2, stderr: expect.stringContaining('is damaged') });
      expect(damaged.stderr + damaged.stdout).not.toContain(tokens.refreshToken);
    }
  });

  test('A profile applies only to its tenant and server.', async () => {
    const here = somewhere();
    expect(await login(here)).toMatchObject({ code: 0 });
    for (const elsewhere of [
      ['--tenant', 'rival'],
      ['--server', 'http://127.0.0.1:9'],
    ]) {
      expect(await ostiary(['user', 'find', 'a', ...elsewhere], here.env)).toMatchObject({
        code: 3,
        stdout: '',
      });
    }
  });
});

describe('commands without a session', () => {
  const nobody = somewhere().env;

  test.each([
    { what: 'nothing at all', env: {}, code: 3 },
    { what: 'a client without a secret', env: { OSTIARY_CLIENT_ID: 'x' }, code: 2 },
    {
      what: 'a secret twice',
      env: { OSTIARY_CLIENT_SECRET: 'x', OSTIARY_CLIENT_SECRET_FILE: '/dev/null' },
      code: 2,
    },
    {
      what: 'a file without a secret',
      env: { OSTIARY_CLIENT_ID: 'x', OSTIARY_CLIENT_SECRET_FILE: '/dev/null' },
      code: 2,
    },
    {
      what: 'a file that is not there',
      env: { OSTIARY_CLIENT_ID: 'x', OSTIARY_CLIENT_SECRET_FILE: '/nowhere' },
      code: 2,
    },
    {
      what: 'a server where nothing listens',
      env: {
        OSTIARY_CLIENT_ID: 'x',
        OSTIARY_CLIENT_SECRET: 'x',
        OSTIARY_SERVER: 'http://127.0.0.1:9',
        OSTIARY_TENANT: 'demo',
      },
      code: 6,
    },
    {
      what: 'a wrong secret',
      env: {
        OSTIARY_CLIENT_ID: 'x',
        OSTIARY_CLIENT_SECRET: 'x',
        OSTIARY_SERVER: demo.origin,
        OSTIARY_TENANT: 'demo',
      },
      code: 3,
    },
    {
      what: 'a server that is no origin',
      env: {
        OSTIARY_CLIENT_ID: 'x',
        OSTIARY_CLIENT_SECRET: 'x',
        OSTIARY_SERVER: 'ftp://x/y',
        OSTIARY_TENANT: 'demo',
      },
      code: 2,
    },
  ])('With $what, the command prints a remedy.', async ({ env, code }) => {
    const answer = await ostiary(['user', 'find', 'alice'], { ...nobody, ...env });
    expect(answer).toMatchObject({ code, stdout: '', stderr: expect.stringMatching(/^error: .+/) });
    expect(answer.stderr).not.toMatch(/\n +at /);
  });

  test('Invalid command lines exit with 2, and help and version with 0.', async () => {
    for (const args of [
      [],
      ['nonsense'],
      ['user'],
      ['user', 'find'],
      ['user', 'find', 'a', '--nonsense'],
      ['client', 'create', 'x', '--kind', 'y'],
    ]) {
      expect(await ostiary(args, nobody)).toMatchObject({ code: 2, stdout: '' });
    }
    for (const args of [
      ['user', 'offboard', '--help'],
      ['help', 'user', 'offboard'],
      ['user', 'help', 'offboard'],
    ])
      expect(await ostiary(args, nobody)).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(/ostiary user offboard \[[\s\S]*Examples:/),
        stderr: '',
      });
    for (const args of [['help'], ['help', 'user'], ['--help']])
      expect(await ostiary(args, nobody)).toMatchObject({ code: 0, stderr: '' });
    expect(await ostiary(['help', 'nonsense'], nobody)).toMatchObject({ code: 2, stdout: '' });
    expect(await ostiary(['--version'], nobody)).toMatchObject({ code: 0, stdout: `${version}\n` });
  });

  test.each([
    { args: ['user', 'find'], next: 'ostiary user find --help' },
    { args: ['user', 'nonsense'], next: 'ostiary user --help' },
    { args: ['nonsense'], next: 'ostiary --help' },
    { args: ['keys', 'rotate', '--algorithm', 'none'], next: 'ostiary keys rotate --help' },
    { args: ['user', 'find', 'x', '--limit', '0'], next: 'ostiary user find --help' },
    { args: ['completion', 'tcsh'], next: 'ostiary completion --help' },
    { args: ['client', 'create', 'Portal', '--kind', 'web'], next: 'ostiary client create --help' },
    { args: ['tenant', 'show', '--operator'], next: 'ostiary tenant list' },
  ])(
    'The command reports the error in `$args` and the command with further help.',
    async ({ args, next }) => {
      const { code, stdout, stderr } = await ostiary(args, asDemo());
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr).toMatch(/^error: /);
      expect(stderr.split('\n')).toContain(`  ${next}`);
    },
  );
});
