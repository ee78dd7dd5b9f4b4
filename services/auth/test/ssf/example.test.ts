import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  type Backend,
  createBackend,
  type RunningAuth,
  register,
  startAuth,
  until,
} from '../running-auth.ts';
import { happen } from './receiving.ts';

const program = fileURLToPath(new URL('../../../../docs/examples/signals.mjs', import.meta.url));

let backend: Backend;
let auth: RunningAuth;
let child: ChildProcess | undefined;

beforeAll(async () => {
  backend = await createBackend();
  auth = await startAuth(backend);
});

afterAll(async () => {
  child?.kill();
  await auth?.stop();
  await backend?.drop();
});

test('the example of the documentation receives, verifies and acknowledges', async () => {
  const { client, clientSecret } = await register(auth, {
    grant_types: ['client_credentials'],
    redirect_uris: [],
    scope: 'ssf.manage',
  });
  let said = '';
  child = spawn(process.execPath, [program, auth.issuer('demo'), client.clientId, clientSecret ?? '']);
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
  }
  await until(async () => said.includes('event-type/verification'), 15_000);
  const user = await happen(auth, { type: 'user.deactivated' });
  await until(async () => said.includes(user), 15_000);
  const [, event] = said.trim().split('\n');
  expect(JSON.parse(event ?? '')).toEqual({
    about: { format: 'iss_sub', iss: auth.issuer('demo'), sub: user },
    events: { 'https://schemas.openid.net/secevent/risc/event-type/account-disabled': {} },
  });
  const waiting = async () =>
    (await auth.database.sql.query(`SELECT FROM auth.deliveries WHERE state = 'pending'`)).rowCount;
  await until(async () => (await waiting()) === 0, 5_000);
});
