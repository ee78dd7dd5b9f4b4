import type { Logo } from '../../tenants/index.ts';
import type { Client } from './client.ts';

/**
 * Our copies of clients' logos (`logo_uri`, OpenID Connect Registration §2). Pages show the copy: a picture from elsewhere
 * would tell its owner who signs in, when and from where, and could be another one for each of them.
 */
export interface ClientLogos {
  /**
   * Stands for the logo in its address. Waits for nobody else: without a copy, or with one that is old, it is fetched behind
   * the request's back, for the next page.
   */
  digestOf(client: Client): Promise<string | undefined>;
  logo(tenant: string, clientId: string, digest: string): Promise<Logo | undefined>;
}
