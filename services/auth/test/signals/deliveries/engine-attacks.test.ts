import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '@ostiary/service/testing';
import { appendFacts } from '../../../src/signals/data/facts.ts';
import { findReceiver, updateReceiver } from '../../../src/signals/data/receivers.ts';
import { type Engines, factAbout, startEngines } from './engine.ts';

let engines: Engines;
beforeAll(async () => {
  engines = await startEngines();
});
afterAll(() => engines.stop());

const append = (tenant: string, facts: Parameters<typeof appendFacts>[2]) =>
  engines.database.transaction((tx) => appendFacts(tx, tenant, facts));

test('A tenant with many receivers that hang does not delay the deliveries of another tenant.', async () => {
  const receivers = 60;
  for (let n = 0; n < receivers; n += 1) await engines.receiver('demo', ['user.updated']);
  await engines.receiver('rival', ['user.updated']);
  await append(
    'demo',
    Array.from({ length: 20 }, (_, n) => factAbout(`u${n}`)),
  );
  const places = 16;
  let startedBefore = -1;
  let hanging = 0;
  engines.engine(
    async ({ tenant }) => {
      if (tenant === 'rival') {
        startedBefore = hanging;
        return { kind: 'delivered' };
      }
      hanging += 1;
      await sleep(1_500);
      return { kind: 'failed', reason: 'The request timed out.' };
    },
    { concurrency: 4, timeoutSeconds: 2 },
  );
  // Each free slot is given to one of them, so all slots are in use.
  await eventually(async () => hanging >= 8);
  const overtaken: number[] = [];
  for (let n = 0; n < 4; n += 1) {
    startedBefore = -1;
    await append('rival', [factAbout(`r${n}`)]);
    const before = hanging;
    await eventually(async () => startedBefore >= 0);
    overtaken.push(startedBefore - before);
  }
  // Only deliveries that were leased before the commit may start first.
  expect(Math.max(...overtaken)).toBeLessThanOrEqual(places);
});

test('A late 410 response of a former endpoint does not disable the receiver at its new endpoint.', async () => {
  const moved = await engines.receiver('demo', ['group.created']);
  const gone = await engines.receiver('demo', ['group.created']);
  const said: string[] = [];
  await engines.stopEngines();
  engines.engine(async ({ receiver }) => {
    if (receiver?.id === moved.id) {
      // The receiver at the new endpoint exists.
      if (receiver.endpoint !== moved.endpoint) return { kind: 'delivered' };
      await updateReceiver(engines.database.sql, 'demo', moved.id, {
        ...moved,
        endpoint: 'https://another.example/',
      });
    }
    said.push(receiver?.id ?? '');
    return { kind: 'gone', status: 410, reason: 'gone' };
  });
  await append('demo', [{ ...factAbout('g1', {}, 'group.created'), subject: { kind: 'group', id: 'g1' } }]);
  const statusOf = async (id: string) =>
    (await findReceiver(engines.database.sql, 'demo', id, { kind: 'webhook' }))?.status;
  await eventually(async () => said.length >= 2 && (await statusOf(gone.id)) === 'disabled');
  await engines.stopEngines();
  expect(await statusOf(moved.id)).toBe('enabled');
});
