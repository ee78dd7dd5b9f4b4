import type { FastifyInstance } from 'fastify';
import { conformingClientOf } from '../../clients/http/client-authentication.ts';
import { type Client, isFapi2 } from '../../clients/index.ts';
import { invalidRequest, OAuthError, type Parameters, single } from '../../platform/index.ts';
import {
  formOf,
  refuseOtherMethods,
  type TenantRoute,
  tenantOf,
} from '../../platform/protocol/http/oauth-endpoint.ts';
import {
  checkAuthorizationRequest,
  clientIdOf,
  returnAddressOf,
  UnsafeRequest,
} from '../domain/authorize-request.ts';
import {
  isPushedRequestUri,
  type PushedRequests,
  requestParameters,
  type WaitingRequest,
} from '../domain/pushed-request.ts';
import { checkPushedSize } from '../domain/pushed-request-limit.ts';
import { checkRequestObject, parametersFrom, requireSignature } from '../domain/request-object.ts';
import type { OAuthEndpointDependencies } from './dependencies.ts';
import { proofKeyOf } from './dpop.ts';

/** POST /t/{tenant}/par (RFC 9126 §2): stores an authorization request that the client sends directly. */
export function pushedAuthorizationEndpoint(app: FastifyInstance, deps: OAuthEndpointDependencies): void {
  app.post<TenantRoute>('/t/:tenant/par', async (request, reply) => {
    const tenant = await tenantOf(deps, request);
    const sent = formOf(request);
    const client = await conformingClientOf(deps, tenant, request, sent);
    const proven = await proofKeyOf(deps.proofs, request, reply, `${deps.issuer(tenant)}/par`, client);
    checkPushedSize(requestParameters(sent, client.clientId));
    const { asked, signed } = await askedFor(deps, tenant, client, sent, request.ip);
    const parameters = withProvenKey(requestParameters(asked, client.clientId), proven);
    checkPushed(parameters, client, deps.issuer(tenant));
    await deps.pushedRequestLimit({ client, address: request.ip });
    const { requestUri, expiresIn } = await deps.pushedRequests.push(tenant, client.clientId, {
      clientEpoch: client.epoch,
      parameters,
      signed,
    });
    return reply.code(201).send({ request_uri: requestUri, expires_in: expiresIn });
  });
  refuseOtherMethods(app, '/t/:tenant/par', ['POST']);
}

/** A DPoP proof binds the code as `dpop_jkt` does (RFC 9449 §10.1). @throws OAuthError if they differ */
function withProvenKey(parameters: Parameters, dpopJkt: string | undefined): Parameters {
  if (dpopJkt === undefined) return parameters;
  const said = single(parameters, 'dpop_jkt');
  if (said !== undefined && said !== dpopJkt) {
    throw new OAuthError('invalid_dpop_proof', 'dpop_jkt does not match the key of the DPoP proof.');
  }
  return new Map(parameters).set('dpop_jkt', [dpopJkt]);
}

/**
 * Returns the pushed parameters, or those of a request object that contains them (RFC 9126 §3). @throws OAuthError
 */
async function askedFor(
  deps: OAuthEndpointDependencies,
  tenant: string,
  client: Client,
  sent: Parameters,
  address: string,
): Promise<{ asked: Parameters; signed: boolean }> {
  if (sent.has('request_uri')) throw invalidRequest('A pushed request must not contain request_uri.');
  const sentId = single(sent, 'client_id');
  if (sentId !== undefined && sentId !== client.clientId) {
    throw invalidRequest('client_id differs from the authenticated client.');
  }
  const object = sent.has('request') ? await deps.requestObjects.of(sent, client, address) : undefined;
  requireSignature(client, object?.signed ?? false);
  if (!object) return { asked: sent, signed: false };
  const here = { client, issuer: deps.issuer(tenant), nowMs: deps.kit.clock(), outside: sent };
  checkRequestObject(object, here);
  return { asked: parametersFrom(object, sent), signed: object.signed };
}

/** Validates as the authorization endpoint does, while the client can receive errors directly. @throws OAuthError */
function checkPushed(parameters: Parameters, client: Client, issuer: string): void {
  // FAPI 2.0 Security Profile §5.3.2.2 (6): required even if the client has registered only one.
  if (isFapi2(client) && !parameters.has('redirect_uri')) throw invalidRequest('redirect_uri is missing.');
  try {
    checkAuthorizationRequest(parameters, client, returnAddressOf(parameters, client), issuer);
  } catch (error) {
    if (error instanceof UnsafeRequest) throw invalidRequest(error.message);
    throw error;
  }
}

/** Reports whether a request references a pushed one. */
export const refersToPushed = (parameters: Parameters): boolean =>
  parameters.get('request_uri')?.some(isPushedRequestUri) ?? false;

/**
 * Returns the pushed request of a request_uri (RFC 9126 §4). It is consumed when its code is issued. Other parameters
 * of the browser are ignored, because only the pushed ones come from the client.
 * @throws UnsafeRequest if the client has no such request; only the user sees this error
 */
export async function findPushed(
  pushedRequests: PushedRequests,
  tenant: string,
  parameters: Parameters,
): Promise<WaitingRequest> {
  const clientId = clientIdOf(parameters);
  const requestUri = single(parameters, 'request_uri');
  const pushed =
    requestUri === undefined ? undefined : await pushedRequests.find(tenant, clientId, requestUri);
  if (!pushed) throw new UnsafeRequest('malformed', 'The request has already been used or has expired.');
  return pushed;
}
