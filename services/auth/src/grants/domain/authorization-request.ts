import type { ClaimsRequest } from './claims-request.ts';

export type Prompt = 'none' | 'login' | 'consent' | 'select_account';

/** A request that passed every check; what is kept while the user signs in and consents. */
export interface AuthorizationRequest {
  clientId: string;
  /** Where the answer goes. */
  redirectUri: string;
  /** Whether the client sent it; if so, the token request must repeat it (RFC 6749 §4.1.3). */
  redirectUriSent: boolean;
  /** How the answer gets there; absent: in the query. */
  responseMode?: 'form_post';
  scopes: string[];
  resources: string[];
  /** BASE64URL(SHA-256(verifier)); the method is always S256. */
  codeChallenge: string;
  prompts: Prompt[];
  /** Seconds since the user last signed in, at most. */
  maxAge?: number;
  state?: string;
  nonce?: string;
  loginHint?: string;
  /** Thumbprint of the key that the token request must prove to hold (RFC 9449 §10). */
  dpopJkt?: string;
  idTokenHint?: string;
  /** Classes of authentication that are wished for, best first. */
  acrValues?: string[];
  /** Claims asked for by name, and demands on who signs in and how. */
  claims?: ClaimsRequest;
  /** Languages the user reads, best first; space-delimited BCP 47 tags. */
  uiLocales?: string;
  /** The pushed request it came as, which its code uses up (RFC 9126 §7.3, FAPI 2.0 Security Profile §5.3.2.2 note 3). */
  pushed?: string;
  /** The device that asks (RFC 8628): it gets what is allowed, and `redirectUri` is a page of ours. */
  device?: { id: string; userCode: string };
}

/** Where the outcome of a request goes, good or bad. */
export interface ReturnAddress {
  redirectUri: string;
  state?: string;
  /** Absent: in the query. */
  responseMode?: 'form_post';
}
