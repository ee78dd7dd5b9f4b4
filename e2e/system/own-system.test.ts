import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type OwnSystem, ownSystem } from '../support/own-system.ts';

let own: OwnSystem | undefined;
/** Releases the system in the state in which another file might leave it. */
beforeAll(async () => {
  const before = await ownSystem();
  const extra = await before.system.spawnExtra('provisioning');
  await before.system.kill('directory', 'SIGSTOP');
  await before.system.stop('provisioning');
  await before.system.kill('valkey', 'SIGKILL', { restart: false });
  await before.stop();
  await expect(fetch(extra.url)).rejects.toThrow();
  await expect(before.system.stop('auth')).rejects.toThrow();
  own = await ownSystem({ of: { provisioning: { SCIM_BULK_OPERATIONS: '7' } } });
});
afterAll(() => own?.stop());

test('A system that a file has released has all its processes running again, with the settings of the next file.', async () => {
  const { system, demo } = own as OwnSystem;
  for (const name of ['auth', 'directory', 'provisioning', 'gateway'] as const) {
    expect((await fetch(`${system.urls[name]}/readyz`)).status).toBe(200);
  }
  const { scim } = demo.tenants.demo;
  const config = await (await fetch(`${scim}/ServiceProviderConfig`)).json();
  expect(config).toMatchObject({ bulk: { maxOperations: 7 } });
});

test('A test can request a process that does not exist and is rejected.', async () => {
  await expect((own as OwnSystem).system.stop('payroll')).rejects.toThrow('payroll');
});
