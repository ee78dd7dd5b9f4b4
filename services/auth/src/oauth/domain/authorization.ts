import type { AuthorizationRequest } from '../../access/index.ts';
import {
  countingRoles,
  permittedScopes,
  type RolePolicy,
  rolesAtBest,
  scopesOfClaims,
} from '../../access/index.ts';
import { type Client, isUnapprovedClientId, mayBeImpersonated } from '../../clients/index.ts';
import type { LiveSession, SecondFactors } from '../../identity/index.ts';
import { OAuthError } from '../../platform/index.ts';
import type { Subject, Subjects } from '../../tenancy/index.ts';
import { isReachable, isStrongEnough, requestedAuthentication } from './requested-authentication.ts';

export interface GivenConsents {
  /** Returns the scopes to which a user has consented for a client, without withdrawn ones. */
  given(tenant: string, subjectId: string, clientId: string): Promise<ReadonlySet<string>>;
}

/** The next step of an authorization request. */
export type Step =
  | { step: 'sign-in' }
  | { step: 'select-account' }
  | { step: 'consent'; subject: Subject; scopes: string[] }
  | { step: 'grant'; subject: Subject; scopes: string[] };

export interface Situation {
  tenant: string;
  /** Requirements of the tenant for roles to count. */
  policy: RolePolicy | undefined;
  client: Client;
  request: AuthorizationRequest;
  session: LiveSession | undefined;
  /** Reports whether the request permits this user: its id_token_hint or claims may name one. */
  isExpected: (subjectId: string) => boolean;
  /** The user signed in for this request. */
  signedIn: boolean;
  /** The user confirmed the account of the session. */
  selected?: boolean;
  /** Scopes to which the user consented for this request. */
  agreed?: ReadonlySet<string>;
  /** Milliseconds since the epoch. */
  now: number;
}

/**
 * Returns the next step of a valid request: a sign-in, an account selection, a consent or a grant.
 * @throws OAuthError the error for prompt=none in place of a page; access_denied if no requested scope is permitted
 */
export async function nextStep(
  situation: Situation,
  o: {
    subjects: Subjects;
    secondFactors: SecondFactors;
    consents: GivenConsents;
  },
): Promise<Step> {
  const { tenant, client, request, session } = situation;
  const silent = request.prompts.includes('none');
  const wanted = requestedAuthentication(request);
  if (wanted?.essential && !isReachable(wanted)) throw unmet();

  const signIn = signInReason(situation);
  if (signIn !== undefined) {
    if (silent || (situation.signedIn && signIn === 'other_person'))
      throw new OAuthError('login_required', signInWords[signIn]);
    return { step: 'sign-in' };
  }
  if (wanted?.essential && session && !isStrongEnough(session.acr, wanted)) throw unmet();
  if (!situation.signedIn && !situation.selected && request.prompts.includes('select_account')) {
    return { step: 'select-account' };
  }
  const subject = session && (await o.subjects.find(tenant, session.subjectId));
  if (!session || !subject?.active) {
    if (silent) throw new OAuthError('login_required', signInWords.no_session);
    return { step: 'sign-in' };
  }

  const asked = [...new Set([...request.scopes, ...(request.claims ? scopesOfClaims(request.claims) : [])])];
  const held = { roles: subject.roles, acr: session.acr, carriedRoles: session.carriedRoles };
  const counting = countingRoles(situation.policy, held);
  const permitted = permittedScopes(asked, client, counting);
  // Roles that count after a sign-in with two factors.
  const atBest = rolesAtBest(held);
  const missed = permittedScopes(asked, client, atBest).length > permitted.length;
  if (missed && !silent && !situation.signedIn && (await o.secondFactors.required(tenant, subject.id))) {
    return { step: 'sign-in' };
  }
  const scopes = situation.agreed ? permitted.filter((scope) => situation.agreed?.has(scope)) : permitted;
  if (!scopes.some((scope) => request.scopes.includes(scope))) {
    if (missed) throw tooWeakForRoles();
    throw outOfReach(atBest.length < subject.roles.length);
  }
  if (await needsConsent(situation, subject, scopes, o.consents)) {
    if (silent) throw new OAuthError('consent_required', 'The user has not consented to the request.');
    return { step: 'consent', subject, scopes };
  }
  if (needsUser(situation)) {
    if (silent)
      throw new OAuthError(
        'interaction_required',
        'Without user interaction, a public client requires an https redirect URI.',
      );
    return { step: 'consent', subject, scopes };
  }
  return { step: 'grant', subject, scopes };
}

/** OpenID Connect Core Error Code unmet_authentication_requirements 1.0. */
const unmet = (): OAuthError =>
  new OAuthError(
    'unmet_authentication_requirements',
    'The user cannot meet the authentication requirements of the client.',
  );

/** The error for roles that count only with a second factor that the user has not set up. */
const tooWeakForRoles = (): OAuthError =>
  new OAuthError(
    'unmet_authentication_requirements',
    'The requested scopes require a second factor. Users set one up on their account page.',
  );

/** @param isUncarried the user has roles that the credential of the sign-in does not carry */
const outOfReach = (isUncarried: boolean): OAuthError =>
  new OAuthError(
    'access_denied',
    isUncarried
      ? 'The roles of the user do not count after this sign-in: the sign-in method was set by a caller who could not assign them.'
      : 'The user has none of the requested scopes.',
  );

type SignInReason = 'no_session' | 'asked_for' | 'too_old' | 'too_weak' | 'other_person';

const signInWords: Record<SignInReason, string> = {
  no_session: 'The user is not signed in.',
  asked_for: 'The client requires a new sign-in.',
  too_old: 'The sign-in is older than max_age allows.',
  too_weak: 'The sign-in does not meet the authentication requirements of the client.',
  other_person: 'The signed-in user does not match the hint.',
};

/** OpenID Connect Core §3.1.2.3. */
function signInReason({ request, session, isExpected, signedIn, now }: Situation): SignInReason | undefined {
  if (!session) return 'no_session';
  if (!isExpected(session.subjectId)) return 'other_person';
  if (signedIn) return undefined;
  if (request.prompts.includes('login')) return 'asked_for';
  if (request.maxAge !== undefined && now - session.authTime.getTime() > request.maxAge * 1000)
    return 'too_old';
  const wanted = requestedAuthentication(request);
  // A voluntary acr request is not a reason for an error with prompt=none.
  if (wanted && isReachable(wanted) && !isStrongEnough(session.acr, wanted)) {
    return wanted.essential || !request.prompts.includes('none') ? 'too_weak' : undefined;
  }
  return undefined;
}

/**
 * RFC 8252 §8.6: an answer to a client that can be impersonated requires a user interaction: a sign-in, an account
 * selection or a consent.
 */
const needsUser = ({ client, request, signedIn, selected, agreed }: Situation): boolean =>
  !signedIn && !selected && agreed === undefined && mayBeImpersonated(client, request.redirectUri);

async function needsConsent(
  { tenant, client, request, agreed }: Situation,
  subject: Subject,
  scopes: readonly string[],
  consents: GivenConsents,
): Promise<boolean> {
  if (agreed) return false;
  // A consent does not cover the APIs that `resource` names without a scope, and this client may name any of its policy.
  if (isUnapprovedClientId(client.clientId)) return true;
  if (request.prompts.includes('consent')) return true;
  if (!client.requireConsent) return false;
  const given = await consents.given(tenant, subject.id, client.clientId);
  return !scopes.every((scope) => given.has(scope));
}
