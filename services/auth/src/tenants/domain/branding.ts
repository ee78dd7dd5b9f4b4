import type { ChangeTerms } from '../../protocol/index.ts';
import type { Logo } from './logo.ts';

/** How a tenant's pages look, as far as it said. */
export interface Branding {
  name: string | null;
  /** `#rrggbb`. */
  colour: string | null;
  /** SHA-256 of the logo, base64url. */
  logoDigest: string | null;
  /** Grows with every change; 0 as long as the tenant said nothing. */
  version: number;
}

/** What of it changes: left out stays, null goes. */
export interface BrandingChange {
  name?: string | null;
  colour?: string | null;
  logo?: Logo | null;
}

export interface Brandings {
  /** From memory, at most a second old. */
  find(tenant: string): Promise<Branding>;
  /** @throws VersionChanged */
  change(tenant: string, change: BrandingChange, terms?: ChangeTerms): Promise<Branding>;
  logo(tenant: string, digest: string): Promise<Logo | undefined>;
}
