import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { TenantPolicySettings } from '@ostiary/events';
import { eventually } from '@ostiary/service/testing';
import type { Client } from '../../../src/clients/domain/client.ts';
import { grantHandlers } from '../../../src/oauth/http/token.ts';
import { assertionGrants } from '../../../src/oauth/trust/assertion-grants.http.ts';
import { bearerGrant, exchangeGrant, Signatory } from '../../support/assertions.ts';
import type { Browser } from '../../support/sign-in/browser.ts';
import { accountPath, appCode, laterStep, openAccount, setUpApp } from '../../support/sign-in/second-step.ts';
import {
  authorizeUrl,
  password,
  redeem,
  rival,
  selfService,
  signIn,
  startTestService,
  type TestService,
  tenant,
  token,
  userinfoStatus,
} from '../../support/sign-in/service.ts';

let service: TestService;
let app: Client;
let rivalApp: Client;
let version = 1;

const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code';
const scope = `openid offline_access users:read ${selfService}`;

beforeAll(async () => {
  service = await startTestService();
  const metadata = { require_consent: false, scope };
  app = await service.client(metadata);
  rivalApp = await service.client(metadata, rival);
});
afterAll(() => service?.stop());

/** Sets the policy of a tenant and waits until every process has it. */
async function requires(on: boolean, of = tenant): Promise<void> {
  version += 1;
  const settings: TenantPolicySettings = { requireSecondFactorForAdministrators: on };
  const event = {
    id: crypto.randomUUID(),
    tenant: of,
    type: 'tenant.updated' as const,
    subject: of,
    version,
    actor: { kind: 'system' as const, id: 'test' },
    payload: { id: of, name: of, status: 'active' as const, policy: { version, settings } },
  };
  await service.directory.send([event]);
  await eventually(
    async () =>
      (await service.deps.tenants.find(of))?.policy.requireSecondFactorForAdministrators === on &&
      (await service.deps.directoryEvents.missing([event.id])).length === 0,
  );
}

async function administrator(userName: string, of = tenant) {
  const person = await service.person(userName, { tenant: of });
  const role = { subject: person.id, role: 'tenant_admin' };
  expect((await service.internal('POST', `/tenants/${of}/roles`, role)).status).toBe(204);
  return person;
}

interface Given {
  scopes: string[];
  accessToken: string;
  refreshToken: string;
  status: number;
}

function givenBy({ status, body }: Awaited<ReturnType<typeof token>>): Given {
  const { scope: given = '', access_token: accessToken = '', refresh_token: refreshToken = '' } = body;
  return { status, scopes: given.split(' '), accessToken, refreshToken };
}

/** Signs in, with a code if requested. */
async function enter(
  userName: string,
  o: { browser?: Browser; secret?: string; client?: Client } = {},
): Promise<Given> {
  const { browser = service.browser(), client = app } = o;
  let answer = await browser.follow(await browser.get(authorizeUrl(client, { scope })));
  if (answer.location === undefined && answer.text.includes('name="password"')) {
    answer = await signIn(browser, client, userName, { fields: { scope } });
  }
  if (answer.text.includes('name="code"')) {
    if (o.secret === undefined) throw new Error('asked for a second factor');
    answer = await browser.follow(
      await browser.submit(answer, { code: appCode(o.secret), action: 'continue' }),
    );
    await laterStep(service);
  }
  return givenBy(await redeem(service, client, new URL(answer.location ?? '')));
}

const refresh = async (refreshToken: string, client = app): Promise<Given> =>
  givenBy(await token(service, client, { grant_type: 'refresh_token', refresh_token: refreshToken }));

async function personalToken(accessToken: string): Promise<{ token: string; scopes: string[] }> {
  const response = await fetch(`${service.origin}/t/${tenant}/personal-access-tokens`, {
    method: 'POST',
    headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'script' }),
  });
  expect(response.status).toBe(201);
  const body = (await response.json()) as { token: string; scope: string };
  return { token: body.token, scopes: body.scope.split(' ') };
}

/** Returns the current scopes of a personal access token. */
const scopesNow = async (text: string): Promise<string[]> => [
  ...((await service.deps.apiTokenReader.find(text))?.scopes ?? ['dead']),
];

const age = (userName: string) =>
  service.deps.database.sql.query(
    `UPDATE auth.sessions SET auth_time = now() - interval '1 hour'
      WHERE subject_id IN (SELECT id FROM auth.subjects WHERE user_name = $1)`,
    [userName],
  );

test('A role applies after any sign-in until the tenant requires a second factor; other tenants are unaffected.', async () => {
  await administrator('off-anna');
  await administrator('off-anna', rival);
  await requires(false);
  expect((await enter('off-anna')).scopes).toContain('users:read');
  await requires(true);
  const weak = await enter('off-anna');
  expect(weak.scopes).toEqual(expect.arrayContaining(['openid', 'self:tokens']));
  expect(weak.scopes).not.toContain('users:read');
  expect((await refresh(weak.refreshToken)).scopes).not.toContain('users:read');
  expect((await enter('off-anna', { client: rivalApp })).scopes).toContain('users:read');
  await requires(false);
  expect((await enter('off-anna')).scopes).toContain('users:read');
});

test('Requiring a second factor revokes tokens issued without one; the session continues without the role.', async () => {
  await administrator('old-anna');
  await service.person('old-bert');
  await administrator('old-anna', rival);
  await requires(false);
  const browser = service.browser();
  const old = await enter('old-anna', { browser });
  const ordinary = await enter('old-bert');
  const elsewhere = await enter('old-anna', { client: rivalApp });
  expect(await userinfoStatus(service, old.accessToken)).toBe(200);
  await requires(true);
  await eventually(async () => (await userinfoStatus(service, old.accessToken)) === 401);
  expect((await refresh(old.refreshToken)).status).toBe(400);
  expect((await refresh(ordinary.refreshToken)).status).toBe(200);
  expect((await refresh(elsewhere.refreshToken, rivalApp)).scopes).toContain('users:read');
  const again = await enter('old-anna', { browser });
  expect([again.status, again.scopes.includes('users:read')]).toEqual([200, false]);
});

test('A grant that survived a missed event has no role scopes after its next refresh.', async () => {
  await administrator('missed-anna');
  await requires(false);
  const { refreshToken } = await enter('missed-anna');
  const { sql } = service.deps.database;
  // The state after another process wrote the event and before this one has received it.
  await sql.query(
    `UPDATE auth.tenants SET policy = '{"requireSecondFactorForAdministrators":true}' WHERE id = $1`,
    [tenant],
  );
  service.deps.tenants.forget(tenant);
  const next = await refresh(refreshToken);
  expect([next.status, next.scopes.includes('openid'), next.scopes.includes('users:read')]).toEqual([
    200,
    true,
    false,
  ]);
});

test('A user without a second factor is notified on the account page, sets one up and then has the role.', async () => {
  await administrator('path-anna');
  await requires(true);
  const browser = service.browser();
  const hint = 'Your role takes effect only when you sign in with a second factor';
  expect((await openAccount(browser, 'path-anna')).text).toContain(hint);
  const before = service.browser();
  const weak = await enter('path-anna', { browser: before });
  expect(weak.scopes).not.toContain('users:read');
  const only = await before.get(authorizeUrl(app, { scope: 'users:read' }));
  expect(new URL(only.location ?? '').searchParams.get('error')).toBe('unmet_authentication_requirements');

  const { secret } = await setUpApp(service, browser, 'path-anna');
  expect((await browser.get(accountPath)).text).not.toContain(hint);
  // An earlier session does not have the role; the next request with its scopes asks for the code.
  expect((await refresh(weak.refreshToken)).scopes).not.toContain('users:read');
  const silent = await before.get(authorizeUrl(app, { scope, prompt: 'none' }));
  const quiet = givenBy(await redeem(service, app, new URL(silent.location ?? '')));
  expect(quiet.scopes).not.toContain('users:read');
  const strong = await enter('path-anna', { browser: before, secret });
  expect(strong.scopes).toContain('users:read');
  expect((await refresh(strong.refreshToken)).scopes).toContain('users:read');
  const elsewhere = await enter('path-anna', { secret });
  expect(elsewhere.scopes).toContain('users:read');
  await requires(false);
  await requires(true);
  expect(await userinfoStatus(service, strong.accessToken)).toBe(200);
});

test('A personal access token has the role only if it was created after two factors and two still exist.', async () => {
  const person = await administrator('script-anna');
  await requires(false);
  const early = await personalToken((await enter('script-anna')).accessToken);
  expect(await scopesNow(early.token)).toContain('users:read');
  await requires(true);
  const weak = await personalToken((await enter('script-anna')).accessToken);
  expect(weak.scopes).not.toContain('users:read');

  const { secret } = await setUpApp(service, service.browser(), 'script-anna');
  const strong = await personalToken((await enter('script-anna', { secret })).accessToken);
  expect(strong.scopes).toContain('users:read');
  expect(await scopesNow(strong.token)).toContain('users:read');
  expect(await scopesNow(weak.token)).not.toContain('users:read');
  expect(await scopesNow(early.token)).not.toContain('users:read');
  await age('script-anna');
  await service.deps.secondFactors.removeTotp(tenant, person.id);
  expect(await scopesNow(strong.token)).not.toContain('users:read');
  expect(await scopesNow(strong.token)).toContain('openid');
});

test('A personal access token created after one factor or an unknown sign-in never gains the role.', async () => {
  await requires(false);
  const subject = await service.deps.subjects.find(tenant, (await administrator('page-bert')).id);
  if (!subject) throw new Error('nobody');
  const { apiTokens, sessions } = service.deps;
  const signIn = { subjectId: subject.id, amr: ['pwd'], userAgent: undefined, ipAddress: undefined };
  const session = (await sessions.start(tenant, { ...signIn, carriedRoles: null }, undefined))?.session;
  if (!session) throw new Error('no session');
  const make = (acr: string | null) =>
    apiTokens.createPersonal(tenant, subject, { name: 'x' }, { acr, session });
  const [unknown, one] = [await make(null), await make('urn:ostiary:acr:1fa')];
  expect(await scopesNow(one.token)).toContain('users:read');
  await requires(true);
  await setUpApp(service, service.browser(), 'page-bert');
  expect(await scopesNow(unknown.token)).not.toContain('users:read');
  expect(await scopesNow(one.token)).not.toContain('users:read');
  await expect(
    apiTokens.createPersonal(tenant, subject, { name: 'y', scopes: ['users:read'] }),
  ).rejects.toMatchObject({ code: 'invalid_scope' });
});

test('An assertion of a trusted issuer gives no role where roles require two factors.', async () => {
  const person = await administrator('asserted-anna');
  await service.deps.subjects.find(tenant, person.id);
  const partner = await Signatory.create('https://partner.example');
  const client = await service.client({
    token_endpoint_auth_method: 'client_secret_post',
    grant_types: [bearerGrant],
    redirect_uris: [],
    scope: 'openid users:read',
  });
  await service.deps.database.sql.query(
    `WITH issuer AS (
       INSERT INTO auth.trusted_issuers (tenant, id, name, issuer, jwks, client_ids, scopes)
       VALUES ($1, gen_random_uuid(), 'Partner', $2, $3::jsonb, $4, $5) RETURNING id
     )
     INSERT INTO auth.issuer_subjects (tenant, id, issuer_id, subject, subject_id)
     SELECT $1, gen_random_uuid(), id, 'anna', $6::uuid FROM issuer`,
    [
      tenant,
      partner.issuer,
      JSON.stringify(partner.jwks),
      [client.clientId],
      ['openid', 'users:read'],
      person.id,
    ],
  );
  const present = async () =>
    givenBy(
      await token(service, client, {
        grant_type: bearerGrant,
        client_secret: client.secret ?? '',
        assertion: await partner.assertion({ aud: service.deps.issuer(tenant), sub: 'anna' }),
      }),
    );
  await requires(false);
  expect((await present()).scopes).toEqual(['openid', 'users:read']);
  await requires(true);
  expect((await present()).scopes).toEqual(['openid']);
});

test('A role through a group requires a second factor like a direct role.', async () => {
  const person = await service.person('member-anna');
  await service.deps.subjects.find(tenant, person.id);
  await service.deps.database.sql.query(
    `INSERT INTO auth.group_role_holders (tenant, subject_id, group_id, role)
     VALUES ($1, $2, gen_random_uuid(), 'auditor')`,
    [tenant, person.id],
  );
  await requires(false);
  const old = await enter('member-anna');
  expect(old.scopes).toContain('users:read');
  await requires(true);
  expect((await refresh(old.refreshToken)).status).toBe(400);
  expect((await enter('member-anna')).scopes).not.toContain('users:read');
});

test('A device gets no role from a sign-in with one factor.', async () => {
  await administrator('tv-anna');
  const tv = await service.client({
    application_type: 'native',
    grant_types: [deviceGrant, 'refresh_token'],
    scope: 'openid users:read',
  });
  const given = async (): Promise<string[]> => {
    const response = await fetch(`${service.origin}/t/${tenant}/device_authorization`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ client_id: tv.clientId, scope: 'openid users:read' }),
    });
    const codes = (await response.json()) as { device_code: string; user_code: string };
    const browser = service.browser();
    const entry = await browser.get(`/t/${tenant}/device`);
    const login = await browser.follow(await browser.submit(entry, { user_code: codes.user_code }));
    const fields = { username: 'tv-anna', password, action: 'sign-in' };
    const question = await browser.follow(await browser.submit(login, fields));
    await browser.submit(question, { action: 'allow' });
    const form = { grant_type: deviceGrant, device_code: codes.device_code };
    return givenBy(await token(service, tv, form)).scopes;
  };
  await requires(false);
  expect(await given()).toEqual(['openid', 'users:read']);
  await requires(true);
  expect(await given()).toEqual(['openid']);
});

test('The graph returns the required sign-in to an administrator without a second factor, not a missing scope.', async () => {
  await administrator('told-anna');
  await requires(true);
  const register = async (accessToken: string) => {
    const response = await fetch(`${service.origin}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${accessToken}` },
      body: JSON.stringify({
        query:
          'mutation { registerClient(input: { name: "App", scopes: ["users:read"] }) { client { id } } }',
      }),
    });
    const { errors } = (await response.json()) as { errors?: { extensions: object }[] };
    return errors?.[0]?.extensions;
  };
  expect(await register((await enter('told-anna')).accessToken)).toEqual({
    code: 'INSUFFICIENT_USER_AUTHENTICATION',
    acrValues: ['urn:ostiary:acr:2fa', 'phr'],
    maxAge: 900,
  });
  await requires(false);
  expect(await register((await enter('told-anna')).accessToken)).toMatchObject({ code: 'FORBIDDEN' });
});

test('Every grant type of the server is covered above or is for clients that act for themselves.', () => {
  const attacked = ['authorization_code', 'refresh_token', deviceGrant, bearerGrant, exchangeGrant];
  const ofClients = ['client_credentials'];
  const { deps } = service;
  const handlers = grantHandlers({ ...deps, assertingAccount: async () => undefined }, assertionGrants(deps));
  expect([...handlers.keys()].sort()).toEqual([...attacked, ...ofClients].sort());
});

test('An exchange gives no role for an older token; client_credentials keeps the registered scopes.', async () => {
  await administrator('swap-anna');
  await requires(false);
  const exchanger = await service.client({
    token_endpoint_auth_method: 'client_secret_post',
    grant_types: ['client_credentials', exchangeGrant],
    redirect_uris: [],
    scope: 'openid users:read',
    token_exchange_subject_clients: [app.clientId],
  });
  const { accessToken } = await enter('swap-anna');
  const exchange = async (text: string) =>
    givenBy(
      await token(service, exchanger, {
        grant_type: exchangeGrant,
        client_secret: exchanger.secret ?? '',
        subject_token: text,
        subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
      }),
    );
  expect((await exchange(accessToken)).scopes).toContain('users:read');
  await service.deps.database.sql.query(
    `UPDATE auth.tenants SET policy = '{"requireSecondFactorForAdministrators":true}' WHERE id = $1`,
    [tenant],
  );
  service.deps.tenants.forget(tenant);
  expect((await exchange(accessToken)).scopes).toEqual(['openid']);
  const own = await token(service, exchanger, {
    grant_type: 'client_credentials',
    client_secret: exchanger.secret ?? '',
  });
  expect(own.body.scope).toBe('users:read');
});
