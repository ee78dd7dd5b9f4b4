import type { Logo } from '../../tenancy/index.ts';
import type { Client } from './client.ts';

/**
 * Copies of clients' logos (`logo_uri`, OpenID Connect Registration §2). Pages show the copy: a remote picture would
 * disclose to its host which users sign in, when and from which address, and could differ per user.
 */
export interface ClientLogos {
  /**
   * Returns the digest that is part of the logo's address. It does not wait for a fetch: a missing or old copy is
   * fetched in the background for the next page.
   */
  digestOf(client: Client): Promise<string | undefined>;
  logo(tenant: string, clientId: string, digest: string): Promise<Logo | undefined>;
}
