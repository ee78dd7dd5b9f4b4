/**
 * Interfaces between the two halves of this service: the OAuth protocol (clients, codes, tokens, keys) and users
 * (sign-in, sessions, subjects, revocation). Each half sees the other only through these interfaces. `app.ts` composes
 * the implementations in this order:
 * createPlatform → createTenancy → foundation → createProtocolPorts(foundation) → createPeoplePorts({ ...foundation, ...protocol })
 * → protocolRoutes(all) + peopleRoutes(all) + authSubgraph(all) + startJobs(all)
 */

import type { RevocationList, TokenVerifier } from '@ostiary/access';
import type { HttpPeer, SafeFetch } from '@ostiary/service';
import type { AuthorizationCodes } from '../access/grants/domain/authorized-request.ts';
import type { Grants } from '../access/grants/domain/grant-revocation.ts';
import type { GrantStore } from '../access/grants/domain/grants.ts';
import type { IdTokens } from '../access/grants/domain/id-token-hint.ts';
import type { Owners } from '../access/ownership/domain/owners.ts';
import type { AssertingAccounts } from '../clients/domain/asserting-accounts.ts';
import type { ClientStore } from '../clients/domain/client.ts';
import type { ClientRegistry } from '../clients/domain/client-registry.ts';
import type { SubjectIdentifier } from '../clients/domain/subject-identifier.ts';
import type { SessionIdentifiers } from '../identity/sessions/domain/session-identifier.ts';
import type { Sessions } from '../identity/sessions/domain/session-revocation.ts';
import type { PasswordCost } from '../identity/sign-in/domain/password-cost.ts';
import type { DeviceAuthorizations } from '../oauth/domain/device-authorization.ts';
import type { PushedRequests } from '../oauth/domain/pushed-request.ts';
import type { RequestObjects } from '../oauth/domain/request-objects.ts';
import type { Platform, Process } from '../platform/module.ts';
import type { GenerateSigningKey } from '../tenancy/keys/domain/signing-keys.ts';
import type { Tenancy } from '../tenancy/module.ts';
import type { Subjects } from '../tenancy/users/domain/subject.ts';

import type { Stores } from './stores.ts';

/** Dependencies of every part of the service, built by `main.ts` or a test, and services of the lower districts. */
export interface Foundation extends Stores, Process, Platform, Tenancy {
  /** Monotonic milliseconds of this process, by which the age of the revocation list is measured. */
  monotonic: () => number;
  /** Internal REST API of the directory, called with a service token that this service issues. */
  directory: HttpPeer;
  quicker?: Quicker | undefined;
}

/**
 * Fast replacements for slow operations, for tests that do not examine them. No environment variable sets them, and
 * `main.ts` passes none.
 */
export interface Quicker {
  readonly passwordCost?: PasswordCost;
  /** Generates key pairs for signatures (RSA takes 0.1 s). */
  readonly generateSigningKey?: GenerateSigningKey;
}

/** Issues service tokens with which this service calls other services. */
export interface ServiceTokens {
  /** @param refused a token that the other service rejected; it is not returned again */
  tokenFor(service: 'directory' | 'provisioning', refused?: string): Promise<string>;
}

export interface ProtocolPorts {
  clients: ClientStore;
  deviceAuthorizations: DeviceAuthorizations;
  pushedRequests: PushedRequests;
  requestObjects: RequestObjects;
  authorizationCodes: AuthorizationCodes;
  grants: Grants;
  idTokens: IdTokens;
  /** Returns the issuer of a tenant: `${PUBLIC_ORIGIN}/t/${tenant}`. */
  issuer(tenant: string): string;
  /** Subject identifier of a user for a client (OpenID Connect Core §8). */
  subjectIdentifier: SubjectIdentifier;
  /** Session identifier (`sid`) for a client. */
  sessionIdentifiers: SessionIdentifiers;
  /** Fetches documents from addresses that clients and administrators configured. */
  safeFetch: SafeFetch;
}

export interface PeoplePorts {
  subjects: Subjects;
  sessions: Sessions;
  serviceAccounts: AssertingAccounts;
  owners: Pick<Owners, 'hold' | 'holdOwnerToBe'>;
}

export interface AuthDependencies extends Foundation, ProtocolPorts, PeoplePorts {
  clientRegistry: ClientRegistry;
  /** Opens grants for authorization codes and device codes, and rotates refresh tokens. */
  grantStore: GrantStore;
  /** Verifies access tokens of all tenants and service tokens, with the keys and revocation list of this process. */
  verifier: TokenVerifier;
  /** Live revocations, as this process has received them. */
  revocationList: RevocationList;
}
