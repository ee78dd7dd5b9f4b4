import { type BenchContext, basic } from '../scenario.ts';

export interface Client {
  client_id: string;
  client_secret: string;
}

/** Registers a machine client. */
export async function registered({ system }: BenchContext, token: string, input: object): Promise<Client> {
  const answer = await fetch(`${system.origin}/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      query: `mutation ($input: RegisterClientInput!) {
        registerClient(input: $input) { client { id } clientSecret problems { message } } }`,
      variables: { input: { kind: 'MACHINE', name: 'company API', ...input } },
    }),
  });
  const { data } = (await answer.json()) as {
    data: { registerClient: { client: { id: string }; clientSecret: string } };
  };
  return { client_id: data.registerClient.client.id, client_secret: data.registerClient.clientSecret };
}

/** Returns a token of a client for a company API. */
export async function tokenOf({ demo }: BenchContext, app: Client, resource: string): Promise<string> {
  const answer = await fetch(`${demo.tenants.demo.issuer}/token`, {
    method: 'POST',
    headers: { authorization: basic(app) },
    body: new URLSearchParams({ grant_type: 'client_credentials', resource }),
  });
  return ((await answer.json()) as { access_token: string }).access_token;
}
