import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { uuidv7 } from '@ostiary/service';
import { eventually } from '@ostiary/service/testing';
import { PostgresOffboardingReports } from '../../../src/lifecycle/offboarding/data/departures.ts';
import { rival, startTestService, type TestService, tenant } from '../../support/sign-in/service.ts';

// Provisioning stores connectors. This service records their owners, and notifies provisioning when an ownership ends.

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const sql = () => service.deps.database.sql;

async function policy(settings: object): Promise<void> {
  await sql().query('UPDATE auth.tenants SET policy = $2::jsonb WHERE id = $1', [
    tenant,
    JSON.stringify(settings),
  ]);
}

async function administrator(userName: string, of = tenant): Promise<string> {
  const { id } = await service.person(userName, { tenant: of });
  await service.internal('POST', `/tenants/${of}/roles`, { subject: id, role: 'tenant_admin' });
  return id;
}

const name = (id: unknown, o: { of?: string; as?: 'provisioning' | 'gateway' } = {}) =>
  service.internal('POST', `/tenants/${o.of ?? tenant}/connector-owners`, { id }, o.as ?? 'provisioning');
const named = async (id: string): Promise<number> => {
  const { status, body } = await name(id);
  expect(status).toBe(200);
  return body.named as number;
};

interface End {
  tenant: string;
  owner: { kind: string; id: string };
  number: number;
  reason: string;
  verdict: string;
  successor: { kind: string; id: string; named: number } | null;
}
async function endsOf(id: string): Promise<End[]> {
  const { body } = await service.internal('GET', '/ownership-ends', undefined, 'provisioning');
  return (body.ends as End[]).filter(({ owner }) => owner.id === id);
}
const carriedOut = (ends: unknown, as: 'provisioning' | 'gateway' = 'provisioning') =>
  service.internal('POST', '/ownership-ends/carried-out', { ends }, as);
const leave = (id: string) => service.directory.change(tenant, id, 'user.deactivated');

describe('owners of connectors', () => {
  test('A connector owner is a user who may manage connectors or a group; each naming has a higher number.', async () => {
    const person = await administrator('manager');
    const group = service.directory.groups.create(tenant, [person]);
    expect(await name(person)).toMatchObject({ status: 200, body: { kind: 'user', id: person } });
    expect(await name(group)).toMatchObject({ status: 200, body: { kind: 'group', id: group } });
    expect(await named(person)).toBeLessThan(await named(person));
  });

  test('A user who is unknown, inactive, without the role or of another tenant is rejected with the same answer.', async () => {
    const plain = await service.person('without-role');
    const gone = await administrator('inactive');
    await leave(gone);
    await eventually(async () => (await name(gone)).status === 404);
    const rivals = await administrator('at-rivals', rival);
    const rivalGroup = service.directory.groups.create(rival);
    const refusal = (await name(uuidv7())).body;
    for (const id of [plain.id, gone, rivals, rivalGroup, uuidv7(), 'no id', null]) {
      expect(await name(id)).toEqual({ status: 404, body: refusal });
    }
    expect((await name(rivals, { of: rival })).status).toBe(200);
  });

  test('Only provisioning may name owners, read ownership ends and report them as carried out.', async () => {
    const person = await administrator('for-provisioning');
    expect((await name(person, { as: 'gateway' })).status).toBe(403);
    expect((await service.internal('GET', '/ownership-ends', undefined, 'gateway')).status).toBe(403);
    expect((await carriedOut([], 'gateway')).status).toBe(403);
    expect((await carriedOut([{ tenant, ownerId: 'no id', number: 1, connectors: 1 }])).status).toBe(400);
    expect((await carriedOut('all')).status).toBe(400);
  });
});

describe('ends of ownership', () => {
  test('An ownership end is listed for an offboarded owner until carried out, and the report counts connectors.', async () => {
    await policy({});
    const gone = await administrator('leaving');
    const before = await named(gone);
    await leave(gone);
    await eventually(async () => (await endsOf(gone)).length === 1);
    const [end] = await endsOf(gone);
    expect(end).toMatchObject({ tenant, verdict: 'revoke', successor: null, reason: 'owner: departure' });
    expect(end?.number).toBeGreaterThan(before);
    expect((await new PostgresOffboardingReports(sql()).of(tenant, [gone]))[0]?.connectors).toBeNull();
    const done = { tenant, ownerId: gone, number: end?.number, connectors: 2 };
    // A report of provisioning about an owner in another tenant changes nothing here.
    expect((await carriedOut([{ ...done, tenant: rival }])).status).toBe(204);
    expect(await endsOf(gone)).toHaveLength(1);
    expect((await carriedOut([done])).status).toBe(204);
    expect((await carriedOut([{ ...done, connectors: 0 }])).status).toBe(204);
    expect(await endsOf(gone)).toEqual([]);
    expect((await new PostgresOffboardingReports(sql()).of(tenant, [gone]))[0]?.connectors).toEqual({
      count: 2,
      closedAt: expect.any(Date),
    });
  });

  test('Each ownership end of a named owner is an entry of the revocation feed by its number, and other users have none.', async () => {
    await policy({});
    const [gone, never] = [await administrator('in-the-feed'), await administrator('not-in-the-feed')];
    const entries = async (): Promise<{ tenant: string; key: string; epoch: number }[]> => {
      const { rows } = await sql().query<{ tenant: string; key: string; epoch: number }>(
        "SELECT tenant, key, epoch FROM auth.revocations WHERE kind = 'owner' AND key = ANY($1) ORDER BY seq",
        [[gone, never]],
      );
      return rows;
    };
    await named(gone);
    await leave(never);
    await leave(gone);
    await eventually(async () => (await entries()).length > 0);
    expect(await entries()).toEqual([{ tenant, key: gone, epoch: (await endsOf(gone))[0]?.number }]);
    await service.directory.change(tenant, gone, 'user.reactivated');
    await service.internal('POST', `/tenants/${tenant}/roles`, { subject: gone, role: 'tenant_admin' });
    await eventually(async () => (await name(gone)).status === 200);
    await leave(gone);
    await eventually(async () => (await entries()).length === 2);
    expect((await entries()).map(({ epoch }) => epoch)).toEqual(
      (await endsOf(gone)).map(({ number }) => number),
    );
  });

  test('No ownership end is listed for a user who was never named or is only signed out.', async () => {
    const never = await administrator('never-named');
    await service.deps.subjects.signOutEverywhere(tenant, never);
    const out = await administrator('only-signed-out');
    await named(out);
    await service.deps.subjects.signOutEverywhere(tenant, out);
    await leave(never);
    await eventually(
      async () => (await new PostgresOffboardingReports(sql()).of(tenant, [never])).length === 1,
    );
    expect([await endsOf(never), await endsOf(out)]).toEqual([[], []]);
  });

  test('An ownership end is listed for a user who loses the last role for connectors, not for one who keeps another.', async () => {
    const demoted = await administrator('demoted');
    await named(demoted);
    await service.deps.subjects.assignRole(tenant, demoted, 'auditor');
    await service.deps.subjects.removeRole(tenant, demoted, 'auditor');
    expect(await endsOf(demoted)).toEqual([]);
    await service.deps.subjects.removeRole(tenant, demoted, 'tenant_admin');
    expect(await endsOf(demoted)).toMatchObject([{ reason: 'owner: role removed' }]);
    expect((await name(demoted)).status).toBe(404);
  });

  test('An ownership end contains the verdict of the tenant policy, and the successor if there is one.', async () => {
    const successor = await administrator('taking-over');
    await policy({ ownedCredentialsOnOffboarding: 'suspend' });
    const suspended = await administrator('to-suspend');
    await named(suspended);
    await leave(suspended);
    await eventually(async () => (await endsOf(suspended))[0]?.verdict === 'suspend');
    await policy({ ownedCredentialsOnOffboarding: 'handOver', handOverCredentialsTo: successor });
    const handing = await administrator('handing-over');
    await named(handing);
    await leave(handing);
    await eventually(async () => (await endsOf(handing)).length === 1);
    expect(await endsOf(handing)).toMatchObject([
      { verdict: 'handOver', successor: { kind: 'user', id: successor } },
    ]);
    // The successor's ownership ends as well, although the successor was never named.
    await leave(successor);
    await eventually(async () => (await endsOf(successor))[0]?.verdict === 'revoke');
    const [handed, ended] = [(await endsOf(handing))[0], (await endsOf(successor))[0]];
    expect(ended?.number).toBeGreaterThan(handed?.successor?.named ?? Number.POSITIVE_INFINITY);
  });

  test('An ownership end is listed for a group that is deleted.', async () => {
    await policy({});
    const member = await administrator('of-the-deleted');
    const group = service.directory.groups.create(tenant, [member]);
    await named(group);
    await service.directory.groups.delete(group);
    await eventually(async () => (await endsOf(group)).length === 1);
    expect(await endsOf(group)).toMatchObject([{ owner: { kind: 'group' }, reason: 'owner: group deleted' }]);
    expect((await name(group)).status).toBe(404);
  });

  test('In any race, an ownership end has a higher number than every naming that succeeded.', async () => {
    await policy({});
    const people = await Promise.all(Array.from({ length: 8 }, (_, n) => administrator(`racing-owner-${n}`)));
    await Promise.all(
      people.map(async (id) => {
        const [, ...names] = await Promise.all([leave(id), name(id), name(id), name(id)]);
        await eventually(async () => (await name(id)).status === 404);
        const numbers = names.flatMap(({ status, body }) => (status === 200 ? [body.named as number] : []));
        const [end] = await endsOf(id);
        if (numbers.length > 0) expect(end?.number).toBeGreaterThan(Math.max(...numbers));
      }),
    );
  });
});
