import type { Sql } from '@ostiary/database';
import { consentedScopes } from '../data/consents.ts';
import type { LiveSession } from '../data/sessions.ts';
import type { AuthorizationRequest } from './authorize-request.ts';
import { OAuthError } from './errors.ts';
import type { Client, IdTokenHint, Subject, Subjects } from './ports.ts';
import { permittedScopes } from './scopes.ts';

/** What an authorization request needs next. */
export type Step =
  | { step: 'sign-in' }
  | { step: 'consent'; subject: Subject; scopes: string[] }
  | { step: 'grant'; subject: Subject; scopes: string[] };

export interface Situation {
  tenant: string;
  client: Client;
  request: AuthorizationRequest;
  session: LiveSession | undefined;
  /** What the request's id_token_hint says, if it is one of ours. */
  hint: IdTokenHint | undefined;
  /** The person signed in for this very request. */
  signedIn: boolean;
  /** The scopes they agreed to for this very request. */
  agreed?: ReadonlySet<string>;
  /** Milliseconds since the epoch. */
  now: number;
}

/**
 * Decides what a checked request still needs: a sign-in, a consent, or nothing.
 * @throws OAuthError what prompt=none must answer instead of a page; access_denied when nothing asked for may be given
 */
export async function nextStep(situation: Situation, o: { sql: Sql; subjects: Subjects }): Promise<Step> {
  const { tenant, client, request, session } = situation;
  const silent = request.prompts.includes('none');

  const signIn = signInReason(situation);
  if (signIn !== undefined) {
    if (silent || (situation.signedIn && signIn === 'other_person'))
      throw new OAuthError('login_required', signInWords[signIn]);
    return { step: 'sign-in' };
  }
  const subject = session && (await o.subjects.find(tenant, session.subjectId));
  if (!subject?.active) {
    if (silent) throw new OAuthError('login_required', signInWords.no_session);
    return { step: 'sign-in' };
  }

  const permitted = permittedScopes(request.scopes, client, subject.roles);
  const scopes = situation.agreed ? permitted.filter((scope) => situation.agreed?.has(scope)) : permitted;
  if (scopes.length === 0) {
    throw new OAuthError('access_denied', 'The person may not give the client any of the requested scopes.');
  }
  if (await needsConsent(situation, subject, scopes, o.sql)) {
    if (silent) throw new OAuthError('consent_required', 'The person has not allowed this yet.');
    return { step: 'consent', subject, scopes };
  }
  return { step: 'grant', subject, scopes };
}

type SignInReason = 'no_session' | 'asked_for' | 'too_old' | 'other_person';

const signInWords: Record<SignInReason, string> = {
  no_session: 'The person is not signed in.',
  asked_for: 'The client asks for a new sign-in.',
  too_old: 'The sign-in is older than max_age allows.',
  other_person: 'Another person than the one hinted at is signed in.',
};

/** OpenID Connect Core §3.1.2.3. */
function signInReason({ request, session, hint, signedIn, now }: Situation): SignInReason | undefined {
  if (!session) return 'no_session';
  if (hint && hint.subject !== session.subjectId) return 'other_person';
  if (signedIn) return undefined;
  if (request.prompts.includes('login') || request.prompts.includes('select_account')) return 'asked_for';
  if (request.maxAge !== undefined && now - session.authTime.getTime() > request.maxAge * 1000)
    return 'too_old';
  return undefined;
}

async function needsConsent(
  { tenant, client, request, agreed }: Situation,
  subject: Subject,
  scopes: readonly string[],
  sql: Sql,
): Promise<boolean> {
  if (agreed) return false;
  if (request.prompts.includes('consent')) return true;
  if (!client.requireConsent) return false;
  const given = await consentedScopes(sql, tenant, subject.id, client.clientId);
  return !scopes.every((scope) => given.has(scope));
}
