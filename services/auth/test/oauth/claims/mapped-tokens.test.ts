import { describe, expect, test } from '@jest/globals';
import type { Client } from '../../../src/clients/domain/client.ts';
import { appFor, changeRole, refreshed, roleApi, rolesIn, tokensFor } from '../../support/api-roles.ts';
import { accessTokenType, exchangeGrant } from '../../support/assertions.ts';
import {
  department,
  introspected,
  mapping,
  ownToken,
  setAttributes,
  setClaims,
  userinfo,
} from '../../support/claims/mapped-claims.ts';
import { claimsOf } from '../../support/running-auth.ts';
import { service, setUpRoleGroups } from '../../support/sign-in/role-groups.ts';
import { redeem, signInAndAllow, tenant, token } from '../../support/sign-in/service.ts';

setUpRoleGroups();

const claims = [
  mapping('tier', '"gold"'),
  mapping('dept', 'user.department'),
  mapping('teams', 'groups.filter(g, g.startsWith("app-")).map(g, g.substring(4))'),
  mapping('approves', '"approver" in roles'),
  mapping('from', 'client.id'),
];

async function employee(name: string) {
  const person = await service.person(name);
  setAttributes(person, department('Research'));
  for (const group of ['app-orders', 'staff'])
    service.directory.groups.names.set(service.directory.groups.create(tenant, [person.id]), group);
  return person;
}

describe('access tokens', () => {
  test('A JWT has the mapped claims at its issuance, and a refreshed one those at the refresh.', async () => {
    const api = await roleApi();
    await setClaims(api, claims);
    const person = await employee('jwt');
    await changeRole('assignApiRole', { userId: person.id, apiId: api.id, role: 'approver' });
    const app = await appFor(api);
    const tokens = await tokensFor(app, person, api);
    const expected = {
      tier: 'gold',
      dept: 'Research',
      teams: ['orders'],
      approves: true,
      from: app.clientId,
    };
    expect(claimsOf(tokens.access_token)).toMatchObject({ sub: person.id, roles: ['approver'], ...expected });
    expect(claimsOf(tokens.id_token)).not.toHaveProperty('dept');

    setAttributes(person, department('Sales'));
    expect(await introspected(tokens.access_token, app)).toMatchObject({ active: true, ...expected });
    const again = await refreshed(app, tokens);
    expect(claimsOf(again.body.access_token)).toMatchObject({ ...expected, dept: 'Sales' });
    setAttributes(person, {});
    const bare = await refreshed(app, again.body.refresh_token ? again.body : tokens);
    expect(claimsOf(bare.body.access_token)).not.toHaveProperty('dept');
    expect(claimsOf(bare.body.access_token)).toMatchObject({ tier: 'gold' });
  });

  test('The introspection of an opaque token returns the current values of the mapped claims.', async () => {
    const api = await roleApi({ opaque: true });
    const person = await employee('opaque');
    const app = await appFor(api);
    const tokens = await tokensFor(app, person, api);
    const before = await introspected(tokens.access_token, app);
    expect(before).not.toHaveProperty('tier');
    await setClaims(api, claims);
    expect(await introspected(tokens.access_token, app)).toMatchObject({
      dept: 'Research',
      teams: ['orders'],
    });
    setAttributes(person, department('Sales'));
    expect(await introspected(tokens.access_token, app)).toMatchObject({ active: true, dept: 'Sales' });
    await setClaims(api, []);
    expect(await introspected(tokens.access_token, app)).toEqual(before);
  });

  test('A mapping overrides no claim of the server, also if it was stored under a name that is now reserved.', async () => {
    const api = await roleApi();
    const stored = JSON.stringify([
      mapping('sub', '"someone"'),
      mapping('aud', '"x"'),
      mapping('scope', '"y"'),
    ]);
    await service.deps.database.sql.query('UPDATE auth.apis SET claims = $1 WHERE id = $2', [stored, api.id]);
    const person = await service.person('reserved');
    const app = await appFor(api);
    const { access_token: accessToken } = await tokensFor(app, person, api);
    expect(claimsOf(accessToken)).toMatchObject({ sub: person.id, aud: api.identifier });
    expect(claimsOf(accessToken).scope).toContain(api.scope);
  });

  test('A token that a client gets for itself has claims without a user.', async () => {
    const api = await roleApi();
    await setClaims(api, [...claims, mapping('human', 'has(user.userName)')]);
    const { body } = await ownToken(api);
    expect(claimsOf(body.access_token)).toMatchObject({ tier: 'gold', teams: [], human: false });
    expect(claimsOf(body.access_token)).not.toHaveProperty('dept');
  });

  test.each([
    ['JWT', false],
    ['opaque', true],
  ])('An exchanged token has the claims of its user: %s.', async (format, opaque) => {
    const api = await roleApi({ opaque });
    await setClaims(api, claims);
    const person = await employee(`exchanged ${format}`);
    const app = await appFor(api);
    const exchanger = await service.client({
      token_endpoint_auth_method: 'client_secret_post',
      grant_types: [exchangeGrant],
      redirect_uris: [],
      scope: api.scope,
      token_exchange_subject_clients: [app.clientId],
    });
    const subject = await tokensFor(app, person, api);
    const { body } = await token(service, exchanger, {
      grant_type: exchangeGrant,
      client_secret: exchanger.secret ?? '',
      subject_token: subject.access_token ?? '',
      subject_token_type: accessTokenType,
    });
    expect(await introspected(body.access_token, exchanger)).toMatchObject({
      dept: 'Research',
      from: exchanger.clientId,
      act: { sub: exchanger.clientId },
    });
  });
});

describe('required claims', () => {
  const required = [mapping('dept', 'user.department', true)];

  test.each([
    ['JWT', false],
    ['opaque', true],
  ])('No %s token is issued without a value of a required claim.', async (format, opaque) => {
    const api = await roleApi({ opaque });
    await setClaims(api, required);
    const person = await employee(`required ${format}`);
    const app = await appFor(api);
    const tokens = await tokensFor(app, person, api);
    expect(await introspected(tokens.access_token, app)).toMatchObject({ active: true, dept: 'Research' });
    setAttributes(person, {});
    const active = !opaque;
    expect(await introspected(tokens.access_token, app)).toMatchObject({ active });
    expect(await refreshed(app, tokens)).toMatchObject({
      status: 400,
      body: {
        error: 'invalid_grant',
        error_description: 'A claim that the API requires has no value.',
      },
    });
    const fields = { scope: `openid ${api.scope}` };
    const answer = await signInAndAllow(service.browser(), app, person.userName, fields);
    expect((await redeem(service, app, answer)).body.error).toBe('invalid_grant');
    expect((await ownToken(api)).body.error).toBe('invalid_grant');
    const events = service.logs.filter((line) => line.includes('claims.mapping_failed'));
    expect(events.at(-1)).toContain('"failure":"no_value"');
    expect(events.join()).not.toContain(person.id);
    expect(events.join()).not.toContain('Research');
  });

  test('An expression that fails is logged without its values.', async () => {
    const api = await roleApi();
    await setClaims(api, [mapping('number', 'int(user.displayName)')]);
    const person = await service.person('secretive');
    const { access_token: accessToken } = await tokensFor(await appFor(api), person, api);
    expect(claimsOf(accessToken)).not.toHaveProperty('number');
    const events = service.logs.filter((line) => line.includes('"claim":"number"'));
    expect(events.join()).toContain('"failure":"failed"');
    expect(events.join()).not.toContain('secretive');
  });
});

describe('ID tokens and userinfo', () => {
  const appWith = (mappings: readonly ReturnType<typeof mapping>[], metadata: object = {}): Promise<Client> =>
    service.client({
      require_consent: false,
      scope: 'openid offline_access',
      claim_mappings: mappings,
      ...metadata,
    });
  const signedIn = async (app: Client, person: { userName: string }) =>
    (
      await redeem(
        service,
        app,
        await signInAndAllow(service.browser(), app, person.userName, { scope: 'openid offline_access' }),
      )
    ).body;
  const ofClient = [mapping('dept', 'user.department'), mapping('app', 'client.name')];

  test('The ID token and userinfo have the mapped claims of the client, always with the current values.', async () => {
    const person = await employee('openid');
    const app = await appWith(ofClient);
    const tokens = await signedIn(app, person);
    const expected = { sub: person.id, dept: 'Research', app: 'Notes <App>' };
    expect(claimsOf(tokens.id_token)).toMatchObject({ ...expected, aud: app.clientId });
    expect(claimsOf(tokens.access_token)).not.toHaveProperty('dept');
    expect(await userinfo(tokens.access_token)).toEqual({ status: 200, body: expected });
    setAttributes(person, department('Sales'));
    expect((await userinfo(tokens.access_token)).body).toMatchObject({ dept: 'Sales' });
    expect(claimsOf((await refreshed(app, tokens)).body.id_token)).toMatchObject({ dept: 'Sales' });
  });

  test('Another client of the same user gets none of the claims.', async () => {
    const person = await employee('another');
    await signedIn(await appWith(ofClient), person);
    const tokens = await signedIn(await appWith([]), person);
    expect(claimsOf(tokens.id_token)).not.toHaveProperty('dept');
    expect((await userinfo(tokens.access_token)).body).toEqual({ sub: person.id });
  });

  test('A required claim without a value rejects ID tokens and userinfo.', async () => {
    const person = await employee('required by client');
    const app = await appWith([mapping('dept', 'user.department', true)]);
    const tokens = await signedIn(app, person);
    setAttributes(person, {});
    expect(await userinfo(tokens.access_token)).toMatchObject({
      status: 401,
      body: { error: 'invalid_token' },
    });
    expect((await refreshed(app, tokens)).body.error).toBe('invalid_grant');
  });
});

describe('the directory', () => {
  test('It is asked only for attributes that this service lacks, and not without mappings.', async () => {
    const api = await roleApi();
    const person = await employee('asked');
    const app = await appFor(api);
    const asked = async (): Promise<number> => {
      const before = service.directory.asked.length;
      await tokensFor(app, person, api);
      return service.directory.asked.slice(before).filter((line) => line.includes('attributes=')).length;
    };
    expect(await asked()).toBe(0);
    await setClaims(api, [mapping('user', 'user.userName + " " + user.displayName')]);
    expect(await asked()).toBe(0);
    await setClaims(api, claims);
    expect(await asked()).toBe(1);
  });

  test('While it is unavailable, no token with its attributes is issued, and others are.', async () => {
    const [api, other] = [await roleApi(), await roleApi()];
    await setClaims(api, claims);
    await setClaims(other, [mapping('tier', '"gold"'), mapping('login', 'user.userName')]);
    const person = await employee('outage');
    const app = await appFor(api, other);
    const [tokens, others] = [await tokensFor(app, person, api), await tokensFor(app, person, other)];
    service.directory.available = false;
    try {
      expect((await refreshed(app, tokens)).status).toBe(503);
      expect(claimsOf((await refreshed(app, others)).body.access_token)).toMatchObject({
        tier: 'gold',
        login: 'outage',
      });
    } finally {
      service.directory.available = true;
    }
    expect((await refreshed(app, tokens)).status).toBe(200);
  });
});

describe('changed mappings', () => {
  test('A removed or changed claim ends the JWTs of the clients of the API, and refreshed ones have the new claims.', async () => {
    const [api, other] = [await roleApi(), await roleApi()];
    await setClaims(api, [mapping('tier', '"gold"')]);
    const person = await service.person('changed');
    const [app, elsewhere] = [await appFor(api), await appFor(other)];
    let tokens = await tokensFor(app, person, api);
    const kept = await tokensFor(elsewhere, person, other);
    await setClaims(api, [mapping('tier', '"gold"'), mapping('more', '1')]);
    expect(await rolesIn(tokens.access_token)).toEqual([]);
    for (const [next, value] of [
      [[mapping('tier', '"silver"')], 'silver'],
      [[], undefined],
    ] as const) {
      await setClaims(api, next);
      expect(await rolesIn(tokens.access_token)).toBeNull();
      tokens = { ...tokens, ...(await refreshed(app, tokens)).body };
      expect(claimsOf(tokens.access_token).tier).toBe(value);
    }
    expect(await rolesIn(kept.access_token)).toEqual([]);
  });

  test('A removed claim ends the tokens that clients got for themselves.', async () => {
    const api = await roleApi();
    await setClaims(api, [mapping('tier', '"gold"')]);
    const { body } = await ownToken(api);
    expect(await rolesIn(body.access_token)).toEqual([]);
    await setClaims(api, []);
    expect(await rolesIn(body.access_token)).toBeNull();
  });

  test('A change from JWTs to opaque tokens ends the JWTs with mapped claims, and a later removal no opaque token.', async () => {
    const [api, plain] = [await roleApi(), await roleApi()];
    await setClaims(api, [mapping('tier', '"gold"')]);
    const person = await service.person('format');
    const app = await appFor(api);
    const jwt = await tokensFor(app, person, api);
    const unmapped = await tokensFor(await appFor(plain), person, plain);
    for (const { id } of [api, plain]) await service.deps.apis.update(tenant, id, { tokenFormat: 'opaque' });
    expect(await rolesIn(jwt.access_token)).toBeNull();
    expect(await rolesIn(unmapped.access_token)).toEqual([]);
    const opaque = (await refreshed(app, jwt)).body;
    await setClaims(api, []);
    expect(await introspected(opaque.access_token, app)).toMatchObject({ active: true });
    expect(await introspected(opaque.access_token, app)).not.toHaveProperty('tier');
  });

  test('Parallel changes of mappings leave the claims of one of them in stored and issued state.', async () => {
    const api = await roleApi();
    const person = await service.person('parallel');
    const app = await appFor(api);
    const levels = [1, 2, 3, 4, 5, 6];
    const issued = await Promise.all([
      ...levels.map((level) => setClaims(api, [mapping('level', `${level}`)]).then(() => undefined)),
      ...levels.map(() => tokensFor(app, person, api)),
    ]);
    const stored = (await service.deps.apis.find(tenant, api.id))?.claims[0]?.expression;
    for (const tokens of issued) {
      const live =
        tokens && (await service.deps.introspection.liveAccessToken(tenant, tokens.access_token ?? ''));
      if (live) expect([undefined, Number(stored)]).toContain(claimsOf(tokens?.access_token).level);
    }
    const { access_token: last } = await tokensFor(app, person, api);
    expect(claimsOf(last).level).toBe(Number(stored));
  });
});
