import type { ProofStore } from './dpop/proof-store.ts';

export interface OstiaryOptions {
  /** Issuer identifier of the tenant, such as `https://id.example.com/t/acme`. */
  issuer: string;
  /** Resource identifier of this API, one of the client's `protectedResources`. */
  audience: string;
  /** Confidential client of this API. */
  clientId: string;
  clientSecret: string;
  /**
   * Maximum age of the revocation list in seconds, default 10, minimum 3. With an older one, each token is
   * introspected; if that fails, it is rejected with 503.
   */
  maxStalenessSeconds?: number;
  /** Origin of this API as clients see it, for DPoP proofs. Default: the origin of `audience` if it is a URL. */
  publicOrigin?: string;
  /** Used DPoP proofs, shared by the processes of this API. Default: the memory of this process. */
  proofStore?: ProofStore;
  /** Scopes for the metadata (`scopes_supported`). */
  scopes?: readonly string[];
  /** Name for the metadata (`resource_name`). */
  name?: string;
  /** Receives failures of requests to the issuer, once per reason. Default: they are ignored. */
  onProblem?: (error: Error) => void;
}

/** The sign-in, scopes and roles that a request requires. */
export interface Rule {
  /** Required scopes, all of them. */
  scopes?: readonly string[];
  /** Required roles of the user at the API, all of them. */
  roles?: readonly string[];
  /** Accepted classes of the sign-in (`acr`, RFC 9470). */
  acr?: string | readonly string[];
  /** Maximum age of the sign-in in seconds (RFC 9470). */
  maxAge?: number;
}

const minStalenessSeconds = 3;

/** @throws TypeError for an invalid option */
export function requireOptions(o: OstiaryOptions): void {
  for (const name of ['issuer', 'audience', 'clientId', 'clientSecret'] as const) {
    if (typeof o[name] !== 'string' || o[name] === '')
      throw new TypeError(`The option ${name} must be a text that is not empty.`);
  }
  if (originOf(o.issuer) === undefined) throw new TypeError('The option issuer must be a URL.');
  const { maxStalenessSeconds = minStalenessSeconds } = o;
  if (!(maxStalenessSeconds >= minStalenessSeconds))
    throw new TypeError(`The option maxStalenessSeconds must be at least ${minStalenessSeconds}.`);
}

const protocolOf = (text: string): string => (URL.canParse(text) ? new URL(text).protocol : '');

/** Returns the origin of an identifier that is a web address. */
export const originOf = (text: string): string | undefined =>
  /^https?:$/.test(protocolOf(text)) ? new URL(text).origin : undefined;

/** Returns the texts that are the same resource: an empty path may be a slash (RFC 3986 §6.2.3). */
export function formsOf(resource: string): readonly string[] {
  const origin = originOf(resource);
  return origin !== undefined && (resource === origin || resource === `${origin}/`)
    ? [origin, `${origin}/`]
    : [resource];
}
