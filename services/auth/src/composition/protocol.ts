import { DpopProofs, issuerOf, platformTenant, proofAllowance, serviceAudience } from '@ostiary/access';
import type { Database } from '@ostiary/database';
import {
  createSafeFetch,
  createSafePost,
  dpopNonceKeys,
  type Key,
  type OutgoingPolicy,
  type SafeFetch,
  type SafePost,
} from '@ostiary/service';
import { postgresSecurityLog } from '../audit/data/index.ts';
import {
  ClientSecrets,
  Clients,
  createAssertionVerification,
  createSectorDocuments,
  DynamicRegistrations,
  RemoteJwks,
  type SectorDocuments,
} from '../clients/data/index.ts';
import {
  type AssertionVerification,
  createSubjectIdentifier,
  platformClients,
  type RegistrationStore,
} from '../clients/index.ts';
import type { PrismaClient } from '../database/generated/client.ts';
import { PostgresGrants } from '../grants/data/index.ts';
import { RefreshTokenCodec } from '../grants/index.ts';
import { createUsedValues, SigningKeys, type UsedValues } from '../keys/data/index.ts';
import { randomSecret } from '../keys/index.ts';
import { RedisAttempts } from '../limits/data/index.ts';
import { revokeApiTokensOfGrants, touchApiTokens } from '../machines/data/index.ts';
import { type ApiTokenReader, createApiTokenReader, LastUses } from '../machines/index.ts';
import {
  RedisAuthorizationCodes,
  RedisDeviceCodes,
  RedisPushedRequests,
  RequestDocuments,
  TokenStatus,
} from '../oauth/data/index.ts';
import {
  AccessTokens,
  createDeviceRequestLimit,
  createPersonClaims,
  createPushedRequestLimit,
  createRequestDocumentLimit,
  createRequestObjects,
  type DeviceRequestLimit,
  IdTokenIssuer,
  Introspection,
  type PersonClaims,
  type PushedRequestLimit,
} from '../oauth/index.ts';
import type { RolePolicy } from '../roles/index.ts';
import { createSessionIdentifiers } from '../sessions/index.ts';
import {
  deliveryNotices,
  deliveryOutbox,
  deliveryStore,
  pollStore,
  receiverStore,
  signalSubjects,
  streamStore,
} from '../signals/data/index.ts';
import {
  createTransmission,
  Deliveries,
  SignalPolls,
  SignalStreams,
  type Transmission,
  Webhooks,
} from '../signals/index.ts';
import { createAddressOwners } from '../subjects/data/index.ts';
import type { Foundation, ProtocolPorts, ServiceTokens } from './dependencies.ts';

/** Verifiers' clocks may run behind ours: what kills a token is kept this much longer than the token. */
const clockSkewSeconds = 300;

/** The protocol half: what it gives to the people half, and what its own endpoints are made of. */
export interface Protocol extends ProtocolPorts {
  clients: Clients;
  authorizationCodes: RedisAuthorizationCodes;
  deviceCodes: RedisDeviceCodes;
  deviceRequestLimit: DeviceRequestLimit;
  pushedRequestLimit: PushedRequestLimit;
  grants: PostgresGrants;
  idTokens: IdTokenIssuer;
  signingKeys: SigningKeys;
  accessTokens: AccessTokens;
  refreshTokens: RefreshTokenCodec;
  tokenStatus: TokenStatus;
  introspection: Introspection;
  apiTokenReader: ApiTokenReader;
  apiTokenUses: LastUses;
  serviceTokens: ServiceTokens;
  personClaims: PersonClaims;
  /** Verifies proofs of possession (RFC 9449). */
  proofs: DpopProofs;
  /** GETs a document at an address that somebody else wrote down. */
  safeFetch: SafeFetch;
  /** POSTs to an address that somebody else wrote down. */
  safePost: SafePost;
  /** Which addresses may be. */
  outgoingPolicy: OutgoingPolicy;
  /** Streams of shared signals. */
  signalStreams: SignalStreams;
  /** What their receivers fetch. */
  signalPolls: SignalPolls;
  /** The tokens they carry. */
  signalTransmission: Transmission;
  webhooks: Webhooks;
  /** What is sent to receivers, as administrators see it. */
  deliveries: Deliveries;
  /** What is at a `sector_identifier_uri`. */
  sectorDocuments: SectorDocuments;
  /** Key sets at a `jwks_uri`. */
  remoteJwks: RemoteJwks;
  /** Keys and replay memory of client assertions. */
  assertionVerification: AssertionVerification;
  /** Remembers what may be used only once. */
  usedValues: UsedValues;
  clientSecrets: ClientSecrets;
  registrations: RegistrationStore;
  /** Key of the client secrets' digests. */
  clientSecretKey: Key;
  /** Seconds for which something issued now may still have to be revoked. */
  tokenLifetimeSeconds: number;
  /** Follows changes other processes make. Resolves to the function that stops it. */
  startFollowing(): Promise<() => Promise<void>>;
}

/** The foundation, with the database as Prisma knows it. */
export type ProtocolFoundation = Foundation & {
  database: Database<PrismaClient>;
  /** What a tenant requires of those whose roles are to count; undefined when there is no such tenant. */
  policyOf: (tenant: string) => Promise<RolePolicy | undefined>;
};

export function createProtocolPorts(foundation: ProtocolFoundation): Protocol {
  const { kit, env, database, redis, keys, keptKeys } = foundation;
  const { clock } = kit;
  const issuer = (tenant: string): string => issuerOf(env.PUBLIC_ORIGIN, tenant);
  const clientSecretKey = keptKeys.of('client-secret');
  const tokenLifetimeSeconds = env.ACCESS_TOKEN_TTL_SECONDS + clockSkewSeconds;

  const signingKeys = new SigningKeys({
    database,
    ring: keys.of('signing-key'),
    longestToken: Math.max(env.ACCESS_TOKEN_TTL_SECONDS, env.ID_TOKEN_TTL_SECONDS),
    kit,
  });
  const clientSecrets = new ClientSecrets({
    digestKey: clientSecretKey,
    sealKeys: keys.of('client-secret-seal'),
  });
  const clients = new Clients({
    database,
    kit,
    secrets: clientSecrets,
    platform: platformClients(platformSecrets(env), clientSecretKey),
  });
  const subjectIdentifier = createSubjectIdentifier(keptKeys.of('pairwise-subject'));
  const sessionIdentifiers = createSessionIdentifiers(keptKeys.of('pairwise-session'));
  const accessTokens = new AccessTokens({
    keys: signingKeys,
    subjectIdentifier,
    sessionIdentifiers,
    publicOrigin: env.PUBLIC_ORIGIN,
    lifetime: env.ACCESS_TOKEN_TTL_SECONDS,
    clock,
  });
  const refreshTokens = new RefreshTokenCodec(keptKeys.of('refresh-token'));
  const tokenStatus = new TokenStatus(database);
  const apiTokenUses = new LastUses({ write: (uses) => touchApiTokens(database.sql, uses), clock });
  const apiTokenReader = createApiTokenReader({
    ...foundation,
    sql: database.sql,
    digestKey: keptKeys.of('api-token'),
    policyOf: foundation.policyOf,
    onUse: (tenant, id) => apiTokenUses.note(tenant, id),
  });

  const outgoingPolicy: OutgoingPolicy = {
    allowPrivate: env.OUTGOING_ALLOW_PRIVATE,
    allowHttp: env.NODE_ENV !== 'production',
  };
  const safeFetch = createSafeFetch(outgoingPolicy);

  const signals = createSignals(foundation, { signingKeys, issuer, outgoingPolicy });

  const remoteJwks = new RemoteJwks(safeFetch, clock);

  const usedValues = createUsedValues({ sql: database.sql, keys: keys.of('used-values') });

  const sectorDocuments = createSectorDocuments(safeFetch);

  const assertionVerification = createAssertionVerification({ remoteJwks, used: usedValues });

  const attempts = new RedisAttempts(redis, env.REDIS_PREFIX);

  const sealed = { redis, prefix: env.REDIS_PREFIX, values: foundation.sealedValues, clock };

  const deviceCodes = new RedisDeviceCodes({
    ...sealed,
    names: keys.of('device-code'),
    lifetime: env.DEVICE_CODE_TTL_SECONDS,
    mostWaiting: env.DEVICE_CODES_WAITING,
    tombstoneSeconds: env.ACCESS_TOKEN_TTL_SECONDS,
  });

  return {
    deviceCodes,
    deviceAuthorizations: deviceCodes,
    pushedRequestLimit: createPushedRequestLimit(attempts, env.PUSHED_REQUESTS_PER_MINUTE),
    deviceRequestLimit: createDeviceRequestLimit(attempts, env.DEVICE_REQUESTS_PER_MINUTE),
    requestObjects: createRequestObjects({
      keysOf: assertionVerification.keysOf,
      documents: new RequestDocuments(safeFetch, clock),
      limit: createRequestDocumentLimit(attempts, env.REQUEST_URIS_PER_MINUTE),
    }),
    pushedRequests: new RedisPushedRequests({
      ...sealed,
      names: keys.of('pushed-request'),
      used: usedValues,
      lifetime: env.PUSHED_REQUEST_TTL_SECONDS,
    }),
    safeFetch,
    safePost: createSafePost(outgoingPolicy),
    outgoingPolicy,
    ...signals,
    sectorDocuments,
    remoteJwks,
    assertionVerification,
    usedValues,
    clientSecrets,
    registrations: new DynamicRegistrations({
      database,
      clients,
      secrets: clientSecrets,
      sectors: sectorDocuments,
      key: keptKeys.of('client-registration'),
    }),
    clients,
    signingKeys,
    accessTokens,
    refreshTokens,
    tokenStatus,
    apiTokenReader,
    apiTokenUses,
    clientSecretKey,
    tokenLifetimeSeconds,
    issuer,
    authorizationCodes: new RedisAuthorizationCodes({
      ...sealed,
      names: keys.of('authorization-code'),
      lifetime: env.AUTHORIZATION_CODE_TTL_SECONDS,
      tombstoneSeconds: env.ACCESS_TOKEN_TTL_SECONDS,
    }),
    grants: new PostgresGrants({
      database,
      clock,
      tokenLifetime: tokenLifetimeSeconds,
      revokeTokensOfGrants: revokeApiTokensOfGrants,
    }),
    subjectIdentifier,
    sessionIdentifiers,
    personClaims: createPersonClaims(foundation.directory),
    idTokens: new IdTokenIssuer({
      keys: signingKeys,
      subjectIdentifier,
      sessionIdentifiers,
      publicOrigin: env.PUBLIC_ORIGIN,
      lifetime: env.ID_TOKEN_TTL_SECONDS,
      clock,
    }),
    introspection: new Introspection({
      accessTokens,
      refreshTokens,
      liveness: tokenStatus,
      apiTokens: apiTokenReader,
      issuer,
      subjectIdentifier,
      platformTenant,
    }),
    proofs: new DpopProofs({
      redis,
      prefix: env.REDIS_PREFIX,
      nonceKeys: dpopNonceKeys(env),
      allowance: proofAllowance({
        redis,
        prefix: env.REDIS_PREFIX,
        log: kit.log,
        perMinute: env.DPOP_PROOFS_PER_MINUTE,
      }),
      clock,
    }),
    serviceTokens: mintServiceTokens(clients, accessTokens, clock),
    startFollowing: async () => {
      const stops = await Promise.all([signingKeys.start(), clients.start(), signals.signalPolls.start()]);
      return async () => {
        await Promise.all(stops.map((stop) => stop()));
      };
    },
  };
}

/** Events to receivers outside: streams of shared signals, webhooks, and what was sent. */
function createSignals(
  { database, keys, directory, kit }: ProtocolFoundation,
  o: Pick<Protocol, 'signingKeys' | 'issuer' | 'outgoingPolicy'>,
): Pick<Protocol, 'signalStreams' | 'signalPolls' | 'signalTransmission' | 'webhooks' | 'deliveries'> {
  const signalTransmission = createTransmission({
    subjects: signalSubjects(database.sql),
    signer: (tenant, alg) => o.signingKeys.signer(tenant, alg),
    issuer: o.issuer,
  });
  const stored = {
    database,
    receivers: receiverStore,
    outbox: deliveryOutbox,
    securityLog: postgresSecurityLog,
    receiverKeys: keys.of('receiver'),
  };
  return {
    signalTransmission,
    signalPolls: new SignalPolls({
      database,
      notices: deliveryNotices(database),
      streams: streamStore,
      polls: pollStore,
      transmission: signalTransmission,
    }),
    signalStreams: new SignalStreams({
      ...stored,
      streams: streamStore,
      addressOwners: createAddressOwners(directory),
    }),
    webhooks: new Webhooks({ ...stored, outgoing: o.outgoingPolicy, clock: kit.clock }),
    deliveries: new Deliveries({ ...stored, deliveries: deliveryStore }),
  };
}

const platformSecrets = (env: Foundation['env']): Record<string, string | undefined> => ({
  // Nobody knows this one: auth mints its own tokens and never presents a secret.
  auth: randomSecret(),
  directory: env.SERVICE_CLIENT_SECRET_DIRECTORY,
  provisioning: env.SERVICE_CLIENT_SECRET_PROVISIONING,
  gateway: env.SERVICE_CLIENT_SECRET_GATEWAY,
  operator: env.OPERATOR_CLIENT_SECRET,
});

/** This service calls others with tokens it issues to itself, each used for most of its life. */
function mintServiceTokens(clients: Clients, accessTokens: AccessTokens, clock: () => number): ServiceTokens {
  const minted = new Map<string, { token: string; from: number; until: number }>();
  return {
    async tokenFor(service, refused) {
      const known = minted.get(service);
      // One that is refused when it is only just there is refused for another reason than its key.
      const isRefused = known?.token === refused && clock() - (known?.from ?? 0) >= 1_000;
      if (known && !isRefused && clock() < known.until) return known.token;
      const client = await clients.find(platformTenant, 'auth');
      if (!client) throw new Error('the platform client of this service is missing');
      const { token, expiresIn } = await accessTokens.issue(platformTenant, {
        client,
        scopes: [],
        resources: [serviceAudience(service)],
      });
      const from = clock();
      minted.set(service, { token, from, until: from + expiresIn * 800 });
      return token;
    },
  };
}
