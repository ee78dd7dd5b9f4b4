import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Harness, startDirectory, tenantClient } from '../support/harness.ts';

let harness: Harness;

// Without a relay, no event is delivered.
beforeAll(async () => {
  harness = await startDirectory();
});
afterAll(() => harness.stop());

const ask = async (query = '', as = 'auth') =>
  harness.call('GET', `/internal/v1/events/undelivered${query}`, undefined, harness.issuer.serviceToken(as));

test('Unconfirmed events that end access are returned to the authorization server, of every tenant, in order.', async () => {
  const people: string[] = [];
  for (const name of [await harness.tenant(), await harness.tenant()]) {
    const tenant = tenantClient(harness, name);
    for (const userName of ['leaver', 'stayer']) {
      const { id } = (await tenant.create('Users', { userName })).body;
      if (userName === 'stayer') continue;
      people.push(id);
      await tenant.patch('Users', id, [{ op: 'replace', path: 'active', value: false }]);
    }
  }
  const { status, body } = await ask();
  expect(status).toBe(200);
  expect(body).toMatchObject({
    events: people.map((subject) => ({ type: 'user.deactivated', subject, version: 2 })),
    more: false,
  });
  // Enqueued but unconfirmed events count too; a known event id is followed by the next.
  await harness.sql(
    `UPDATE directory.outbox_deliveries SET state = 'enqueued', enqueued_at = now(), job = gen_random_uuid()`,
  );
  expect((await ask()).body).toEqual(body);
  expect((await ask(`?after=${body.events[0].id}`)).body).toEqual({ events: [body.events[1]], more: false });
  await harness.sql('DELETE FROM directory.outbox_deliveries WHERE event_id = $1 AND consumer = $2', [
    body.events[0].id,
    'auth',
  ]);
  expect((await ask()).body.events).toEqual([body.events[1]]);
});

test('A long list of undelivered events is returned in pages.', async () => {
  await harness.sql('DELETE FROM directory.outbox_deliveries');
  await harness.sql(
    `WITH made AS (
       INSERT INTO directory.outbox_events (id, tenant, type, subject, version, payload, actor)
       SELECT gen_random_uuid(), 'acme', 'user.deleted', gen_random_uuid()::text, n, '{}', '{}' FROM generate_series(1, 450) n
       RETURNING id)
     INSERT INTO directory.outbox_deliveries (event_id, consumer) SELECT id, 'auth' FROM made`,
  );
  const seen: string[] = [];
  for (let more = true, pages = 0; more; pages += 1) {
    const { body } = await ask(seen.length === 0 ? '' : `?after=${seen.at(-1)}`);
    seen.push(...body.events.map(({ id }: { id: string }) => id));
    more = body.more;
    expect(pages).toBeLessThan(3);
  }
  expect(new Set(seen).size).toBe(450);
});

test('A request for undelivered events by another caller, or with an invalid event id, is rejected.', async () => {
  expect((await ask('', 'provisioning')).status).toBe(403);
  expect((await harness.call('GET', '/internal/v1/events/undelivered', undefined, 'nonsense')).status).toBe(
    401,
  );
  expect((await ask('?after=x')).status).toBe(400);
});
