import { type Principal, VerificationError } from '@ostiary/verifier';
import type { Verifier } from '@ostiary/verifier/core';
import type { Assertions } from '../../assertions/index.ts';
import {
  type AskedRequest,
  type OriginalRequest,
  originalRequest,
  type ProxyName,
} from '../../proxies/index.ts';
import { type AccessRule, findRule, type HostRules, requirementOf } from '../../rules/index.ts';
import { appCookies, isForgery, isOwnPath, isPageLoad, type WebApp } from '../../sign-in/index.ts';
import { folded, forgedHeader, type Identity, identityOf, noIdentity } from './identity.ts';

/** The answer to a proxy. */
export interface Decision {
  readonly outcome: Outcome;
  readonly status: 200 | 302 | 400 | 401 | 403 | 503;
  readonly identity: Identity;
  /** Further headers. */
  readonly headers: Readonly<Record<string, string>>;
  /** JSON body; absent for a permitted request. */
  readonly body?: { readonly error: string; readonly error_description: string };
}

export const outcomes = [
  'permitted',
  'public',
  'sign_in',
  'malformed',
  'unauthenticated',
  'forbidden',
  'unavailable',
] as const;
export type Outcome = (typeof outcomes)[number];

/** A host and the verifier of its audience. */
export interface ProtectedHost {
  readonly rules: HostRules;
  readonly verifier: Verifier;
  /** Sign-in of browsers; undefined for an API. */
  readonly webApp: WebApp | undefined;
}

export interface DecisionsOptions {
  proxy: ProxyName;
  hosts: ReadonlyMap<string, ProtectedHost>;
  assertions: Assertions;
  /** Milliseconds since the epoch. */
  clock: () => number;
}

/** Headers by which some frameworks replace the method of a request. */
const methodOverrides = ['x-http-method-override', 'x-http-method', 'x-method-override'];

/** Decides whether a proxy may pass a request to the app behind it. */
export class Decisions {
  readonly #o: DecisionsOptions;

  constructor(options: DecisionsOptions) {
    this.#o = options;
  }

  async decide(asked: AskedRequest & { readonly rawHeaders: readonly string[] }): Promise<Decision> {
    const original = originalRequest(this.#o.proxy, asked);
    if (original === undefined)
      return malformed('The headers that describe the original request are missing or malformed.');
    const forged = forgedHeader(asked.rawHeaders);
    if (forged !== undefined) return malformed('Clients must not send headers that begin with X-Ostiary-.');
    const host = this.#o.hosts.get(original.host);
    if (host === undefined) return forbidden('The guard has no rules for this host.');
    if (hasMethodOverride(asked.rawHeaders) && host.rules.rules.some(({ methods }) => methods !== undefined))
      return malformed('The method must not be replaced by a header.');
    const { webApp } = host;
    // The proxy must route these paths to the guard: the app would get the codes of sign-ins.
    if (webApp && isOwnPath(pathIn(original.target)))
      return forbidden('The proxy must route this path to the guard.');
    const rule = findRule(host.rules, original.method, pathIn(original.target));
    if (rule === 'ambiguous') return malformed('The path or method can be interpreted in several ways.');
    if (rule === 'none') return forbidden('No rule permits this request.');
    if (rule.isPublic)
      return { outcome: 'public', status: 200, identity: noIdentity, headers: cookiesFor(asked) };
    // The app has cookies of its own, which a request with a token of another user could also bring.
    if (
      webApp &&
      asked.headers.cookie !== undefined &&
      isForgery(original.method, asked.headers, webApp.origin)
    )
      return forbidden('A page of another origin sent this request.');
    return webApp === undefined || asked.headers.authorization !== undefined
      ? this.#ofToken(host, rule, original, asked)
      : this.#ofSession({ ...host, webApp }, rule, original, asked);
  }

  async #ofToken(
    host: ProtectedHost,
    rule: AccessRule,
    { method, target }: OriginalRequest,
    asked: AskedRequest,
  ): Promise<Decision> {
    const { authorization, dpop } = asked.headers;
    const source = { authorization, dpop: textOf(dpop), method, url: target };
    try {
      return this.#permitted(await host.verifier.verify(source, requirementOf(rule)), rule, host, asked);
    } catch (error) {
      if (error instanceof VerificationError) return rejected(error);
      throw error;
    }
  }

  async #ofSession(
    host: ProtectedHost & { readonly webApp: WebApp },
    rule: AccessRule,
    original: OriginalRequest,
    asked: AskedRequest,
  ): Promise<Decision> {
    const { webApp } = host;
    const { headers } = asked;
    const isPage = isPageLoad(original.method, headers);
    const signIn = (): Decision => redirect(webApp.signInAddress(original.target));
    const session = webApp.sessionOf(headers.cookie);
    const isOutdated = rule.groups !== undefined && session !== undefined && this.#isExpired(session.claims);
    if (session === undefined || isOutdated)
      return isPage ? signIn() : this.#ofToken(host, rule, original, asked);
    try {
      const principal = await webApp.verify(session, requirementOf(rule));
      return isPage && webApp.isDue(session) ? signIn() : this.#permitted(principal, rule, host, asked);
    } catch (error) {
      if (!(error instanceof VerificationError)) throw error;
      return isPage && error.status === 401 ? signIn() : rejected(error);
    }
  }

  /** The groups of a session are those of its access token, which has no revocation for a lost membership. */
  #isExpired({ exp }: Principal['claims']): boolean {
    return !(Number(exp) * 1_000 > this.#o.clock());
  }

  #permitted(principal: Principal, rule: AccessRule, host: ProtectedHost, asked: AskedRequest): Decision {
    if (!hasOneOf(rule.roles, [...principal.roles]))
      return forbidden('The caller has none of the required roles.');
    if (!hasOneOf(rule.groups, principal.claims.groups))
      return forbidden('The caller is in none of the required groups.');
    const { assertions, clock } = this.#o;
    const identity = identityOf(principal, assertions.assert(principal, host.rules.host, clock()));
    return { outcome: 'permitted', status: 200, identity, headers: cookiesFor(asked) };
  }
}

const hasOneOf = (required: readonly string[] | undefined, held: unknown): boolean =>
  required === undefined || (Array.isArray(held) && required.some((name) => held.includes(name)));

/** Returns the cookies that a proxy passes to an app instead of those of the client: without those of the guard. */
const cookiesFor = ({ headers: { cookie } }: AskedRequest): Record<string, string> =>
  cookie === undefined ? {} : { cookie: appCookies(cookie) };

const hasMethodOverride = (rawHeaders: readonly string[]): boolean =>
  rawHeaders.some((name, at) => at % 2 === 0 && methodOverrides.includes(folded(name)));

const pathIn = (target: string): string => target.split('?', 1)[0] ?? '';
const textOf = (value: string | string[] | undefined): string | undefined =>
  [value].flat().join() || undefined;

const outcomeOfStatus = {
  400: 'malformed',
  401: 'unauthenticated',
  403: 'forbidden',
  503: 'unavailable',
} as const;

const redirect = (location: string): Decision => ({
  outcome: 'sign_in',
  status: 302,
  identity: noIdentity,
  headers: { location },
});

const rejected = ({ status, headers, body }: VerificationError): Decision => ({
  outcome: outcomeOfStatus[status],
  status,
  identity: noIdentity,
  headers,
  body,
});

const refused = (status: 400 | 403, error: string, description: string): Decision => ({
  outcome: outcomeOfStatus[status],
  status,
  identity: noIdentity,
  headers: {},
  body: { error, error_description: description },
});
const malformed = (description: string): Decision => refused(400, 'invalid_request', description);
const forbidden = (description: string): Decision => refused(403, 'access_denied', description);
