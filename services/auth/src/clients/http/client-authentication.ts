import { operatorClient, platformTenant } from '@ostiary/access';
import { type Key, networkOf, nothingHere, wasForwarded } from '@ostiary/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Guesses } from '../../platform/index.ts';
import { invalidClient, OAuthError, type Parameters } from '../../platform/index.ts';
import { formOf } from '../../platform/protocol/http/oauth-endpoint.ts';
import type { Tenants } from '../../tenancy/index.ts';
import type { AssertionVerification } from '../domain/assertions/assertion-verification.ts';
import { authenticateAssertion } from '../domain/assertions/client-assertion.ts';
import type { Client } from '../domain/client.ts';
import { authenticateClient, presentedClient } from '../domain/client-authentication.ts';
import { isFapi2 } from '../domain/client-profile.ts';
import type { ClientRecord } from '../domain/clients.ts';
import { requireProfile } from '../domain/fapi2.ts';
import { countedPlatformSecret } from '../domain/platform/secret-guesses.ts';

export interface ClientAuthenticationDependencies {
  documentClients: {
    record(tenant: string, clientId: string, address: string): Promise<ClientRecord | null>;
  };
  /** Key of the client secrets' digests. */
  clientSecretKey: Key;
  assertionVerification: AssertionVerification;
  tenants: Tenants;
  /** Counts guesses of platform clients' secrets. */
  guesses: Guesses;
  issuer(tenant: string): string;
  kit: { clock: () => number };
}

/**
 * Returns the authenticated client of a form request (RFC 6749 §2.3).
 * @throws OAuthError invalid_client, invalid_request
 */
export async function clientOf(
  deps: ClientAuthenticationDependencies,
  tenant: string,
  request: FastifyRequest,
  parameters: Parameters,
): Promise<Client> {
  const realm = deps.issuer(tenant);
  const presented = presentedClient(request.headers.authorization, parameters, realm);
  const record = await deps.documentClients.record(tenant, presented.clientId, request.ip);
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
  const verify = () => authenticateClient(presented, record, deps.clientSecretKey(), deps.kit.clock(), realm);
  // An unknown client has no secret to guess, so its attempts are not counted.
  const isGuess = tenant === platformTenant && record !== null;
  return isGuess ? platformClientOf(deps, request, presented.clientId, verify) : verify();
}

/** The operator can authenticate from inside only: at the operator's port of the gateway, or on the machine itself. */
function platformClientOf(
  { guesses }: ClientAuthenticationDependencies,
  request: FastifyRequest,
  clientId: string,
  verify: () => Client,
): Promise<Client> {
  const isInside = request.isInside === true;
  if (clientId === operatorClient && !isInside) throw invalidClient('the operator from outside');
  return countedPlatformSecret(guesses, { clientId, network: networkOf(request.ip), isInside }, verify);
}

/**
 * Hook of a route with `verifiesNeighbour`: returns 404 for a request to the platform's issuer from outside that does
 * not authenticate a platform client, as if the issuer did not exist.
 */
export const hideFromOutside =
  (deps: ClientAuthenticationDependencies) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const { tenant } = request.params as { tenant: string };
    if (tenant !== platformTenant || request.isInside || !wasForwarded(request.raw)) return undefined;
    try {
      await clientOf(deps, tenant, request, formOf(request));
      return undefined;
    } catch (error) {
      if (!(error instanceof OAuthError)) throw error;
      return reply.code(404).send(nothingHere);
    }
  };

/**
 * Returns the authenticated client for an endpoint that issues tokens or data: the client must meet the profile that
 * its tenant requires.
 * @throws OAuthError as `clientOf`; also unauthorized_client
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
