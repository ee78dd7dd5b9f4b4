import { opaqueTokenPrefix as prefix } from '@ostiary/access';
import { type KeyRing, NotOurs, openBytes, sealBytes } from '@ostiary/service';

const contextOf = (tenant: string): string => `opaque access token of ${tenant}`;

/**
 * Access tokens that only this service can read: the signed JWT, encrypted. Nothing is stored, and every rule for the
 * JWT applies to it.
 */
export class OpaqueTokens {
  readonly #ring: KeyRing;

  constructor(ring: KeyRing) {
    this.#ring = ring;
  }

  seal(tenant: string, jwt: string): string {
    return prefix + sealBytes(this.#ring, Buffer.from(jwt), contextOf(tenant)).toString('base64url');
  }

  /** Returns the JWT; undefined for a token that was not sealed for the tenant. */
  open(tenant: string, token: string): string | undefined {
    const text = token.slice(prefix.length);
    const sealed = Buffer.from(text, 'base64url');
    // A second encoding of the same bytes would be a second token.
    if (sealed.toString('base64url') !== text) return undefined;
    try {
      return openBytes(this.#ring, sealed, contextOf(tenant)).toString();
    } catch (error) {
      if (error instanceof NotOurs) return undefined;
      throw error;
    }
  }
}
