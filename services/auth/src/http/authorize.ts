import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  type AuthorizationRequest,
  checkAuthorizationRequest,
  clientIdOf,
  maxQueryBytes,
  type ReturnAddress,
  returnAddressOf,
  UnsafeRequest,
} from '../domain/authorize-request.ts';
import { formatParameters, type Parameters, parseParameters, queryOf } from '../domain/parameters.ts';
import type { Client, TenantRecord } from '../domain/ports.ts';
import { randomSecret } from '../domain/secret.ts';
import type { PeopleDependencies } from '../people.ts';
import { browserDigest, browserOf } from './browser.ts';
import { clientErrorOf, currentSession, errorLocation, formOf, grant, stepOf, tenantOf } from './flow.ts';
import { PageError, sendOn } from './page.ts';

/** GET and POST /t/{tenant}/authorize (RFC 6749 §3.1, OpenID Connect Core §3.1.2). */
export function authorizeRoutes(app: FastifyInstance, deps: PeopleDependencies): void {
  app.get('/t/:tenant/authorize', { exposeHeadRoute: false }, async (request, reply) => {
    const tenant = await tenantOf(deps, request);
    const query = queryOf(request.url);
    const parameters = query.length > maxQueryBytes ? undefined : parseParameters(query);
    if (!parameters) throw new PageError('malformed', 400);
    return checked(deps, request, reply, tenant, parameters, (accepted) =>
      begin(deps, request, reply, accepted),
    );
  });

  // A form that another site posts comes without our cookies (SameSite=Lax), so the request goes round once more as a GET.
  app.post('/t/:tenant/authorize', async (request, reply) => {
    const tenant = await tenantOf(deps, request);
    const parameters = formOf(request);
    const query = formatParameters(parameters);
    if (query.length > maxQueryBytes) throw new PageError('malformed', 400);
    return checked(deps, request, reply, tenant, parameters, async () =>
      sendOn(reply, `/t/${tenant.id}/authorize?${query}`),
    );
  });
}

interface Accepted {
  tenant: TenantRecord;
  client: Client;
  request: AuthorizationRequest;
}

/**
 * Runs the checks in the order that decides who may be told: as long as client and redirect URI are in doubt, only the
 * person at the browser; from then on, the client.
 */
async function checked(
  deps: PeopleDependencies,
  request: FastifyRequest,
  reply: FastifyReply,
  tenant: TenantRecord,
  parameters: Parameters,
  proceed: (accepted: Accepted) => Promise<FastifyReply>,
): Promise<FastifyReply> {
  let client: Client;
  let address: ReturnAddress;
  try {
    client = await knownClient(deps, tenant.id, clientIdOf(parameters));
    address = returnAddressOf(parameters, client);
  } catch (error) {
    if (error instanceof UnsafeRequest) throw new PageError(error.reason, 400);
    throw error;
  }
  try {
    const accepted = checkAuthorizationRequest(parameters, client, address, deps.issuer(tenant.id));
    return await proceed({ tenant, client, request: accepted });
  } catch (error) {
    return sendOn(reply, errorLocation(deps, tenant.id, address, clientErrorOf(request, error)));
  }
}

/** A disabled client is as good as none. @throws UnsafeRequest */
async function knownClient(deps: PeopleDependencies, tenant: string, clientId: string): Promise<Client> {
  const client = await deps.clients.find(tenant, clientId);
  if (!client || client.disabled)
    throw new UnsafeRequest('unknown_client', 'The application is not registered.');
  return client;
}

/** Answers at once when nothing is missing; otherwise keeps the request and asks the person. */
async function begin(
  deps: PeopleDependencies,
  request: FastifyRequest,
  reply: FastifyReply,
  { tenant, client, request: accepted }: Accepted,
): Promise<FastifyReply> {
  const session = await currentSession(deps, request, tenant.id);
  const step = await stepOf(deps, { tenant: tenant.id, client, request: accepted, session, signedIn: false });
  if (step.step === 'grant' && session) {
    const { subject, scopes } = step;
    return sendOn(
      reply,
      await grant(deps, { tenant: tenant.id, request: accepted, session, subject, scopes }),
    );
  }
  const id = randomSecret();
  await deps.interactions.put(tenant.id, id, {
    request: accepted,
    browser: browserDigest(browserOf(request, reply)),
    ...(step.step === 'consent' && session ? { sessionId: session.id } : {}),
  });
  return sendOn(reply, `/t/${tenant.id}/${step.step === 'consent' ? 'consent' : 'login'}?i=${id}`);
}
