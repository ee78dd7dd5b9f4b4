import type { Principal, SignInTerms } from '@ostiary/access';
import { recentSignIn } from '@ostiary/access';
import type { RolePolicy } from '../../../access/index.ts';
import { type Acr, satisfiesAcr } from '../../../platform/index.ts';
import type { SecondFactors } from './second-factors.ts';

/** Seconds after a sign-in in which credentials may be changed and long-lived tokens created. */
export const recentSeconds = recentSignIn.maxAge;

const twoFactors: Acr = 'urn:ostiary:acr:2fa';

/** Reports whether a sign-in is recent, with the second factor if the user has one. */
export async function isRecentSignIn(
  deps: { secondFactors: SecondFactors; kit: { clock: () => number } },
  tenant: string,
  session: { subjectId: string; authTime: Date; acr: string | null },
): Promise<boolean> {
  if (deps.kit.clock() - session.authTime.getTime() > recentSeconds * 1000) return false;
  // A session from before the setup of the second factor must not be able to remove it.
  return (
    satisfiesAcr(session.acr, twoFactors) || !(await deps.secondFactors.required(tenant, session.subjectId))
  );
}

/** Returns the requirements of `requireRecentSignIn` for a user's token (RFC 9470). */
export async function signInTerms(
  deps: {
    secondFactors: SecondFactors;
    tenants: { find(tenant: string): Promise<{ policy: RolePolicy } | null> };
    kit: { clock: () => number };
  },
  { tenant, subject }: Principal,
): Promise<SignInTerms> {
  return {
    policy: (await deps.tenants.find(tenant))?.policy,
    hasSecondFactor: await deps.secondFactors.required(tenant, subject),
    now: deps.kit.clock(),
  };
}
