import type { Claims } from '@ostiary/verifier';
import { cookieValues, sessionCookie, setCookie } from './cookies.ts';
import type { SealedCookies } from './sealed-cookies.ts';

/** Session of a user at one host. The cookie contains all of it. */
export interface Session {
  /** Claims of the access token. */
  readonly claims: Claims;
  readonly keyId?: string | undefined;
  readonly refreshToken: string;
  /** For the sign-out at the issuer; absent if the cookie would be too large. */
  readonly idToken?: string | undefined;
  /** `sid` of the ID token. */
  readonly sessionId?: string | undefined;
  /** Sign-in in Unix seconds. */
  readonly begunAt: number;
  /** Last page load in Unix seconds. */
  readonly loadedAt: number;
}

export interface SessionsOptions {
  cookies: SealedCookies;
  /** Issuer, client and host, to which cookies are bound. */
  place: string;
  lifetimeSeconds: number;
  idleSeconds: number;
  /** Milliseconds since the epoch. */
  clock: () => number;
}

/** Maximum size of name, value and attributes of a cookie in browsers, in bytes (RFC 6265 §6.1). */
const maxCookieBytes = 4_096;
/** Part of the idle time after which a page load begins it again. */
const renewedAfter = 0.25;

/** Error of a session that does not fit into a cookie. */
export class SessionTooLarge extends Error {
  constructor(bytes: number) {
    super(
      `The session has ${bytes} bytes, and a cookie at most ${maxCookieBytes}: the access token has too many claims.`,
    );
  }
}

/** Sessions of one host, in cookies. */
export class Sessions {
  readonly #o: SessionsOptions;

  constructor(options: SessionsOptions) {
    this.#o = options;
  }

  /** Returns the unexpired session of a request. */
  read(cookieHeader: string | undefined): Session | undefined {
    const found = this.readAll(cookieHeader);
    // With several cookies, the browser does not state which one the guard has set.
    return found.sent === 1 ? found.opened.find((session) => this.endOf(session) > this.#now) : undefined;
  }

  /** Returns the sessions of all cookies of a request, expired ones included. */
  readAll(cookieHeader: string | undefined): { sent: number; opened: Session[] } {
    const texts = cookieValues(cookieHeader, sessionCookie);
    const opened = texts.map((text) => this.#o.cookies.open(text, this.#place) as Session | undefined);
    return { sent: texts.length, opened: opened.filter((session) => session !== undefined) };
  }

  /** Returns the end of a session in Unix seconds. */
  endOf({ begunAt, loadedAt }: Session): number {
    return Math.min(begunAt + this.#o.lifetimeSeconds, loadedAt + this.#o.idleSeconds);
  }

  /** Reports whether a page load should renew a session. */
  isDue({ loadedAt }: Session): boolean {
    return this.#now - loadedAt > this.#o.idleSeconds * renewedAfter;
  }

  /** Returns a new session. */
  begin(content: Omit<Session, 'begunAt' | 'loadedAt'>): Session {
    return { ...content, begunAt: this.#now, loadedAt: this.#now };
  }

  /** Returns the Set-Cookie header of a session. @throws SessionTooLarge */
  write(session: Session): string {
    const loaded = { ...session, loadedAt: this.#now };
    const header = this.#sealed(loaded);
    if (header.length <= maxCookieBytes) return header;
    const smaller = this.#sealed({ ...loaded, idToken: undefined });
    if (smaller.length > maxCookieBytes) throw new SessionTooLarge(smaller.length);
    return smaller;
  }

  #sealed(session: Session): string {
    return setCookie(sessionCookie, this.#o.cookies.seal(session, this.#place));
  }

  get #place(): string {
    return `session ${this.#o.place}`;
  }

  get #now(): number {
    return Math.floor(this.#o.clock() / 1_000);
  }
}
