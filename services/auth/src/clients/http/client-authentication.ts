import type { Key } from '@ostiary/service';
import type { FastifyRequest } from 'fastify';
import type { Parameters } from '../../protocol/index.ts';
import type { Tenants } from '../../tenants/index.ts';
import { type AssertionVerification, authenticateAssertion } from '../domain/assertions/client-assertion.ts';
import type { Client } from '../domain/client.ts';
import { authenticateClient, presentedClient } from '../domain/client-authentication.ts';
import { isFapi2 } from '../domain/client-profile.ts';
import type { ClientRecord } from '../domain/clients.ts';
import { requireProfile } from '../domain/fapi2.ts';

/** What clients of the protocol's endpoints are authenticated with. */
export interface ClientAuthenticationDependencies {
  clients: { record(tenant: string, clientId: string): Promise<ClientRecord | null> };
  /** Key of the client secrets' digests. */
  clientSecretKey: Key;
  assertionVerification: AssertionVerification;
  tenants: Pick<Tenants, 'find'>;
  /** Issuer of a tenant. */
  issuer(tenant: string): string;
  kit: { clock: () => number };
}

/** The authenticated client of a form request (RFC 6749 §2.3). @throws OAuthError invalid_client, invalid_request */
export async function clientOf(
  deps: ClientAuthenticationDependencies,
  tenant: string,
  request: FastifyRequest,
  parameters: Parameters,
): Promise<Client> {
  const realm = deps.issuer(tenant);
  const presented = presentedClient(request.headers.authorization, parameters, realm);
  const record = await deps.clients.record(tenant, presented.clientId);
  if (presented.assertion) {
    const here = request.routeOptions.url?.replace('/t/:tenant', realm) ?? realm;
    const audiences = record && isFapi2(record.client) ? realm : [realm, `${realm}/token`, here];
    return authenticateAssertion(
      presented.assertion,
      record,
      audiences,
      deps.kit.clock(),
      deps.assertionVerification,
    );
  }
  return authenticateClient(presented, record, deps.clientSecretKey(), deps.kit.clock(), realm);
}

/**
 * The same, for an endpoint that gives out something: the client must meet the profile that its tenant requires of all.
 * @throws OAuthError also unauthorized_client
 */
export async function conformingClientOf(
  deps: ClientAuthenticationDependencies,
  tenant: string,
  request: FastifyRequest,
  parameters: Parameters,
): Promise<Client> {
  const client = await clientOf(deps, tenant, request, parameters);
  requireProfile(client, (await deps.tenants.find(tenant))?.policy);
  return client;
}
