/**
 * The seam between the two halves of this service: the OAuth protocol (clients, codes, tokens, keys) and the
 * people (sign-in, sessions, subjects, revocation). Each half sees the other only through these interfaces;
 * `app.ts` puts the implementations together in this order:
 *
 *   foundation → createProtocolPorts(foundation) → createPeoplePorts({ ...foundation, ...protocol })
 *   → protocolRoutes(all) + peopleRoutes(all) + authSubgraph(all) + startJobs(all)
 */

import type { RevocationFeed } from '../subjects/domain/revocation-feed.ts';
import type { Sessions } from '../sessions/domain/session-revocation.ts';
import type { AssertingAccounts } from '../clients/domain/asserting-accounts.ts';
import type { Subjects } from '../subjects/domain/subject.ts';
import type { WebOrigins } from '../tenants/domain/web-origins.ts';
import type { Tenants } from '../tenants/domain/tenant-record.ts';
import type { IdTokens } from '../grants/domain/id-token-hint.ts';
import type { Grants } from '../grants/domain/grant-revocation.ts';
import type { AuthorizationCodes } from '../grants/domain/authorized-request.ts';
import type { ClientRegistry } from '../clients/domain/client-registry.ts';
import type { Client, ClientStore } from '../clients/domain/client.ts';
import type { Revocation, RevocationList, TokenVerifier } from '@ostiary/access';
import type { Claim, Database, IdPage, Sql } from '@ostiary/database';
import type { TenantPolicy } from '@ostiary/events';
import type { HttpPeer, KeptKeys, Redis, SafeFetch, SealedValues, ServiceKit } from '@ostiary/service';
import type { SubjectIdentifier } from '../clients/domain/subject-identifier.ts';
import type { AuthEnv } from '../env.ts';
import type { ReleasedClaims } from '../grants/domain/claims-request.ts';
import type { GrantStore } from '../grants/domain/grants.ts';
import type { MasterKeys } from '../keys/domain/keys.ts';
import type { KeptPurpose } from '../keys/domain/secret.ts';
import type { DeviceAuthorizations } from '../oauth/domain/device-authorization.ts';
import type { PushedRequests } from '../oauth/domain/pushed-request.ts';
import type { RequestObjects } from '../oauth/domain/request-objects.ts';
import type { OwnerToBe } from '../ownership/data/credential-owners.ts';
import type { Owners } from '../ownership/domain/owners.ts';
import type { SessionIdentifiers } from '../sessions/domain/session-identifier.ts';
import type { ChangeTerms } from '../subjects/domain/versions.ts';

// ---------------------------------------------------------------- foundation

/** What every part of the service stands on. Built by `main.ts` (or a test). */
export interface Foundation {
  kit: ServiceKit;
  env: AuthEnv;
  database: Database<unknown>;
  redis: Redis;
  /** The keys everything else is derived from. */
  keys: MasterKeys;
  /** Those that stay when the masters are replaced. */
  keptKeys: KeptKeys<KeptPurpose>;
  /** What is put into Redis and believed when it comes back. */
  sealedValues: SealedValues;
  /** The directory's internal REST surface, called with a token this service mints for itself. */
  directory: HttpPeer;
}

// ---------------------------------------------------------------- given by the protocol half

/** Tokens this service mints for itself, to call another service. */
export interface ServiceTokens {
  /** `refused`: one that the service didn't take, which is not given again. */
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
  /** Issuer of a tenant: `${PUBLIC_ORIGIN}/t/${tenant}`. */
  issuer(tenant: string): string;
  /** What a client knows a person as (OpenID Connect Core §8). */
  subjectIdentifier: SubjectIdentifier;
  /** What a client knows a session as. */
  sessionIdentifiers: SessionIdentifiers;
  /** GETs a document at an address that somebody else wrote down. */
  safeFetch: SafeFetch;
}

// ---------------------------------------------------------------- given by the people half

export interface PeoplePorts {
  tenants: Tenants;
  subjects: Subjects;
  sessions: Sessions;
  revocations: RevocationFeed;
  serviceAccounts: AssertingAccounts;
  owners: Pick<Owners, 'hold'>;
}

// ---------------------------------------------------------------- all together

/** What routes, graph and jobs are made from. */
export interface AuthDependencies extends Foundation, ProtocolPorts, PeoplePorts {
  clientRegistry: ClientRegistry;
  webOrigins: WebOrigins;
  /** What codes, devices and refresh tokens open and rotate. */
  grantStore: GrantStore;
  /** Verifies access tokens of any tenant, and service tokens, with this process's own keys and list. */
  verifier: TokenVerifier;
  /** This process's own list of live revocations. */
  revocationList: RevocationList;
}
