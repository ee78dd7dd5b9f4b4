import type { Principal, SignInTerms } from '@ostiary/access';
import { recentSignIn } from '@ostiary/access';
import type { RolePolicy } from '../../roles/index.ts';
import { type Acr, satisfiesAcr } from '../../sessions/index.ts';
import type { SecondFactors } from './second-factors.ts';

/** Seconds after a sign-in in which the ways to sign in may be changed, and what outlives it may be made. */
export const recentSeconds = recentSignIn.maxAge;

const twoFactors: Acr = 'urn:ostiary:acr:2fa';

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

/** The same over an API (RFC 9470): what `requireRecentSignIn` asks of a person's token. */
export async function signInTerms(
  deps: {
    secondFactors: Pick<SecondFactors, 'required'>;
    tenants: { find(tenant: string): Promise<{ policy: RolePolicy } | null> };
    kit: { clock: () => number };
  },
  { tenant, subject }: Pick<Principal, 'tenant' | 'subject'>,
): Promise<SignInTerms> {
  return {
    policy: (await deps.tenants.find(tenant))?.policy,
    hasSecondFactor: await deps.secondFactors.required(tenant, subject),
    now: deps.kit.clock(),
  };
}
