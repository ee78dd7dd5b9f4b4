import { randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { type DomainEvent, eventQueue, type NewEvent, queuePrefix, sealedJob } from '@ostiary/events';
import { createRedis, keyRing, Signatures, uuidv7 } from '@ostiary/service';
import { eventually, testEventSignatures } from '@ostiary/service/testing';
import { Queue } from 'bullmq';
import { epochOf, signedIn } from '../../support/sign-in/departing.ts';
import { service, setUpOneClient } from '../../support/sign-in/one-client.ts';
import { rival, tenant, userinfoStatus } from '../../support/sign-in/service.ts';

setUpOneClient();

/** Adds jobs to the queue, as an attacker with write access to Redis can. */
async function inject(...jobs: object[]): Promise<void> {
  const { env, kit } = service.deps;
  const connection = createRedis(env.REDIS_URL, { name: 'forger', log: kit.log, blocking: true });
  const queue = new Queue(eventQueue('auth'), {
    connection,
    prefix: queuePrefix(env.REDIS_PREFIX),
  });
  await queue.addBulk(
    jobs.map((data) => ({ name: 'events', data, opts: { attempts: 1_000_000, jobId: uuidv7() } })),
  );
  await eventually(async () => {
    const counts = await queue.getJobCounts('waiting', 'active', 'delayed', 'failed', 'prioritized');
    return Object.values(counts).every((count) => count === 0);
  });
  await queue.close();
  connection.disconnect();
}

const complete = (event: NewEvent): DomainEvent =>
  ({ ...event, id: uuidv7(), occurredAt: new Date().toISOString() }) as DomainEvent;

const refused = async (): Promise<number> =>
  (await service.kit.metrics.getSingleMetric('events_refused_jobs_total')?.get())?.values[0]?.value ?? 0;

const isActive = async (id: string): Promise<boolean | undefined> =>
  (
    await service.deps.database.sql.query<{ active: boolean }>(
      'SELECT active FROM auth.subjects WHERE tenant = $1 AND id = $2',
      [tenant, id],
    )
  ).rows[0]?.active;

/** Creates an offboarded user and an event of a reactivation. */
async function gone(name: string): Promise<{ id: string; back: DomainEvent }> {
  const { person } = await signedIn(name);
  await service.directory.change(tenant, person.id, 'user.deactivated');
  await eventually(async () => (await isActive(person.id)) === false);
  const left = service.directory.tenants.get(tenant)?.people.get(person.id);
  const back = complete(service.directory.changed(tenant, person.id, 'user.reactivated'));
  // The directory has not reactivated the user.
  if (left) left.active = false;
  return { id: person.id, back };
}

const sealedAs = (consumer: string, events: readonly DomainEvent[], by = testEventSignatures) =>
  sealedJob(by, consumer, events);

/** Flips one bit of the content. */
function edited({ sealed }: { sealed: string }): object {
  const [key = '', rest = ''] = sealed.split('.');
  const bytes = Buffer.from(rest, 'base64url');
  bytes[20] = (bytes[20] ?? 0) ^ 1;
  return { sealed: `${key}.${bytes.toString('base64url')}` };
}

test.each<[string, (back: DomainEvent) => object]>([
  ['that is only what it says', (back) => ({ events: [back] })],
  ['one event by itself', (back) => back],
  ['that is not sealed', (back) => ({ sealed: JSON.stringify({ events: [back] }) })],
  ['sealed with another key', (back) => sealedAs('auth', [back], new Signatures(keyRing(randomBytes(32))))],
  ['sealed for another consumer', (back) => sealedAs('provisioning', [back])],
  ['that was edited', (back) => edited(sealedAs('auth', [back]))],
  ['that was cut off', (back) => ({ sealed: sealedAs('auth', [back]).sealed.slice(0, 40) })],
  ['that is nothing at all', () => ({})],
])('A job %s reactivates no user, is counted and is not retried.', async (_name, forge) => {
  const { id, back } = await gone(`left-${randomBytes(4).toString('hex')}`);
  const before = await refused();
  await inject(forge(back));
  expect(await isActive(id)).toBe(false);
  expect(await refused()).toBe(before + 1);
  // It is logged without its content.
  const notified = service.logs.filter((line) => line.includes('consumer.forged_job'));
  expect(notified.length).toBeGreaterThan(0);
  expect(notified.join('')).not.toContain(id);
});

test('A sealed job reactivates no user that the directory does not confirm as active.', async () => {
  const { id, back } = await gone('left-signed');
  const before = await refused();
  await inject(sealedAs('auth', [back]));
  expect(await isActive(id)).toBe(false);
  expect(await refused()).toBe(before + 1);
});

test.each<[string, (id: string) => NewEvent]>([
  [
    'a plain event about an active user',
    (id) => service.directory.changed(tenant, id, 'user.updated', { active: true }),
  ],
  [
    'another password',
    (id) => service.directory.changed(tenant, id, 'user.updated', { active: true, ticket: uuidv7() }),
  ],
])('A sealed job with %s reactivates no user.', async (_name, event) => {
  const { id } = await gone(`left-${randomBytes(4).toString('hex')}`);
  const forged = complete(event(id));
  const person = service.directory.tenants.get(tenant)?.people.get(id);
  if (person) person.active = false;
  await inject(sealedAs('auth', [forged]));
  expect(await isActive(id)).toBe(false);
});

test('A reactivation that is genuine but outdated has no effect, and a current one reactivates the user.', async () => {
  const { id } = await gone('left-twice');
  const person = service.directory.tenants.get(tenant)?.people.get(id);
  const event = service.directory.changed(tenant, id, 'user.reactivated');
  // The user was offboarded again, and that event has not arrived.
  if (person) person.active = false;
  await service.directory.send([event]);
  await eventually(async () => (await service.deps.directoryEvents.missing([])).length === 0);
  await service.directory.send([service.directory.changed(tenant, id, 'user.deactivated')]);
  await eventually(async () => (await versionOf(id)) === person?.version);
  expect(await isActive(id)).toBe(false);
  await service.directory.change(tenant, id, 'user.reactivated');
  await eventually(async () => (await isActive(id)) === true);
});

const versionOf = async (id: string): Promise<number> =>
  Number(
    (
      await service.deps.database.sql.query<{ version: string }>(
        'SELECT version FROM auth.subjects WHERE tenant = $1 AND id = $2',
        [tenant, id],
      )
    ).rows[0]?.version,
  );

test('A forged offboarding does not offboard the user.', async () => {
  const { person, tokens } = await signedIn('stays');
  const leaves = complete({
    tenant,
    type: 'user.deactivated',
    subject: person.id,
    version: 99,
    actor: { kind: 'system', id: 'x' },
    payload: {
      id: person.id,
      userName: 'stays',
      active: false,
      emails: [],
      externalIds: {},
      changedAt: new Date().toISOString(),
    },
  } as NewEvent);
  await inject(
    { events: [leaves] },
    { ...sealedAs('auth', []), batch: JSON.stringify({ events: [leaves] }) },
  );
  expect(await userinfoStatus(service, tokens.access_token ?? '')).toBe(200);
  expect(await epochOf(person.id)).toBe(0);
});

test('A job does not reactivate a suspended tenant.', async () => {
  const updated = (status: 'active' | 'suspended', version: number) =>
    complete({
      tenant: rival,
      type: 'tenant.updated',
      subject: rival,
      version,
      actor: { kind: 'system', id: 'x' },
      payload: { id: rival, name: 'Rival', status },
    } as NewEvent);
  const status = async () =>
    (
      await service.deps.database.sql.query<{ status: string }>(
        'SELECT status FROM auth.tenants WHERE id = $1',
        [rival],
      )
    ).rows[0]?.status;
  await service.deps.directoryEvents.accept([updated('suspended', 7)]);
  expect(await status()).toBe('suspended');
  await inject({ events: [updated('active', 8)] }, sealedAs('auth', [updated('active', 9)]));
  expect(await status()).toBe('suspended');
});
