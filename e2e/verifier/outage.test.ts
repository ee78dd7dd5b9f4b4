import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '@ostiary/service/testing';
import { ostiary, type Verify } from '@ostiary/verifier';
import { type OwnSystem, ownSystem } from '../support/own-system.ts';
import { ProtectedApi } from './registered.ts';

let own: OwnSystem;
let orders: ProtectedApi;
let verify: Verify;

beforeAll(async () => {
  own = await ownSystem();
  orders = await new ProtectedApi(own.demo, own.demo.tenants.demo).register();
  verify = ostiary({ ...orders.options, maxStalenessSeconds: 3 });
  await verify.ready();
});

afterAll(async () => {
  verify?.stop();
  await own?.stop();
});

const statusFor = (token: string): Promise<number> =>
  verify(`Bearer ${token}`).then(
    () => 200,
    ({ status }: { status: number }) => status,
  );

test('Without the authorization server, tokens are accepted while the list is fresh, and get 503 afterwards. An offboarding in the meantime applies.', async () => {
  const [leaver, colleague] = [await orders.hire(), await orders.hire()];
  expect([await statusFor(leaver.token), await statusFor(colleague.token)]).toEqual([200, 200]);
  await own.system.stop('auth');
  await eventually(async () => (await statusFor(colleague.token)) === 503);
  expect(verify.state.fresh).toBe(false);
  await orders.offboard(leaver.id);
  await own.system.start('auth');
  await eventually(async () => (await statusFor(colleague.token)) === 200);
  await eventually(async () => (await statusFor(leaver.token)) === 401);
  await eventually(() => verify.state.fresh);
});
