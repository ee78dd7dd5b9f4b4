import { isUnavailable, logFailure, statusOf } from '@ostiary/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { IdTokenHint } from '../../../access/index.ts';
import { clientOfPage } from '../../../clients/documents/http/document-client.ts';
import {
  type Client,
  isDocumentClientId,
  matchRedirectUri,
  type SubjectIdentifier,
} from '../../../clients/index.ts';
import { OAuthError, type Parameters, parseParameters, single } from '../../../platform/index.ts';
import { sendAnswer } from '../../../platform/pages/http/authorization-answer.ts';
import {
  browserDigest,
  isOwnForm,
  knownBrowser,
  sessionCookieOf,
} from '../../../platform/pages/http/browser.ts';
import { AnsweredBefore, type AuthorizationAnswer, PageError } from '../../../platform/pages/http/page.ts';
import { setLocale, setTheme } from '../../../platform/pages/http/reader.ts';
import type { TenantRecord } from '../../../tenancy/index.ts';
import { deriveKey, open, seal } from '../../../tenancy/index.ts';
import { lookOf } from '../../../tenancy/tenants/http/branding.ts';
import type { LiveSession } from '../../sessions/domain/session-store.ts';
import type { Interaction } from '../domain/interaction.ts';
import { accountPages } from './account-pages.ts';
import type { Step } from './authorization-flow.ts';
import type { InteractionDependencies, PageDependencies } from './dependencies.ts';
import { interactionEnded } from './open-interactions.ts';

/** An interaction that the current request may continue. */
export interface OpenInteraction {
  id: string;
  interaction: Interaction;
  client: Client;
}

/** Returns the active tenant of a page. @throws PageError */
export async function tenantOf(deps: PageDependencies, request: FastifyRequest): Promise<TenantRecord> {
  const { tenant: id } = request.params as { tenant: string };
  const tenant = await deps.tenants.find(id);
  if (!tenant) throw new PageError('unknown_tenant', 404);
  if (tenant.status === 'suspended') throw new PageError('suspended', 403);
  const branding = await deps.branding.find(id);
  const name = branding.name ?? tenant.name;
  setTheme({ ...lookOf(id, branding), name });
  return { ...tenant, name };
}

/** Returns the parameters of a form, whose body the content type parser leaves as text. @throws PageError */
export function formOf(request: FastifyRequest): Parameters {
  const parameters = typeof request.body === 'string' ? parseParameters(request.body) : undefined;
  if (!parameters) throw new PageError('malformed', 400);
  return parameters;
}

/**
 * Returns the open interaction of a page or form, if it is of this browser.
 * @throws PageError
 */
export async function openInteraction(
  deps: InteractionDependencies,
  request: FastifyRequest,
  tenant: string,
  parameters: Parameters,
): Promise<OpenInteraction> {
  const id = single(parameters, 'i');
  if (id === undefined || !/^[A-Za-z0-9_-]{43}$/.test(id)) throw new PageError('malformed', 400);
  const interaction = await deps.interactions.find(tenant, id);
  if (!interaction) throw await closedInteraction(deps, request, tenant, id);
  const browser = knownBrowser(request);
  if (browser === undefined || browserDigest(browser) !== interaction.browser) {
    throw new PageError('other_browser', 403);
  }
  setLocale(interaction.request.uiLocales);
  if (interaction.returnTo !== undefined) return { id, interaction, client: accountPages(tenant) };
  const client = await clientOfPage(deps, request, tenant, interaction.request.clientId);
  if (client?.suspended) throw new PageError('suspended', 403);
  if (!client || client.disabled) throw new PageError('unknown_client', 400);
  // A metadata document may have changed in the meantime.
  if (isDocumentClientId(client.clientId) && !matchRedirectUri(client, interaction.request.redirectUri)) {
    throw new PageError('redirect_uri', 400);
  }
  return { id, interaction, client };
}

/**
 * Consumes the interaction for the first answer.
 * @throws AnsweredBefore for later answers, with the same outcome; PageError after the outcome has expired
 */
export async function takeInteraction(
  deps: InteractionDependencies,
  request: FastifyRequest,
  tenant: string,
  id: string,
): Promise<Interaction> {
  const interaction = await takenInteraction(deps, request, tenant, id);
  interactionEnded(deps, request);
  return interaction;
}

async function takenInteraction(
  deps: InteractionDependencies,
  request: FastifyRequest,
  tenant: string,
  id: string,
): Promise<Interaction> {
  const interaction = await deps.interactions.take(tenant, id);
  if (!interaction) throw await closedInteraction(deps, request, tenant, id);
  return interaction;
}

/**
 * Ends an interaction and sends the response. The response is stored for 30 seconds, readable only with this
 * browser's secret, because users click twice and browsers show only the last response.
 */
export async function conclude(
  deps: InteractionDependencies,
  request: FastifyRequest,
  reply: FastifyReply,
  tenant: string,
  id: string,
  answer: AuthorizationAnswer,
): Promise<FastifyReply> {
  const browser = knownBrowser(request);
  if (browser !== undefined) {
    await deps.interactions
      .conclude(tenant, id, seal(outcomeKey(browser), Buffer.from(JSON.stringify(answer)), `${tenant}/${id}`))
      .catch((error: unknown) =>
        request.log.warn(
          { event: 'interaction.outcome_not_stored', err: error },
          'Outcome of an interaction could not be stored',
        ),
      );
  }
  return sendAnswer(reply, answer);
}

async function closedInteraction(
  deps: InteractionDependencies,
  request: FastifyRequest,
  tenant: string,
  id: string,
): Promise<Error> {
  const browser = knownBrowser(request);
  const outcome = browser === undefined ? undefined : await deps.interactions.outcome(tenant, id);
  if (browser === undefined || outcome === undefined) return new PageError('expired', 400);
  try {
    const text = open(outcomeKey(browser), outcome, `${tenant}/${id}`).toString();
    return new AnsweredBefore(JSON.parse(text) as AuthorizationAnswer);
  } catch {
    return new PageError('other_browser', 403);
  }
}

const outcomeKey = (browser: string): Buffer => deriveKey(Buffer.from(browser), 'interaction');

/** Returns the open interaction of a form, which must contain the CSRF token of its page. @throws PageError */
export async function openForm(
  deps: InteractionDependencies,
  request: FastifyRequest,
  tenant: string,
): Promise<OpenInteraction & { form: Parameters }> {
  const form = formOf(request);
  const open = await openInteraction(deps, request, tenant, form);
  if (!isOwnForm(request, `${tenant}/${open.id}`, single(form, 'csrf')))
    throw new PageError('other_browser', 403);
  return { ...open, form };
}

/** Returns the session of this browser. */
export async function currentSession(
  deps: PageDependencies,
  request: FastifyRequest,
  tenant: string,
): Promise<LiveSession | undefined> {
  return deps.sessions.find(tenant, sessionCookieOf(request, tenant));
}

/** Reports whether an ID token is about this user. Its client may have a pairwise identifier of the user. */
export const isAbout = (
  subjectIdentifier: SubjectIdentifier,
  hint: IdTokenHint,
  client: Client | null | undefined,
  subjectId: string,
): boolean => hint.subject === (client ? subjectIdentifier(client, subjectId) : subjectId);

/** Returns the path of a step's page. */
export const pageOf = (tenant: string, step: Exclude<Step['step'], 'grant'>, id: string): string =>
  `/t/${tenant}/${{ 'sign-in': 'login', consent: 'consent', 'select-account': 'select-account' }[step]}?i=${id}`;

/** Denies the request for the user (RFC 6749 §4.1.2.1 access_denied). */
export async function refuse(
  deps: InteractionDependencies,
  request: FastifyRequest,
  reply: FastifyReply,
  tenant: TenantRecord,
  open: OpenInteraction,
  description: string,
): Promise<FastifyReply> {
  // Still counted as open: a denial needs no credentials, and its outcome is also stored for 30 seconds.
  const taken = await takenInteraction(deps, request, tenant.id, open.id);
  if (taken.returnTo !== undefined) {
    return conclude(deps, request, reply, tenant.id, open.id, `/t/${tenant.id}/signed-out?stayed=1`);
  }
  const answer = await deps.authorization.deny(tenant.id, taken.request, description);
  return conclude(deps, request, reply, tenant.id, open.id, answer);
}

/** Reports whether an error leaves the interaction open, so that the user sees a page and may try again. */
export const staysHere = (error: unknown): boolean =>
  error instanceof PageError || error instanceof AnsweredBefore || isUnavailable(error);

/** Returns the error for the client. Internal details are only logged. */
export function clientErrorOf(request: FastifyRequest, error: unknown): OAuthError {
  if (error instanceof OAuthError) return error;
  logFailure(request, error, statusOf(error));
  return isUnavailable(error)
    ? new OAuthError('temporarily_unavailable', 'Try again in a moment.')
    : new OAuthError('server_error', 'Something went wrong on our side.');
}
