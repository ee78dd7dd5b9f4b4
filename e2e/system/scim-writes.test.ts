import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '@ostiary/service/testing';
import { unique } from '../support/demo.ts';
import { rowsOf } from '../support/once/redemptions.ts';
import { type OwnSystem, ownSystem } from '../support/own-system.ts';
import { ScimClient, userSchema } from '../support/scim.ts';

const writers = 20;
const patch = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';

/** Prefix of the names of written users. */
const written = unique('written');

let own: OwnSystem;

beforeAll(async () => {
  own = await ownSystem();
});
afterAll(() => own?.stop());

/** Responses of all writers: existing names, and the last title of each. */
interface Acknowledged {
  status: Set<number>;
  exist: Map<string, { id: string; title?: string }>;
  /** Names of requests without a response, whose effect is unknown. */
  open: Set<string>;
}

async function write(
  client: ScimClient,
  writer: number,
  acknowledged: Acknowledged,
  stopped: () => boolean,
): Promise<void> {
  for (let i = 0; !stopped(); i += 1) {
    const userName = `${written}-${writer}-${i}`;
    const made = await client
      .call('POST', '/Users', { schemas: [userSchema], userName })
      .catch(() => undefined);
    if (made) acknowledged.status.add(made.status);
    if (made?.status !== 201) {
      acknowledged.open.add(userName);
      continue;
    }
    const id = String(made.body.id);
    acknowledged.exist.set(userName, { id });
    const Operations = [{ op: 'replace', path: 'title', value: `title of ${userName}` }];
    const changed = await client
      .call('PATCH', `/Users/${id}`, { schemas: [patch], Operations })
      .catch(() => undefined);
    if (changed) acknowledged.status.add(changed.status);
    if (changed?.status === 200) acknowledged.exist.set(userName, { id, title: `title of ${userName}` });
  }
}

/** Checks that each version has one log entry and one event, and that no other entries exist. */
async function expectEachRecordedOnce(): Promise<void> {
  const recorded = `SELECT count(*)::int AS wrong FROM (
      SELECT u.id, u.version, count(r.*) AS records, min(r.version) AS first, max(r.version) AS last
        FROM directory.users u LEFT JOIN records r ON r.subject = u.id::text
       WHERE u.tenant = 'demo' AND u.user_name LIKE '${written}-%' GROUP BY u.tenant, u.id
    ) each WHERE records <> version OR first <> 1 OR last <> version`;
  for (const records of [
    'SELECT subject, version FROM directory.outbox_events',
    'SELECT resource_id AS subject, resource_version AS version FROM directory.audit_log',
  ]) {
    expect(await rowsOf(own, `WITH records AS (${records}) ${recorded}`, [])).toEqual([{ wrong: 0 }]);
  }
}

test('With kill -9 of directory, provisioning and Valkey, answered writes hold; each is recorded and published once.', async () => {
  const { demo } = own.demo.tenants;
  const client = new ScimClient(demo, demo.clients.scim.token);
  const acknowledged: Acknowledged = { status: new Set(), exist: new Map(), open: new Set() };
  let over = false;
  const working = Promise.all(
    Array.from({ length: writers }, (_, writer) => write(client, writer, acknowledged, () => over)),
  );
  const moreThan = (before: number) =>
    eventually(
      async () => acknowledged.exist.size,
      (size) => size > before + 20,
    );
  for (const victim of ['directory', 'provisioning', 'directory', 'valkey', 'directory'] as const) {
    const before = await moreThan(acknowledged.exist.size);
    await own.system.kill(victim, 'SIGKILL');
    await own.system.restart(victim);
    await moreThan(before);
  }
  over = true;
  await working;

  // The only error is 503.
  expect([...acknowledged.status].filter((status) => ![200, 201, 503].includes(status))).toEqual([]);
  const rows = await rowsOf(
    own,
    `SELECT user_name, id::text, version::int, data ->> 'title' AS title FROM directory.users
      WHERE tenant = 'demo' AND user_name LIKE '${written}-%'`,
    [],
  );
  const kept = new Map(rows.map((row) => [String(row.user_name), row]));
  for (const [userName, { id, title }] of acknowledged.exist) {
    expect(kept.get(userName)).toMatchObject({ id, ...(title === undefined ? {} : { title }) });
  }
  for (const name of kept.keys()) {
    expect([name, acknowledged.exist.has(name) || acknowledged.open.has(name)]).toEqual([name, true]);
  }
  await expectEachRecordedOnce();
  // All events reach their consumers, although the queue was lost.
  await eventually(
    () => rowsOf(own, 'SELECT count(*)::int AS count FROM directory.outbox_deliveries', []),
    ([row]) => row?.count === 0,
  );
  const behind = await rowsOf(
    own,
    `SELECT u.user_name FROM directory.users u LEFT JOIN auth.subjects s ON s.tenant = u.tenant AND s.id = u.id
      WHERE u.tenant = 'demo' AND u.user_name LIKE '${written}-%' AND s.version IS DISTINCT FROM u.version`,
    [],
  );
  expect(behind).toEqual([]);
});
