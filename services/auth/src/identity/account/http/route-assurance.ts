import { type RouteChecks, requireRecentSignIn } from '@ostiary/access';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isRecentSignIn, signInTerms } from '../../sign-in/domain/recent-sign-in.ts';
import { currentSession, tenantOf } from '../../sign-in/http/flow.ts';
import { accountBase, signInFirst } from './account-session.ts';
import type { AccountDependencies } from './dependencies.ts';

/** Returns the checks of the table of routes (`conferring.ts`), which run before the handler. */
export const routeChecks = (deps: AccountDependencies): RouteChecks => ({
  /** A token gets an error (RFC 9470); a browser is redirected to the sign-in page and back. */
  'recent sign-in': async (request, reply) => {
    const { principal } = request;
    if (principal) requireRecentSignIn(principal, await signInTerms(deps, principal));
    else await requireRecentSession(deps, request, reply);
  },
});

async function requireRecentSession(
  deps: AccountDependencies,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const tenant = await tenantOf(deps, request);
  const session = await currentSession(deps, request, tenant.id);
  if (session && (await isRecentSignIn(deps, tenant.id, session))) return;
  // A form without a page of its own is on the account page.
  const { url = '' } = request.routeOptions;
  const hasPage = request.server.hasRoute({ method: 'GET', url });
  const page = hasPage ? url.slice(accountBase(':tenant').length) : '';
  await signInFirst(deps, request, reply, { tenant: tenant.id, page, userName: session?.userName });
}
