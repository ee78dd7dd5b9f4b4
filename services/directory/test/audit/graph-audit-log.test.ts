import { describe, expect, test } from '@jest/globals';
import { acme, ask, codes, harness, rival, rivalAdmin, setUpGraph, user } from '../support/graph-client.ts';
import type { Json } from '../support/harness.ts';

setUpGraph();

describe('Audit log in the graph', () => {
  const log = `query ($filter: AuditLogFilter) { auditLog(filter: $filter) { totalCount edges { node { action address
    actor { __typename kind id: actorId name onBehalfOf onBehalfOfUser { userName } ... on UserActor { user { userName } }
      ... on ClientActor { client { id } } ... on ConnectorActor { connector { id } } } } } } }`;
  const entries = async (filter: object, token?: string): Promise<Json[]> =>
    (await ask(log, { filter }, token)).data.auditLog.edges.map((edge: Json) => edge.node);

  test('The audit log names the actor, the party for which it acted and the origin, and refers to them.', async () => {
    const [person, boss] = [await user(), await user()];
    const write =
      'mutation ($id: ID!, $t: String) { updateUser(input: { id: $id, title: $t }) { problems { code } } }';
    const byBoss = harness.issuer.token(acme.tenant, { subject: boss.id, scopes: ['users:write'] });
    await ask(write, { id: person.id, t: 'a' }, byBoss);
    await ask(write, { id: person.id, t: 'b' });
    const [byApp, byUser, byConnector] = await entries({ resourceId: person.id });
    expect(byApp).toMatchObject({
      address: '127.0.0.1',
      actor: { __typename: 'ClientActor', kind: 'CLIENT', client: { id: 'admin-app' } },
    });
    expect(byUser.actor).toMatchObject({
      __typename: 'UserActor',
      id: boss.id,
      user: { userName: boss.userName },
    });
    expect(byConnector.actor).toMatchObject({ __typename: 'ConnectorActor', connector: { id: 'scim' } });
    expect(await entries({ resourceId: person.id, actorKind: 'USER' })).toHaveLength(1);
    expect(await entries({ actorId: boss.id, resourceType: 'User', address: '127.0.0.1' })).toHaveLength(1);
    expect(await entries({ resourceId: person.id, address: '10.0.0.1' })).toEqual([]);
    expect(await entries({ resourceId: person.id }, rivalAdmin)).toEqual([]);
    const delegated = { kind: 'client', id: 'app', onBehalfOf: boss.id };
    await acme.patch('Users', person.id, [{ op: 'replace', path: 'title', value: 'c' }], {
      actor: delegated,
    });
    const [forBoss] = await entries({ onBehalfOf: boss.id });
    expect(forBoss.actor).toMatchObject({
      id: 'app',
      onBehalfOf: boss.id,
      onBehalfOfUser: { userName: boss.userName },
    });
  });

  test('The audit log shows no user to a caller that may only read the log.', async () => {
    const boss = await user();
    const byBoss = harness.issuer.token(acme.tenant, { subject: boss.id, scopes: ['groups:write'] });
    await ask('mutation { createGroup(input: { displayName: "Seen" }) { problems { code } } }', {}, byBoss);
    const auditor = harness.issuer.token(acme.tenant, { clientId: 'auditor', scopes: ['audit:read'] });
    const body = await ask(log, { filter: { actorId: boss.id } }, auditor);
    expect(new Set(codes(body))).toEqual(new Set(['FORBIDDEN']));
    expect(JSON.stringify(body.data)).not.toContain(boss.userName);
  });

  test('The audit log keeps entries for the retention period of its tenant, and deletes older ones in batches.', async () => {
    const old = (tenant: string) =>
      harness.sql(
        `INSERT INTO directory.audit_log (tenant, id, occurred_at, actor, actor_id, action, resource_type, resource_id,
           resource_version, changes)
         SELECT $1, (lpad(to_hex((extract(epoch FROM now() - interval '100 days') * 1000)::bigint), 12, '0')
                     || '7000' || '8000' || lpad(i::text, 12, '0'))::uuid, now() - interval '100 days',
           '{"kind":"system","id":"x"}', 'x', 'user.updated', 'User', 'old', 1, '{}' FROM generate_series(1, 6000) i`,
        [tenant],
      );
    await old(acme.tenant);
    await old(rival.tenant);
    const left = async (tenant: string): Promise<number> =>
      (
        await harness.sql<Json>(
          "SELECT count(*)::int AS n FROM directory.audit_log WHERE tenant = $1 AND resource_id = 'old'",
          [tenant],
        )
      )[0].n;
    await harness.sql('UPDATE directory.tenants SET audit_retention_days = 99 WHERE id = $1', [acme.tenant]);
    await harness.tidy();
    expect([await left(acme.tenant), await left(rival.tenant)]).toEqual([1000, 6000]);
    await harness.tidy();
    expect([await left(acme.tenant), await left(rival.tenant)]).toEqual([0, 6000]);
    expect((await entries({})).length).toBeGreaterThan(0);
  });
});
