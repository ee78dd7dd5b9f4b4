import { DpopProofs, issuerOf, proofAllowance } from '@ostiary/access';
import {
  createSafeFetch,
  createSafePost,
  dpopNonceKeys,
  type Key,
  type OutgoingPolicy,
  type SafeFetch,
  type SafePost,
} from '@ostiary/service';
import type { PostgresGrants } from '../access/grants/data/grants.ts';
import type { RefreshTokenCodec } from '../access/grants/domain/refresh-token.ts';
import type { ApiTokenReader } from '../access/machines/domain/api-token-reader.ts';
import type { LastUses } from '../access/machines/domain/last-uses.ts';
import { holdKnowers } from '../access/ownership/data/knowers.ts';
import { recordKnown } from '../access/ownership/data/known-secrets.ts';
import { StoredAssertionVerification } from '../clients/data/assertion-verification.ts';
import { ClientSecrets } from '../clients/data/client-secrets.ts';
import { Clients } from '../clients/data/clients.ts';
import { DynamicRegistrations } from '../clients/data/dynamic-registration.ts';
import { RemoteJwks } from '../clients/data/remote-jwks.ts';
import { SectorDocuments } from '../clients/data/sector-documents.ts';
import type { AssertionVerification } from '../clients/domain/assertions/client-assertion.ts';
import type { RegistrationStore } from '../clients/domain/dynamic-registration.ts';
import { platformClients } from '../clients/domain/platform-clients.ts';
import { RedisAuthorizationCodes } from '../oauth/data/authorization-codes.ts';
import { RedisDeviceCodes } from '../oauth/data/device-codes.ts';
import { RedisPushedRequests } from '../oauth/data/pushed-requests.ts';
import { RequestDocuments } from '../oauth/data/request-documents.ts';
import type { TokenStatus } from '../oauth/data/token-status.ts';
import type { AccessTokens } from '../oauth/domain/access-token.ts';
import { createDeviceRequestLimit, type DeviceRequestLimit } from '../oauth/domain/device-request-limit.ts';
import type { FeedLiveness } from '../oauth/domain/feed-liveness.ts';
import type { IdTokenIssuer } from '../oauth/domain/id-token.ts';
import type { Introspection } from '../oauth/domain/introspection.ts';
import { PersonClaims } from '../oauth/domain/person-claims.ts';
import { createPushedRequestLimit, type PushedRequestLimit } from '../oauth/domain/pushed-request-limit.ts';
import { createRequestDocumentLimit } from '../oauth/domain/request-document-limit.ts';
import { RequestObjects } from '../oauth/domain/request-objects.ts';
import { postgresSecurityLog } from '../platform/audit/security-log.data.ts';
import { deliveryStore } from '../signals/data/delivery-list.ts';
import { deliveryOutbox } from '../signals/data/outbox.ts';
import { receiverStore } from '../signals/data/receivers.ts';
import { pollStore } from '../signals/data/signal-polls.ts';
import { signalSubjects, streamStore } from '../signals/data/signal-streams.ts';
import { deliveryNotices } from '../signals/data/upkeep.ts';
import { Deliveries } from '../signals/domain/deliveries.ts';
import { SignalPolls } from '../signals/domain/polls.ts';
import { SignalStreams } from '../signals/domain/streams.ts';
import { Transmission } from '../signals/domain/transmission.ts';
import { Webhooks } from '../signals/domain/webhooks.ts';
import { randomSecret } from '../tenancy/keys/domain/secret.ts';
import { createAddressOwners } from '../tenancy/users/data/address-owners.ts';
import type { Foundation, ProtocolPorts, ServiceTokens } from './dependencies.ts';
import { MintedServiceTokens } from './service-tokens.ts';
import { createTokenParts, type ProtocolFoundation } from './tokens.ts';

/** The protocol half: its ports for the user half, and the dependencies of its own endpoints. */
export interface Protocol extends ProtocolPorts {
  clients: Clients;
  authorizationCodes: RedisAuthorizationCodes;
  deviceCodes: RedisDeviceCodes;
  deviceRequestLimit: DeviceRequestLimit;
  pushedRequestLimit: PushedRequestLimit;
  grants: PostgresGrants;
  idTokens: IdTokenIssuer;
  accessTokens: AccessTokens;
  refreshTokens: RefreshTokenCodec;
  tokenStatus: TokenStatus;
  introspection: Introspection;
  tokenLiveness: FeedLiveness;
  apiTokenReader: ApiTokenReader;
  apiTokenUses: LastUses;
  serviceTokens: ServiceTokens;
  personClaims: PersonClaims;
  /** Verifies proofs of possession (RFC 9449). */
  proofs: DpopProofs;
  /** Fetches documents from addresses that clients and administrators configured. */
  safeFetch: SafeFetch;
  /** Sends POST requests to addresses that clients and administrators configured. */
  safePost: SafePost;
  outgoingPolicy: OutgoingPolicy;
  /** Streams of the Shared Signals Framework. */
  signalStreams: SignalStreams;
  /** Events of streams that receivers poll. */
  signalPolls: SignalPolls;
  /** Creates the security event tokens of streams. */
  signalTransmission: Transmission;
  webhooks: Webhooks;
  /** Deliveries to receivers, for administrators. */
  deliveries: Deliveries;
  /** Documents at a `sector_identifier_uri`. */
  sectorDocuments: SectorDocuments;
  /** Key sets at a `jwks_uri`. */
  remoteJwks: RemoteJwks;
  /** Verifies client assertions: keys, and replay detection. */
  assertionVerification: AssertionVerification;
  clientSecrets: ClientSecrets;
  registrations: RegistrationStore;
  /** Key of the digests of client secrets. */
  clientSecretKey: Key;
  /** Maximum lifetime in seconds of a token issued now, including clock skew. */
  tokenLifetimeSeconds: number;
  /** Follows changes of other processes. Resolves to the function that stops it. */
  startFollowing(): Promise<() => Promise<void>>;
}

export function createProtocolPorts(foundation: ProtocolFoundation): Protocol {
  const { kit, env, redis } = foundation;
  const { clock } = kit;
  const issuer = (tenant: string): string => issuerOf(env.PUBLIC_ORIGIN, tenant);
  const outgoing = createOutgoing(foundation);
  const registered = createClientParts(foundation, outgoing);
  const { clients } = registered;
  const tokens = createTokenParts(foundation, issuer);
  const { accessTokens } = tokens;
  const signals = createSignals(foundation, { issuer, outgoingPolicy: outgoing.outgoingPolicy });
  return {
    ...outgoing,
    ...registered,
    ...tokens,
    ...createRequestParts(foundation, outgoing, registered),
    ...signals,
    issuer,
    personClaims: new PersonClaims(foundation.directory),
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
    serviceTokens: new MintedServiceTokens({ clients, accessTokens, clock }),
    startFollowing: async () => {
      const stops = await Promise.all([
        foundation.signingKeys.start(),
        clients.start(),
        signals.signalPolls.start(),
        foundation.changedPeople.follow((person) => tokens.tokenLiveness.forget(person)),
      ]);
      return async () => {
        await Promise.all(stops.map((stop) => stop()));
      };
    },
  };
}

/** Outgoing requests to addresses that clients and administrators configured. */
function createOutgoing({ env, kit: { clock } }: ProtocolFoundation) {
  const outgoingPolicy: OutgoingPolicy = {
    allowPrivate: env.OUTGOING_ALLOW_PRIVATE,
    allowHttp: env.NODE_ENV !== 'production',
  };
  const safeFetch = createSafeFetch(outgoingPolicy);
  return {
    outgoingPolicy,
    safeFetch,
    safePost: createSafePost(outgoingPolicy),
    remoteJwks: new RemoteJwks(safeFetch, clock),
    sectorDocuments: new SectorDocuments(safeFetch),
  };
}

type Outgoing = ReturnType<typeof createOutgoing>;

function createClientParts(
  { kit, env, database, keys, keptKeys, tenantChanges, usedValues, consoleClients }: ProtocolFoundation,
  { remoteJwks, sectorDocuments }: Outgoing,
) {
  const clientSecretKey = keptKeys.of('client-secret');
  const clientSecrets = new ClientSecrets({
    digestKey: clientSecretKey,
    sealKeys: keys.of('client-secret-seal'),
  });
  const clients = new Clients({
    database,
    kit,
    secrets: clientSecrets,
    platform: platformClients(platformSecrets(env), clientSecretKey),
    tenantChanges,
    console: consoleClients,
  });
  return {
    clientSecretKey,
    clientSecrets,
    clients,
    assertionVerification: new StoredAssertionVerification({ remoteJwks, used: usedValues }),
    registrations: new DynamicRegistrations({
      database,
      clients,
      secrets: clientSecrets,
      sectors: sectorDocuments,
      key: keptKeys.of('client-registration'),
    }),
  };
}

type ClientParts = ReturnType<typeof createClientParts>;

/** State in Redis between a request and its token: codes, device codes, pushed requests. */
function createRequestParts(
  { kit: { clock }, env, redis, keys, attempts, sealedValues, usedValues }: ProtocolFoundation,
  { safeFetch }: Outgoing,
  { assertionVerification }: ClientParts,
) {
  const sealed = { redis, prefix: env.REDIS_PREFIX, values: sealedValues, clock };
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
    requestObjects: new RequestObjects({
      keysOf: (client, header) => assertionVerification.keysOf(client, header),
      documents: new RequestDocuments(safeFetch, clock),
      limit: createRequestDocumentLimit(attempts, env.REQUEST_URIS_PER_MINUTE),
    }),
    pushedRequests: new RedisPushedRequests({
      ...sealed,
      names: keys.of('pushed-request'),
      used: usedValues,
      lifetime: env.PUSHED_REQUEST_TTL_SECONDS,
    }),
    authorizationCodes: new RedisAuthorizationCodes({
      ...sealed,
      names: keys.of('authorization-code'),
      lifetime: env.AUTHORIZATION_CODE_TTL_SECONDS,
      tombstoneSeconds: env.ACCESS_TOKEN_TTL_SECONDS,
    }),
  };
}

function createSignals(
  { database, keys, signingKeys, directory, kit }: ProtocolFoundation,
  o: Pick<Protocol, 'issuer' | 'outgoingPolicy'>,
): Pick<Protocol, 'signalStreams' | 'signalPolls' | 'signalTransmission' | 'webhooks' | 'deliveries'> {
  const signalTransmission = new Transmission({
    subjects: signalSubjects(database.sql),
    signer: (tenant, alg) => signingKeys.signer(tenant, alg),
    issuer: o.issuer,
  });
  const stored = {
    knowers: { holdKnowers, recordKnown },
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
    deliveries: new Deliveries({ ...stored, deliveries: deliveryStore(database.replica) }),
  };
}

const platformSecrets = (env: Foundation['env']): Record<string, readonly (string | undefined)[]> => ({
  // A random secret: auth issues its own service tokens and never presents a secret.
  auth: [randomSecret()],
  directory: [env.SERVICE_CLIENT_SECRET_DIRECTORY, env.SERVICE_CLIENT_SECRET_DIRECTORY_SECOND],
  provisioning: [env.SERVICE_CLIENT_SECRET_PROVISIONING, env.SERVICE_CLIENT_SECRET_PROVISIONING_SECOND],
  gateway: [env.SERVICE_CLIENT_SECRET_GATEWAY, env.SERVICE_CLIENT_SECRET_GATEWAY_SECOND],
  operator: [env.OPERATOR_CLIENT_SECRET, env.OPERATOR_CLIENT_SECRET_SECOND],
});
