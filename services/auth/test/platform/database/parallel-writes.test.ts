import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createDatabase, type Database } from '@ostiary/database';
import { createTestDatabase, type TestDatabase } from '@ostiary/database/testing';
import { createKit, uuidv7 } from '@ostiary/service';
import { postgresApiTokens } from '../../../src/access/machines/data/api-tokens.ts';
import { postgresServiceAccounts } from '../../../src/access/machines/data/service-accounts.ts';
import { ownersOf, setOwner } from '../../../src/access/ownership/data/credential-owners.ts';
import { postgresRoles } from '../../../src/access/roles/data/roles.ts';
import { postgresIssuerSubjects } from '../../../src/oauth/trust/data/issuer-subjects.ts';
import { postgresTrustedIssuers } from '../../../src/oauth/trust/data/trusted-issuers.ts';
import type { Connection } from '../../../src/platform/database/data/connection.ts';
import { PrismaClient } from '../../../src/platform/database/generated/client.ts';
import { HeardTenantChanges } from '../../../src/platform/memory/tenant-changes.data.ts';
import { PostgresBrandings } from '../../../src/tenancy/tenants/data/branding.ts';
import { noteSuspended } from '../../../src/tenancy/tenants/data/tenants.ts';
import { migrations } from '../../support/running-auth.ts';

/** Changes of the Prisma client of which exactly one may succeed, as if one statement decided. */

const tenant = 'demo';
const rival = 'rival';
const several = Array.from({ length: 6 }, (_, n) => n);

let server: TestDatabase;
let database: Database<PrismaClient>;

beforeAll(async () => {
  server = await createTestDatabase({ schema: 'auth', directory: migrations });
  const { log } = createKit({ name: 'test', logLevel: 'silent' });
  database = createDatabase({
    url: server.url,
    schema: 'auth',
    poolSize: several.length,
    log,
    prisma: (adapter) => new PrismaClient({ adapter }),
  });
});

afterAll(async () => {
  await database?.close();
  await server?.drop();
});

/** Runs the work in concurrent transactions, all of which begin before any continues. */
async function concurrently<T>(work: (tx: Connection, n: number) => Promise<T>): Promise<T[]> {
  const begun = Promise.withResolvers<void>();
  let waiting = 0;
  return Promise.all(
    several.map((n) =>
      database.transaction(async (tx) => {
        waiting += 1;
        if (waiting === several.length) begun.resolve();
        await begun.promise;
        return work(tx, n);
      }),
    ),
  );
}

const found = <T>(outcomes: readonly (T | undefined)[]): T[] => outcomes.filter((one) => one !== undefined);

async function subject(): Promise<string> {
  const id = uuidv7();
  const name = { userName: id, userNameKey: id };
  await database.prisma.subject.create({ data: { tenant, id, ...name, active: true, version: 1 } });
  return id;
}

async function serviceAccount(): Promise<string> {
  const id = uuidv7();
  await database.prisma.serviceAccount.create({ data: { tenant, id, name: 'robot' } });
  return id;
}

test('Of parallel assignments of a role to a user, one assigns it; of parallel removals, one removes it.', async () => {
  const id = await subject();
  const { assignRole, removeRole } = postgresRoles;
  const assigned = await concurrently((tx) => assignRole(tx, tenant, id, 'auditor'));
  expect(assigned.filter(Boolean)).toHaveLength(1);
  expect(await removeRole(database.sql, rival, id, 'auditor')).toBe(false);
  const removed = await concurrently((tx) => removeRole(tx, tenant, id, 'auditor'));
  expect(removed.filter(Boolean)).toHaveLength(1);
});

test('Of parallel revocations of an API key, one revokes it, and none of another tenant does.', async () => {
  const id = uuidv7();
  const token = { id, ownerId: await serviceAccount(), name: 'key', hint: '…', scopes: [], ownerEpoch: 0 };
  const { insertApiToken, revokeApiToken } = postgresApiTokens;
  const expiresAt = new Date(Date.now() + 60_000);
  await insertApiToken(database.sql, tenant, 'service_account_id', {
    ...token,
    digest: Buffer.from(id),
    expiresAt,
  });
  expect(await revokeApiToken(database.sql, rival, id)).toBeUndefined();
  const revoked = await concurrently((tx) => revokeApiToken(tx, tenant, id));
  expect(found(revoked)).toEqual([{ subjectId: null, serviceAccountId: token.ownerId, name: 'key' }]);
});

test('Of parallel removals of a key of a service account, one removes it, and the transactions of the others continue.', async () => {
  const serviceAccountId = await serviceAccount();
  const { insertServiceAccountKey, deleteServiceAccountKey, listServiceAccountKeys } =
    postgresServiceAccounts;
  const key = { id: uuidv7(), serviceAccountId, kid: 'k', alg: 'ES256', publicJwk: {}, expiresAt: null };
  await insertServiceAccountKey(database.sql, tenant, key);
  expect(await deleteServiceAccountKey(database.sql, rival, key.id)).toBeUndefined();
  const removed = await concurrently(async (tx) => {
    const gone = await deleteServiceAccountKey(tx, tenant, key.id);
    expect(await listServiceAccountKeys(tx, tenant, [serviceAccountId])).toEqual([]);
    return gone;
  });
  expect(found(removed)).toEqual([{ id: key.id, serviceAccountId, kid: 'k', alg: 'ES256' }]);
});

describe('trusted issuers', () => {
  const issuer = {
    name: 'partner',
    keys: null,
    jwksUri: 'https://partner.example/keys',
    clientIds: [],
    scopes: [],
    version: 1,
    createdAt: new Date(),
  };

  test('Of parallel transactions that remove a trusted issuer or a subject bound to it, one removes it.', async () => {
    const { insertTrustedIssuer, deleteTrustedIssuer } = postgresTrustedIssuers;
    const { insertIssuerSubject, deleteIssuerSubject } = postgresIssuerSubjects;
    const trusted = { ...issuer, id: uuidv7(), issuer: 'https://partner.example' };
    expect(await database.transaction((tx) => insertTrustedIssuer(tx, tenant, trusted, several.length))).toBe(
      true,
    );
    const bound = {
      id: uuidv7(),
      trustedIssuerId: trusted.id,
      subject: 'ann',
      subjectId: await subject(),
      createdAt: new Date(),
    };
    await insertIssuerSubject(database.sql, tenant, { ...bound, carriedRoles: [] });
    expect(await deleteIssuerSubject(database.sql, rival, bound.id)).toBeUndefined();
    const unbound = found(await concurrently((tx) => deleteIssuerSubject(tx, tenant, bound.id)));
    expect(unbound).toEqual([{ binding: bound, grants: [] }]);
    expect(await deleteTrustedIssuer(database.sql, rival, trusted.id)).toBeUndefined();
    const removed = found(await concurrently((tx) => deleteTrustedIssuer(tx, tenant, trusted.id)));
    expect(removed).toEqual([{ issuer: trusted, grants: [] }]);
  });

  test('A tenant never has more trusted issuers than its limit, even when they are added concurrently.', async () => {
    const { insertTrustedIssuer, listTrustedIssuers } = postgresTrustedIssuers;
    const added = await concurrently((tx, n) =>
      insertTrustedIssuer(tx, tenant, { ...issuer, id: uuidv7(), issuer: `https://${n}.example` }, 2),
    );
    expect(added.filter(Boolean)).toHaveLength(2);
    expect(await listTrustedIssuers(database.sql, tenant)).toHaveLength(2);
    expect(await listTrustedIssuers(database.sql, rival)).toEqual([]);
  });
});

test('A credential that parallel transactions first give to different owners has one of these owners.', async () => {
  const owners = several.map(() => ({ kind: 'user' as const, id: uuidv7() }));
  await concurrently((tx, n) => setOwner(tx, tenant, 'client', 'app', owners[n]));
  const owner = (await ownersOf(database.sql, tenant, 'client', ['app'])).get('app');
  expect(owners).toContainEqual(owner);
  expect(await ownersOf(database.sql, rival, 'client', ['app'])).toEqual(new Map());
  await setOwner(database.sql, rival, 'client', 'app', null);
  expect((await ownersOf(database.sql, tenant, 'client', ['app'])).get('app')).toEqual(owner);
});

test('Each of parallel first changes of a tenant’s branding creates a separate version.', async () => {
  const brandings = new PostgresBrandings({
    database,
    tenantChanges: new HeardTenantChanges({ sql: database.sql, clock: Date.now }),
    clock: Date.now,
  });
  const changed = await Promise.all(
    several.map((n) =>
      brandings.change(tenant, n % 2 === 0 ? { name: `Name ${n}` } : { colour: `#00000${n}` }),
    ),
  );
  expect(changed.map(({ version }) => version).sort()).toEqual(several.map((n) => n + 1));
  // Omitted fields keep the values of other changes.
  const last = changed.find(({ version }) => version === several.length);
  expect(last).toMatchObject({ name: expect.any(String), colour: expect.any(String) });
  expect(await brandings.find(rival)).toMatchObject({ name: null, version: 0 });
});

test('The version up to which suspensions are carried out never falls.', async () => {
  await database.prisma.tenant.create({ data: { id: tenant, name: 'Demo', status: 'active' } });
  await concurrently((tx, n) => noteSuspended(tx, tenant, BigInt(n)));
  const row = await database.prisma.tenant.findUnique({ where: { id: tenant } });
  expect(row?.suspendedVersion).toBe(BigInt(several.length - 1));
});
