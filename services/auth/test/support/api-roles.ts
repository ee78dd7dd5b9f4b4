import type { Client } from '../../src/clients/domain/client.ts';
import { codesOf, type GraphAnswer } from './sign-in/asking.ts';
import { all, asking, service } from './sign-in/role-groups.ts';
import { redeem, signInAndAllow, type TokenAnswer, tenant, token } from './sign-in/service.ts';

let made = 0;

export interface RoleApi {
  id: string;
  identifier: string;
  scope: string;
}

/** Registers an API with a scope and the roles `reader` and `approver`. */
export async function roleApi(o: { opaque?: boolean; as?: RoleApi; of?: string } = {}): Promise<RoleApi> {
  made += 1;
  const { identifier, scope } = o.as ?? {
    identifier: `https://roles${made}.example/v1`,
    scope: `roles${made}:read`,
  };
  const { id } = await service.deps.apis.register(o.of ?? tenant, {
    identifier,
    name: 'Orders',
    scopes: [{ name: scope, descriptions: {} }],
    roles: [
      { name: 'reader', descriptions: { en: 'Reads orders' } },
      { name: 'approver', descriptions: {} },
    ],
    tokenLifetimeSeconds: null,
    tokenFormat: o.opaque ? 'opaque' : 'jwt',
  });
  return { id, identifier, scope };
}

/** Registers an app for users with scopes of APIs. */
export const appFor = (...apis: RoleApi[]): Promise<Client> =>
  service.client({
    require_consent: false,
    scope: ['openid', 'offline_access', ...apis.map(({ scope }) => scope)].join(' '),
  });

/** Signs a user in and returns the tokens for an API. */
export async function tokensFor(
  app: Client,
  person: { userName: string },
  api: RoleApi,
): Promise<TokenAnswer['body']> {
  const fields = { scope: `openid offline_access ${api.scope}` };
  return (await redeem(service, app, await signInAndAllow(service.browser(), app, person.userName, fields)))
    .body;
}

export const refreshed = (app: Client, tokens: TokenAnswer['body']): Promise<TokenAnswer> =>
  token(service, app, { grant_type: 'refresh_token', refresh_token: tokens.refresh_token ?? '' });

/** Returns the roles in a live token; null for one that is not live. */
export async function rolesIn(accessToken: string | undefined): Promise<readonly string[] | null> {
  const live = await service.deps.introspection.liveAccessToken(tenant, accessToken ?? '');
  return live && (live.claims.roles ?? []);
}

/** Calls a mutation of roles of APIs; returns the error codes. */
export async function changeRole(mutation: string, input: object, as = all): Promise<string[] | undefined> {
  const type = `${mutation[0]?.toUpperCase()}${mutation.slice(1)}Input`;
  const document = `mutation ($input: ${type}!) { ${mutation}(input: $input) { __typename } }`;
  return codesOf(await asking.ask(document, { input }, as));
}

export const apiRolesQuery = `query ($representations: [_Any!]!) { _entities(representations: $representations) {
  ... on User { roles roleSources { role } apiRoleSources(first: 5) { totalCount edges { node { role direct api { id } groups { id } } } } }
  ... on Group { roles roleGrants { role } apiRoleGrants(first: 5) { edges { node { role managedBySources api { id } } } } } } }`;

export const readApiRoles = (type: 'User' | 'Group', id: string, as = all): Promise<GraphAnswer> =>
  asking.ask(apiRolesQuery, { representations: [{ __typename: type, id }] }, as);
