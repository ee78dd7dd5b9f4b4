import { type Principal, recentSignIn, requireAuthentication } from '@ostiary/access';
import { type Acr, acrValues, satisfiesAcr } from './authentication-context.ts';
import type { SecondFactors } from './second-factors.ts';

/** Seconds after a sign-in in which the ways to sign in may be changed, and what outlives it may be made. */
export const recentSeconds = recentSignIn.maxAge;

const twoFactors: Acr = 'urn:ostiary:acr:2fa';
/** The classes a person who has a second factor must be of. */
const strong: readonly Acr[] = acrValues.filter((acr) => satisfiesAcr(acr, twoFactors));

/** Whether a sign-in is of just now, with the second factor if the person has one. */
export async function isRecentSignIn(
  deps: { secondFactors: Pick<SecondFactors, 'required'>; kit: { clock: () => number } },
  tenant: string,
  session: { subjectId: string; authTime: Date; acr: string | null },
): Promise<boolean> {
  if (deps.kit.clock() - session.authTime.getTime() > recentSeconds * 1000) return false;
  // A session from before the second factor was set up must not be able to take it away.
  return (
    satisfiesAcr(session.acr, twoFactors) || !(await deps.secondFactors.required(tenant, session.subjectId))
  );
}

/**
 * The same over an API (RFC 9470): a person's token must be from such a sign-in. Clients that act for themselves have no
 * sign-in to be recent.
 * @throws AccessError insufficient_user_authentication, with the classes and the age that will do
 */
export async function requireRecentSignIn(
  deps: { secondFactors: Pick<SecondFactors, 'required'>; kit: { clock: () => number } },
  principal: Principal,
): Promise<void> {
  if (principal.kind !== 'user') return;
  const required = await deps.secondFactors.required(principal.tenant, principal.subject);
  requireAuthentication(
    principal,
    { maxAge: recentSeconds, ...(required ? { acrValues: strong } : {}) },
    deps.kit.clock(),
  );
}
