import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { scanPage } from '@ostiary/database';
import { uuidv7 } from '@ostiary/service';
import { scans } from '../../../src/invariants.ts';
import { record } from '../../../src/platform/audit/security-log.data.ts';
import { appendDeliveries, appendFacts, appendGated } from '../../../src/signals/data/facts.ts';
import { excludeSubject, includeSubject } from '../../../src/signals/data/signal-streams.ts';
import { subjectKeyOf } from '../../../src/tenancy/events/domain/facts.ts';
import { type Engines, factAbout, startEngines } from './engine.ts';

let engines: Engines;
beforeAll(async () => {
  engines = await startEngines();
});
afterAll(() => engines.stop());

const types = ['user.updated', 'user.deactivated', 'session.revoked', 'user.doors_closed'] as const;
let receiverId: string;
let person: string;

const run = (text: string, ...values: unknown[]) => engines.database.sql.query(text, values);
/** Moves the last change of all receivers one hour into the past. */
const settled = () =>
  run(
    `UPDATE auth.receivers SET created_at = now() - interval '1 hour', updated_at = now() - interval '1 hour'`,
  );
const tell = (...facts: ReturnType<typeof factAbout>[]) =>
  engines.database.transaction((tx) => appendFacts(tx, 'demo', facts));

beforeEach(async () => {
  receiverId = (await engines.receiver('demo', types)).id;
  await engines.receiver('rival', types);
  await settled();
  person = uuidv7();
});
afterEach(() =>
  run(
    'TRUNCATE auth.facts, auth.deliveries, auth.receivers, auth.security_log, auth.subjects, auth.clients CASCADE',
  ),
);

/** Returns the findings by the name of the scan. */
async function found(batch = 2): Promise<Record<string, string[]>> {
  const all: Record<string, string[]> = {};
  for (const scan of scans(60)) {
    let after: readonly string[] | undefined;
    do {
      const page = await scanPage(engines.database.sql, scan, after, batch);
      for (const { tenant, id, detail } of page.flaws) {
        expect(tenant).toBe('demo');
        all[scan.name] = [...(all[scan.name] ?? []), `${id} ${detail}`];
      }
      after = page.next;
    } while (after !== undefined);
  }
  return all;
}
const names = async () => Object.keys(await found());

/** Records the offboarding of a user with its facts. */
async function departure(o: { notified?: readonly string[]; at?: string } = {}): Promise<string> {
  const id = uuidv7();
  const { notified = types.slice(1) } = o;
  await engines.database.transaction(async (tx) => {
    await record(tx, 'demo', {
      id,
      action: 'user.departed',
      resourceType: 'User',
      resourceId: person,
      subjectId: person,
      actor: { kind: 'system', id: 'test' },
      changes: { trigger: { after: 'user.deactivated' }, directoryVersion: { after: '7' } },
    });
    const facts = types.slice(1).map((type) => ({
      ...factAbout(person, { departureId: id }, type),
      ...(type === 'user.deactivated' && { version: 7n }),
    }));
    await appendFacts(
      tx,
      'demo',
      facts.filter(({ type }) => notified.includes(type)),
    );
  });
  return id;
}

test('Correctly published facts are not reported in any state: delivered, dead, waiting or held.', async () => {
  await departure();
  await tell(factAbout(person), factAbout(uuidv7()));
  await engines.database.transaction((tx) =>
    appendGated(tx, 'demo', [{ fact: factAbout(uuidv7()), heldSeconds: 60 }]),
  );
  await run(
    `UPDATE auth.deliveries SET state = 'delivered', finished_at = now() WHERE id = (SELECT min(id::text)::uuid FROM auth.deliveries)`,
  );
  await run(
    `UPDATE auth.deliveries SET state = 'dead', finished_at = now() WHERE id = (SELECT max(id::text)::uuid FROM auth.deliveries WHERE state = 'pending')`,
  );
  expect(await found()).toEqual({});
});

test('A fact without a delivery to a subscribed receiver is reported, unless the receiver or its exclusions changed since.', async () => {
  const other = await engines.receiver('demo', types);
  await settled();
  await tell(factAbout(person));
  const missing = {
    'facts and their deliveries': [expect.stringContaining(`user.updated has no delivery to ${other.id}`)],
  };
  await run('DELETE FROM auth.deliveries WHERE receiver_id = $1', other.id);
  expect(await found()).toEqual(missing);
  await run('UPDATE auth.receivers SET updated_at = now() WHERE id = $1', other.id);
  expect(await found()).toEqual({});
  await settled();
  await run(`UPDATE auth.receivers SET fact_types = '{user.created}' WHERE id = $1`, other.id);
  expect(await found()).toEqual({});
  await run(`UPDATE auth.receivers SET fact_types = '{user.updated}' WHERE id = $1`, other.id);
  await run(
    `INSERT INTO auth.receiver_exclusions (tenant, receiver_id, subject_kind, subject_id) VALUES ('demo', $1, 'user', $2)`,
    other.id,
    person,
  );
  expect(await found()).toEqual({});
  await run('TRUNCATE auth.receiver_exclusions');
  expect(await found()).toEqual(missing);
  await run('DELETE FROM auth.deliveries');
  expect((await found())['facts and their deliveries']).toHaveLength(2);
});

test('A fact whose deliveries were deleted long ago is reported; one that still has a delivery is not.', async () => {
  await tell(factAbout(person), factAbout(uuidv7()));
  await run(`UPDATE auth.facts SET occurred_at = now() - interval '121 days'`);
  await run('DELETE FROM auth.deliveries WHERE subject_key = $1', `user:${person}`);
  expect(await found()).toEqual({
    'facts without deliveries': [expect.stringContaining('user.updated of')],
  });
});

test('A delivery about a user who was excluded at the time of the event, and no longer is, is not reported as missing.', async () => {
  const subject = { kind: 'user', id: person } as const;
  const excluding = await engines.receiver('demo', types);
  await settled();
  await excludeSubject(engines.database.sql, excluding, subject, 10);
  await tell(factAbout(person));
  await includeSubject(engines.database.sql, excluding, subject);
  expect(await found()).toEqual({});
  await settled();
  // Including a subject that was not excluded does not change the receiver.
  await includeSubject(engines.database.sql, excluding, subject);
  expect(await names()).toEqual(['facts and their deliveries']);
});

test('Each of several messages about one fact is reported when it is missing.', async () => {
  await run(`UPDATE auth.receivers SET settings = '{"variants": {"user.updated": ["one", "two"]}}'`);
  await tell(factAbout(person));
  expect(await found()).toEqual({});
  await run(`DELETE FROM auth.deliveries WHERE variant = 'two'`);
  expect(await names()).toEqual(['facts and their deliveries']);
});

test('A delivery that an administrator discarded is not reported as missing.', async () => {
  const other = await engines.receiver('demo', types);
  await settled();
  await tell(factAbout(person));
  await run('DELETE FROM auth.deliveries WHERE receiver_id = $1', other.id);
  await engines.database.transaction((tx) =>
    record(tx, 'demo', {
      action: 'delivery.discarded',
      resourceType: 'Delivery',
      resourceId: uuidv7(),
      actor: { kind: 'system', id: 'test' },
      changes: { type: { before: 'user.updated' }, receiverId: { before: other.id } },
    }),
  );
  expect(await found()).toEqual({});
});

test('An offboarding whose events were sent to a receiver never, in part or twice is reported.', async () => {
  await departure({ notified: [] });
  expect((await found())['offboardings and their deliveries']).toHaveLength(3);
  await run('TRUNCATE auth.security_log');
  await departure({ notified: ['session.revoked', 'user.deactivated'] });
  expect(await found()).toEqual({
    'offboardings and their deliveries': [`${person} user.doors_closed, 0 times to ${receiverId}`],
  });
  await run('TRUNCATE auth.security_log, auth.facts CASCADE');
  const departureId = await departure();
  expect(await found()).toEqual({});
  await tell(factAbout(person, { departureId }, 'session.revoked'));
  expect(await found()).toEqual({
    'offboardings and their deliveries': [`${person} session.revoked, 2 times to ${receiverId}`],
  });
});

test('Two deliveries of one fact to one receiver are reported.', async () => {
  await tell(factAbout(person));
  await run(
    `INSERT INTO auth.deliveries (tenant, id, fact_id, receiver_kind, receiver_id, subject_key)
     SELECT tenant, gen_random_uuid(), fact_id, receiver_kind, receiver_id, subject_key FROM auth.deliveries`,
  );
  expect(await found()).toEqual({ deliveries: [expect.stringContaining('the same as')] });
});

test('A delivery that arrived after one of a later event is reported, unless it was replayed.', async () => {
  await tell(factAbout(person));
  await tell(factAbout(person));
  const finish = (which: 'min' | 'max', seconds: number) =>
    run(
      `UPDATE auth.deliveries SET state = 'delivered', created_at = now() - interval '5 minutes', begun_at = now() - interval '5 minutes',
              finished_at = now() - make_interval(secs => $1)
        WHERE position = (SELECT ${which}(position) FROM auth.deliveries)`,
      seconds,
    );
  await finish('min', 20);
  await finish('max', 10);
  expect(await found()).toEqual({});
  await finish('min', 5);
  expect(await found()).toEqual({ deliveries: [expect.stringContaining('the wrong side')] });
  await run("UPDATE auth.deliveries SET begun_at = begun_at + interval '1 minute'");
  expect(await found()).toEqual({});
});

const due = 'deliveries that are due';

test('A due delivery without attempts is reported, but not if paused, leased, postponed, or behind others being sent.', async () => {
  await tell(factAbout(person), factAbout(uuidv7()));
  expect(await found()).toEqual({});
  await run(`UPDATE auth.deliveries SET due_at = now() - interval '2 minutes'`);
  expect((await found())[due]).toHaveLength(2);
  await run(`UPDATE auth.receivers SET status = 'paused'`);
  expect(await found()).toEqual({});
  await run(`UPDATE auth.receivers SET status = 'enabled'`);
  const one = 'id = (SELECT min(id::text)::uuid FROM auth.deliveries)';
  await run(`UPDATE auth.deliveries SET leased_until = now() + interval '5 seconds' WHERE ${one}`);
  expect(await found()).toEqual({});
  await run(
    `UPDATE auth.deliveries SET leased_until = NULL, state = 'delivered', finished_at = now() WHERE ${one}`,
  );
  expect(await found()).toEqual({});
});

test('The queue of a receiver that fails may be long, but only for a limited time.', async () => {
  await tell(factAbout(person), factAbout(uuidv7()));
  await run(`UPDATE auth.receivers SET failing_since = now() - interval '3 hours' WHERE id = $1`, receiverId);
  await run(`UPDATE auth.deliveries SET due_at = now() - interval '30 minutes'`);
  expect(await found()).toEqual({});
  await run(`UPDATE auth.deliveries SET due_at = now() - interval '2 hours'`);
  expect(await names()).toEqual([due]);
});

test('A lease that expired long ago is reported.', async () => {
  await tell(factAbout(person));
  await run(
    `UPDATE auth.deliveries SET attempts = 1, leased_until = now() - interval '2 minutes', due_at = now() - interval '2 minutes'`,
  );
  expect(await found()).toEqual({ [due]: [expect.stringContaining('in nobody’s hands')] });
});

test('A delivery that is held for longer than its holding time is reported.', async () => {
  await engines.database.transaction((tx) =>
    appendGated(tx, 'demo', [{ fact: factAbout(person), heldSeconds: 60 }]),
  );
  await run(`UPDATE auth.deliveries SET due_at = now() - interval '90 seconds'`);
  expect(await found()).toEqual({});
  await run(`UPDATE auth.deliveries SET due_at = now() - interval '150 seconds'`);
  expect(await names()).toEqual(['deliveries that are held']);
});

test('A client that subscribes to ended sessions and is not notified of one is reported.', async () => {
  const sessionId = uuidv7();
  await run(
    `INSERT INTO auth.subjects (tenant, id, user_name, user_name_key, active, version) VALUES ('demo', $1, 'x', 'x', true, 1)`,
    person,
  );
  await run(
    `INSERT INTO auth.clients (tenant, client_id, name, type, token_endpoint_auth_method, metadata, updated_at)
     SELECT 'demo', id, id, 'public', 'none', metadata::jsonb, now() - interval '1 hour'
       FROM (VALUES ('told', '{"backchannel_logout_uri": "https://app.example/"}'), ('quiet', '{}')) c (id, metadata)`,
  );
  await run(
    `INSERT INTO auth.sessions (tenant, id, subject_id, digest, auth_time, expires_at)
     VALUES ('demo', $1, $2, 'x', now(), now() + interval '1 hour')`,
    sessionId,
    person,
  );
  await run(
    `INSERT INTO auth.session_clients (tenant, session_id, client_id, created_at)
     SELECT 'demo', $1, id, now() - interval '1 minute' FROM unnest('{told,quiet}'::text[]) id`,
    sessionId,
  );
  expect(await found()).toEqual({});
  await run('UPDATE auth.sessions SET revoked_at = now()');
  expect(await found()).toEqual({
    'ended sessions and logout tokens': [`${sessionId} no logout token for told`],
  });
  const logout = (payload: object) =>
    engines.database.transaction((tx) =>
      appendDeliveries(tx, 'demo', [
        {
          receiverKind: 'backchannel_logout',
          receiverId: 'told',
          subjectKey: subjectKeyOf({ kind: 'user', id: person }),
          payload: { subjectId: person, ...payload },
        },
      ]),
    );
  await logout({ sessionId: uuidv7() });
  expect(await names()).toHaveLength(1);
  await logout({});
  expect(await found()).toEqual({});
});
