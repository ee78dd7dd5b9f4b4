import type { Client } from '../../../src/clients/domain/client.ts';
import type { RoleApi } from '../api-roles.ts';
import { asking, service } from '../sign-in/role-groups.ts';
import { type TokenAnswer, tenant, token } from '../sign-in/service.ts';

const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

/** Sets attributes of a user that only the directory stores. */
export function setAttributes(person: { id: string }, attributes: object): void {
  const stored = service.directory.tenants.get(tenant)?.people.get(person.id);
  Object.assign(stored ?? {}, { attributes });
}

export const department = (name: string): object => ({ [enterprise]: { department: name } });

export const mapping = (name: string, expression: string, required = false) => ({
  name,
  expression,
  required,
});

export const setClaims = async (
  api: RoleApi,
  claims: readonly ReturnType<typeof mapping>[],
): Promise<unknown> => service.deps.apis.update(tenant, api.id, { claims });

/** Registers a machine client with own scopes of APIs; returns its token answer. */
export async function ownToken(api: RoleApi): Promise<TokenAnswer> {
  const client = await service.client({
    token_endpoint_auth_method: 'client_secret_post',
    grant_types: ['client_credentials'],
    redirect_uris: [],
    scope: '',
    own_scopes: [api.scope],
  });
  const form = { grant_type: 'client_credentials', client_secret: client.secret ?? '', scope: api.scope };
  return token(service, client, form);
}

/** Returns the answer of an introspection by the client of a token. */
export const introspected = (accessToken: string | undefined, by: Client): Promise<Record<string, unknown>> =>
  service.deps.introspection.introspect(tenant, accessToken ?? '', by);

export async function userinfo(accessToken: string | undefined): Promise<{ status: number; body: object }> {
  const response = await fetch(`${service.origin}/t/${tenant}/userinfo`, {
    headers: { authorization: `Bearer ${accessToken}` },
  });
  return { status: response.status, body: (await response.json()) as object };
}

const fields = 'issued claims { name value } failures { name required reason message }';

/** Asks for the claims of tokens that would be issued. */
export const preview = (variables: object, as: string) =>
  asking.ask(
    `query ($userId: ID!, $clientId: ID!, $apiId: ID) {
       claimPreview(userId: $userId, clientId: $clientId, apiId: $apiId) {
         accessToken { ${fields} } idToken { ${fields} } userinfo { ${fields} } } }`,
    variables,
    as,
  );
