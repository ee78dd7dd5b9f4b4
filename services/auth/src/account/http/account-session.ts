import type { FastifyReply, FastifyRequest } from 'fastify';
import { deriveKey, open, randomSecret, seal } from '../../keys/index.ts';
import {
  browserOf,
  csrfToken,
  isOwnForm,
  knownBrowser,
  PageError,
  sendOn,
  setSessionCookie,
} from '../../pages/http/index.ts';
import { type Parameters, single } from '../../protocol/index.ts';
import type { LiveSession } from '../../sessions/index.ts';
import {
  currentSession,
  formOf,
  ownPageRequest,
  putInteraction,
  tenantOf,
} from '../../sign-in/http/index.ts';
import { isRecentSignIn } from '../../sign-in/index.ts';
import type { TenantRecord } from '../../tenants/index.ts';
import type { AccountDependencies } from './dependencies.ts';

/** Seconds in which something shown once can be looked at again by a reload. */
const shownSeconds = 600;

/** Below the account's address: where recovery codes are shown. */
export const recoveryCodesPath = '/recovery-codes';

/** A page of the account, and whose it is. */
export interface AccountVisit {
  tenant: TenantRecord;
  session: LiveSession;
  /** `/t/{tenant}/account` */
  base: string;
  /** For the page's forms. */
  csrf: string;
}

export const accountBase = (tenant: string): string => `/t/${tenant}/account`;

const csrfPurpose = (tenant: string, session: LiveSession): string => `${tenant}/account/${session.id}`;

/**
 * Whose account page this is; who isn't signed in is sent to do so, and comes back to the page.
 * @param page below the account's address; '' for the account itself
 * @param fresh the page changes how people sign in: that takes a sign-in of just now, with the second factor if there is one
 * @returns undefined when the answer has been sent
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

/** Sends the browser to sign in, and from there to a page of the account. */
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
 * As `visit`, for a form: it must come from a page of the same session. Which of them take a sign-in of just now, the table of routes
 * says (`conferring.ts`); that was asked before. @throws PageError
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

/**
 * The ways to sign in changed: the session goes on under a new cookie, so that somebody who got hold of the old one is out
 * (OWASP ASVS 7.2.4).
 */
export async function renewCookie(
  deps: AccountDependencies,
  reply: FastifyReply,
  { tenant, session }: Pick<AccountVisit, 'tenant' | 'session'>,
): Promise<void> {
  const cookie = await deps.sessions.rotate(tenant.id, session.id);
  if (cookie !== undefined) setSessionCookie(reply, tenant.id, cookie, deps.env.SESSION_ABSOLUTE_SECONDS);
}

/** Back to the account, which says that the change was made. */
export const changed = (reply: FastifyReply, visited: AccountVisit): FastifyReply =>
  sendOn(reply, `${visited.base}?done=1`);

/**
 * Goes on to a page that shows something which is shown once. It waits there sealed: only this browser, in this session,
 * can read it.
 */
export async function showOnce(
  deps: AccountDependencies,
  request: FastifyRequest,
  reply: FastifyReply,
  visited: Pick<AccountVisit, 'tenant' | 'session' | 'base'>,
  o: { page: string; value: unknown },
): Promise<FastifyReply> {
  const id = randomSecret();
  const key = deriveKey(Buffer.from(knownBrowser(request) ?? ''), 'shown-once');
  const sealed = seal(key, Buffer.from(JSON.stringify(o.value)), context(visited, o.page, id));
  await deps.sealedNotes.keep(visited.tenant.id, id, sealed, shownSeconds);
  return sendOn(reply, `${visited.base}${o.page}?shown=${id}`);
}

/** What `showOnce` kept for this page; undefined when it is gone, or somebody else's. */
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

const context = (visited: Pick<AccountVisit, 'tenant' | 'session'>, page: string, id: string): string =>
  `${visited.tenant.id}/${visited.session.id}/${page}/${id}`;
