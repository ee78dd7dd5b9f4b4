import type { AuthorizationRequest, ReturnAddress } from '../../../access/index.ts';
import type { Client } from '../../../clients/index.ts';
import type { OAuthError } from '../../../platform/index.ts';
import type { AuthorizationAnswer } from '../../../platform/pages/http/page.ts';
import type { Subject } from '../../../tenancy/index.ts';
import type { LiveSession } from '../../sessions/domain/session-store.ts';

/** The next step of an authorization request. */
export type Step =
  | { step: 'sign-in' }
  | { step: 'select-account' }
  | { step: 'consent'; subject: Subject; scopes: string[] }
  | { step: 'grant'; subject: Subject; scopes: string[] };

/** State of an authorization request. */
export interface Progress {
  tenant: string;
  client: Client;
  request: AuthorizationRequest;
  session: LiveSession | undefined;
  /** The user signed in for this request. */
  signedIn: boolean;
  /** The user confirmed the account of the session. */
  selected?: boolean;
  /** Scopes to which the user consented for this request. */
  agreed?: ReadonlySet<string>;
}

/** Input of a grant. */
export interface Granting {
  tenant: string;
  client: Client;
  request: AuthorizationRequest;
  session: LiveSession;
  subject: Subject;
  scopes: string[];
}

/** Next steps of an authorization request, implemented by module oauth. */
export interface AuthorizationSteps {
  /** Returns the next step of the request. @throws OAuthError */
  next(progress: Progress): Promise<Step>;
  /** Returns the response with a code. @throws ServiceUnavailable; PageError */
  grant(granting: Granting): Promise<AuthorizationAnswer>;
  /** Returns the error response to the client (RFC 6749 §4.1.2.1), with the issuer (RFC 9207). */
  refusal(tenant: string, address: ReturnAddress, error: OAuthError): AuthorizationAnswer;
  /** Returns the response after the user denies the request (RFC 6749 §4.1.2.1 access_denied). */
  deny(tenant: string, request: AuthorizationRequest, description: string): Promise<AuthorizationAnswer>;
}
