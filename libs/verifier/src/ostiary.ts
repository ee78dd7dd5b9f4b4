import type { OstiaryOptions, Rule } from './options.ts';
import type { Principal } from './principal.ts';
import type { ResourceMetadata } from './rejections/resource-metadata.ts';
import type { EndReason } from './revocations/watches.ts';
import type { TokenSource } from './tokens/presented-token.ts';
import { type FollowerState, Verifier } from './verifier.ts';

/** Verifies the access token of a request. */
export interface Verify {
  /**
   * Returns the principal of a request's access token. The first call starts following the revocation feed.
   * @param source a request, its parts, or its Authorization header (then without DPoP)
   * @throws VerificationError
   */
  (source: TokenSource, rule?: Rule): Promise<Principal>;
  /**
   * Requires a rule of a verified principal, such as one for a part of a request. No token counts as a missing one.
   * @throws VerificationError
   */
  requireRule(principal: Principal | undefined, rule: Rule): void;
  /**
   * Resolves when the revocation list is complete. Rejects if the issuer rejects this client, or after
   * `timeoutMs` (default 10,000); following continues.
   */
  ready(o?: { timeoutMs?: number }): Promise<void>;
  /**
   * Calls `listener` once when the principal's token is revoked or has expired, or could not be verified for
   * `maxStalenessSeconds`, to close sockets and streams and to end jobs. Returns a function that removes the
   * listener.
   */
  onRevoked(principal: Principal, listener: (reason: EndReason) => void): () => void;
  readonly state: FollowerState;
  /** Returns the metadata of this API (RFC 9728 section 2). */
  metadata(): ResourceMetadata;
  /** Path of the metadata (RFC 9728 section 3.1); undefined if the audience is not a web address. */
  readonly metadataPath: string | undefined;
  /** Stops following, and removes all listeners. Tokens are then introspected. */
  stop(): void;
}

const readyMs = 10_000;

/**
 * Creates the verifier of an API: tokens are verified locally, and revoked ones are rejected within milliseconds
 * by the issuer's revocation feed.
 * @throws TypeError for an invalid option
 */
export function ostiary(options: OstiaryOptions): Verify {
  const verifier = new Verifier(options);
  const verify = verifier.verify.bind(verifier) as Verify;
  return Object.defineProperties(verify, {
    ready: { value: ({ timeoutMs = readyMs } = {}) => verifier.ready(timeoutMs) },
    requireRule: { value: verifier.requireRule.bind(verifier) },
    onRevoked: { value: verifier.onRevoked.bind(verifier) },
    state: { get: () => verifier.state },
    metadata: { value: verifier.metadata.bind(verifier) },
    metadataPath: { value: verifier.metadataPath },
    stop: { value: verifier.stop.bind(verifier) },
  });
}
