import type { ClaimsRequest } from './claims-request.ts';

export type Prompt = 'none' | 'login' | 'consent' | 'select_account';

/** Identifiers of a device that waits for the answer of a user. `id` cannot be redeemed. */
export interface AskingDevice {
  id: string;
  userCode: string;
}

/** Validated authorization request, stored while the user signs in and consents. */
export interface AuthorizationRequest {
  clientId: string;
  redirectUri: string;
  /** Whether the client sent it. If so, the token request must repeat it (RFC 6749 §4.1.3). */
  redirectUriSent: boolean;
  /** Absent: the response is in the query. */
  responseMode?: 'form_post';
  scopes: string[];
  resources: string[];
  /** BASE64URL(SHA-256(verifier)); the method is always S256. */
  codeChallenge: string;
  prompts: Prompt[];
  /** Maximum age of the user's authentication in seconds. */
  maxAge?: number;
  state?: string;
  nonce?: string;
  loginHint?: string;
  /** Thumbprint of the key that the token request must prove to hold (RFC 9449 §10). */
  dpopJkt?: string;
  idTokenHint?: string;
  /** Requested classes of authentication, in order of preference. */
  acrValues?: string[];
  /** Claims requested by name, and requirements on the user and the authentication. */
  claims?: ClaimsRequest;
  /** Languages of the user in order of preference; space-delimited BCP 47 tags. */
  uiLocales?: string;
  /** Pushed request, which the code consumes (RFC 9126 §7.3, FAPI 2.0 Security Profile §5.3.2.2 note 3). */
  pushed?: string;
  /** Requesting device (RFC 8628). It gets the tokens; `redirectUri` is a page of this service. */
  device?: AskingDevice;
}

/** Destination of an authorization response, successful or not. */
export interface ReturnAddress {
  redirectUri: string;
  state?: string;
  /** Absent: the response is in the query. */
  responseMode?: 'form_post';
}
