import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { IdTokenHint } from '../../../access/index.ts';
import { redirectTo } from '../../../clients/index.ts';
import {
  formatParameters,
  maxQueryBytes,
  type Parameters,
  parseParameters,
  queryOf,
  single,
} from '../../../platform/index.ts';
import { browserOf, clearSessionCookie, csrfToken, isOwnForm } from '../../../platform/pages/http/browser.ts';
import { formTargetOf, PageError, sendOn, sendPage } from '../../../platform/pages/http/page.ts';
import type { TenantRecord } from '../../../tenancy/index.ts';
import type { LiveSession } from '../../sessions/domain/session-store.ts';
import type { SignInDependencies } from './dependencies.ts';
import { currentSession, formOf, isAbout, tenantOf } from './flow.ts';
import { signedOutPage, signOutPage } from './pages/sign-out.ts';

const csrfPurpose = (tenant: string): string => `${tenant}/logout`;
/** Maximum length of a parameter, in characters. */
const maxLength = 8_192;

/** GET and POST /t/{tenant}/logout (OpenID Connect RP-Initiated Logout 1.0). */
export function logoutRoutes(app: FastifyInstance, deps: SignInDependencies): void {
  app.get('/t/:tenant/logout', { exposeHeadRoute: false }, async (request, reply) => {
    const tenant = await tenantOf(deps, request);
    const parameters = parseParameters(queryOf(request.url));
    if (!parameters) throw new PageError('malformed', 400);
    return requested(deps, request, reply, tenant, readRequest(parameters));
  });

  app.post('/t/:tenant/logout', async (request, reply) => {
    const tenant = await tenantOf(deps, request);
    const form = formOf(request);
    const logout = readRequest(form);
    const csrf = single(form, 'csrf');
    if (csrf === undefined) {
      // A form from another site arrives without cookies (SameSite=Lax), so it is redirected as a GET.
      const query = formatParameters(form);
      if (query.length > maxQueryBytes) throw new PageError('malformed', 400);
      return sendOn(reply, `/t/${tenant.id}/logout?${query}`);
    }
    if (!isOwnForm(request, csrfPurpose(tenant.id), csrf)) throw new PageError('other_browser', 403);
    if (single(form, 'action') !== 'sign-out') return sendOn(reply, `/t/${tenant.id}/signed-out?stayed=1`);
    const session = await currentSession(deps, request, tenant.id);
    const back = await returnTo(deps, tenant.id, logout, undefined);
    return signOut(deps, reply, tenant, session, back?.location ?? farewell(tenant.id, false));
  });

  app.get('/t/:tenant/signed-out', async (request, reply) => {
    const tenant = await tenantOf(deps, request);
    const parameters = parseParameters(queryOf(request.url)) ?? new Map();
    const is = (name: string): boolean => single(parameters, name) === '1';
    const account = `/t/${tenant.id}/account`;
    const page = signedOutPage(tenant.name, { stayed: is('stayed'), invalid: is('invalid'), account });
    return sendPage(reply, 200, page);
  });
}

interface LogoutRequest {
  idTokenHint: string | undefined;
  clientId: string | undefined;
  postLogoutRedirectUri: string | undefined;
  state: string | undefined;
}

/** @throws PageError for a repeated or oversized parameter */
function readRequest(parameters: Parameters): LogoutRequest {
  const read = (name: string): string | undefined => {
    const values = parameters.get(name);
    if (values && (values.length > 1 || (values[0]?.length ?? 0) > maxLength))
      throw new PageError('malformed', 400);
    return values?.[0];
  };
  return {
    idTokenHint: read('id_token_hint'),
    clientId: read('client_id'),
    postLogoutRedirectUri: read('post_logout_redirect_uri'),
    state: read('state'),
  };
}

async function requested(
  deps: SignInDependencies,
  request: FastifyRequest,
  reply: FastifyReply,
  tenant: TenantRecord,
  logout: LogoutRequest,
): Promise<FastifyReply> {
  const hint =
    logout.idTokenHint === undefined ? null : await deps.idTokens.readHint(tenant.id, logout.idTokenHint);
  const session = await currentSession(deps, request, tenant.id);
  const back = await returnTo(deps, tenant.id, logout, hint ?? undefined);
  const invalid =
    back === undefined &&
    (logout.postLogoutRedirectUri !== undefined || (logout.idTokenHint !== undefined && !hint));
  // Only an ID token of this user proves that the request comes from an application that the user uses (§2).
  if (!session || (hint && (await speaksFor(deps, hint, session, tenant.id))))
    return signOut(deps, reply, tenant, session, back?.location ?? farewell(tenant.id, invalid));
  const browser = browserOf(request, reply);
  return sendPage(
    reply,
    200,
    signOutPage({
      tenantName: tenant.name,
      action: `/t/${tenant.id}/logout`,
      csrf: csrfToken(browser, csrfPurpose(tenant.id)),
      fields: back ? fieldsOf(logout, back.clientId) : [],
      invalid,
    }),
    back && formTargetOf(back.uri),
  );
}

const speaksFor = async (
  deps: SignInDependencies,
  hint: IdTokenHint,
  session: LiveSession,
  tenant: string,
): Promise<boolean> =>
  hint.sessionId === undefined
    ? isAbout(deps.subjectIdentifier, hint, await deps.clients.find(tenant, hint.clientId), session.subjectId)
    : hint.sessionId === session.id;

const fieldsOf = (logout: LogoutRequest, clientId: string): { name: string; value: string }[] =>
  Object.entries({
    client_id: clientId,
    post_logout_redirect_uri: logout.postLogoutRedirectUri,
    state: logout.state,
  }).flatMap(([name, value]) => (value === undefined ? [] : [{ name, value }]));

interface ReturnTo {
  clientId: string;
  uri: string;
  location: string;
}

/**
 * Returns the address after signing out: a URI that the client registered, byte for byte (§3); undefined for this
 * service's page.
 */
async function returnTo(
  deps: SignInDependencies,
  tenant: string,
  logout: LogoutRequest,
  hint: IdTokenHint | undefined,
): Promise<ReturnTo | undefined> {
  const clientId = hint?.clientId ?? logout.clientId;
  const uri = logout.postLogoutRedirectUri;
  if (clientId === undefined || uri === undefined) return undefined;
  if (logout.clientId !== undefined && logout.clientId !== clientId) return undefined;
  const client = await deps.clients.find(tenant, clientId);
  if (!client || client.disabled || !client.postLogoutRedirectUris.includes(uri)) return undefined;
  return { clientId, uri, location: redirectTo(uri, { state: logout.state }) };
}

async function signOut(
  deps: SignInDependencies,
  reply: FastifyReply,
  tenant: TenantRecord,
  session: LiveSession | undefined,
  location: string,
): Promise<FastifyReply> {
  if (session) {
    await deps.sessions.signOut(tenant.id, session.id);
    reply.log.info(
      { event: 'session.signed_out', tenant: tenant.id, subject: session.subjectId, session: session.id },
      'User signed out',
    );
  }
  clearSessionCookie(reply, tenant.id);
  return sendOn(reply, location);
}

/**
 * Returns the path of the final page. An invalid request is reported and does not redirect to a client (RP-Initiated
 * Logout §4).
 */
const farewell = (tenant: string, invalid: boolean): string =>
  `/t/${tenant}/signed-out${invalid ? '?invalid=1' : ''}`;
