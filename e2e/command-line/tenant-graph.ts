import { runningDemo } from '../support/demo.ts';
import { operatorSecret } from './command-line.ts';

/** Queries the graph of one tenant as the operator. @returns the data */
export async function tenantGraph<Data>(tenant: string, query: string, variables: object): Promise<Data> {
  const { operator, origin } = runningDemo();
  const answer = await fetch(`${operator}/t/platform/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`operator:${operatorSecret()}`).toString('base64')}` },
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      resource: `${origin}/t/${tenant}/graphql`,
    }),
  });
  const { access_token: token } = (await answer.json()) as { access_token: string };
  const asked = await fetch(`${operator}/t/${tenant}/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables }),
  });
  const { data, errors } = (await asked.json()) as { data: Data; errors?: unknown };
  if (errors) throw new Error(JSON.stringify(errors));
  return data;
}
