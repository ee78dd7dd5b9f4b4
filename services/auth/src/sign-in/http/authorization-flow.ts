import type { Client } from '../../clients/index.ts';
import type { AuthorizationRequest, ReturnAddress } from '../../grants/index.ts';
import type { AuthorizationAnswer } from '../../pages/http/index.ts';
import type { OAuthError } from '../../protocol/index.ts';
import type { LiveSession } from '../../sessions/index.ts';
import type { Subject } from '../../subjects/index.ts';

/** What an authorization request needs next. */
export type Step =
  | { step: 'sign-in' }
  | { step: 'select-account' }
  | { step: 'consent'; subject: Subject; scopes: string[] }
  | { step: 'grant'; subject: Subject; scopes: string[] };

/** A request as far as it has come. */
export interface Progress {
  tenant: string;
  client: Client;
  request: AuthorizationRequest;
  session: LiveSession | undefined;
  /** The user signed in for this very request. */
  signedIn: boolean;
  /** They chose to go on with the account they are signed in with. */
  selected?: boolean;
  /** The scopes they agreed to for this very request. */
  agreed?: ReadonlySet<string>;
}

/** What a request that ends well gives. */
export interface Granting {
  tenant: string;
  client: Client;
  request: AuthorizationRequest;
  session: LiveSession;
  subject: Subject;
  scopes: string[];
}

/** How an authorization request goes on once the user has signed in: the authorization endpoint (module oauth) knows. */
export interface AuthorizationSteps {
  /** What the request needs next. @throws OAuthError */
  next(progress: Progress): Promise<Step>;
  /** A request ends well: the answer that takes a code to the client. @throws ServiceUnavailable; PageError */
  grant(granting: Granting): Promise<AuthorizationAnswer>;
  /** A request ends badly: the answer that says so to the client (RFC 6749 §4.1.2.1), with the issuer (RFC 9207). */
  refusal(tenant: string, address: ReturnAddress, error: OAuthError): AuthorizationAnswer;
  /** The user says no: the client learns so (RFC 6749 §4.1.2.1 access_denied). */
  deny(tenant: string, request: AuthorizationRequest, description: string): Promise<AuthorizationAnswer>;
}
