import { foldSegment, type Path, readPath } from './path.ts';

/** The access that some requests of a host require. */
export interface AccessRule {
  readonly pattern: PathPattern;
  /** Methods to which the rule applies; undefined for all. */
  readonly methods: ReadonlySet<string> | undefined;
  /** Whether requests need no token. */
  readonly isPublic: boolean;
  /** Required scopes, all of them. */
  readonly scopes: readonly string[];
  /** Roles of the API, of which the caller has at least one; undefined if none is required. */
  readonly roles: readonly string[] | undefined;
  /** Values of the claim `groups`, of which the caller has at least one; undefined if none is required. */
  readonly groups: readonly string[] | undefined;
  /** Accepted classes of the sign-in (RFC 9470). */
  readonly acr: readonly string[] | undefined;
  /** Maximum age of the sign-in in seconds (RFC 9470). */
  readonly maxAge: number | undefined;
}

/** A host behind the proxy, with its rules in their order. */
export interface HostRules {
  /** Lower case, with a port that is not the default. */
  readonly host: string;
  /** Origin that clients use. */
  readonly origin: string;
  /** Resource identifier for which its tokens are issued. */
  readonly audience: string;
  /** Sign-in of browsers; undefined for an API. */
  readonly signIn: SignInRules | undefined;
  readonly rules: readonly AccessRule[];
}

/** The sign-in at a host and its sessions. */
export interface SignInRules {
  /** Requested scopes, with `openid`. */
  readonly scopes: readonly string[];
  /** Maximum time after the sign-in. */
  readonly lifetimeSeconds: number;
  /** Maximum time after the last page load. */
  readonly idleSeconds: number;
  /** Registered address after a sign-out; undefined for a page of the issuer. */
  readonly postLogoutRedirectUri: string | undefined;
}

/** Returns the sign-in and scopes that a rule requires. */
export const requirementOf = ({ scopes, acr, maxAge }: AccessRule) => ({
  scopes,
  ...(acr === undefined ? {} : { acr }),
  ...(maxAge === undefined ? {} : { maxAge }),
});

/** Segments of a path: `*` is any segment, and `**` at the end any number of them. */
export interface PathPattern {
  readonly segments: readonly string[];
  readonly folded: readonly string[];
  readonly isPrefix: boolean;
}

/** Returns the pattern of a path as in a URL; undefined for a malformed one. */
export function readPattern(text: string): PathPattern | undefined {
  const isPrefix = text.endsWith('/**');
  const path = readPath(isPrefix ? text.slice(0, -2) : text);
  // An encoded asterisk would become a wildcard.
  if (path === undefined || /%2a/i.test(text)) return undefined;
  if (path.segments.some((segment) => segment.includes('*') && segment !== '*')) return undefined;
  return { segments: path.segments, folded: path.segments.map(foldSegment), isPrefix };
}

/** Result of the search for a rule: `ambiguous` if another server could interpret the request as another one. */
export type FoundRule = AccessRule | 'none' | 'ambiguous';

/** Returns the first rule of a host that applies to a request. @param path without the query */
export function findRule({ rules }: Pick<HostRules, 'rules'>, method: string, path: string): FoundRule {
  // Servers compare methods exactly (RFC 9110 §9.1), and some do not.
  if (!/^[A-Z][A-Z-]*$/.test(method)) return 'ambiguous';
  const applicable = rules.filter((rule) => allowsMethod(rule, method));
  if (applicable.every(({ pattern }) => isEveryPath(pattern))) return applicable[0] ?? 'none';
  const read = readPath(path);
  if (read === undefined) return 'ambiguous';
  const find = (form: keyof Path): AccessRule | undefined =>
    applicable.find(({ pattern }) => matches(pattern, form, read[form]));
  const exact = find('segments');
  return exact === find('folded') ? (exact ?? 'none') : 'ambiguous';
}

/** A server answers HEAD as it answers GET (RFC 9110 §9.3.2). */
const allowsMethod = ({ methods }: AccessRule, method: string): boolean =>
  methods === undefined || methods.has(method) || (method === 'HEAD' && methods.has('GET'));

const isEveryPath = ({ segments, isPrefix }: PathPattern): boolean => isPrefix && segments.length === 0;

function matches(pattern: PathPattern, form: keyof Path, segments: readonly string[]): boolean {
  const wanted = pattern[form];
  if (pattern.isPrefix ? segments.length < wanted.length : segments.length !== wanted.length) return false;
  return wanted.every((segment, at) => segment === '*' || segment === segments[at]);
}
