import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createDatabase, type Database } from '@ostiary/database';
import { createTestDatabase, type TestDatabase } from '@ostiary/database/testing';
import { createKit, uuidv7 } from '@ostiary/service';
import { endGrantsOfTenant } from '../../../src/access/grants/data/grants.ts';
import { ClientSecrets } from '../../../src/clients/data/client-secrets.ts';
import { otherGrants } from '../../../src/identity/account/account.data.ts';
import { postgresIssuerSubjects } from '../../../src/oauth/trust/data/issuer-subjects.ts';
import { postgresTrustedIssuers } from '../../../src/oauth/trust/data/trusted-issuers.ts';
import { PrismaClient } from '../../../src/platform/database/generated/client.ts';
import { postgresTenants } from '../../../src/tenancy/tenants/data/tenants.ts';
import { migrations } from '../../support/running-auth.ts';

/** Clock difference of a minute between a process and PostgreSQL, or between two processes. */

const tenant = 'demo';
const rival = 'rival';
const clientId = 'app';
const minute = 60_000;
/** Rows that are valid for another minute look like this to a process whose clock is ahead by more than a minute. */
const justExpired = () => new Date(Date.now() - minute);

let server: TestDatabase;
let database: Database<PrismaClient>;

beforeAll(async () => {
  server = await createTestDatabase({ schema: 'auth', directory: migrations });
  const { log } = createKit({ name: 'test', logLevel: 'silent' });
  database = createDatabase({
    url: server.url,
    schema: 'auth',
    poolSize: 2,
    log,
    prisma: (adapter) => new PrismaClient({ adapter }),
  });
  const client = {
    clientId,
    name: 'App',
    type: 'confidential',
    tokenEndpointAuthMethod: 'client_secret_basic',
  };
  for (const owner of [tenant, rival])
    await database.prisma.client.create({ data: { ...client, tenant: owner } });
});

afterAll(async () => {
  await database?.close();
  await server?.drop();
});

async function subject(): Promise<string> {
  const id = uuidv7();
  const name = { userName: id, userNameKey: id };
  await database.prisma.subject.create({ data: { tenant, id, ...name, active: true, version: 1 } });
  return id;
}

async function grant(subjectId: string, trustedIssuerId: string | null = null): Promise<string> {
  const id = uuidv7();
  const epochs = { subjectEpoch: 0, clientEpoch: 0 };
  await database.prisma.grant.create({
    data: { tenant, id, clientId, subjectId, ...epochs, trustedIssuerId, expiresAt: justExpired() },
  });
  return id;
}

async function issuer(): Promise<string> {
  const id = uuidv7();
  const urls = { issuer: `https://${id}.example`, jwksUri: `https://${id}.example/jwks` };
  await database.prisma.trustedIssuer.create({
    data: { tenant, id, name: 'Issuer', ...urls, clientIds: [clientId], scopes: [] },
  });
  return id;
}

test("The end of a password, a trusted issuer, a binding or a tenant includes rows that are still valid by PostgreSQL's clock.", async () => {
  const subjectId = await subject();
  const own = await grant(subjectId);
  const others = await database.transaction((tx) => otherGrants(tx, tenant, subjectId, undefined));
  expect(others.map(({ id }) => id)).toEqual([own]);
  expect(await database.transaction((tx) => otherGrants(tx, rival, subjectId, undefined))).toEqual([]);

  const bound = await issuer();
  const binding = uuidv7();
  await database.prisma.issuerSubject.create({
    data: { tenant, id: binding, issuerId: bound, subject: 'them', subjectId },
  });
  const asserted = await grant(subjectId, bound);
  await database
    .transaction(async (tx) => {
      const gone = await postgresIssuerSubjects.deleteIssuerSubject(tx, tenant, binding);
      expect(gone?.grants.map(({ id }) => id)).toEqual([asserted]);
      throw new Error('undone');
    })
    .catch((error: Error) => expect(error.message).toBe('undone'));
  const gone = await database.transaction((tx) =>
    postgresTrustedIssuers.deleteTrustedIssuer(tx, tenant, bound),
  );
  expect(gone?.grants.map(({ id }) => id)).toEqual([asserted]);

  const token = { tenant, id: uuidv7(), subjectId, name: 'Laptop', hint: 'abcd', scopes: [] };
  await database.prisma.apiToken.create({
    data: { ...token, digest: new Uint8Array([1]), ownerEpoch: 0, expiresAt: justExpired() },
  });
  const ended = await database.transaction((tx) =>
    postgresTenants({ announceClients: async () => {}, endGrants: endGrantsOfTenant }).endEverythingOfTenant(
      tx,
      tenant,
    ),
  );
  expect(ended.personalTokens).toEqual([token.id]);
});

test('The current secret overlaps with a new one, even if a process whose clock is ahead created an earlier one.', async () => {
  const secrets = new ClientSecrets({
    digestKey: () => Buffer.alloc(32, 1),
    sealKeys: undefined as unknown as ConstructorParameters<typeof ClientSecrets>[0]['sealKeys'],
  });
  const client = { tenant, clientId, method: 'client_secret_basic' } as const;
  const ids = async () => {
    const where = { tenant, clientId };
    const rows = await database.prisma.clientSecret.findMany({
      where,
      select: { id: true, expiresAt: true },
    });
    return rows.map(({ id, expiresAt }) => ({ id, ends: expiresAt !== null }));
  };
  await database.transaction((tx) => secrets.insert(tx, client, []));
  const [first] = await ids();
  await database.prisma.clientSecret.updateMany({
    where: { tenant, clientId },
    data: { createdAt: new Date(Date.now() + minute) },
  });
  await database.transaction((tx) => secrets.rotate(tx, client, []));
  const current = (await ids()).find(({ ends }) => !ends);
  await database.transaction((tx) => secrets.rotate(tx, client, []));
  const kept = (await ids()).filter(({ ends }) => ends).map(({ id }) => id);
  expect(kept).toEqual([current?.id]);
  expect(kept).not.toContain(first?.id);
});
