import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '@ostiary/service/testing';
import { unique } from '../support/demo.ts';
import { listen, type Subscriber } from '../support/live.ts';
import { type OwnSystem, ownSystem } from '../support/own-system.ts';
import { ScimClient } from '../support/scim.ts';
import { adminToken } from '../support/sign-in.ts';

let own: OwnSystem;
let other: Awaited<ReturnType<OwnSystem['system']['spawnExtra']>>;
let admin: string;
let scim: ScimClient;

beforeAll(async () => {
  own = await ownSystem();
  other = await own.system.spawnExtra('gateway');
  const tenant = own.demo.tenants.demo;
  admin = await adminToken(tenant);
  scim = new ScimClient(tenant, tenant.clients.scim.token);
});
afterAll(() => own?.stop());

const subscription = { query: 'subscription { userChanged(kinds: [CREATED]) { userId user { userName } } }' };
const notified = ({ results }: Subscriber): string[] =>
  results.flatMap(({ data }) => (data ? [data.userChanged.userId as string] : []));
const lastEventId = ({ results }: Subscriber) =>
  results.findLast(({ extensions }) => extensions)?.extensions?.eventId;

/** Creates users with retries. A request without a response is repeated with another name. */
async function create(count: number): Promise<string[]> {
  const ids: string[] = [];
  while (ids.length < count) {
    const answer = await scim
      .call('POST', '/Users', {
        schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
        userName: unique('live'),
      })
      .catch(() => undefined);
    if (answer?.status === 201) ids.push(answer.body.id);
    else await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return ids;
}

test('With two gateways, each publishes all events, and one resumes where the other was killed.', async () => {
  const elsewhere = `${other.url}/graphql`;
  const [here, there] = [
    await listen(own.demo.graphql, admin, subscription),
    await listen(elsewhere, admin, subscription),
  ];
  const first = await create(5);
  for (const subscriber of [here, there]) {
    await eventually(
      async () => notified(subscriber),
      (ids) => ids.length >= 5,
    );
    expect(notified(subscriber).sort()).toEqual(first.toSorted());
  }
  await own.system.kill('gateway', 'SIGKILL', { restart: false });
  await here.ended;
  // The edge is the killed gateway, so this client uses the other gateway.
  const direct = new ScimClient(
    { scim: own.demo.tenants.demo.scim.replace(own.demo.origin, other.url) },
    own.demo.tenants.demo.clients.scim.token,
  );
  const missed = [];
  for (let i = 0; i < 4; i += 1) missed.push((await direct.createUser({ userName: unique('missed') })).id);
  const resumed = await listen(elsewhere, admin, subscription, lastEventId(here));
  await own.system.start('gateway');
  const back = await listen(own.demo.graphql, admin, subscription, lastEventId(here));
  for (const subscriber of [resumed, back]) {
    await eventually(
      async () => notified(subscriber),
      (ids) => ids.length >= 4,
    );
    expect(notified(subscriber)).toEqual(missed);
  }
  for (const subscriber of [there, resumed, back]) subscriber.stop();
});

test('Every event arrives once when the directory and its relay are killed while users are added.', async () => {
  const subscriber = await listen(own.demo.graphql, admin, subscription);
  const created: string[] = [];
  for (let round = 0; round < 3; round += 1) {
    const creating = create(10);
    await new Promise((resolve) => setTimeout(resolve, 100 * round));
    await own.system.kill('directory', 'SIGKILL');
    created.push(...(await creating));
    await own.system.ready('directory', 20_000);
  }
  await eventually(
    async () => created.filter((id) => !notified(subscriber).includes(id)),
    (missing) => missing.length === 0,
  );
  expect(new Set(notified(subscriber)).size).toBe(notified(subscriber).length);
  subscriber.stop();
});

test('Subscribers are notified of possible gaps after a restart of Redis and then receive events again.', async () => {
  const subscriber = await listen(own.demo.graphql, admin, subscription);
  await create(1);
  await eventually(
    async () => notified(subscriber).length,
    (count) => count === 1,
  );
  const last = lastEventId(subscriber);
  await own.system.kill('valkey', 'SIGKILL');
  expect(await subscriber.ended).toBe('complete');
  expect(subscriber.results.at(-1)?.errors?.[0]?.extensions?.code).toBe('RESUME_NOT_POSSIBLE');
  const stale = await listen(own.demo.graphql, admin, subscription, last);
  await stale.ended;
  expect(stale.results[0]?.errors?.[0]?.extensions?.code).toBe('RESUME_NOT_POSSIBLE');
  // A gateway may detect the new Redis on its connections one after the other: a subscriber that reconnects in between
  // is notified again, and resumes again as any client would.
  let notifiedAgain = 0;
  await eventually(
    async () => {
      const again = await listen(own.demo.graphql, admin, subscription);
      const [id] = await create(1);
      const arrived = again.find(({ data }) => data?.userChanged.userId === id);
      const hasArrived = await Promise.race([arrived.then(() => true), again.ended.then(() => false)]);
      arrived.catch(() => undefined);
      again.stop();
      return hasArrived || again.results.at(-1);
    },
    (outcome) => {
      if (outcome !== true) {
        notifiedAgain += 1;
        expect(outcome?.errors?.[0]?.extensions?.code).toBe('RESUME_NOT_POSSIBLE');
      }
      return outcome === true;
    },
  );
  expect(notifiedAgain).toBeLessThanOrEqual(1);
});
