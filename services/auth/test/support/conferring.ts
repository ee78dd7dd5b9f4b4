import { apiScopes } from '@ostiary/access';
import { type TestService, tenant, token } from './sign-in/service.ts';

/** Every scope of the API. */
export const everything = Object.keys(apiScopes);

/** Returns an access token of a new client that acts for itself with these scopes. */
export async function machineToken(
  service: TestService,
  scopes: readonly string[],
  of = tenant,
): Promise<string> {
  const client = await service.client(
    {
      token_endpoint_auth_method: 'client_secret_post',
      grant_types: ['client_credentials'],
      redirect_uris: [],
      scope: scopes.join(' '),
    },
    of,
  );
  const asked = { grant_type: 'client_credentials', client_secret: client.secret ?? '' };
  return (await token(service, client, asked)).body.access_token ?? '';
}

/** Answer of the graph: the code and the missing scopes of the first error, and the data. */
export interface Outcome {
  code: string | undefined;
  scopes: string[] | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: each test knows the shape it asked for
  data: any;
}

/** Sends an operation to the graph of the service. */
export async function askGraph(
  service: TestService,
  query: string,
  variables: object,
  accessToken: string,
): Promise<Outcome> {
  const response = await fetch(`${service.origin}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${accessToken}` },
    body: JSON.stringify({ query, variables }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: see above
  const body = (await response.json()) as any;
  const error = body.errors?.[0]?.extensions;
  return { code: error?.code, scopes: error?.scopes, data: body.data };
}

const inputTypes: Record<string, string> = {
  assignRole: 'RoleInput',
  deleteClient: 'ClientInput',
  disableClient: 'ClientInput',
  enableClient: 'ClientInput',
};

export const callMutation = (
  service: TestService,
  name: string,
  input: object,
  accessToken: string,
  shown = '__typename',
): Promise<Outcome> => {
  const type = inputTypes[name] ?? `${name[0]?.toUpperCase()}${name.slice(1)}Input`;
  const query = `mutation ($input: ${type}!) { ${name}(input: $input) { ${shown} } }`;
  return askGraph(service, query, { input }, accessToken);
};
