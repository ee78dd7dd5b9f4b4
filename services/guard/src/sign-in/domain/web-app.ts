import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { type Principal, type Rule, VerificationError } from '@ostiary/verifier';
import type { Verifier } from '@ostiary/verifier/core';
import { findRule, type HostRules, requirementOf, type SignInRules } from '../../rules/index.ts';
import {
  cookieValue,
  cookieValues,
  removeCookie,
  sessionCookie,
  setCookie,
  signInCookie,
  signInCookies,
} from './cookies.ts';
import { AnswerRejected, type Issuer } from './issuer.ts';
import type { Logout, Logouts } from './logouts.ts';
import { ownPath } from './own-paths.ts';
import { isReturnAddress, returnTo } from './return-address.ts';
import { isPageLoad } from './same-origin.ts';
import type { SealedCookies } from './sealed-cookies.ts';
import { type Session, Sessions } from './sessions.ts';

export interface WebAppOptions {
  rules: HostRules;
  signIn: SignInRules;
  verifier: Pick<Verifier, 'verify' | 'verifyKept'>;
  issuer: Issuer;
  cookies: SealedCookies;
  logouts: Logouts;
  /** Issuer and client. */
  place: string;
  /** Milliseconds since the epoch. */
  clock: () => number;
}

/** Answer of a step of the sign-in: a redirect. */
export interface Redirect {
  readonly location: string;
  /** Set-Cookie headers. */
  readonly cookies: readonly string[];
}

/** Error of a step of the sign-in. `reason` determines the page. */
export class SignInError extends Error {
  readonly reason: SignInFailure;
  /** Path after another attempt. */
  readonly returnTo: string;

  constructor(reason: SignInFailure, o: { returnTo?: string; cause?: unknown } = {}) {
    super(`sign-in failed: ${reason}`, { cause: o.cause });
    this.reason = reason;
    this.returnTo = o.returnTo ?? '/';
  }
}

/**
 * `return`: the return address is not a path of the host. `unknown`: not begun in this browser, too long ago, or
 * finished. `denied`: the issuer or the user rejected it. `answer`: the answer fails a check. `weak`: the sign-in does
 * not satisfy the rule of the path. `client`: the registration of the client does not fit. `cookies`: the browser sends
 * several cookies of sessions, so that no session is read.
 */
export type SignInFailure = 'return' | 'unknown' | 'denied' | 'answer' | 'weak' | 'client' | 'cookies';

/** A sign-in that has begun, in the cookie of its state. */
interface Pending {
  nonce: string;
  verifier: string;
  returnTo: string;
  /** Unix seconds. */
  expiresAt: number;
}

/** Seconds for a sign-in at the issuer. */
const pendingSeconds = 900;
/** Maximum size of all cookies of sign-ins. */
const maxPendingBytes = 4_096;
/** Maximum size of all cookies. Many servers reject a line of more than 8 KB, and the app has cookies, too. */
const maxCookieBytes = 6_144;

/** Sign-in and sessions of the users of one host. */
export class WebApp {
  readonly #o: WebAppOptions;
  readonly #sessions: Sessions;

  constructor(options: WebAppOptions) {
    const { cookies, clock, signIn } = options;
    this.#o = options;
    this.#sessions = new Sessions({ ...signIn, cookies, clock, place: this.#place });
  }

  get origin(): string {
    return this.#o.rules.origin;
  }

  /** Returns the unexpired session of a request. It is valid only after `verify`. */
  sessionOf(cookieHeader: string | undefined): Session | undefined {
    const session = this.#sessions.read(cookieHeader);
    if (session === undefined) return undefined;
    const { claims, sessionId, begunAt } = session;
    return this.#o.logouts.ends(claims.sub, sessionId, begunAt) ? undefined : session;
  }

  /** Returns the user of a session. @throws VerificationError */
  verify(session: Session, rule: Rule): Promise<Principal> {
    return this.#o.verifier.verifyKept({ ...session, expiresAt: this.#sessions.endOf(session) }, rule);
  }

  /** Reports whether a page load should pass through the address of the sign-in, which renews the session. */
  isDue(session: Session): boolean {
    return this.#sessions.isDue(session);
  }

  /** Returns the address of a sign-in that returns to a request. */
  signInAddress(target: string): string {
    return `${this.origin}${ownPath('sign-in')}?return=${encodeURIComponent(returnTo(target))}`;
  }

  /**
   * Begins a sign-in. With a session that satisfies the rule of the return address, a page load renews it instead.
   * @throws SignInError
   */
  async begin(
    returnTarget: string,
    { cookie: cookieHeader, ...headers }: IncomingHttpHeaders,
  ): Promise<Redirect> {
    if (!isReturnAddress(returnTarget)) throw new SignInError('return');
    const session = this.sessionOf(cookieHeader);
    if (session !== undefined && (await this.#satisfies(session, returnTarget)))
      return {
        location: this.origin + returnTarget,
        cookies: isPageLoad('GET', headers) ? [this.#sessions.write(session)] : [],
      };
    const [state, nonce, verifier] = [random(), random(), random()];
    const { acr, maxAge } = this.#ruleOf(returnTarget);
    const location = await this.#o.issuer.authorizationAddress({
      ...this.#client,
      scopes: this.#o.signIn.scopes,
      state,
      nonce,
      verifier,
      acr,
      maxAge,
    });
    const pending: Pending = {
      nonce,
      verifier,
      returnTo: returnTarget,
      expiresAt: this.#now + pendingSeconds,
    };
    const sealed = this.#o.cookies.seal(pending, this.#pendingPlace(state));
    const ofSessions = cookieValues(cookieHeader, sessionCookie).join().length;
    const left = Math.min(maxPendingBytes, maxCookieBytes - ofSessions) - signInCookie(state).length;
    const tooMany = signInCookies(cookieHeader, Math.max(0, left - sealed.length));
    return {
      location,
      cookies: [...tooMany.map(removeCookie), setCookie(signInCookie(state), sealed, pendingSeconds)],
    };
  }

  /** Completes a sign-in with the answer of the issuer, and ends the previous session. @throws SignInError */
  async finish(
    answer: URLSearchParams,
    cookieHeader: string | undefined,
    onProblem: (error: unknown) => void,
  ): Promise<Redirect> {
    const states = answer.getAll('state');
    const [state = ''] = states;
    const name = signInCookie(state);
    const sealed = states.length === 1 ? cookieValue(cookieHeader, name) : undefined;
    const opened = sealed && (this.#o.cookies.open(sealed, this.#pendingPlace(state)) as Pending | undefined);
    if (!opened || opened.expiresAt <= this.#now) throw new SignInError('unknown');
    // Otherwise the app and the sign-in would redirect to each other.
    const { sent, opened: previous } = this.#sessions.readAll(cookieHeader);
    if (sent > 1) throw new SignInError('cookies', { returnTo: opened.returnTo });
    const session = this.#sessions.write(await this.#redeem(answer, state, opened));
    for (const { refreshToken } of previous) await this.#o.issuer.revoke(refreshToken).catch(onProblem);
    return { location: this.origin + opened.returnTo, cookies: [removeCookie(name), session] };
  }

  /** Ends the session of this host, and returns the redirect to the sign-out of the issuer. */
  async end(cookieHeader: string | undefined, onProblem: (error: unknown) => void): Promise<Redirect> {
    const cookies = [sessionCookie, ...signInCookies(cookieHeader)].map(removeCookie);
    const { opened } = this.#sessions.readAll(cookieHeader);
    // Copies of the cookie end, too: those with a later page load, and also if the user stays signed in at the issuer.
    for (const { claims, refreshToken, sessionId } of opened)
      await this.#o.issuer.revoke(refreshToken).catch((error: unknown) => {
        this.#o.logouts.add({ subject: String(claims.sub), sessionId, issuedAt: this.#now });
        onProblem(error);
      });
    const location = await this.#o.issuer
      .signOutAddress({
        idToken: opened[0]?.idToken,
        postLogoutRedirectUri: this.#o.signIn.postLogoutRedirectUri,
      })
      .catch(onProblem);
    return { location: location || `${this.origin}/`, cookies };
  }

  /** Ends sessions by a logout token. @throws AnswerRejected */
  async receiveLogout(token: string): Promise<Logout> {
    const logout = await this.#o.issuer.readLogoutToken(token);
    this.#o.logouts.add(logout);
    return logout;
  }

  async #redeem(
    answer: URLSearchParams,
    state: string,
    { nonce, verifier, returnTo }: Pending,
  ): Promise<Session> {
    const { issuer, verifier: tokens } = this.#o;
    const redeemed = await issuer
      .redeem({ ...this.#client, answer, state, nonce, verifier })
      .catch((cause: unknown) => {
        throw failureOf(cause, returnTo);
      });
    const { accessToken, refreshToken, idToken, subject, sessionId } = redeemed;
    const principal = await tokens
      .verify({ authorization: `Bearer ${accessToken}` })
      .catch((cause: unknown) => {
        throw cause instanceof VerificationError && cause.status === 503
          ? cause
          : new SignInError('client', { returnTo, cause });
      });
    if (refreshToken === undefined || principal.kind !== 'user' || principal.subject !== subject)
      throw new SignInError('client', {
        returnTo,
        cause: new Error('the tokens have no user, or no refresh token is among them'),
      });
    const { claims, keyId } = principal;
    const session = this.#sessions.begin({ claims, keyId, refreshToken, idToken, sessionId });
    // Otherwise the app and the sign-in would redirect to each other.
    if (!(await this.#satisfies(session, returnTo))) throw new SignInError('weak', { returnTo });
    return session;
  }

  /** Reports whether a session suffices for a page. A missing scope is reported by the page itself. */
  async #satisfies(session: Session, target: string): Promise<boolean> {
    try {
      await this.verify(session, this.#ruleOf(target));
      return true;
    } catch (error) {
      if (error instanceof VerificationError && error.status === 401) return false;
      if (error instanceof VerificationError && error.status === 403) return true;
      throw error;
    }
  }

  #ruleOf(target: string): Partial<ReturnType<typeof requirementOf>> {
    const rule = findRule(this.#o.rules, 'GET', target.split('?', 1)[0] ?? '');
    return typeof rule === 'string' ? {} : requirementOf(rule);
  }

  get #client() {
    return {
      redirectUri: this.origin + ownPath('callback'),
      resource: this.#o.rules.audience,
    };
  }

  get #place(): string {
    return `${this.#o.place} ${this.#o.rules.host}`;
  }

  #pendingPlace(state: string): string {
    return `sign-in ${state} ${this.#place}`;
  }

  get #now(): number {
    return Math.floor(this.#o.clock() / 1_000);
  }
}

const random = (): string => randomBytes(32).toString('base64url');

function failureOf(cause: unknown, returnTo: string): unknown {
  if (!(cause instanceof AnswerRejected)) return cause;
  return new SignInError(cause.code === 'access_denied' ? 'denied' : 'answer', { returnTo, cause });
}
