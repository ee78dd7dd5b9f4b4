import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Harness, type Json, startDirectory, tenantClient } from '../support/harness.ts';
import { schemaApp } from '../support/schemas.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await startDirectory();
});
afterAll(() => harness.stop());

// Consumers that order events rely on it: each version of a subject has exactly one event.
test('Every version of a user or group has one event, under any concurrent changes.', async () => {
  const tenant = await harness.tenant();
  const acme = tenantClient(harness, tenant);
  const app = schemaApp(harness, tenant);
  await app.policy('SOFT');
  const make = async (type: 'Users' | 'Groups', resource: Json): Promise<string> => {
    const { status, body } = await acme.create(type, resource);
    if (status !== 201) throw new Error(`${status} ${JSON.stringify(body)}`);
    return body.id;
  };
  const users = await Promise.all(
    Array.from({ length: 6 }, (_, n) => make('Users', { userName: `version-${n}` })),
  );
  const groups = await Promise.all(
    Array.from({ length: 3 }, (_, n) =>
      make('Groups', { displayName: `V${n}`, members: users.slice(n).map((value) => ({ value })) }),
    ),
  );
  const any = <T>(of: readonly T[]): T => of[Math.floor(Math.random() * of.length)] as T;
  const input = 'DeletedResourceInput';
  const changes = [
    () => acme.patch('Users', any(users), [{ op: 'replace', path: 'title', value: String(Math.random()) }]),
    () => acme.patch('Users', any(users), [{ op: 'replace', path: 'active', value: Math.random() < 0.5 }]),
    () => acme.patch('Groups', any(groups), [{ op: 'add', path: 'members', value: [{ value: any(users) }] }]),
    () => acme.patch('Groups', any(groups), [{ op: 'remove', path: `members[value eq "${any(users)}"]` }]),
    () =>
      acme.patch('Groups', any(groups), [{ op: 'replace', path: 'displayName', value: `V${Math.random()}` }]),
    () => acme.remove('Users', any(users)),
    () => app.mutate('restoreUser', input, { id: any(users) }, 'user { id }'),
    () => acme.remove('Groups', any(groups)),
    () => app.mutate('restoreGroup', input, { id: any(groups) }, 'group { id }'),
  ];
  for (let round = 0; round < 15; round += 1) {
    await Promise.all(Array.from({ length: 8 }, () => any(changes)().catch(() => undefined)));
  }
  for (const id of users.slice(0, 2)) {
    await acme.remove('Users', id);
    await app.mutate('purgeUser', input, { id }, 'id');
  }
  const subjects = await harness.sql<{ versions: number[]; last: string }>(
    `SELECT array_agg(version::int ORDER BY version) AS versions, (array_agg(type ORDER BY version DESC))[1] AS last
     FROM directory.outbox_events WHERE tenant = $1 AND type ~ '^(user|group)[.]' GROUP BY subject`,
    [tenant],
  );
  expect(subjects).toHaveLength(9);
  for (const { versions } of subjects) expect(versions).toEqual(versions.map((_, n) => n + 1));
  expect(Math.max(...subjects.map(({ versions }) => versions.length))).toBeGreaterThan(5);
});
