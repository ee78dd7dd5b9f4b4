import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Revocation, revocationKinds } from '@ostiary/access';
import { type DomainEvent, eventTypes, sealedJob } from '@ostiary/events';
import { liveEventTypes } from '@ostiary/events/live';
import { keyRing, Signatures, uuidv7 } from '@ostiary/service';
import { eventually } from '@ostiary/service/testing';
import { families, knownKeys, spoilings, trustOf } from '../redis/attacker.ts';
import { proofs } from '../redis/proofs.ts';
import { everythingWorks, uses } from '../redis/uses.ts';
import { createWorld, eventKeysOf, reopened, rightsIn, statusesOf, type World } from '../redis/world.ts';
import { unique } from '../support/demo.ts';
import { listen } from '../support/live.ts';
import { signIn } from '../support/sign-in.ts';

/**
 * An attacker with full access to Redis of a running system gets no token, session or right from any job, stream entry
 * or key, and cannot restore revoked access.
 */

const queues = ['events-auth', 'events-provisioning'] as const;
const revocations = '{ostiary}:revocations';
const live = '{ostiary}:live';
let world: World;
/** Version that is higher than all others. */
let newest = 1_000_000;

beforeAll(async () => {
  world = await createWorld();
});
// A stolen key signs events without data in the directory, so the consistency checks are skipped.
afterAll(() => world?.stop({ unsound: true }));

const refusedBy = async (process: 'auth' | 'provisioning'): Promise<number> => {
  const text = await (await fetch(world.own.system.metricsUrls[process])).text();
  return Number(/^events_refused_jobs_total\{[^}]*\} (\d+)/m.exec(text)?.[1] ?? 0);
};

/** Returns the rights that exist after an attack and not before. */
async function gainedBy(attack: () => Promise<unknown>): Promise<string[]> {
  const before = new Set(await rightsIn(world));
  await attack();
  const gained = (await rightsIn(world)).filter((right) => !before.has(right));
  return [...gained, ...(await reopened(world))];
}

/**
 * Deletes or replaces every key of every family with values that do not expire: no revoked access returns, no process
 * ends, and after the attack the system recovers automatically. These tests run first, while the processes are the
 * initial ones and the invariants hold.
 */
describe('corrupted keys', () => {
  const spoilt = new Set<string>();

  beforeAll(() => everythingWorks(world));

  test('Every family of Redis keys has a use in the tests.', () => {
    expect(Object.keys(uses).toSorted()).toEqual(families.toSorted());
  });

  test.each(Object.keys(spoilings))(
    'When every Redis key is corrupted (%s), no access of an offboarded user returns and no process restarts.',
    async (name) => {
      const { attacker, own, pids } = world;
      const before = await rightsIn(world);
      const found = await attacker.byFamily();
      for (const family of found.keys()) spoilt.add(family);
      const keys = new Set([...knownKeys, ...[...found.values()].flat()]);
      await Promise.all([...keys].map((key) => spoilings[name]?.(attacker.redis, key)));
      expect(await reopened(world)).toEqual([]);
      await everythingWorks(world);
      expect(await reopened(world)).toEqual([]);
      // The tests sign Bob and Alice in; no other user gains anything.
      const gained = (await rightsIn(world)).filter((right) => !before.includes(right));
      expect(gained.filter((right) => !/^(session|grant|person) /.test(right))).toEqual([]);
      for (const { person, deleted } of [world.gone])
        expect(gained.join()).not.toMatch(new RegExp(`${person}|${deleted}`));
      expect(
        await Promise.all(
          ['auth', 'directory', 'provisioning', 'gateway'].map((process) => own.system.pid(process)),
        ),
      ).toEqual(pids);
    },
  );

  test('Every family of Redis keys was corrupted by the tests.', () => {
    expect([...spoilt].toSorted()).toEqual(families.toSorted());
  });

  test('After every Redis key was corrupted, the invariants hold in the databases.', async () => {
    expect(await world.own.brokenInvariants()).toEqual([]);
  });
});

test.each(families)(
  'An attacker gains nothing through Redis keys of the family %s, for the reason that its declaration gives.',
  async (family) => {
    const proof = proofs[family];
    // Families that are trusted have their attacks below, or name the test. For the others, the proof is run here.
    expect(typeof proof).toBe(typeof trustOf(family) === 'string' ? 'string' : 'function');
    if (typeof proof === 'function') expect(await gainedBy(() => proof(world))).toEqual([]);
  },
);

describe('jobs', () => {
  const seen = (queue: string) => world.attacker.jobs.filter((job) => job.queue === queue);

  test.each(queues)('Every type of event has passed through the queue %s.', (queue) => {
    expect(new Set(seen(queue).flatMap(({ events }) => events.map(({ type }) => type)))).toEqual(
      new Set(eventTypes),
    );
  });

  test.each(queues)(
    'Jobs of the queue %s that are replayed in the wrong order change nothing.',
    async (queue) => {
      const jobs = seen(queue).map(({ data }) => data);
      expect(await gainedBy(() => world.attacker.inject(queue, [...jobs.toReversed(), ...jobs]))).toEqual([]);
    },
  );

  test.each(queues)('Jobs of the queue %s are rejected by the other queue.', async (queue) => {
    const other = queue === 'events-auth' ? 'provisioning' : 'auth';
    const [before, jobs] = [await refusedBy(other), seen(queue).map(({ data }) => data)];
    expect(await gainedBy(() => world.attacker.inject(`events-${other}`, jobs))).toEqual([]);
    expect(await refusedBy(other)).toBe(before + jobs.length);
  });

  describe.each(eventTypes)('%s', (type) => {
    /**
     * An event of this type about each offboarded subject, altered to reactivate it with a version higher than all
     * others.
     */
    const invented = (queue: string) => {
      const event = seen(queue)
        .flatMap(({ events }) => events)
        .find((each) => each.type === type);
      const { person, deleted, holder, group, tenant } = world.gone;
      const subjects = type.startsWith('tenant.')
        ? [tenant]
        : type.startsWith('group.')
          ? [group]
          : [person, deleted, holder];
      newest += 1;
      const tickets = type.startsWith('user.') ? [undefined, uuidv7()] : [undefined];
      return subjects.flatMap((subject) =>
        tickets.map((credentialTicket) => ({
          ...event,
          id: uuidv7(),
          ...(type.startsWith('tenant.') ? { tenant: subject } : {}),
          subject,
          version: newest,
          payload: {
            ...event?.payload,
            id: subject,
            active: true,
            status: 'active',
            policy: { version: newest, settings: {} },
            membersAdded: [holder],
            credentialTicket,
          },
        })),
      );
    };
    const sealed = (queue: string, signatures: Signatures) =>
      sealedJob(signatures, queue.replace('events-', ''), invented(queue) as unknown as DomainEvent[]);

    test.each(queues)(
      'An event in the clear, or sealed with another key, has no effect in %s and is counted.',
      async (queue) => {
        const process = queue === 'events-auth' ? 'auth' : 'provisioning';
        const before = await refusedBy(process);
        const genuine = seen(queue)[0]?.data.sealed ?? '';
        const jobs = [
          { events: invented(queue) },
          { batch: JSON.stringify({ events: invented(queue) }), signature: genuine },
          { sealed: JSON.stringify({ events: invented(queue) }) },
          { sealed: `${genuine.slice(0, -3)}${genuine.at(-3) === 'A' ? 'B' : 'A'}${genuine.slice(-2)}` },
          sealed(queue, new Signatures(keyRing(Buffer.alloc(32, 7)))),
          null,
        ];
        expect(await gainedBy(() => world.attacker.inject(queue, jobs))).toEqual([]);
        expect(await refusedBy(process)).toBe(before + jobs.length);
      },
    );

    // Last, because the recorded versions are higher than those of genuine later events.
    test.each(queues)(
      'An event sealed with a stolen key gives no access in %s, because the owner of the data is queried.',
      async (queue) => {
        const job = sealed(queue, eventKeysOf(world.own));
        expect(await gainedBy(() => world.attacker.inject(queue, [job]))).toEqual([]);
      },
    );
  });
});

describe('the stream of revocations', () => {
  const entries = () => world.attacker.redis.xrange(revocations, '-', '+');

  test.each(['deleted', 'emptied', 'replaced', 'deleted, and the gateway begun anew'])(
    'After the stream of revocations is %s, no revoked access comes back.',
    async (how) => {
      const { redis } = world.attacker;
      if (how.startsWith('deleted')) await redis.del(revocations);
      else if (how === 'emptied') {
        for (const [id] of await entries()) await redis.xdel(revocations, id);
        await redis.xtrim(revocations, 'MAXLEN', 0);
      } else await redis.set(revocations, 'no stream');
      if (how.endsWith('anew')) await world.own.system.restart('gateway');
      expect(await reopened(world)).toEqual([]);
      await eventually(async () => (await redis.type(revocations)) === 'stream');
      expect(await reopened(world)).toEqual([]);
    },
  );

  test('Entries of the revocation stream that are replayed in the wrong order restore no revoked access.', async () => {
    const { redis } = world.attacker;
    const { tokens } = await signIn(world.own.demo, world.tenant, world.tenant.users.alice);
    for (const [, fields] of (await entries()).toReversed()) await redis.xadd(revocations, '*', ...fields);
    expect(await reopened(world)).toEqual([]);
    expect(await statusesOf(world.own, world.tenant, tokens.access_token)).toEqual([200, 200, 200]);
  });

  test.each(revocationKinds)('A forged revocation of the kind %s ends no session or token.', async (kind) => {
    const { own, tenant, attacker, admin } = world;
    const { tokens, subject } = await signIn(own.demo, tenant, tenant.users.alice);
    const claims = JSON.parse(Buffer.from(tokens.access_token.split('.')[1] ?? '', 'base64url').toString());
    const keys: Record<Revocation['kind'], string> = {
      subject,
      session: claims.sid,
      grant: claims.grant_id,
      client: claims.client_id,
      jti: claims.jti,
      key: JSON.parse(Buffer.from(tokens.access_token.split('.')[0] ?? '', 'base64url').toString()).kid,
      tenant: 'demo',
      owner: subject,
    };
    const forged = JSON.stringify([
      { seq: '999999999', tenant: 'demo', kind, key: keys[kind], expiresAt: Date.now() / 1000 + 3_600 },
    ]);
    const genuine = (await entries()).at(-1)?.[1].at(-1) ?? '';
    for (const fields of [
      ['entries', forged],
      ['entries', forged, 'mac', 'x'],
      ['entries', forged, 'mac', genuine],
    ])
      await attacker.redis.xadd(revocations, '*', ...fields);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(await statusesOf(own, tenant, tokens.access_token)).toEqual([200, 200, 200]);
    expect((await statusesOf(own, tenant, admin))[0]).toBe(200);
  });
});

describe('the stream of live events', () => {
  const subscription = { query: 'subscription { userChanged { id userId user { active } } }' };
  const subscribe = () => listen(world.own.demo.graphql, world.admin, subscription);
  const newcomer = () => world.scim.createUser({ userName: unique('newcomer') });
  /** Checks that a new subscriber receives new events. */
  const subscriberHears = () =>
    eventually(async () => {
      const subscriber = await subscribe();
      const { id } = await newcomer();
      const hearing = subscriber.find(({ data }) => data?.userChanged?.userId === id, 2_000);
      const isHeard = await hearing.then(
        () => true,
        () => false,
      );
      subscriber.stop();
      return isHeard;
    });

  test.each(liveEventTypes)(
    'A forged live event of the type %s is published to no subscriber.',
    async (type) => {
      const { redis } = world.attacker;
      const subscriber = await subscribe();
      const event = {
        id: uuidv7(),
        tenant: 'demo',
        type,
        subject: world.gone.person,
        occurredAt: new Date(),
      };
      const [, fields = []] = (await redis.xrevrange(live, '+', '-', 'COUNT', 1))[0] ?? [];
      for (const mac of ['', fields.at(-1) ?? ''])
        await redis.xadd(live, '*', 'n', '1', 'event', JSON.stringify(event), 'mac', mac);
      const { id } = await newcomer();
      await subscriber.find(({ data }) => data?.userChanged?.userId === id);
      expect(subscriber.results).toHaveLength(1);
      subscriber.stop();
    },
  );

  test('A genuine live event that is replayed shows only the current state of its subject.', async () => {
    const { redis } = world.attacker;
    const subscriber = await subscribe();
    // They include creations of users and reactivations that have ended.
    for (const [, fields] of await redis.xrange(live, '-', '+')) {
      if (!fields.includes('start')) await redis.xadd(live, '*', ...fields);
    }
    await subscriber.find(({ errors }) => errors !== undefined, 500).catch(() => undefined);
    const gone = subscriber.results.filter(({ data }) =>
      [world.gone.person, world.gone.deleted].includes(data?.userChanged?.userId),
    );
    for (const { data } of gone) expect(data.userChanged.user?.active ?? false).toBe(false);
    subscriber.stop();
    await subscriberHears();
  });

  test.each<[string, () => Promise<unknown>]>([
    ['deleted', () => world.attacker.redis.del(live)],
    ['of another type', () => world.attacker.redis.set(live, 'no stream')],
    ['lacking an entry', () => world.attacker.redis.incr(`${live}:n`)],
    ['continued in the far future', () => world.attacker.redis.xadd(live, '99999999999999-0', 'x', 'y')],
    ['at its end', () => world.attacker.redis.xadd(live, '18446744073709551615-0', 'x', 'y')],
  ])(
    'When the stream of live events is %s, subscribers are notified of the gap and new subscribers get events.',
    async (_name, spoil) => {
      const before = await subscribe();
      const first = await newcomer();
      await before.find(({ data }) => data?.userChanged?.userId === first.id);
      await spoil();
      await newcomer();
      await before.find(({ errors }) => errors?.[0]?.extensions?.code === 'RESUME_NOT_POSSIBLE');
      before.stop();
      await subscriberHears();
    },
  );
});
