import type { ChangeTerms } from '../../../platform/index.ts';
import type { Logo } from './logo.ts';

/** Branding of a tenant's pages; null for fields that are not set. */
export interface Branding {
  name: string | null;
  /** `#rrggbb`. */
  colour: string | null;
  /** SHA-256 of the logo, base64url. */
  logoDigest: string | null;
  /** Increases with every change; 0 before the first one. */
  version: number;
}

/** Changed fields. An omitted field stays, null removes it. */
export interface BrandingChange {
  name?: string | null;
  colour?: string | null;
  logo?: Logo | null;
}

export interface Brandings {
  /** Returns the cached branding, at most 1 s old. */
  find(tenant: string): Promise<Branding>;
  /** @throws VersionChanged */
  change(tenant: string, change: BrandingChange, terms?: ChangeTerms): Promise<Branding>;
  logo(tenant: string, digest: string): Promise<Logo | undefined>;
}
