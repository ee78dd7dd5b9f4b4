import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Parameters, single } from '../../../platform/index.ts';
import {
  browserOf,
  csrfToken,
  isOwnForm,
  knownBrowser,
  setSessionCookie,
} from '../../../platform/pages/http/browser.ts';
import { PageError, sendOn } from '../../../platform/pages/http/page.ts';
import type { TenantRecord } from '../../../tenancy/index.ts';
import { deriveKey, open, randomSecret, seal } from '../../../tenancy/index.ts';
import type { LiveSession } from '../../sessions/domain/session-store.ts';
import { isRecentSignIn } from '../../sign-in/domain/recent-sign-in.ts';
import { ownPageRequest } from '../../sign-in/http/account-pages.ts';
import { currentSession, formOf, tenantOf } from '../../sign-in/http/flow.ts';
import { putInteraction } from '../../sign-in/http/open-interactions.ts';
import type { AccountDependencies } from './dependencies.ts';

/** Lifetime of a value that is shown once, in seconds, for reloads of its page. */
const shownSeconds = 600;

/** Path of the recovery codes page below the account's address. */
export const recoveryCodesPath = '/recovery-codes';

/** A tenant's account with a session. */
export interface SignedInAccount {
  tenant: TenantRecord;
  session: LiveSession;
  /** `/t/{tenant}/account` */
  base: string;
}

/** An account page with its tenant and session. */
export interface AccountVisit extends SignedInAccount {
  /** CSRF token of the page's forms. */
  csrf: string;
}

export const accountBase = (tenant: string): string => `/t/${tenant}/account`;

const csrfPurpose = (tenant: string, session: LiveSession): string => `${tenant}/account/${session.id}`;

/**
 * Returns the tenant and session of an account page. A user who is not signed in is redirected to the sign-in page
 * and back.
 * @param page path below the account's address; '' for the account itself
 * @param fresh requires a recent sign-in, with the second factor if the user has one
 * @returns undefined if the response was sent
 */
export async function visit(
  deps: AccountDependencies,
  request: FastifyRequest,
  reply: FastifyReply,
  page: string,
  o: { fresh?: boolean } = {},
): Promise<AccountVisit | undefined> {
  const tenant = await tenantOf(deps, request);
  const base = accountBase(tenant.id);
  const session = await currentSession(deps, request, tenant.id);
  if (session && (!o.fresh || (await isRecentSignIn(deps, tenant.id, session)))) {
    return {
      tenant,
      session,
      base,
      csrf: csrfToken(browserOf(request, reply), csrfPurpose(tenant.id, session)),
    };
  }
  await signInFirst(deps, request, reply, { tenant: tenant.id, page, userName: session?.userName });
  return undefined;
}

/** Redirects to the sign-in page, and from there to an account page. */
export async function signInFirst(
  deps: AccountDependencies,
  request: FastifyRequest,
  reply: FastifyReply,
  { tenant, page, userName }: { tenant: string; page: string; userName: string | undefined },
): Promise<void> {
  const id = await putInteraction(deps, request, reply, tenant, {
    request: ownPageRequest(deps.issuer(tenant), userName),
    returnTo: `${accountBase(tenant)}${page}`,
  });
  sendOn(reply, `/t/${tenant}/login?i=${id}`);
}

/**
 * Returns the same for a form, which must come from a page of the same session. Routes that require a recent sign-in
 * are listed in the table of routes (`conferring.ts`) and checked before. @throws PageError
 */
export async function visitByForm(
  deps: AccountDependencies,
  request: FastifyRequest,
  reply: FastifyReply,
  page: string,
): Promise<(AccountVisit & { form: Parameters }) | undefined> {
  const form = formOf(request);
  const visited = await visit(deps, request, reply, page);
  if (!visited) return undefined;
  const { tenant, session } = visited;
  if (!isOwnForm(request, csrfPurpose(tenant.id, session), single(form, 'csrf'))) {
    throw new PageError('other_browser', 403);
  }
  return { ...visited, form };
}

/** Renews the cookie after a change of credentials, so that a stolen one becomes invalid (OWASP ASVS 7.2.4). */
export async function renewCookie(
  deps: AccountDependencies,
  reply: FastifyReply,
  { tenant, session }: AccountVisit,
): Promise<void> {
  const cookie = await deps.sessions.rotate(tenant.id, session.id);
  if (cookie !== undefined) setSessionCookie(reply, tenant.id, cookie, deps.env.SESSION_ABSOLUTE_SECONDS);
}

/** Redirects to the account page, which confirms the change. */
export const changed = (reply: FastifyReply, visited: AccountVisit): FastifyReply =>
  sendOn(reply, `${visited.base}?done=1`);

/**
 * Redirects to a page that shows a value once. The value is stored sealed: only this browser in this session can read
 * it.
 */
export async function showOnce(
  deps: AccountDependencies,
  request: FastifyRequest,
  reply: FastifyReply,
  visited: SignedInAccount,
  o: { page: string; value: unknown },
): Promise<FastifyReply> {
  const id = randomSecret();
  const key = deriveKey(Buffer.from(knownBrowser(request) ?? ''), 'shown-once');
  const sealed = seal(key, Buffer.from(JSON.stringify(o.value)), context(visited, o.page, id));
  await deps.sealedNotes.keep(visited.tenant.id, id, sealed, shownSeconds);
  return sendOn(reply, `${visited.base}${o.page}?shown=${id}`);
}

/**
 * Returns the value that `showOnce` stored for this page; undefined if it has expired or belongs to another session.
 */
export async function shownOnce(
  deps: AccountDependencies,
  request: FastifyRequest,
  visited: AccountVisit,
  page: string,
  id: string | undefined,
): Promise<unknown> {
  const sealed =
    id === undefined || id.length > 64 ? undefined : await deps.sealedNotes.kept(visited.tenant.id, id);
  if (id === undefined || sealed === undefined) return undefined;
  try {
    const key = deriveKey(Buffer.from(knownBrowser(request) ?? ''), 'shown-once');
    return JSON.parse(open(key, sealed, context(visited, page, id)).toString());
  } catch {
    return undefined;
  }
}

const context = (visited: SignedInAccount, page: string, id: string): string =>
  `${visited.tenant.id}/${visited.session.id}/${page}/${id}`;
