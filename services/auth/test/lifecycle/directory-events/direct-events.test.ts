import { expect, test } from '@jest/globals';
import { epochOf, isHandled, numbered, signedIn } from '../../support/sign-in/departing.ts';
import { service, setUpOneClient } from '../../support/sign-in/one-client.ts';
import { tenant, userinfoStatus } from '../../support/sign-in/service.ts';

setUpOneClient();

const handOver = (body: unknown, by: 'directory' | 'gateway' = 'directory') =>
  service.internal('POST', '/events', body, by);
/** Changes a user to inactive without delivering the event. */
const leaving = (id: string) => ({
  ...numbered(service.directory.changed(tenant, id, 'user.deactivated')),
  occurredAt: new Date().toISOString(),
});

test('An offboarding event that is sent directly is applied before the response, and applied once.', async () => {
  const { person, tokens } = await signedIn('alice');
  const event = leaving(person.id);
  expect((await handOver({ events: [event] })).status).toBe(204);
  expect(await userinfoStatus(service, tokens.access_token ?? '')).toBe(401);
  expect(await epochOf(person.id)).toBe(1);

  // The event is sent again, directly and by the queue.
  const answers = await Promise.all(Array.from({ length: 5 }, () => handOver({ events: [event, event] })));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([204]));
  await service.directory.send([event]);
  expect(await isHandled([event])).toBe(true);
  expect(await epochOf(person.id)).toBe(1);
});

test('An event that cannot be processed does not prevent the effect of the others.', async () => {
  const { person } = await signedIn('bob');
  const leaves = leaving(person.id);
  const broken = { ...leaves, id: crypto.randomUUID(), subject: 'no uuid' };
  expect((await handOver({ events: [broken, leaves] })).status).toBeGreaterThanOrEqual(500);
  expect(await epochOf(person.id)).toBe(1);
});

test('Only the directory may send events directly, and a body without valid events is rejected.', async () => {
  const { person } = await signedIn('carol');
  const event = leaving(person.id);
  expect((await handOver({ events: [event] }, 'gateway')).status).toBe(403);
  for (const body of [{}, { events: [] }, { events: ['x'] }, { events: [{ ...event, version: '1' }] }, []]) {
    expect((await handOver(body)).status).toBe(400);
  }
  expect(await epochOf(person.id)).toBe(0);
});
