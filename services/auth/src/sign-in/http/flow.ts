import { isUnavailable, logFailure, statusOf } from '@ostiary/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Client, isFapi2, longestCodeSeconds } from '../../clients/index.ts';
import type { PeopleDependencies } from '../../composition/people.ts';
import { type ConsentingPerson, rememberConsent } from '../../grants/data/consents.ts';
import { type IdTokenHint, releasedClaims } from '../../grants/index.ts';
import { deriveKey, open, seal } from '../../keys/index.ts';
import { type AuthorizationAnswer, allowDevice, answerTo, sendAnswer } from '../../oauth/http/index.ts';
import {
  type AuthorizationRequest,
  namedAcr,
  nextStep,
  type ReturnAddress,
  requestedAuthentication,
  type Step,
} from '../../oauth/index.ts';
import {
  AnsweredBefore,
  browserDigest,
  isOwnForm,
  knownBrowser,
  ownPages,
  PageError,
  sessionCookieOf,
  speak,
  wear,
} from '../../pages/http/index.ts';
import { OAuthError, type Parameters, parseParameters, single } from '../../protocol/index.ts';
import type { Interaction } from '../../sessions/data/interactions.ts';
import type { LiveSession } from '../../sessions/index.ts';
import type { Subject } from '../../subjects/index.ts';
import { lookOf } from '../../tenants/http/index.ts';
import type { TenantRecord } from '../../tenants/index.ts';
import { interactionEnded } from './open-interactions.ts';

/** An interaction that the request at hand may go on with. */
export interface OpenInteraction {
  id: string;
  interaction: Interaction;
  client: Client;
}

/** The tenant of a page, which must exist and be in service. @throws PageError */
export async function tenantOf(deps: PeopleDependencies, request: FastifyRequest): Promise<TenantRecord> {
  const { tenant: id } = request.params as { tenant: string };
  const tenant = await deps.tenants.find(id);
  if (!tenant) throw new PageError('unknown_tenant', 404);
  if (tenant.status === 'suspended') throw new PageError('suspended', 403);
  const branding = await deps.branding.find(id);
  const name = branding.name ?? tenant.name;
  wear({ ...lookOf(id, branding), name });
  return { ...tenant, name };
}

/** The form's parameters; the body was left as text by the content type parser. @throws PageError */
export function formOf(request: FastifyRequest): Parameters {
  const parameters = typeof request.body === 'string' ? parseParameters(request.body) : undefined;
  if (!parameters) throw new PageError('malformed', 400);
  return parameters;
}

/**
 * The interaction a page or form belongs to: still open, and of this browser.
 * @throws PageError
 */
export async function openInteraction(
  deps: PeopleDependencies,
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
  speak(interaction.request.uiLocales);
  if (interaction.returnTo !== undefined) return { id, interaction, client: ownPages(tenant) };
  const client = await deps.clients.find(tenant, interaction.request.clientId);
  if (client?.suspended) throw new PageError('suspended', 403);
  if (!client || client.disabled) throw new PageError('unknown_client', 400);
  return { id, interaction, client };
}

/**
 * Takes the interaction for whoever answers it first.
 * @throws AnsweredBefore for everybody else, who gets the same answer; PageError when that is gone too
 */
export async function takeInteraction(
  deps: PeopleDependencies,
  request: FastifyRequest,
  tenant: string,
  id: string,
): Promise<Interaction> {
  const interaction = await takenInteraction(deps, request, tenant, id);
  interactionEnded(deps, request);
  return interaction;
}

async function takenInteraction(
  deps: PeopleDependencies,
  request: FastifyRequest,
  tenant: string,
  id: string,
): Promise<Interaction> {
  const interaction = await deps.interactions.take(tenant, id);
  if (!interaction) throw await closedInteraction(deps, request, tenant, id);
  return interaction;
}

/**
 * Ends an interaction: the browser goes on to the client. Where to is kept for a moment, readable only with this
 * browser's secret, because people click twice and browsers show only the last answer.
 */
export async function conclude(
  deps: PeopleDependencies,
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
        request.log.warn({ err: error }, 'the outcome of an interaction was not kept'),
      );
  }
  return sendAnswer(reply, answer);
}

async function closedInteraction(
  deps: PeopleDependencies,
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

/** As `openInteraction`, for a form: it must carry the token of the page it came from. @throws PageError */
export async function openForm(
  deps: PeopleDependencies,
  request: FastifyRequest,
  tenant: string,
): Promise<OpenInteraction & { form: Parameters }> {
  const form = formOf(request);
  const open = await openInteraction(deps, request, tenant, form);
  if (!isOwnForm(request, `${tenant}/${open.id}`, single(form, 'csrf')))
    throw new PageError('other_browser', 403);
  return { ...open, form };
}

/** The session this browser has, if it is the one the interaction goes on with (or none is fixed yet). */
export async function currentSession(
  deps: PeopleDependencies,
  request: FastifyRequest,
  tenant: string,
): Promise<LiveSession | undefined> {
  return deps.sessions.find(tenant, sessionCookieOf(request, tenant));
}

/** What the request needs next. @throws OAuthError */
export async function stepOf(
  deps: PeopleDependencies,
  o: {
    tenant: string;
    client: Client;
    request: AuthorizationRequest;
    session: LiveSession | undefined;
    signedIn: boolean;
    selected?: boolean;
    agreed?: ReadonlySet<string>;
  },
): Promise<Step> {
  const isExpected = await expectation(deps, o);
  return nextStep(
    { ...o, isExpected, policy: (await deps.tenants.find(o.tenant))?.policy, now: deps.kit.clock() },
    { sql: deps.database.sql, subjects: deps.subjects, secondFactors: deps.secondFactors },
  );
}

/** Whom the request allows: anybody, unless a hint or the claims parameter names people, as their client knows them. */
async function expectation(
  deps: PeopleDependencies,
  o: { tenant: string; client: Client; request: AuthorizationRequest },
): Promise<(subjectId: string) => boolean> {
  const { idTokenHint, claims } = o.request;
  const hint = idTokenHint === undefined ? undefined : await readHint(deps, o.tenant, idTokenHint);
  const hinted = hint && (await deps.clients.find(o.tenant, hint.clientId));
  return (subjectId) =>
    (!hint || isAbout(deps, hint, hinted, subjectId)) &&
    (claims?.subjects?.includes(deps.subjectIdentifier(o.client, subjectId)) ?? true);
}

/** Whether an ID token is about this person. Its client may have known them by another name than their id. */
export const isAbout = (
  deps: Pick<PeopleDependencies, 'subjectIdentifier'>,
  hint: IdTokenHint,
  client: Client | null | undefined,
  subjectId: string,
): boolean => hint.subject === (client ? deps.subjectIdentifier(client, subjectId) : subjectId);

async function readHint(
  deps: PeopleDependencies,
  tenant: string,
  idToken: string,
): Promise<IdTokenHint | undefined> {
  const hint = await deps.idTokens.readHint(tenant, idToken);
  if (!hint) throw new OAuthError('invalid_request', 'id_token_hint is not an ID token of this issuer.');
  return hint;
}

/** A request ends well: the answer that takes a code to the client. @throws ServiceUnavailable; PageError when its pushed request led to a code before */
export async function grant(
  deps: PeopleDependencies,
  o: {
    tenant: string;
    client: Client;
    request: AuthorizationRequest;
    session: LiveSession;
    subject: Subject;
    scopes: string[];
  },
): Promise<AuthorizationAnswer> {
  const { tenant, client, request, session, subject } = o;
  if (request.device) return allowDevice(deps, { ...o, device: request.device });
  if (request.pushed !== undefined && !(await deps.pushedRequests.use(request.pushed))) {
    throw new PageError('expired', 400);
  }
  const scopes = o.scopes.filter((scope) => request.scopes.includes(scope));
  const claims = releasedClaims(request.claims, o.scopes);
  const acr = namedAcr(session.acr, requestedAuthentication(request));
  const authorized = {
    tenant,
    clientId: request.clientId,
    clientEpoch: client.epoch,
    redirectUri: request.redirectUri,
    redirectUriSent: request.redirectUriSent,
    codeChallenge: request.codeChallenge,
    subjectId: subject.id,
    // The session's epoch, read with it: if the person left since, the code is dead from the start.
    subjectEpoch: session.subjectEpoch,
    // Read before what they allowed was: if they took it back since, the code is dead from the start.
    withdrawals: subject.withdrawals[request.clientId] ?? 0,
    sessionId: session.id,
    scopes,
    resources: request.resources,
    authTime: Math.floor(session.authTime.getTime() / 1000),
    amr: session.amr,
    ...(acr === null ? {} : { acr }),
    ...(claims === undefined ? {} : { claims }),
    ...(request.nonce === undefined ? {} : { nonce: request.nonce }),
    ...(request.dpopJkt === undefined ? {} : { dpopJkt: request.dpopJkt }),
  };
  const longest = isFapi2(client) ? longestCodeSeconds : undefined;
  const code = await deps.authorizationCodes.issue(authorized, longest);
  return answerTo(request, { code, state: request.state, iss: deps.issuer(tenant) });
}

/** The page of a step. */
export const pageOf = (tenant: string, step: Exclude<Step['step'], 'grant'>, id: string): string =>
  `/t/${tenant}/${{ 'sign-in': 'login', consent: 'consent', 'select-account': 'select-account' }[step]}?i=${id}`;

/** Remembers what a person just agreed to. */
export const remember = (
  deps: PeopleDependencies,
  tenant: string,
  person: ConsentingPerson,
  clientId: string,
  scopes: readonly string[],
): Promise<void> => rememberConsent(deps.database.sql, tenant, person, clientId, scopes);

/** A request ends badly: the answer that tells the client (RFC 6749 §4.1.2.1), with the issuer (RFC 9207). */
export const errorAnswer = (
  deps: PeopleDependencies,
  tenant: string,
  address: ReturnAddress,
  error: OAuthError,
): AuthorizationAnswer =>
  answerTo(address, {
    error: error.code,
    error_description: error.description,
    state: address.state,
    iss: deps.issuer(tenant),
  });

/** The person says no: the client learns so (RFC 6749 §4.1.2.1 access_denied). */
export async function refuse(
  deps: PeopleDependencies,
  request: FastifyRequest,
  reply: FastifyReply,
  tenant: TenantRecord,
  open: OpenInteraction,
  description: string,
): Promise<FastifyReply> {
  // Still counted as begun: anybody can say no, and how it ended is kept for a moment as well.
  const taken = await takenInteraction(deps, request, tenant.id, open.id);
  if (taken.returnTo !== undefined) {
    return conclude(deps, request, reply, tenant.id, open.id, `/t/${tenant.id}/signed-out?stayed=1`);
  }
  if (taken.request.device) await deps.deviceAuthorizations.deny(tenant.id, taken.request.device);
  const answer = errorAnswer(deps, tenant.id, taken.request, new OAuthError('access_denied', description));
  return conclude(deps, request, reply, tenant.id, open.id, answer);
}

/** Whether a failure leaves the interaction open, so that the person sees a page and may try again. */
export const staysHere = (error: unknown): boolean =>
  error instanceof PageError || error instanceof AnsweredBefore || isUnavailable(error);

/** What a client is told about any failure; what is ours to know goes to the log. */
export function clientErrorOf(request: FastifyRequest, error: unknown): OAuthError {
  if (error instanceof OAuthError) return error;
  logFailure(request, error, statusOf(error));
  return isUnavailable(error)
    ? new OAuthError('temporarily_unavailable', 'Please try again in a moment.')
    : new OAuthError('server_error', 'Something went wrong on our side.');
}
