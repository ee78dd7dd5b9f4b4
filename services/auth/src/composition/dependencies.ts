/**
 * The seam between the two halves of this service: the OAuth protocol (clients, codes, tokens, keys) and the
 * people (sign-in, sessions, subjects, revocation). Each half sees the other only through these interfaces;
 * `app.ts` puts the implementations together in this order:
 *
 *   foundation → createProtocolPorts(foundation) → createPeoplePorts({ ...foundation, ...protocol })
 *   → protocolRoutes(all) + peopleRoutes(all) + authSubgraph(all) + startJobs(all)
 */

import type { RevocationList, TokenVerifier } from '@ostiary/access';
import type { Database } from '@ostiary/database';
import type { HttpPeer, KeptKeys, Redis, SafeFetch, SealedValues, ServiceKit } from '@ostiary/service';
import type { AssertingAccounts, ClientRegistry, ClientStore, SubjectIdentifier } from '../clients/index.ts';
import type { PrismaClient } from '../database/generated/client.ts';
import type { AuthEnv } from '../env.ts';
import type { AuthorizationCodes, GrantStore, Grants, IdTokens } from '../grants/index.ts';
import type { GenerateSigningKey, KeptPurpose, MasterKeys } from '../keys/index.ts';
import type { TenantChanges } from '../memory/index.ts';
import type { DeviceAuthorizations, PushedRequests, RequestObjects } from '../oauth/index.ts';
import type { Owners } from '../ownership/index.ts';
import type { SessionIdentifiers, Sessions } from '../sessions/index.ts';
import type { PasswordCost } from '../sign-in/index.ts';
import type { RevocationFeed, Subjects } from '../subjects/index.ts';
import type { Tenants, WebOrigins } from '../tenants/index.ts';

import type { Stores } from './stores.ts';

// ---------------------------------------------------------------- foundation

/** What every part of the service stands on. Built by `main.ts` (or a test). */
export interface Foundation extends Stores {
  kit: ServiceKit;
  env: AuthEnv;
  database: Database<PrismaClient>;
  redis: Redis;
  /** The keys everything else is derived from. */
  keys: MasterKeys;
  /** Those that stay when the masters are replaced. */
  keptKeys: KeptKeys<KeptPurpose>;
  /** What is put into Redis and believed when it comes back. */
  sealedValues: SealedValues;
  /** Milliseconds of this process, which no correction of the wall clock changes: the revocation list is kept fresh by them. */
  monotonic: () => number;
  /** What keeps tenants, clients and keys in memory good for longer than a moment. */
  tenantChanges: TenantChanges;
  /** The directory's internal REST surface, called with a token this service mints for itself. */
  directory: HttpPeer;
  quicker?: Quicker | undefined;
}

/**
 * What takes long on purpose or by its nature, done quickly for tests that aren't about it. No variable of the environment leads here,
 * and `main.ts` hands in none.
 */
export interface Quicker {
  readonly passwordCost?: PasswordCost;
  /** Pairs of keys for signatures (RSA takes a tenth of a second). */
  readonly generateSigningKey?: GenerateSigningKey;
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
  owners: Pick<Owners, 'hold' | 'holdOwnerToBe'>;
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
