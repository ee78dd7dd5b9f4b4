import { randomBytes } from 'node:crypto';
import { createKit, keyStem, measureTakeovers, Reencryption, type SealedColumn } from '@ostiary/service';
import { Browser } from '../../support/browser.ts';
import { type Snapshot, sampled, samplesIn } from '../exposition.ts';
import type { Recording } from '../recording.ts';
import { collectUntil, dismiss, hire, recordingOf, type World } from '../world.ts';

/** Overwrites the values of a pending sign-in in Redis without the key. */
export function valueForged(world: World): Promise<Recording> {
  const { demo } = world.own;
  const refused = (now: Snapshot): number =>
    sampled(now, 'redis_values_refused_total', { service: 'auth' }) ?? 0;
  return recordingOf('a value in Redis is forged', {
    targets: world.targets,
    make: async () => {
      const browser = new Browser(demo.origin);
      const { issuer, clients } = demo.tenants.demo;
      const query = new URLSearchParams({
        client_id: clients.web.client_id,
        response_type: 'code',
        scope: 'openid',
        redirect_uri: 'http://127.0.0.1:53123/callback',
        code_challenge: randomBytes(32).toString('base64url'),
        code_challenge_method: 'S256',
      });
      const page = await browser.open(`${issuer}/authorize?${query}`);
      const keys = await world.redis.keys(`${keyStem('ostiary', 'interaction')}*`);
      if (keys.length === 0) throw new Error('no sign-in is under way');
      for (const key of keys) await world.redis.set(key, randomBytes(120).toString('base64url'), 'KEEPTTL');
      await browser.submit(page, { username: 'anyone', password: 'something' }).catch(() => undefined);
    },
    shows: (now, before) => refused(now) > refused(before),
    heal: async () => undefined,
    healed: () => true,
  });
}

/** Makes one offboarding fail with an error of its own. */
export async function eventPoisoned(world: World): Promise<Recording> {
  const { id } = await hire(world);
  await collectUntilKnown(world, id);
  return recordingOf('an event fails for a reason of its own', {
    targets: world.targets,
    make: async () => {
      await world.sql(`CREATE FUNCTION auth.poison() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION 'poison'; END $$`);
      await world.sql(`CREATE TRIGGER poison BEFORE UPDATE ON auth.subjects FOR EACH ROW
        WHEN (OLD.id = '${id}') EXECUTE FUNCTION auth.poison()`);
      await dismiss(world, id);
    },
    shows: (now) => sampled(now, 'events_poisoned', { consumer: 'auth' }) === 1,
    heal: () => world.sql('DROP TRIGGER poison ON auth.subjects; DROP FUNCTION auth.poison()'),
    healed: (now) => sampled(now, 'events_poisoned', { consumer: 'auth' }) === 0,
  });
}

async function collectUntilKnown({ sql, targets }: World, id: string): Promise<void> {
  let isKnown = false;
  await collectUntil(
    'auth knows of them',
    targets,
    () => isKnown,
    async () => {
      isKnown = (await sql('SELECT FROM auth.subjects WHERE id = $1', [id])).rowCount === 1;
    },
  );
}

/** Makes the re-encryption of rows under the former key fail: PostgreSQL rejects each change. */
export async function renewalStuck(): Promise<Recording> {
  const kit = createKit({ name: 'provisioning', logLevel: 'silent' });
  const rows = {
    name: 'keys.sealed',
    countOthers: async () => 3,
    renew: () => Promise.reject(new Error('refused')),
  };
  const ring = { current: { id: 'a' }, all: [{ id: 'a' }, { id: 'b' }] };
  const column = { rows, ring, context: () => '' } as unknown as SealedColumn;
  const renewal = new Reencryption({ variable: 'TOKEN_KEY', columns: [], leading: column, kit });
  await renewal.run();
  const during = new Map(samplesIn(await kit.metrics.metrics(), 'provisioning'));
  // The metric exists only while there are two keys.
  return { before: new Map(), during, seconds: 1, after: new Map() };
}

/** Reports the takeover by an asynchronous standby through the code that counts it. */
export async function takenOver(): Promise<Recording> {
  const kit = createKit({ name: 'directory', logLevel: 'silent' });
  const listeners: ((change: { synchronous: boolean }) => void)[] = [];
  measureTakeovers(kit.metrics, (listener) => listeners.push(listener));
  const say = async () => new Map(samplesIn(await kit.metrics.metrics(), 'directory'));
  const before = await say();
  for (const heard of listeners) heard({ synchronous: false });
  return { before, during: await say(), seconds: 1, after: await say() };
}
