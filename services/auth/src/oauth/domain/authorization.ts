import { type Client, mayBeImpersonated } from '../../clients/index.ts';
import { scopesOfClaims } from '../../grants/index.ts';
import { OAuthError } from '../../protocol/index.ts';
import { countingRoles, permittedScopes, type RolePolicy, rolesAtBest } from '../../roles/index.ts';
import type { LiveSession } from '../../sessions/index.ts';
import type { SecondFactors } from '../../sign-in/index.ts';
import type { Subject, Subjects } from '../../subjects/index.ts';
import type { AuthorizationRequest } from './authorize-request.ts';
import { isReachable, isStrongEnough, requestedAuthentication } from './requested-authentication.ts';

/** What users allowed clients before. */
export interface GivenConsents {
  /** The scopes a user has allowed a client before, and not taken back. */
  given(tenant: string, subjectId: string, clientId: string): Promise<ReadonlySet<string>>;
}

/** What an authorization request needs next. */
export type Step =
  | { step: 'sign-in' }
  | { step: 'select-account' }
  | { step: 'consent'; subject: Subject; scopes: string[] }
  | { step: 'grant'; subject: Subject; scopes: string[] };

export interface Situation {
  tenant: string;
  /** What the tenant requires of those whose roles are to count. */
  policy: RolePolicy | undefined;
  client: Client;
  request: AuthorizationRequest;
  session: LiveSession | undefined;
  /** Whether this is somebody the request allows: its id_token_hint or its claims may name them. */
  isExpected: (subjectId: string) => boolean;
  /** The person signed in for this very request. */
  signedIn: boolean;
  /** They chose to go on with the account they are signed in with. */
  selected?: boolean;
  /** The scopes they agreed to for this very request. */
  agreed?: ReadonlySet<string>;
  /** Milliseconds since the epoch. */
  now: number;
}

/**
 * Decides what a checked request still needs: a sign-in, a consent, or nothing.
 * @throws OAuthError what prompt=none must answer instead of a page; access_denied when nothing asked for may be given
 */
export async function nextStep(
  situation: Situation,
  o: {
    subjects: Pick<Subjects, 'find'>;
    secondFactors: Pick<SecondFactors, 'required'>;
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
  // What their roles would bring after a sign-in with two factors.
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
  if (needsPerson(situation)) {
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

/** The only right answer is a sign-in that the person may first have to set up. */
const tooWeakForRoles = (): OAuthError =>
  new OAuthError(
    'unmet_authentication_requirements',
    'The requested scopes require a second factor. Users set one up on their account page.',
  );

/** @param isUncarried the user has roles that what they signed in with does not carry */
const outOfReach = (isUncarried: boolean): OAuthError =>
  new OAuthError(
    'access_denied',
    isUncarried
      ? 'The roles of the user do not count after this sign-in: a caller who may not give them set the way in that was used.'
      : 'The user holds none of the requested scopes.',
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
  // A mere wish is no reason to refuse what the client may have without asking (prompt=none).
  if (wanted && isReachable(wanted) && !isStrongEnough(session.acr, wanted)) {
    return wanted.essential || !request.prompts.includes('none') ? 'too_weak' : undefined;
  }
  return undefined;
}

/** RFC 8252 §8.6. An answer is given to somebody who did something for it: signed in, chose an account, or agreed. */
const needsPerson = ({ client, request, signedIn, selected, agreed }: Situation): boolean =>
  !signedIn && !selected && agreed === undefined && mayBeImpersonated(client, request.redirectUri);

async function needsConsent(
  { tenant, client, request, agreed }: Situation,
  subject: Subject,
  scopes: readonly string[],
  consents: GivenConsents,
): Promise<boolean> {
  if (agreed) return false;
  if (request.prompts.includes('consent')) return true;
  if (!client.requireConsent) return false;
  const given = await consents.given(tenant, subject.id, client.clientId);
  return !scopes.every((scope) => given.has(scope));
}
