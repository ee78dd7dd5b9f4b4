import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { testEventSignatures } from '@ostiary/service/testing';
import { AccessEnds } from '../../src/events/domain/access-ends.ts';
import { Relay } from '../../src/events/relay.jobs.ts';
import { type Harness, startDirectory, type TenantClient, tenantClient } from '../support/harness.ts';

interface Arrived {
  tenant: string;
  type: string;
  subject: string;
}

let harness: Harness;
let relay: Relay;
let startRelay: (directMs?: number) => Promise<void>;
let acme: TenantClient;
let rival: TenantClient;
/** Maximum delay of responses in milliseconds, long enough for a busy machine except where it is the subject. */
let maxMs = 20_000;
/** Stands for auth and for provisioning. */
let consumer: Server;
let behaviour: 'accept' | 'hang' | 'refuse' = 'accept';
let arrived: Arrived[] = [];
/** Delays the response of an accepting consumer. */
let accepting: Promise<void> = Promise.resolve();

beforeAll(async () => {
  consumer = createServer(async (request, response) => {
    const body = JSON.parse(await text(request)) as { events?: Arrived[]; ids?: string[] };
    if (request.url?.endsWith('/missing')) {
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ missing: body.ids }));
    } else if (behaviour === 'accept') {
      await sleep(10);
      await accepting;
      arrived.push(...(body.events ?? []).map(({ tenant, type, subject }) => ({ tenant, type, subject })));
      response.writeHead(204).end();
    } else if (behaviour === 'refuse') response.writeHead(503).end();
  });
  consumer.listen(0, '127.0.0.1');
  await once(consumer, 'listening');
  const origin = `http://127.0.0.1:${(consumer.address() as AddressInfo).port}`;
  const ends = new AccessEnds();
  const closing = {
    ends,
    settled: () => relay.settled(),
    get maxMs() {
      return maxMs;
    },
  };
  harness = await startDirectory({ closing });
  startRelay = async (directMs) => {
    relay = new Relay({
      kit: harness.kit,
      database: harness.database,
      redisUrl: harness.redisUrl,
      prefix: harness.prefix,
      signatures: testEventSignatures,
      origins: { auth: origin, provisioning: origin },
      tokenFor: harness.tokenFor,
      onUrgent: () => ends.note(),
      ...(directMs !== undefined && { directMs }),
    });
    await relay.start();
  };
  // On a busy machine, a direct delivery that succeeds can exceed the usual maximum.
  await startRelay(20_000);
  acme = tenantClient(harness, await harness.tenant());
  rival = tenantClient(harness, await harness.tenant());
});
afterAll(async () => {
  consumer.closeAllConnections();
  consumer.close();
  await relay.stop();
  await harness.stop();
});
beforeEach(async () => {
  behaviour = 'accept';
  maxMs = 20_000;
  arrived = [];
  accepting = Promise.resolve();
});

let counter = 0;
const create = async (tenant = acme): Promise<string> => {
  counter += 1;
  return (await tenant.create('Users', { userName: `leaver-${counter}` })).body.id;
};
const deactivate = (id: string, tenant = acme) =>
  tenant.patch('Users', id, [{ op: 'replace', path: 'active', value: false }]);
const graph = async (mutation: string, id: string): Promise<number> => {
  const token = harness.issuer.token(acme.tenant, { clientId: 'app', scopes: ['users:write', 'users:read'] });
  const answer = await harness.graph(`mutation ($id: ID!) { ${mutation} }`, { id }, token);
  return answer.body.errors === undefined ? 200 : 400;
};

/** Changes that end access. Each returns the status of the response and the subject of the event. */
const ways: Record<string, () => Promise<{ status: number; subject: string }>> = {
  'PATCH active: false': async () => {
    const subject = await create();
    return { status: (await deactivate(subject)).status, subject };
  },
  'PUT active: false': async () => {
    const subject = await create();
    const userName = `leaver-${counter}`;
    return { status: (await acme.replace('Users', subject, { userName, active: false })).status, subject };
  },
  DELETE: async () => {
    const subject = await create();
    return { status: (await acme.remove('Users', subject)).status, subject };
  },
  'PATCH members of a group': async () => {
    const value = await create();
    const group = (await acme.create('Groups', { displayName: `group-${counter}`, members: [{ value }] }))
      .body;
    const { status } = await acme.patch('Groups', group.id, [
      { op: 'remove', path: `members[value eq "${value}"]` },
    ]);
    return { status, subject: group.id };
  },
  'DELETE of a group': async () => {
    const group = (await acme.create('Groups', { displayName: `gone-${await create()}` })).body;
    return { status: (await acme.remove('Groups', group.id)).status, subject: group.id };
  },
  'deactivateUser in the graph': async () => {
    const subject = await create();
    return { status: await graph('deactivateUser(input: { id: $id }) { user { id } }', subject), subject };
  },
  'deleteUser in the graph': async () => {
    const subject = await create();
    return { status: await graph('deleteUser(input: { id: $id }) { id }', subject), subject };
  },
};

test.each(Object.entries(ways))('%s is answered when both consumers have applied it.', async (_name, way) => {
  const { status, subject } = await way();
  expect([200, 204]).toContain(status);
  expect(arrived.filter((event) => event.subject === subject)).toHaveLength(2);
});

test('Concurrent departures of two tenants are answered when their own consumers have applied them.', async () => {
  const tenants = [acme, rival, acme, rival, acme, rival];
  const ids = await Promise.all(tenants.map((tenant) => create(tenant)));
  await Promise.all(
    tenants.map(async (tenant, index) => {
      const subject = ids[index] ?? '';
      expect((await deactivate(subject, tenant)).status).toBe(200);
      const event = { tenant: tenant.tenant, type: 'user.deactivated', subject };
      expect(arrived.filter((one) => one.subject === subject)).toEqual([event, event]);
    }),
  );
});

/** Ends access as a service that prefers interim responses. @returns the statuses received, in order */
async function heard(method: 'PATCH' | 'DELETE', id: string, prefer: string | undefined): Promise<number[]> {
  const { promise, resolve, reject } = Promise.withResolvers<number[]>();
  const statuses: number[] = [];
  // Where an interim response is expected, the consumer answers only after it was received.
  const processing = Promise.withResolvers<void>();
  if (prefer === 'processing') accepting = processing.promise;
  const actor = { kind: 'system', id: 'test' };
  const operations = [{ op: 'replace', path: 'active', value: false }];
  const body = JSON.stringify({ actor, source: 'direct', ...(method === 'PATCH' && { operations }) });
  request(
    `${harness.url}/internal/v1/tenants/${acme.tenant}/Users/${id}`,
    {
      method,
      headers: {
        authorization: `Bearer ${harness.issuer.serviceToken('provisioning')}`,
        'content-type': 'application/json',
        'content-length': String(Buffer.byteLength(body)),
        ...(prefer !== undefined && { prefer }),
      },
    },
    (response) => {
      statuses.push(response.statusCode ?? 0);
      response.resume().on('end', () => resolve(statuses));
    },
  )
    .on('information', ({ statusCode }) => {
      statuses.push(statusCode);
      processing.resolve();
    })
    .on('error', reject)
    .end(body);
  return promise;
}

test.each([
  ['PATCH', 'processing', [102, 200]],
  ['DELETE', 'processing', [102, 204]],
  ['PATCH', undefined, [200]],
  ['PATCH', 'return=minimal', [200]],
] as const)(
  'A %s that prefers %j is answered by %j, with the final response after both consumers have applied it.',
  async (method, prefer, statuses) => {
    const id = await create();
    arrived = [];
    expect(await heard(method, id, prefer)).toEqual(statuses);
    expect(arrived.filter(({ subject }) => subject === id)).toHaveLength(2);
  },
);

describe('When consumers fail', () => {
  beforeAll(async () => {
    await relay.stop();
    await startRelay();
  });

  test('A change that ends no access is answered without delay, even while a departure waits.', async () => {
    behaviour = 'hang';
    const [leaver, other] = [await create(), await create()];
    const leaving = deactivate(leaver);
    const renamed = acme.patch('Users', other, [{ op: 'replace', path: 'displayName', value: 'Other' }]);
    expect(await Promise.race([leaving.then(() => 'the departure'), renamed.then(() => 'the other')])).toBe(
      'the other',
    );
    expect((await leaving).status).toBe(200);
  });

  test.each(['hang', 'refuse'] as const)(
    'A departure is answered after the maximum delay when the consumers %s, and later ones do not wait.',
    async (trouble) => {
      behaviour = trouble;
      maxMs = 50;
      const ids = [await create(), await create(), await create()];
      expect((await deactivate(ids[0] ?? '')).status).toBe(200);
      // Later responses do not wait while a failed consumer is served by the queue.
      await sleep(200);
      for (const id of ids.slice(1)) expect((await deactivate(id)).status).toBe(200);
      expect(arrived.filter(({ subject }) => ids.includes(subject))).toEqual([]);
      const [row] = await harness.sql<{ open: number }>(
        `SELECT count(*)::int AS open FROM directory.outbox_deliveries d JOIN directory.outbox_events e ON e.id = d.event_id
          WHERE e.subject = ANY ($1) AND e.type = 'user.deactivated' AND d.consumer <> 'live'`,
        [ids],
      );
      expect(row?.open).toBe(6);
    },
  );
});
