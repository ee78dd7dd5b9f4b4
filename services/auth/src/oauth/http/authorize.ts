import { TooManyRequests } from '@ostiary/service';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AuthorizationRequest, ReturnAddress } from '../../access/index.ts';
import { clientOfPage } from '../../clients/documents/http/document-client.ts';
import { type Client, consoleClientId, isUnapprovedClientId, requireProfile } from '../../clients/index.ts';
import { clientErrorOf, currentSession, formOf, pageOf, tenantOf } from '../../identity/sign-in/http/flow.ts';
import { putInteraction } from '../../identity/sign-in/http/open-interactions.ts';
import {
  formatParameters,
  maxQueryBytes,
  OAuthError,
  type Parameters,
  parseParameters,
  queryOf,
} from '../../platform/index.ts';
import { sendAnswer } from '../../platform/pages/http/authorization-answer.ts';
import { PageError, sendOn } from '../../platform/pages/http/page.ts';
import type { TenantRecord } from '../../tenancy/index.ts';
import {
  checkAuthorizationRequest,
  clientIdOf,
  returnAddressOf,
  UnsafeRequest,
} from '../domain/authorize-request.ts';
import type { WaitingRequest } from '../domain/pushed-request.ts';
import {
  checkRequestObject,
  parametersFrom,
  type RequestObject,
  requireSignature,
  UnsignedRequestObject,
} from '../domain/request-object.ts';
import { isRequestObject } from '../domain/request-objects.ts';
import type { AuthorizationDependencies } from './dependencies.ts';
import { findPushed, refersToPushed } from './pushed-authorization.ts';

/** GET and POST /t/{tenant}/authorize (RFC 6749 §3.1, OpenID Connect Core §3.1.2). */
export function authorizeRoutes(app: FastifyInstance, deps: AuthorizationDependencies): void {
  app.get('/t/:tenant/authorize', { exposeHeadRoute: false }, async (request, reply) => {
    const tenant = await tenantOf(deps, request);
    const query = queryOf(request.url);
    const sent = query.length > maxQueryBytes ? undefined : parseParameters(query);
    if (!sent) throw new PageError('malformed', 400);
    const pushed = refersToPushed(sent) ? await pushedRequest(deps, tenant.id, sent) : undefined;
    const proceed = (accepted: Accepted) => begin(deps, request, reply, accepted);
    return checked(deps, request, reply, tenant, sent, proceed, pushed);
  });

  // A form from another site arrives without cookies (SameSite=Lax), so it is redirected as a GET.
  app.post('/t/:tenant/authorize', async (request, reply) => {
    const tenant = await tenantOf(deps, request);
    const parameters = formOf(request);
    const query = formatParameters(parameters);
    if (query.length > maxQueryBytes) throw new PageError('malformed', 400);
    // A request object or reference is read once, by the GET.
    if (isRequestObject(parameters)) return sendOn(reply, `/t/${tenant.id}/authorize?${query}`);
    return checked(deps, request, reply, tenant, parameters, async () =>
      sendOn(reply, `/t/${tenant.id}/authorize?${query}`),
    );
  });
}

/** A valid request that still needs the user's agreement. */
export interface Accepted {
  tenant: TenantRecord;
  client: Client;
  request: AuthorizationRequest;
}

/** Requested parameters and their origin. */
interface Asked {
  parameters: Parameters;
  /** Request object that contains the parameters. */
  object?: RequestObject;
  /** Error of the request object, sent to the client by a redirect. */
  refused?: OAuthError;
  /** Pushed request that contains the parameters. */
  pushed?: WaitingRequest;
}

/**
 * Runs the checks in the order that decides the receiver of an error: the user at the browser until the client and
 * redirect URI are checked, then the client.
 */
async function checked(
  deps: AuthorizationDependencies,
  incoming: FastifyRequest,
  reply: FastifyReply,
  tenant: TenantRecord,
  sent: Parameters,
  proceed: (accepted: Accepted) => Promise<FastifyReply>,
  pushed?: WaitingRequest,
): Promise<FastifyReply> {
  let client: Client;
  let asked: Asked;
  let address: ReturnAddress;
  try {
    client = await knownClient(deps, incoming, tenant.id, clientIdOf(sent));
    if (pushed && pushed.clientEpoch !== client.epoch) throw new PageError('expired', 400);
    asked = pushed
      ? { parameters: pushed.parameters, pushed }
      : await askedDirectly(deps, incoming, client, sent);
    address = returnAddressOf(asked.parameters, client);
  } catch (error) {
    if (error instanceof UnsafeRequest) throw new PageError(error.reason, 400);
    throw error;
  }
  try {
    if (isShutOut(client, tenant)) throw new PageError('console_profile', 403);
    requireProfile(client, tenant.policy);
    if (asked.refused) throw asked.refused;
    if (!pushed && mustPush(client)) {
      throw new OAuthError('invalid_request', 'The client must push its authorization requests (RFC 9126).');
    }
    const issuer = deps.issuer(tenant.id);
    requireSignature(client, (asked.object ?? pushed)?.signed ?? false);
    if (asked.object) {
      checkRequestObject(asked.object, { client, issuer, nowMs: deps.kit.clock(), outside: sent });
    }
    const accepted = checkAuthorizationRequest(asked.parameters, client, address, issuer);
    const request = pushed ? { ...accepted, pushed: pushed.reference } : accepted;
    return await proceed({ tenant, client, request });
  } catch (error) {
    if (error instanceof PageError) throw error;
    const reason = clientErrorOf(incoming, error);
    if (!(await mayReceiveErrors(deps, incoming, client, address))) {
      const { clientId } = client;
      incoming.log.info(
        { event: 'authorization.error_not_redirected', clientId, code: reason.code, reason: reason.reason },
        'Authorization error shown to the user instead of the unapproved client',
      );
      throw new PageError('malformed', 400);
    }
    return sendAnswer(reply, deps.authorization.refusal(tenant.id, address, reason));
  }
}

/**
 * Reports whether an error is sent to the client without a page. A website that no administrator approved must have the
 * consent of the user, because a link to this server would otherwise lead to any site (RFC 9700 §4.11.2).
 */
async function mayReceiveErrors(
  deps: AuthorizationDependencies,
  incoming: FastifyRequest,
  { tenant, clientId }: Client,
  { redirectUri }: ReturnAddress,
): Promise<boolean> {
  if (!isUnapprovedClientId(clientId) || new URL(redirectUri).protocol !== 'https:') return true;
  const session = await currentSession(deps, incoming, tenant);
  return session !== undefined && (await deps.consents.given(tenant, session.subjectId, clientId)).size > 0;
}

/**
 * Reports whether a policy of the tenant locks administrators out of the console. They see the reason here, because
 * the console could not show how to regain access.
 */
const isShutOut = ({ clientId }: Client, { policy }: TenantRecord): boolean =>
  clientId === consoleClientId && policy.requiredClientProfile === 'fapi2';

const mustPush = (client: Client): boolean => client.metadata.require_pushed_authorization_requests === true;

/**
 * Returns the parameters or request object of the browser's request. Before its verification, errors are shown only to
 * the user.
 * @throws PageError; ServiceUnavailable
 */
async function askedDirectly(
  deps: AuthorizationDependencies,
  incoming: FastifyRequest,
  client: Client,
  sent: Parameters,
): Promise<Asked> {
  // A request that must be pushed is rejected for that reason, without reading or fetching its object.
  if (!isRequestObject(sent) || mustPush(client)) return { parameters: sent };
  try {
    const object = await deps.requestObjects.of(sent, client, incoming.ip);
    return { parameters: parametersFrom(object, sent), object };
  } catch (error) {
    if (error instanceof TooManyRequests) throw new PageError('unavailable', 429);
    if (!(error instanceof OAuthError)) throw error;
    if (error instanceof UnsignedRequestObject) {
      return { parameters: new Map([...sent, ...error.parameters]), refused: error };
    }
    const { code, reason } = error;
    incoming.log.info(
      { event: 'request_object.rejected', tenant: client.tenant, clientId: client.clientId, code, reason },
      'Request object rejected',
    );
    throw new PageError(code === 'invalid_request' ? 'malformed' : 'request_object', 400);
  }
}

/** Returns the pushed request to which the browser refers. @throws PageError */
async function pushedRequest(
  deps: AuthorizationDependencies,
  tenant: string,
  parameters: Parameters,
): Promise<WaitingRequest> {
  try {
    return await findPushed(deps.pushedRequests, tenant, parameters);
  } catch (error) {
    if (error instanceof UnsafeRequest) throw new PageError('expired', 400);
    throw error;
  }
}

/** Returns an enabled client. A disabled client is treated as unknown. @throws UnsafeRequest, PageError */
async function knownClient(
  deps: AuthorizationDependencies,
  incoming: FastifyRequest,
  tenant: string,
  clientId: string,
): Promise<Client> {
  const client = await clientOfPage(deps, incoming, tenant, clientId);
  if (client?.suspended) throw new PageError('suspended', 403);
  if (!client || client.disabled)
    throw new UnsafeRequest('unknown_client', 'The application is not registered.');
  return client;
}

/** Responds immediately if no step is missing; otherwise stores the request and shows the page of the next step. */
export async function begin(
  deps: AuthorizationDependencies,
  request: FastifyRequest,
  reply: FastifyReply,
  { tenant, client, request: accepted }: Accepted,
): Promise<FastifyReply> {
  const session = await currentSession(deps, request, tenant.id);
  const step = await deps.authorization.next({
    tenant: tenant.id,
    client,
    request: accepted,
    session,
    signedIn: false,
  });
  if (step.step === 'grant' && session) {
    const { subject, scopes } = step;
    return sendAnswer(
      reply,
      await deps.authorization.grant({
        tenant: tenant.id,
        client,
        request: accepted,
        session,
        subject,
        scopes,
      }),
    );
  }
  const id = await putInteraction(deps, request, reply, tenant.id, {
    request: accepted,
    clientVersion: client.version,
    ...(step.step !== 'sign-in' && session ? { sessionId: session.id } : {}),
  });
  return sendOn(reply, pageOf(tenant.id, step.step === 'grant' ? 'sign-in' : step.step, id));
}
