import { afterAll, beforeAll } from '@jest/globals';
import { type Harness, startDirectory, type TenantClient, tenantClient } from './harness.ts';

export let harness: Harness;
export let acme: TenantClient;
export let rival: TenantClient;

/** Starts a directory with two tenants. */
export function setUpUsers(): void {
  beforeAll(async () => {
    harness = await startDirectory();
    acme = tenantClient(harness, await harness.tenant());
    rival = tenantClient(harness, await harness.tenant());
  });
  afterAll(() => harness.stop());
}

let counter = 0;

export const fresh = (): string => `user${++counter}`;

export const make = async (resource: object = {}, extra: object = {}) =>
  (await acme.create('Users', { userName: fresh(), ...resource }, extra)).body;

export const eventsOf = (subject: string) =>
  harness.sql(
    'SELECT type, version, payload, actor FROM directory.outbox_events WHERE subject = $1 ORDER BY position',
    [subject],
  );
