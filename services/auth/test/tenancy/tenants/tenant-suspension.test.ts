import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { endGrantsOfTenant } from '../../../src/access/grants/data/grants.ts';
import { announceClientsOf } from '../../../src/clients/data/client-announcements.ts';
import { postgresTenants } from '../../../src/tenancy/tenants/data/tenants.ts';
import { Signatory } from '../../support/assertions.ts';
import {
  type Answer,
  type Backend,
  createBackend,
  issueCode,
  publicClient,
  type RunningAuth,
  register,
  startAuth,
} from '../../support/running-auth.ts';

// One process suspends a tenant, and another one has cached it as active for a second. The second process may have
// newer data of the tenant's clients: nothing that it issues in that second may outlive the suspension.

const frozen = Date.now();
let backend: Backend;
let auth: RunningAuth;
let counter = 0;
let tenant: string;

beforeAll(async () => {
  backend = await createBackend();
  // Caches do not expire in this test.
  auth = await startAuth(backend, { clock: () => frozen });
});
afterAll(async () => {
  await auth?.stop();
  await backend?.drop();
});

beforeEach(async () => {
  tenant = `closing-${++counter}`;
  backend.directory.tenants.set(tenant, { id: tenant, name: tenant, status: 'active' });
  expect((await auth.deps.tenants.find(tenant))?.status).toBe('active');
});

/** Suspends a tenant like the process that receives the event first. */
const suspend = () =>
  auth.database.transaction(async (tx) => {
    await tx.query(`UPDATE auth.tenants SET status = 'suspended' WHERE id = $1`, [tenant]);
    return postgresTenants({
      announceClients: announceClientsOf,
      endGrants: endGrantsOfTenant,
    }).endEverythingOfTenant(tx, tenant);
  });

const asked = async (send: () => Promise<Answer>): Promise<Answer> => {
  await suspend();
  expect((await auth.deps.tenants.find(tenant))?.status).toBe('active');
  return send();
};

test('A client of a suspended tenant that is looked up again gets no token.', async () => {
  const { client, clientSecret } = await register(
    auth,
    { grant_types: ['client_credentials'], redirect_uris: [], scope: 'users:read' },
    tenant,
  );
  await auth.deps.clients.changed(tenant, client.clientId);
  const form = { grant_type: 'client_credentials' };
  const basic = [client.clientId, clientSecret ?? ''] as const;
  expect(await asked(() => auth.post(`/t/${tenant}/token`, form, { basic }))).toMatchObject({
    status: 403,
    body: { error: 'access_denied' },
  });
});

test('A client of a suspended tenant that is cached gets a token that is already revoked.', async () => {
  const { client, clientSecret } = await register(
    auth,
    { grant_types: ['client_credentials'], redirect_uris: [], scope: 'users:read' },
    tenant,
  );
  const form = { grant_type: 'client_credentials' };
  const basic = [client.clientId, clientSecret ?? ''] as const;
  const { body } = await asked(() => auth.post(`/t/${tenant}/token`, form, { basic }));
  expect(await auth.deps.introspection.liveAccessToken(tenant, String(body.access_token))).toBeNull();
});

test('An authorization code of a suspended tenant is not redeemed.', async () => {
  const { client } = await register(auth, publicClient, tenant);
  const { form } = await issueCode(auth, client.clientId, { tenant });
  await auth.deps.clients.changed(tenant, client.clientId);
  const answer = await asked(() => auth.post(`/t/${tenant}/token`, form));
  expect(answer.status).not.toBe(200);
  expect(answer.body).not.toHaveProperty('access_token');
});

test('The assertion and the API key of a service account of a suspended tenant are rejected.', async () => {
  const account = await auth.deps.serviceAccounts.create(tenant, { name: 'Robot', scopes: ['users:read'] });
  const robot = await Signatory.create(account.id);
  await auth.deps.serviceAccounts.addKey(tenant, account.id, { jwk: robot.jwk });
  const { token } = await auth.deps.apiTokens.createKey(tenant, account.id, { name: 'key' }, () => undefined);
  expect(await auth.deps.apiTokenReader.find(token)).toBeDefined();
  const assertion = await robot.assertion({ aud: auth.issuer(tenant), sub: account.id });
  const form = { grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion };
  expect(await asked(() => auth.post(`/t/${tenant}/token`, form))).toMatchObject({
    status: 400,
    body: { error: 'invalid_grant' },
  });
  expect(await auth.deps.apiTokenReader.find(token)).toBeUndefined();
});
