import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '@ostiary/database/testing';
import type { DomainEvent } from '@ostiary/events';
import { createKit, uuidv7 } from '@ostiary/service';
import { Submissions } from '../../src/bulk/submissions.data.ts';
import { createConnectors } from '../../src/composition/connectors.ts';
import { retentionSteps } from '../../src/composition/retention.ts';
import { type Database, openDatabase, schemaName } from '../../src/database/data/database.ts';
import { tidy } from '../../src/database/maintenance.jobs.ts';
import { linksOf, pruneLinks, resourceLinks } from '../../src/events/data/links.ts';
import { tenantSettings } from '../../src/events/data/tenants.ts';
import { projectEvents as projectingEvents } from '../../src/events/domain/directory-events.ts';
import {
  insertLog,
  pruneLogByAge,
  pruneLogByCount,
  readLog,
  tenantsWithLog,
} from '../../src/provisioning-log/log.data.ts';
import { anybodyMay, byTheTest, migrations } from '../support/service.ts';

const projectEvents = projectingEvents({ links: resourceLinks, tenants: tenantSettings });

let scratch: TestDatabase;
let database: Database;

beforeAll(async () => {
  scratch = await createTestDatabase({ schema: schemaName, directory: migrations });
  database = openDatabase({ url: scratch.url, log: createKit({ name: 'test', logLevel: 'silent' }).log });
});
afterAll(async () => {
  await database?.close();
  await scratch?.drop();
});

const at = (second: number): string => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();

function userEvent(
  id: string,
  version: number,
  change: { type?: 'created' | 'updated' | 'deleted'; source?: string; externalIds?: Record<string, string> },
): DomainEvent {
  return {
    id: uuidv7(),
    tenant: 'demo',
    type: `user.${change.type ?? 'updated'}`,
    subject: id,
    version,
    occurredAt: at(version),
    actor: { kind: 'system', id: 'test' },
    payload: {
      id,
      userName: 'ada',
      active: true,
      emails: [],
      externalIds: change.externalIds ?? {},
      ...(change.source === undefined ? {} : { source: change.source }),
      changedAt: at(version),
    },
  };
}

const project = async (events: readonly DomainEvent[]): Promise<void> => {
  for (const event of events) await database.transaction((tx) => projectEvents([event], tx));
};
const links = async (id: string, tenant = 'demo') =>
  (await linksOf(database.sql, tenant, 'User', [id])).map(({ source, externalId, lastChangedAt }) => ({
    source,
    externalId,
    lastChangedAt: lastChangedAt?.toISOString() ?? null,
  }));

/** Returns every order of a few events. */
function orders<T>(items: readonly T[]): T[][] {
  if (items.length < 2) return [[...items]];
  return items.flatMap((item, index) =>
    orders([...items.slice(0, index), ...items.slice(index + 1)]).map((rest) => [item, ...rest]),
  );
}

describe('links', () => {
  test('Links are the same for every order of the events.', async () => {
    const history = (id: string) => [
      userEvent(id, 1, { type: 'created', source: 'hr', externalIds: { hr: 'h1' } }),
      userEvent(id, 2, { source: 'crm', externalIds: { hr: 'h1', crm: 'c1' } }),
      userEvent(id, 3, { source: 'hr', externalIds: { hr: 'h2', crm: 'c1' } }),
      userEvent(id, 4, { externalIds: { hr: 'h2' } }),
    ];
    const size = history('').length;
    for (const order of orders(Array.from({ length: size }, (_, index) => index))) {
      const id = uuidv7();
      const events = history(id);
      await project(order.map((index) => events[index] as DomainEvent));
      expect(await links(id)).toEqual([
        { source: 'crm', externalId: null, lastChangedAt: at(2) },
        { source: 'hr', externalId: 'h2', lastChangedAt: at(3) },
      ]);
    }
  });

  test('Links are the same when the events arrive together, or in any two batches.', async () => {
    const history = (id: string) => [
      userEvent(id, 1, { type: 'created', source: 'hr', externalIds: { hr: 'h1' } }),
      userEvent(id, 2, { source: 'crm', externalIds: { hr: 'h1', crm: 'c1' } }),
      userEvent(id, 3, { source: 'hr', externalIds: { hr: 'h2', crm: 'c1' } }),
      userEvent(id, 4, { externalIds: { hr: 'h2' } }),
    ];
    for (const order of orders([0, 1, 2, 3])) {
      for (const cut of [0, 1, 2, 3]) {
        const ids = [uuidv7(), uuidv7(), uuidv7()];
        const events = order.flatMap((index) => ids.map((id) => history(id)[index] as DomainEvent));
        for (const batch of [events.slice(0, cut * ids.length), events.slice(cut * ids.length)]) {
          if (batch.length > 0) await database.transaction((tx) => projectEvents(batch, tx));
        }
        for (const id of ids) {
          expect(await links(id)).toEqual([
            { source: 'crm', externalId: null, lastChangedAt: at(2) },
            { source: 'hr', externalId: 'h2', lastChangedAt: at(3) },
          ]);
        }
      }
    }
  });

  test('Links of a deleted user are removed, also when older events arrive late.', async () => {
    const history = (id: string) => [
      userEvent(id, 1, { type: 'created', source: 'hr', externalIds: { hr: 'h1' } }),
      userEvent(id, 2, { source: 'crm', externalIds: { hr: 'h1', crm: 'c1' } }),
      userEvent(id, 3, { type: 'deleted', source: 'hr', externalIds: { hr: 'h1', crm: 'c1' } }),
    ];
    for (const order of orders([0, 1, 2])) {
      const id = uuidv7();
      const events = history(id);
      await project(order.map((index) => events[index] as DomainEvent));
      expect(await links(id)).toEqual([]);
    }
  });

  test('Links belong to one tenant.', async () => {
    const id = uuidv7();
    await project([userEvent(id, 1, { type: 'created', source: 'hr', externalIds: { hr: 'h1' } })]);
    expect(await links(id)).toHaveLength(1);
    expect(await links(id, 'rival')).toEqual([]);
  });

  test('Links are correct after events of one user are handled concurrently.', async () => {
    const id = uuidv7();
    const events = Array.from({ length: 20 }, (_, index) =>
      userEvent(id, index + 1, { source: 'hr', externalIds: { hr: `h${index + 1}` } }),
    );
    await Promise.all(events.map((event) => database.transaction((tx) => projectEvents([event], tx))));
    expect(await links(id)).toEqual([{ source: 'hr', externalId: 'h20', lastChangedAt: at(20) }]);
  });

  test('Links are correct after overlapping batches are handled concurrently.', async () => {
    const ids = Array.from({ length: 10 }, () => uuidv7());
    const batches = Array.from({ length: 8 }, (_, index) =>
      [...ids]
        .sort(() => Math.random() - 0.5)
        .map((id) => userEvent(id, index + 1, { source: 'hr', externalIds: { hr: `h${index + 1}` } })),
    );
    await Promise.all(batches.map((events) => database.transaction((tx) => projectEvents(events, tx))));
    for (const id of ids) {
      expect(await links(id)).toEqual([{ source: 'hr', externalId: 'h8', lastChangedAt: at(8) }]);
    }
  });

  test('Links leave tombstones for a week.', async () => {
    const id = uuidv7();
    await project([userEvent(id, 1, { type: 'deleted', source: 'hr', externalIds: { hr: 'h1' } })]);
    const count = async () =>
      (await database.sql.query('SELECT FROM provisioning.resource_links WHERE resource_id = $1', [id]))
        .rowCount;
    await database.sql.query(
      'UPDATE provisioning.resource_links SET deleted_at = now() WHERE resource_id = $1',
      [id],
    );
    await pruneLinks(database.sql);
    expect(await count()).toBe(1);
    await database.sql.query(
      `UPDATE provisioning.resource_links SET deleted_at = now() - interval '8 days' WHERE resource_id = $1`,
      [id],
    );
    await pruneLinks(database.sql);
    expect(await count()).toBe(0);
  });
});

test('Tenants keep the newest state.', async () => {
  const tenant = (version: number, status: 'active' | 'suspended'): DomainEvent => ({
    id: uuidv7(),
    tenant: 'acme',
    type: 'tenant.updated',
    subject: 'acme',
    version,
    occurredAt: at(version),
    actor: { kind: 'system', id: 'test' },
    payload: { id: 'acme', name: 'Acme', status },
  });
  await project([tenant(2, 'suspended'), tenant(1, 'active')]);
  const { rows } = await database.sql.query(`SELECT status FROM provisioning.tenants WHERE id = 'acme'`);
  expect(rows).toEqual([{ status: 'suspended' }]);
});

test('Tokens that ended long ago are deleted, but live and recently ended tokens are not.', async () => {
  const key = Buffer.alloc(32, 1);
  const { connectors, administration } = createConnectors({
    database,
    owners: {
      name: async () => undefined,
      nameCallers: async () => ({ owner: null, knownTo: [] }),
      ends: async () => [],
      carriedOut: async () => undefined,
    },
    tokenKey: () => key,
    log: createKit({ name: 'test', logLevel: 'silent' }).log,
  });
  const by = byTheTest('tokens');
  const made = await administration.create(by, { name: 'HR', profile: 'auto', clientId: null });
  const { id } = made.connector;
  const rotate = async (seconds: number) =>
    (await administration.rotateToken(by, { id }, seconds, anybodyMay)).token;
  const lapsed = await rotate(60);
  const lately = await rotate(0);
  const live = await rotate(0);
  const { rows } = await database.sql.query<{ id: string }>(
    'SELECT id FROM provisioning.connector_tokens WHERE connector_id = $1 ORDER BY id',
    [id],
  );
  const old = `now() - interval '91 days'`;
  for (const [column, row] of [
    ['expires_at', rows[0]],
    ['revoked_at', rows[1]],
  ] as const) {
    await database.sql.query(`UPDATE provisioning.connector_tokens SET ${column} = ${old} WHERE id = $1`, [
      row?.id,
    ]);
  }
  const submissions = new Submissions(database.sql);
  await tidy(
    retentionSteps({
      sql: database.sql,
      connectors,
      submissions,
      ownerSearch: { round: async () => 0 },
      logDays: 30,
      logEntries: 100_000,
      connectorLogDays: 400,
    }),
  );
  const left = await database.sql.query<{ id: string }>(
    'SELECT id FROM provisioning.connector_tokens WHERE connector_id = $1 ORDER BY id',
    [id],
  );
  expect(left.rows).toEqual(rows.slice(2));
  expect((await connectors.byToken(live))?.connector.id).toBe(id);
  for (const token of [made.token, lapsed, lately]) expect(await connectors.byToken(token)).toBeUndefined();
});

describe('the log', () => {
  const entry = (tenant: string, ageInDays: number) => ({
    tenant,
    id: uuidv7(Date.now() - ageInDays * 86_400_000),
    source: 'direct',
    actorKind: 'client',
    actorId: 'app',
    at: new Date(Date.now() - ageInDays * 86_400_000),
    method: 'GET',
    resourceType: 'User',
    resourceId: null,
    status: 200,
    scimType: null,
    detail: null,
    requestId: 'r',
    durationMs: 1.5,
  });

  test('The log is bounded by age and by number.', async () => {
    await insertLog(database.sql, [
      ...Array.from({ length: 8 }, () => entry('small', 1)),
      ...Array.from({ length: 30 }, () => entry('large', 1)),
      ...Array.from({ length: 5 }, () => entry('large', 40)),
    ]);
    expect(await tenantsWithLog(database.sql)).toEqual(['large', 'small']);
    expect(await pruneLogByAge(database.sql, 30)).toBe(5);
    for (const tenant of ['large', 'small']) await pruneLogByCount(database.sql, tenant, 10);
    const kept = async (tenant: string) =>
      (await readLog(database.sql, tenant, {}, { limit: 100, direction: 'forward' })).length;
    expect([await kept('large'), await kept('small')]).toEqual([10, 8]);
  });

  test('The log is paged from the newest to the oldest entry.', async () => {
    await insertLog(
      database.sql,
      Array.from({ length: 5 }, (_, index) => entry('paged', 5 - index)),
    );
    const all = await readLog(database.sql, 'paged', {}, { limit: 10, direction: 'forward' });
    const first = await readLog(database.sql, 'paged', {}, { limit: 2, direction: 'forward' });
    const rest = await readLog(
      database.sql,
      'paged',
      {},
      { limit: 10, direction: 'forward', position: first[1]?.id },
    );
    expect([...first, ...rest].map(({ id }) => id)).toEqual(all.map(({ id }) => id));
    const end = await readLog(database.sql, 'paged', {}, { limit: 2, direction: 'backward' });
    const start = await readLog(
      database.sql,
      'paged',
      {},
      { limit: 10, direction: 'backward', position: end[1]?.id },
    );
    expect([...end, ...start].map(({ id }) => id)).toEqual(all.map(({ id }) => id).reverse());
    expect(all.map(({ at: time }) => time.getTime())).toEqual(
      all.map(({ at: time }) => time.getTime()).sort((a, b) => b - a),
    );
  });
});
