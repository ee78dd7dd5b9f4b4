import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { RowsRead, staysWithin } from '@ostiary/database/testing';
import { type Harness, startDirectory, type TenantClient, tenantClient } from '../support/harness.ts';
import { insertUsers } from '../support/people.ts';

let harness: Harness;
let acme: TenantClient;

beforeAll(async () => {
  harness = await startDirectory();
  acme = tenantClient(harness, await harness.tenant());
});
afterAll(() => harness.stop());

/** Tenants with two users each. */
const tenants = [
  `INSERT INTO directory.tenants (id, name) SELECT 'grown-' || n, 'Grown' FROM generate_series(1, 1000) n`,
  `INSERT INTO directory.users (tenant, id, user_name, user_name_key, active, data, folded, created_at, updated_at)
   SELECT t.id, gen_random_uuid(), 'u' || n, 'u' || n, true, '{}', '{}', now(), now()
     FROM directory.tenants t, generate_series(1, 2) n WHERE t.id LIKE 'grown-%'`,
];

test('A SCIM create, a change, a departure, a read and the confirmation of an event read as much with a thousand tenants and five thousand users in one as with one of each.', async () => {
  let made = 0;
  const create = async (): Promise<string> => {
    made += 1;
    const { status, body } = await acme.create('Users', {
      userName: `new-${made}`,
      displayName: `New ${made}`,
      emails: [{ value: `new-${made}@example.com`, type: 'work', primary: true }],
    });
    expect(status).toBe(201);
    return body.id;
  };
  const change = async (path: string, value: unknown) => {
    expect((await acme.patch('Users', await create(), [{ op: 'replace', path, value }])).status).toBe(200);
  };
  const work: Record<string, () => Promise<unknown>> = {
    'a create': create,
    'a create and a change': () => change('displayName', 'Other'),
    'a create and a departure': () => change('active', false),
    async 'a create and a deletion'() {
      expect((await acme.remove('Users', await create())).status).toBe(204);
    },
    async 'a create and a read'() {
      expect((await acme.read('Users', await create())).status).toBe(200);
    },
    // The authorization server confirms each event that grants access.
    async 'a create that is confirmed'() {
      const subject = await create();
      const [event] = await harness.sql<{ id: string }>(
        'SELECT id FROM directory.outbox_events WHERE tenant = $1 AND subject = $2',
        [acme.tenant, subject],
      );
      const answer = await harness.call(
        'POST',
        '/internal/v1/events/confirm',
        { ids: [event?.id] },
        harness.issuer.serviceToken('auth'),
      );
      expect(answer).toMatchObject({
        status: 200,
        body: { words: [{ event: { subject }, active: true }] },
      });
    },
  };
  const reading = new RowsRead({ sql: harness.database.sql, schema: 'directory' });
  const small: Record<string, number> = {};
  for (const [name, doing] of Object.entries(work)) small[name] = await reading.by(doing);
  for (const statement of tenants) await harness.sql(statement);
  await insertUsers(harness, acme.tenant, 5_000);
  for (const [name, doing] of Object.entries(work)) {
    const before = small[name] ?? Number.NaN;
    const after = await reading.after(before, doing);
    expect({ name, before, after, within: staysWithin(before, after) }).toEqual({
      name,
      before,
      after,
      within: true,
    });
  }
});
