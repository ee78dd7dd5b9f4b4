import type { Client } from '../../clients/index.ts';
import { invalidRequest, type Parameters } from '../../protocol/index.ts';
import type { RolePolicy } from '../../roles/index.ts';

/** A token request whose client is authenticated and may use the grant type. */
export interface TokenRequest {
  tenant: string;
  /** What the tenant requires of those whose roles are to count. */
  policy: RolePolicy | undefined;
  issuer: string;
  client: Client;
  parameters: Parameters;
  /** Thumbprint of the key the request proved to hold: access tokens are bound to it (RFC 9449 §5). */
  dpopJkt?: string;
}

/** RFC 6749 §5.1, OpenID Connect Core §3.1.3.3. */
export interface TokenResponse {
  access_token: string;
  /** Of a token exchange (RFC 8693 §2.2.1). */
  issued_token_type?: string;
  token_type: 'Bearer' | 'DPoP';
  /** Seconds. */
  expires_in: number;
  refresh_token?: string;
  id_token?: string;
  /** Absent only for a client that has none. */
  scope?: string;
}

/** One grant type: checks what is specific to it, then issues. */
export type GrantHandler = (request: TokenRequest) => Promise<TokenResponse>;

/** Parameters that may come more than once (RFC 8707 §2, RFC 8693 §2.1). */
const repeatable: ReadonlySet<string> = new Set(['resource', 'audience']);

/** Characters of one value, at most. */
const longest: Readonly<Record<string, number>> = {
  scope: 4_096,
  token: 16_384,
  client_assertion: 16_384,
  assertion: 16_384,
  subject_token: 16_384,
  actor_token: 16_384,
  id_token_hint: 8_192,
  request: 16_384,
};
const longestOther = 2_048;

/**
 * What holds for every form of this protocol: no parameter twice, none beyond its length (RFC 6749 §3.2).
 * @param parameters undefined when the body could not be decoded
 * @throws OAuthError invalid_request
 */
export function checkForm(parameters: Parameters | undefined): Parameters {
  if (parameters === undefined) throw invalidRequest('The request body is not a well-formed form.');
  for (const [name, values] of parameters) {
    if (values.length > 1 && !repeatable.has(name))
      throw invalidRequest(`${shown(name)} was sent more than once.`);
    const limit = longest[name] ?? longestOther;
    if (values.some((value) => value.length > limit)) throw invalidRequest(`${shown(name)} is too long.`);
  }
  return parameters;
}

/**
 * The value of a required parameter.
 * @throws OAuthError invalid_request when it is missing or empty
 */
export function required(parameters: Parameters, name: string): string {
  const value = parameters.get(name)?.[0];
  if (value === undefined) throw invalidRequest(`${name} is missing.`);
  return value;
}

/** error_description may only hold printable ASCII (RFC 6749 §5.2). */
const shown = (name: string): string => name.slice(0, 64).replace(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, '?');
