import { describe, expect, test } from '@jest/globals';
import type { Client } from '../../../src/clients/domain/client.ts';
import {
  appFor,
  changeRole,
  type RoleApi,
  refreshed,
  roleApi,
  rolesIn,
  tokensFor,
} from '../../support/api-roles.ts';
import { accessTokenType, exchangeGrant } from '../../support/assertions.ts';
import { claimsOf } from '../../support/running-auth.ts';
import { service, setUpRoleGroups } from '../../support/sign-in/role-groups.ts';
import { rival, type TokenAnswer, tenant, token } from '../../support/sign-in/service.ts';

setUpRoleGroups();

type Exchanger = Awaited<ReturnType<typeof service.client>>;

/** Registers a service that may exchange the tokens of an app. */
const exchangerFor = (app: Client, apis: readonly RoleApi[], metadata: object = {}): Promise<Exchanger> =>
  service.client({
    token_endpoint_auth_method: 'client_secret_post',
    grant_types: ['client_credentials', exchangeGrant],
    redirect_uris: [],
    scope: ['openid', ...apis.map(({ scope }) => scope)].join(' '),
    token_exchange_subject_clients: [app.clientId],
    ...metadata,
  });

const exchanged = (
  client: Exchanger,
  subjectToken: string | undefined,
  fields: Record<string, string> = {},
): Promise<TokenAnswer> =>
  token(service, client, {
    grant_type: exchangeGrant,
    client_secret: client.secret ?? '',
    subject_token: subjectToken ?? '',
    subject_token_type: accessTokenType,
    ...fields,
  });

describe('roles in exchanged tokens', () => {
  test.each([
    ['JWT', false, false],
    ['opaque', true, false],
    ['impersonating', false, true],
  ])(
    'An exchanged token (%s) has the roles of its subject token for every exchanging client, and ends with the role.',
    async (name, opaque, impersonation) => {
      const api = await roleApi({ opaque });
      const person = await service.person(`exchanged ${name}`);
      await changeRole('assignApiRole', { userId: person.id, apiId: api.id, role: 'reader' });
      const app = await appFor(api);
      const first = await exchangerFor(app, [api], { token_exchange_impersonation: impersonation });
      const second = await exchangerFor(first, [api]);
      const subject = await tokensFor(app, person, api);
      const one = await exchanged(first, subject.access_token, { resource: api.identifier });
      const two = await exchanged(second, one.body.access_token);
      for (const { body } of [one, two]) {
        expect(await rolesIn(body.access_token)).toEqual(['reader']);
        const live = await service.deps.introspection.liveAccessToken(tenant, body.access_token ?? '');
        expect(live?.claims.aud).toBe(api.identifier);
      }
      await changeRole('removeApiRole', { userId: person.id, apiId: api.id, role: 'reader' });
      for (const { body } of [one, two]) expect(await rolesIn(body.access_token)).toBeNull();
      expect((await exchanged(first, subject.access_token)).body.error).toBe('invalid_request');
    },
  );

  test.each([
    ['JWT', false],
    ['opaque', true],
  ])(
    'The token of an agent (%s) has the roles of the user at the API until its delegation ends.',
    async (name, opaque) => {
      const api = await roleApi({ opaque });
      const person = await service.person(`agent ${name}`);
      await changeRole('assignApiRole', { userId: person.id, apiId: api.id, role: 'reader' });
      const app = await appFor(api);
      const agent = await exchangerFor(app, [api], { token_exchange_agent: true });
      const subject = await tokensFor(app, person, api);
      const delegations = () =>
        service.deps.delegationList.page(tenant, { userId: person.id }, { limit: 5, direction: 'forward' });
      // The token has only the scope of OpenID Connect left, which is not of the API.
      expect((await exchanged(agent, subject.access_token, { scope: 'openid' })).body.error).toBe(
        'invalid_scope',
      );
      expect(await delegations()).toEqual([]);
      const { body } = await exchanged(agent, subject.access_token);
      expect(await rolesIn(body.access_token)).toEqual(['reader']);
      const [delegation] = await delegations();
      expect(delegation).toMatchObject({ clientId: agent.clientId, audiences: [api.identifier] });
      await service.deps.delegations.end(tenant, delegation?.id ?? '', { reason: 'ended' });
      expect(await rolesIn(body.access_token)).toBeNull();
      expect(await rolesIn(subject.access_token)).toEqual(['reader']);
    },
  );

  test('An exchanged token has no role that the user received after the sign-in of its subject token, until that is renewed.', async () => {
    const api = await roleApi();
    const person = await service.person('later');
    const app = await appFor(api);
    const exchanger = await exchangerFor(app, [api]);
    const subject = await tokensFor(app, person, api);
    await changeRole('assignApiRole', { userId: person.id, apiId: api.id, role: 'approver' });
    expect(await rolesIn((await exchanged(exchanger, subject.access_token)).body.access_token)).toEqual([]);
    const renewed = (await refreshed(app, subject)).body.access_token;
    expect(await rolesIn((await exchanged(exchanger, renewed)).body.access_token)).toEqual(['approver']);
  });

  test('The exchange of a token with roles does not reach another API, the API of the tenant, or more roles.', async () => {
    const [api, other] = [await roleApi(), await roleApi()];
    const person = await service.person('bounded');
    await changeRole('assignApiRole', { userId: person.id, apiId: api.id, role: 'reader' });
    await changeRole('assignApiRole', { userId: person.id, apiId: other.id, role: 'approver' });
    const app = await appFor(api, other);
    const exchanger = await exchangerFor(app, [api, other]);
    const subject = (await tokensFor(app, person, api)).access_token;
    for (const resource of [other.identifier, `${service.origin}/t/${tenant}`])
      expect((await exchanged(exchanger, subject, { resource })).body).toMatchObject({
        error: 'invalid_target',
      });
    expect((await exchanged(exchanger, subject, { scope: other.scope })).body.error).toBe('invalid_scope');
    expect(await rolesIn((await exchanged(exchanger, subject)).body.access_token)).toEqual(['reader']);
  });

  test('A token of the service itself has no roles, also as the actor, and a token without roles gains none.', async () => {
    const api = await roleApi();
    const [holder, plain] = [await service.person('actor holder'), await service.person('plain')];
    await changeRole('assignApiRole', { userId: holder.id, apiId: api.id, role: 'reader' });
    const app = await appFor(api);
    const exchanger = await exchangerFor(app, [api]);
    const actor = await token(service, exchanger, {
      grant_type: 'client_credentials',
      client_secret: exchanger.secret ?? '',
    });
    expect(claimsOf(actor.body.access_token)).not.toHaveProperty('roles');
    const asHolder = (await tokensFor(app, holder, api)).access_token;
    const asPlain = (await tokensFor(app, plain, api)).access_token;
    const withActor = { actor_token: actor.body.access_token ?? '', actor_token_type: accessTokenType };
    expect(await rolesIn((await exchanged(exchanger, asPlain, withActor)).body.access_token)).toEqual([]);
    const acting = { actor_token: asHolder ?? '', actor_token_type: accessTokenType };
    expect(await rolesIn((await exchanged(exchanger, asPlain, acting)).body.access_token)).toEqual([]);
  });

  test('The rival tenant exchanges no token with roles.', async () => {
    const api = await roleApi();
    const person = await service.person('not theirs');
    await changeRole('assignApiRole', { userId: person.id, apiId: api.id, role: 'reader' });
    const app = await appFor(api);
    const theirs = await service.client(
      {
        token_endpoint_auth_method: 'client_secret_post',
        grant_types: ['client_credentials', exchangeGrant],
        redirect_uris: [],
        scope: 'openid',
        token_exchange_subject_clients: [app.clientId],
      },
      rival,
    );
    const subject = (await tokensFor(app, person, api)).access_token;
    expect((await exchanged(theirs, subject)).body.error).toBe('invalid_request');
  });
});
