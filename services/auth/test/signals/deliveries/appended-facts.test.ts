import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { appendFacts } from '../../../src/signals/data/facts.ts';
import { type Engines, factAbout, startEngines } from './engine.ts';

let engines: Engines;
beforeAll(async () => {
  engines = await startEngines();
});
afterEach(async () => {
  await engines.stopEngines();
  await engines.database.sql.query('TRUNCATE auth.facts, auth.deliveries, auth.receivers CASCADE');
});
afterAll(() => engines.stop());

const append = (tenant: string, facts: Parameters<typeof appendFacts>[2]) =>
  engines.database.transaction((tx) => appendFacts(tx, tenant, facts));

const count = async (what: string): Promise<number> =>
  (await engines.database.sql.query<{ n: number }>(`SELECT count(*)::int AS n FROM auth.${what}`)).rows[0]
    ?.n ?? -1;

describe('facts', () => {
  test('Facts become one delivery for each receiver of their tenant that subscribes to the type, and none for others.', async () => {
    const [one, two] = [
      await engines.receiver('demo', ['user.updated', 'user.deleted']),
      await engines.receiver('demo', ['user.updated']),
    ];
    await engines.receiver('demo', ['group.created']);
    await engines.receiver('rival', ['user.updated']);
    await engines.receiver('demo', ['user.updated'], { status: 'disabled' });
    await append('demo', [
      factAbout('u1'),
      factAbout('u2', {}, 'user.deactivated'),
      factAbout('u3', {}, 'user.deleted'),
    ]);
    const { rows } = await engines.database.sql.query<{ tenant: string; receiver: string; type: string }>(
      `SELECT d.tenant, d.receiver_id AS receiver, f.type FROM auth.deliveries d
       JOIN auth.facts f ON f.tenant = d.tenant AND f.id = d.fact_id ORDER BY d.position`,
    );
    const notified = (receiver: string) =>
      rows.filter((row) => row.receiver === receiver).map(({ type }) => type);
    expect(rows.every(({ tenant }) => tenant === 'demo')).toBe(true);
    expect(rows).toHaveLength(3);
    expect(notified(one.id)).toEqual(['user.updated', 'user.deleted']);
    expect(notified(two.id)).toEqual(['user.updated']);
    // Facts without a subscribed receiver are not stored.
    expect(await count("facts WHERE type = 'user.deactivated'")).toBe(0);
  });

  test('Facts of a tenant without receivers store nothing.', async () => {
    await engines.receiver('rival', ['user.updated']);
    await append('demo', [factAbout('u1')]);
    expect([await count('facts'), await count('deliveries')]).toEqual([0, 0]);
  });

  test('Facts become several messages to a receiver with variants of a type, and none about users whom it excludes.', async () => {
    const receiver = await engines.receiver('demo', ['user.updated', 'user.deleted'], {
      settings: { variants: { 'user.updated': ['first', 'second'] } },
    });
    await engines.database.sql.query(
      `INSERT INTO auth.receiver_exclusions (tenant, receiver_id, subject_kind, subject_id) VALUES ('demo', $1, 'user', 'u2')`,
      [receiver.id],
    );
    await append('demo', [factAbout('u1'), factAbout('u2'), factAbout('u1', {}, 'user.deleted')]);
    const { rows } = await engines.database.sql.query(
      'SELECT subject_key AS subject, variant FROM auth.deliveries ORDER BY position',
    );
    expect(rows).toEqual([
      { subject: 'user:u1', variant: 'first' },
      { subject: 'user:u1', variant: 'second' },
      { subject: 'user:u1', variant: null },
    ]);
    expect(await count('facts')).toBe(2);
  });

  test('Facts that are rolled back are sent to no receiver.', async () => {
    await engines.receiver('demo', ['user.updated']);
    await expect(
      engines.database.transaction(async (tx) => {
        await appendFacts(tx, 'demo', [factAbout('u1')]);
        throw new Error('it did not happen');
      }),
    ).rejects.toThrow('it did not happen');
    expect(await count('deliveries')).toBe(0);
  });

  test('Ten thousand facts in one call, for three receivers, take ten statements.', async () => {
    for (let n = 0; n < 3; n += 1) await engines.receiver('demo', ['user.updated']);
    let statements = 0;
    await engines.database.transaction((tx) =>
      appendFacts(
        {
          query: (text, values) => {
            statements += 1;
            return tx.query(text, values);
          },
          announce: (channel, note) => tx.announce(channel, note),
          afterCommit: (done) => tx.afterCommit(done),
        } as typeof tx,
        'demo',
        Array.from({ length: 10_000 }, (_, n) => factAbout(`u${n}`)),
      ),
    );
    expect(statements).toBe(10);
    expect([await count('facts'), await count('deliveries')]).toEqual([10_000, 30_000]);
    // The ids are unique UUIDv7 values of the current time.
    expect(
      await count(`deliveries WHERE id::text ~ '^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab]'
        AND abs(('x' || substr(replace(id::text, '-', ''), 1, 12))::bit(48)::bigint / 1000 - extract(epoch FROM now())) < 60`),
    ).toBe(30_000);
  });
});
