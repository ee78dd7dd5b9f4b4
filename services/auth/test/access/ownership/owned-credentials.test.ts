import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { uuidv7 } from '@ostiary/service';
import { eventually } from '@ostiary/service/testing';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { ownersOf, setOwner } from '../../../src/access/ownership/data/credential-owners.ts';
import type { Client } from '../../../src/clients/domain/client.ts';
import {
  redeem,
  rival,
  signInAndAllow,
  startTestService,
  type TestService,
  tenant,
  token,
} from '../../support/sign-in/service.ts';

// Credentials of programs end with their only owner.

let service: TestService;
let app: Client;
const scope = 'openid clients:read clients:write users:read';

beforeAll(async () => {
  service = await startTestService();
  app = await service.client({ require_consent: false, scope });
});
afterAll(() => service.stop());

async function policy(settings: object): Promise<void> {
  await sqlOf().query('UPDATE auth.tenants SET policy = $2::jsonb WHERE id = $1', [
    tenant,
    JSON.stringify(settings),
  ]);
}
const sqlOf = () => service.deps.database.sql;

async function ask(accessToken: string, query: string, input: object) {
  const response = await fetch(`${service.origin}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${accessToken}` },
    body: JSON.stringify({ query, variables: { input } }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: each test knows the shape it asked for
  const body = (await response.json()) as { data: any; errors?: unknown };
  if (body.errors) throw new Error(JSON.stringify(body.errors));
  return body.data;
}

/** Creates an administrator with a service account, its API key, and a client. */
async function administrator(userName: string) {
  const person = await service.person(userName);
  await service.internal('POST', `/tenants/${tenant}/roles`, { subject: person.id, role: 'tenant_admin' });
  const { body } = await redeem(
    service,
    app,
    await signInAndAllow(service.browser(), app, userName, { scope }),
  );
  const mine = body.access_token ?? '';
  const { createServiceAccount } = await ask(
    mine,
    'mutation ($input: CreateServiceAccountInput!) { createServiceAccount(input: $input) { serviceAccount { id } } }',
    { name: 'Job', scopes: ['users:read'] },
  );
  const account: string = createServiceAccount.serviceAccount.id;
  const { createApiKey } = await ask(
    mine,
    'mutation ($input: CreateApiKeyInput!) { createApiKey(input: $input) { token apiKey { id } } }',
    { serviceAccountId: account, name: 'Key' },
  );
  const { registerClient } = await ask(
    mine,
    'mutation ($input: RegisterClientInput!) { registerClient(input: $input) { client { id } clientSecret } }',
    {
      name: 'Robot',
      grantTypes: ['client_credentials'],
      scopes: ['users:read'],
      tokenEndpointAuthMethod: 'CLIENT_SECRET_POST',
    },
  );
  const client: string = registerClient.client.id;
  const secret: string = registerClient.clientSecret;
  const asRobot = () =>
    token(service, { clientId: client, tenant } as Client, {
      grant_type: 'client_credentials',
      client_id: client,
      client_secret: secret,
    });
  const issued = (await asRobot()).body.access_token ?? '';
  return { person, account, key: createApiKey.token as string, client, asRobot, issued, issuedTo: mine };
}

const isLive = async (secret: string) =>
  (await service.deps.introspection.liveAccessToken(tenant, secret)) !== null;

/**
 * Waits until a client is rejected. A process that has not yet received the announcement of the change issues tokens of
 * the former epoch, which are revoked.
 */
async function rejected({ asRobot }: { asRobot(): ReturnType<typeof token> }): Promise<void> {
  const { status } = await eventually(
    async () => {
      const answer = await asRobot();
      const issued = answer.body.access_token;
      if (issued !== undefined) expect(await isLive(issued)).toBe(false);
      return answer;
    },
    (answer) => answer.status !== 200,
  );
  expect(status).toBe(401);
}

const leave = (id: string) => service.directory.change(tenant, id, 'user.deactivated');

async function reported(subjectId: string): Promise<Record<string, number>> {
  const { rows } = await sqlOf().query<{ changes: Record<string, { before: number }> }>(
    `SELECT changes FROM auth.security_log WHERE tenant = $1 AND subject_id = $2 AND action = 'user.departed'`,
    [tenant, subjectId],
  );
  const { clients, serviceAccounts, apiKeys, initialAccessTokens } = rows[0]?.changes ?? {};
  return {
    clients: clients?.before ?? -1,
    serviceAccounts: serviceAccounts?.before ?? -1,
    apiKeys: apiKeys?.before ?? -1,
    initialAccessTokens: initialAccessTokens?.before ?? -1,
  };
}

describe('deactivation of the only owner', () => {
  test('The credentials of an offboarded owner are revoked and reported, and those of a colleague stay.', async () => {
    await policy({});
    const [gone, colleague] = [await administrator('gone'), await administrator('colleague')];
    expect([await isLive(gone.key), await isLive(gone.issued)]).toEqual([true, true]);
    await leave(gone.person.id);
    await eventually(async () => !(await isLive(gone.key)));
    expect(await isLive(gone.issued)).toBe(false);
    await rejected(gone);
    expect(await reported(gone.person.id)).toEqual({
      clients: 1,
      serviceAccounts: 1,
      apiKeys: 1,
      initialAccessTokens: 0,
    });
    // After being enabled, they accept no secret that the user may still know.
    await service.deps.serviceAccounts.update(tenant, gone.account, { disabled: false });
    await service.deps.clientRegistry.enable(tenant, gone.client, () => undefined);
    expect([await isLive(gone.key), (await gone.asRobot()).status]).toEqual([false, 401]);
    expect([await isLive(colleague.key), await isLive(colleague.issued)]).toEqual([true, true]);
    const { rows } = await sqlOf().query<{ action: string }>(
      `SELECT action FROM auth.security_log WHERE tenant = $1 AND resource_id = ANY($2) AND changes->'reason'->>'after' = 'owner: departure' ORDER BY 1`,
      [tenant, [gone.account, gone.client]],
    );
    expect(rows.map(({ action }) => action)).toEqual(['client.disabled', 'service_account.updated']);
  });

  test('A key that an offboarded user owns for the account of another owner ends, and the account stays.', async () => {
    await policy({});
    const [gone, colleague] = [await administrator('guest'), await administrator('host')];
    const { rows } = await sqlOf().query<{ id: string }>(
      'SELECT id FROM auth.api_tokens WHERE tenant = $1 AND service_account_id = $2',
      [tenant, colleague.account],
    );
    const owner = { kind: 'user', id: gone.person.id } as const;
    await setOwner(sqlOf(), tenant, 'api_key', rows[0]?.id ?? '', owner);
    await leave(gone.person.id);
    await eventually(async () => !(await isLive(colleague.key)));
    expect((await service.deps.serviceAccounts.find(tenant, colleague.account))?.disabled).toBe(false);
  });

  test('Credentials are suspended where the tenant policy requires it, and are valid again when enabled.', async () => {
    await policy({ ownedCredentialsOnOffboarding: 'suspend' });
    const gone = await administrator('suspended');
    await leave(gone.person.id);
    await eventually(async () => !(await isLive(gone.key)));
    await rejected(gone);
    await service.deps.serviceAccounts.update(tenant, gone.account, { disabled: false });
    await service.deps.clientRegistry.enable(tenant, gone.client, () => undefined);
    expect((await gone.asRobot()).status).toBe(200);
    expect(await isLive(gone.issued)).toBe(false);
  });

  test('Credentials are transferred where the tenant policy requires it, unless the successor is offboarded as well.', async () => {
    const successor = await service.person('successor');
    await service.deps.subjects.find(tenant, successor.id);
    await policy({ ownedCredentialsOnOffboarding: 'handOver', handOverCredentialsTo: successor.id });
    const first = await administrator('first-to-go');
    await leave(first.person.id);
    await eventually(async () => (await reported(first.person.id)).clients === 1);
    expect([await isLive(first.key), await isLive(first.issued)]).toEqual([true, true]);
    const owners = await ownersOf(sqlOf(), tenant, 'client', [first.client]);
    expect(owners.get(first.client)).toEqual({ kind: 'user', id: successor.id });
    await leave(successor.id);
    await eventually(async () => !(await isLive(first.key)));
  });

  test('A group owns a credential as long as the group exists.', async () => {
    await policy({});
    const gone = await administrator('member');
    const stays = service.directory.addUser(tenant, 'member-who-stays');
    await service.deps.subjects.find(tenant, stays.id);
    await service.deps.subjects.assignRole(tenant, stays.id, 'tenant_admin');
    const group = { kind: 'group', id: service.directory.groups.create(tenant, [stays.id]) } as const;
    await setOwner(sqlOf(), tenant, 'client', gone.client, group);
    await leave(gone.person.id);
    await eventually(async () => !(await isLive(gone.key)));
    // The secret ends with the user who received it; the group still owns the client.
    await rejected(gone);
    const isDisabled = async () => (await service.deps.clients.find(tenant, gone.client))?.disabled;
    expect(await isDisabled()).toBe(false);
    const actor = { kind: 'system', id: 'test' } as const;
    const entries = await service.deps.database.transaction(async (tx) => [
      ...(await service.deps.subjects.groupGone(tx, rival, group.id, actor)),
      ...(await service.deps.subjects.groupGone(tx, tenant, group.id, actor)),
    ]);
    expect(entries).toMatchObject([{ tenant, kind: 'client', key: gone.client }]);
    await eventually(async () => (await isDisabled()) === true);
  });
});

/** Creates an initial access token, with which an administrator's software registers itself. */
async function tokenForRegistrations(by: { issuedTo: string }, uses = 20): Promise<string> {
  const { createInitialAccessToken } = await ask(
    by.issuedTo,
    'mutation ($input: CreateInitialAccessTokenInput!) { createInitialAccessToken(input: $input) { token } }',
    { name: 'Software', scopes: ['users:read'], uses },
  );
  return createInitialAccessToken.token;
}

const machine = {
  client_name: 'Robot',
  grant_types: ['client_credentials'],
  redirect_uris: [],
  token_endpoint_auth_method: 'client_secret_post',
  scope: 'users:read',
};

async function registering(method: string, path: string, bearer: string, body?: object) {
  const response = await fetch(`${service.origin}/t/${tenant}/register${path}`, {
    method,
    headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Record<string, string> };
}

const asItself = async ({ client_id: clientId = '', client_secret: secret = '' }: Record<string, string>) =>
  (
    await token(service, { clientId, tenant } as Client, {
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: secret,
    })
  ).status;
const enable = (client: string) => service.deps.clientRegistry.enable(tenant, client, () => undefined);

describe('initial access tokens', () => {
  test.each(['revoke', 'suspend', 'handOver'])(
    'An initial access token ends with the user who created it, and its clients follow the policy %s.',
    async (wanted) => {
      const successor = await service.person(`heir-${wanted}`);
      await service.deps.subjects.find(tenant, successor.id);
      await policy({
        ownedCredentialsOnOffboarding: wanted,
        ...(wanted === 'handOver' && { handOverCredentialsTo: successor.id }),
      });
      const [gone, colleague] = [
        await administrator(`iat-${wanted}`),
        await administrator(`iat-stays-${wanted}`),
      ];
      const [mine, theirs] = [await tokenForRegistrations(gone), await tokenForRegistrations(colleague)];
      const made = await registering('POST', '', mine, machine);
      expect([made.status, await asItself(made.body)]).toEqual([201, 200]);
      const { client_id: id = '' } = made.body;
      const ownerOf = async () => (await ownersOf(sqlOf(), tenant, 'client', [id])).get(id)?.id;
      expect(await ownerOf()).toBe(gone.person.id);
      await leave(gone.person.id);
      await eventually(async () => (await registering('POST', '', mine, machine)).status === 401);
      // This process is notified of the end of its client shortly after the commit.
      const answer = wanted === 'handOver' ? 200 : 401;
      await eventually(async () => (await asItself(made.body)) === answer);
      expect(await ownerOf()).toBe(wanted === 'handOver' ? successor.id : gone.person.id);
      expect((await reported(gone.person.id)).initialAccessTokens).toBe(1);
      expect((await registering('POST', '', theirs, machine)).status).toBe(201);
      const { rows } = await sqlOf().query(
        `SELECT 1 FROM auth.security_log WHERE tenant = $1 AND action = 'initial_access_token.revoked'
          AND changes->'owner'->'before'->>'id' = $2`,
        [tenant, gone.person.id],
      );
      expect(rows).toHaveLength(1);
    },
  );

  test('An initial access token ends with the role of its creator, and not with a sign-out.', async () => {
    await policy({});
    const one = await administrator('iat-demoted');
    const mine = await tokenForRegistrations(one);
    await service.deps.subjects.signOutEverywhere(tenant, one.person.id);
    expect((await registering('POST', '', mine, machine)).status).toBe(201);
    await service.deps.subjects.removeRole(tenant, one.person.id, 'tenant_admin');
    expect((await registering('POST', '', mine, machine)).status).toBe(401);
  });

  test('An initial access token registers nothing that outlives a concurrent offboarding.', async () => {
    await policy({});
    const gone = await administrator('iat-races');
    const mine = await tokenForRegistrations(gone);
    const [answers] = await Promise.all([
      Promise.all(Array.from({ length: 16 }, () => registering('POST', '', mine, machine))),
      leave(gone.person.id),
    ]);
    await eventually(async () => (await reported(gone.person.id)).clients !== -1);
    for (const { status, body } of answers) {
      expect([201, 401]).toContain(status);
      if (status === 201) expect(await asItself(body)).toBe(401);
    }
  });
});

describe('credentials that are enabled again', () => {
  test('A re-enabled client is rejected with its own key and with its registration access token.', async () => {
    await policy({});
    const gone = await administrator('keyed');
    const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true });
    const jwk = { ...(await exportJWK(publicKey)), kid: 'mine', alg: 'ES256', use: 'sig' };
    const made = await registering('POST', '', await tokenForRegistrations(gone), {
      ...machine,
      token_endpoint_auth_method: 'private_key_jwt',
      jwks: { keys: [jwk] },
    });
    const { client_id: id = '', registration_access_token: management = '' } = made.body;
    const asserted = async () =>
      (
        await token(service, { clientId: id, tenant } as Client, {
          grant_type: 'client_credentials',
          client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
          client_assertion: await new SignJWT({ jti: uuidv7() })
            .setProtectedHeader({ alg: 'ES256', kid: 'mine' })
            .setIssuer(id)
            .setSubject(id)
            .setAudience(service.deps.issuer(tenant))
            .setIssuedAt()
            .setExpirationTime('1m')
            .sign(privateKey),
        })
      ).status;
    const managed = async () => (await registering('GET', `/${id}`, management)).status;
    expect([made.status, await asserted(), await managed()]).toEqual([201, 200, 200]);
    await leave(gone.person.id);
    await eventually(async () => (await asserted()) === 401);
    await enable(id);
    expect([await asserted(), await managed()]).toEqual([401, 401]);
  });

  test.each(['revoke', 'suspend'])(
    'Credentials that the user had disabled before the offboarding follow the policy as well: %s.',
    async (wanted) => {
      await policy({ ownedCredentialsOnOffboarding: wanted });
      const gone = await administrator(`prepared-${wanted}`);
      await service.deps.clientRegistry.disable(tenant, gone.client);
      await service.deps.serviceAccounts.update(tenant, gone.account, { disabled: true });
      await leave(gone.person.id);
      await eventually(async () => (await reported(gone.person.id)).clients === 0);
      await service.deps.serviceAccounts.update(tenant, gone.account, { disabled: false });
      await enable(gone.client);
      // It was already suspended; an API key ends in any case.
      expect([(await gone.asRobot()).status, await isLive(gone.key)]).toEqual([
        wanted === 'revoke' ? 401 : 200,
        false,
      ]);
    },
  );
});

test('A user who loses the required role loses the credential, and one who is only signed out keeps it.', async () => {
  await policy({});
  const one = await administrator('demoted');
  await service.deps.subjects.signOutEverywhere(tenant, one.person.id);
  expect(await isLive(one.key)).toBe(true);
  await service.deps.subjects.removeRole(tenant, one.person.id, 'tenant_admin');
  expect([await isLive(one.key), await isLive(one.issued)]).toEqual([false, false]);
});
