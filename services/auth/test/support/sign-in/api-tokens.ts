import { afterAll, beforeAll } from '@jest/globals';
import type { Client } from '../../../src/clients/domain/client.ts';
import {
  redeem,
  rival,
  selfService,
  signInAndAllow,
  startTestService,
  type TestService,
  tenant,
  token,
} from './service.ts';

export interface GraphAnswer {
  // biome-ignore lint/suspicious/noExplicitAny: each test knows the shape it asked for
  data: any;
  errors?: { message: string; extensions: { code: string } }[];
}

export let service: TestService;
export let app: Client;
export let admin: string;
export let rivalAdmin: string;

export const everything =
  'sessions:read sessions:write clients:read clients:write roles:read roles:write users:read users:write';

/** Starts a service with an app, and administrators of two tenants. */
export function setUpApiTokens(): void {
  beforeAll(async () => {
    service = await startTestService();
    app = await service.client({
      require_consent: false,
      scope: `openid profile email groups offline_access users:read ${selfService}`,
    });
    admin = await machineToken(tenant, everything);
    rivalAdmin = await machineToken(rival, everything);
  });
  afterAll(() => service.stop());
}

export async function machine(of: string, scope: string, metadata: object = {}) {
  return service.client(
    {
      token_endpoint_auth_method: 'client_secret_post',
      grant_types: ['client_credentials'],
      redirect_uris: [],
      scope,
      ...metadata,
    },
    of,
  );
}

export async function machineToken(of: string, scope: string): Promise<string> {
  const client = await machine(of, scope);
  const answer = await token(service, client, {
    grant_type: 'client_credentials',
    client_secret: client.secret ?? '',
  });
  return answer.body.access_token ?? '';
}

export async function ask(query: string, variables: object, accessToken: string): Promise<GraphAnswer> {
  const response = await fetch(`${service.origin}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${accessToken}` },
    body: JSON.stringify({ query, variables }),
  });
  return (await response.json()) as GraphAnswer;
}

export const codesOf = (answer: GraphAnswer): string[] | undefined =>
  answer.errors?.map((error) => error.extensions.code);

const people = new Map<string, Awaited<ReturnType<typeof service.person>>>();

export async function signedIn(userName: string, o: { admin?: boolean; scope?: string } = {}) {
  const person = people.get(userName) ?? (await service.person(userName));
  people.set(userName, person);
  if (o.admin) {
    await service.internal('POST', `/tenants/${tenant}/roles`, { subject: person.id, role: 'tenant_admin' });
  }
  const scope = o.scope ?? `openid profile ${selfService}`;
  const { body } = await redeem(
    service,
    app,
    await signInAndAllow(service.browser(), app, userName, { scope }),
  );
  return { person, accessToken: body.access_token ?? '' };
}

export const create = `mutation ($input: CreatePersonalAccessTokenInput!) {
  createPersonalAccessToken(input: $input) {
    token personalAccessToken { id name hint scopes createdAt expiresAt lastUsedAt } } }`;

export const tokensOf = `query ($of: [_Any!]!) { _entities(representations: $of) { ... on User {
  personalAccessTokens { id name hint scopes lastUsedAt expiresAt } } } }`;

export const representation = (id: string) => ({ of: [{ __typename: 'User', id }] });

export async function personal(
  accessToken: string,
  input: Record<string, unknown> = {},
): Promise<{ id: string; token: string; scopes: string[] }> {
  const answer = await ask(create, { input: { name: 'laptop', ...input } }, accessToken);
  if (answer.errors) throw new Error(JSON.stringify(answer.errors));
  const { personalAccessToken, token: secret } = answer.data.createPersonalAccessToken;
  return { id: personalAccessToken.id, scopes: personalAccessToken.scopes, token: secret };
}

export const listOf = async (id: string, by: string) =>
  (await ask(tokensOf, representation(id), by)).data._entities[0]?.personalAccessTokens;
