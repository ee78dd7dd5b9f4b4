import {
  AccessError,
  conferralOf,
  insufficientScope,
  type Principal,
  type RouteChecks,
  requireRecentSignIn,
  requireSecondFactorOfAdministrator,
  type SignInPolicy,
  signInForRoles,
} from '@ostiary/access';
import type { FastifyRequest } from 'fastify';
import type { Caller } from '../domain/caller.ts';
import { routeConferrals } from './conferring.ts';

export type SignInPolicyOf = (tenant: string) => Promise<SignInPolicy>;

const givesSomething = (request: FastifyRequest): boolean =>
  (conferralOf(routeConferrals, request)?.confers ?? 'nothing') !== 'nothing';

/**
 * Returns the checks of the table of routes (`conferring.ts`) before the handler: an administrator who confers rights
 * over SCIM has signed in as the tenant requires. The conferred rights themselves are checked in the transaction of
 * the change.
 */
export const routeChecks = (policyOf: SignInPolicyOf): RouteChecks => ({
  'held scopes': async (request) => {
    const principal = request.caller?.principal;
    if (principal?.kind !== 'user' || !givesSomething(request)) return;
    requireSecondFactorOfAdministrator(principal, await policyOf(principal.tenant));
  },
});

/**
 * Checks that a user who sets a password has signed in recently, as for an invitation in the graph: a password is a
 * way to sign in as another user, with or without a role. Only an operation shows whether it sets one, in a Bulk each
 * separately.
 */
export const maySetPasswords =
  (policyOf: SignInPolicyOf) =>
  async ({ principal }: Caller): Promise<void> => {
    if (principal?.kind === 'user')
      requireRecentSignIn(principal, { policy: await policyOf(principal.tenant) });
  };

/**
 * Returns the error for a missing scope. An administrator with one factor has no scopes of roles where two are
 * required; for a route that confers rights, the error states the required sign-in (RFC 9470 §3).
 */
export async function lackOfScope(
  request: FastifyRequest,
  principal: Principal | undefined,
  scopes: readonly string[],
  policyOf: SignInPolicyOf,
): Promise<AccessError> {
  if (principal?.kind !== 'user' || !givesSomething(request)) return insufficientScope(scopes);
  const required = signInForRoles(principal, await policyOf(principal.tenant));
  if (!required) return insufficientScope(scopes);
  return new AccessError(
    'insufficient_user_authentication',
    'This requires a stronger sign-in than that of the access token.',
    undefined,
    required,
  );
}
