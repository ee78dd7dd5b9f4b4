import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { apiScopes } from '@ostiary/access';
import { clientToken, type Processes, post } from './processes.ts';

export const allScopes = Object.keys(apiScopes);

/** Returns a token of the operator for a resource. */
export type OperatorToken = (resource: string) => Promise<string>;

export function operatorAt(urls: Processes): OperatorToken {
  const home = dirname(process.env.OSTIARY_E2E ?? '');
  const secrets = JSON.parse(readFileSync(join(home, 'secrets.json'), 'utf8')) as Record<string, string>;
  const client = { client_id: 'operator', client_secret: secrets.OPERATOR_CLIENT_SECRET ?? '' };
  return (resource) => clientToken(`${urls.auth}/t/platform`, client, { resource });
}

/** A tenant of one test, without objects of other tests. */
export interface NewTenant {
  id: string;
  issuer: string;
  /** Administration client with every scope, and a token of it. */
  admin: { client_id: string; client_secret: string };
  token: string;
  /** Tokens of the operator for the internal APIs. */
  internal: { auth: string; directory: string };
}

export async function newTenant(
  origin: string,
  urls: Processes,
  { id, name, actor }: { id: string; name: string; actor: object },
): Promise<NewTenant> {
  const operator = operatorAt(urls);
  const [auth, directory] = await Promise.all([
    operator('urn:ostiary:service:auth'),
    operator('urn:ostiary:service:directory'),
  ]);
  await post(`${urls.directory}/internal/v1/tenants`, directory, { id, name, actor });
  const admin = await post<NewTenant['admin']>(`${urls.auth}/internal/v1/tenants/${id}/clients`, auth, {
    client_name: 'Administration',
    token_endpoint_auth_method: 'client_secret_basic',
    grant_types: ['client_credentials'],
    scope: allScopes.join(' '),
  });
  const issuer = `${origin}/t/${id}`;
  return { id, issuer, admin, token: await clientToken(issuer, admin), internal: { auth, directory } };
}
