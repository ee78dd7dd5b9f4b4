import type { RolePolicy } from '../../access/index.ts';
import type { Client } from '../../clients/index.ts';
import { invalidRequest, type Parameters } from '../../platform/index.ts';

/** A token request whose client is authenticated and may use the grant type. */
export interface TokenRequest {
  tenant: string;
  /** Requirements of the tenant for roles to count. */
  policy: RolePolicy | undefined;
  issuer: string;
  client: Client;
  parameters: Parameters;
  /** Thumbprint of the key of the DPoP proof, to which access tokens are bound (RFC 9449 §5). */
  dpopJkt?: string;
}

/** RFC 6749 §5.1, OpenID Connect Core §3.1.3.3. */
export interface TokenResponse {
  access_token: string;
  /** Set by token exchange (RFC 8693 §2.2.1). */
  issued_token_type?: string;
  token_type: 'Bearer' | 'DPoP';
  /** Seconds. */
  expires_in: number;
  refresh_token?: string;
  id_token?: string;
  /** Absent only if the client has no scopes. */
  scope?: string;
}

/** Handler of one grant type: validates its parameters and issues tokens. */
export type GrantHandler = (request: TokenRequest) => Promise<TokenResponse>;

/**
 * Returns the value of a required parameter.
 * @throws OAuthError invalid_request if it is missing or empty
 */
export function required(parameters: Parameters, name: string): string {
  const value = parameters.get(name)?.[0];
  if (value === undefined) throw invalidRequest(`${name} is missing.`);
  return value;
}
