import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '@ostiary/service/testing';
import {
  type Backend,
  createBackend,
  type RunningAuth,
  register,
  startAuth,
} from '../../support/running-auth.ts';
import { happen } from './receiving.ts';

const program = fileURLToPath(new URL('../../../../../docs/examples/signals.mjs', import.meta.url));

let backend: Backend;
let auth: RunningAuth;
let child: ChildProcess | undefined;

beforeAll(async () => {
  backend = await createBackend();
  auth = await startAuth(backend);
});

afterAll(async () => {
  await auth?.stop();
  await backend?.drop();
});

afterEach(async () => {
  child?.kill();
  await auth.database.sql.query('DELETE FROM auth.receivers');
  await auth.database.sql.query('DELETE FROM auth.deliveries');
});

/**
 * Runs the example.
 * @returns function that returns its output so far
 */
async function run(options: string[] = []): Promise<() => string> {
  const { client, clientSecret } = await register(auth, {
    grant_types: ['client_credentials'],
    redirect_uris: [],
    scope: 'ssf.manage',
  });
  let said = '';
  child = spawn(process.execPath, [
    ...options,
    program,
    auth.issuer('demo'),
    client.clientId,
    clientSecret ?? '',
  ]);
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
  }
  return () => said;
}

test('The example of the documentation receives, verifies and acknowledges events.', async () => {
  const said = await run();
  await eventually(async () => said().includes('event-type/verification'));
  const user = await happen(auth, { type: 'user.deactivated' });
  await eventually(async () => said().includes(user));
  const [, event] = said().trim().split('\n');
  expect(JSON.parse(event ?? '')).toEqual({
    about: { format: 'iss_sub', iss: auth.issuer('demo'), sub: user },
    events: { 'https://schemas.openid.net/secevent/risc/event-type/account-disabled': {} },
  });
  const waiting = async () =>
    (await auth.database.sql.query(`SELECT FROM auth.deliveries WHERE state = 'pending'`)).rowCount;
  await eventually(async () => (await waiting()) === 0);
});

test('The example does not give up a token when keys cannot be fetched temporarily.', async () => {
  const unreachableOnce = `const ask = globalThis.fetch; let failed = false;
    globalThis.fetch = async (url, ...rest) => {
      if (failed || !String(url).endsWith('/jwks')) return ask(url, ...rest);
      failed = true;
      throw new TypeError('fetch failed');
    };`;
  const said = await run(['--import', `data:text/javascript,${encodeURIComponent(unreachableOnce)}`]);
  const attempts = async () =>
    (
      await auth.database.sql.query<{ state: string; attempts: number }>(
        'SELECT state, attempts FROM auth.deliveries',
      )
    ).rows;
  await eventually(async () => (await attempts())[0]?.attempts === 1);
  // Ends the lease, which would expire after a while.
  await eventually(async () => {
    await auth.database.sql.query('UPDATE auth.deliveries SET leased_until = NULL');
    return said().includes('event-type/verification');
  });
  await eventually(async () => (await attempts())[0]?.state === 'delivered');
});
