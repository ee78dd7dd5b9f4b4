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
 * What the table of routes (`conferring.ts`) asks of a request, before its handler runs: an administrator who gives something over SCIM
 * signed in as the tenant requires. What exactly is given is asked again where it is known, in the transaction of the change.
 */
export const routeChecks = (policyOf: SignInPolicyOf): RouteChecks => ({
  'held scopes': async (request) => {
    const principal = request.caller?.principal;
    if (principal?.kind !== 'user' || !givesSomething(request)) return;
    requireSecondFactorOfAdministrator(principal, await policyOf(principal.tenant));
  },
});

/**
 * A password is a way to sign in as a user, whether or not they have a role: of a user it takes a sign-in of just now, as an
 * invitation does in the graph. Whether one is set only its operation says, in a Bulk one by one.
 */
export const maySetPasswords =
  (policyOf: SignInPolicyOf) =>
  async ({ principal }: Caller): Promise<void> => {
    if (principal?.kind === 'user')
      requireRecentSignIn(principal, { policy: await policyOf(principal.tenant) });
  };

/**
 * Why a request lacks a scope: of an administrator who signed in with one factor where two are required the role brought none, and
 * the answer says how to sign in (RFC 9470 section 3) where something is given.
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
