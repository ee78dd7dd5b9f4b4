import { issuerOf, platformTenant, serviceAudience } from '@ostiary/access';
import type { Database } from '@ostiary/database';
import { RedisAuthorizationCodes } from './data/authorization-codes.ts';
import { Clients } from './data/clients.ts';
import type { PrismaClient } from './data/generated/client.ts';
import { PostgresGrants } from './data/grants.ts';
import { SigningKeys } from './data/signing-keys.ts';
import { TokenStatus } from './data/token-status.ts';
import { AccessTokens } from './domain/access-token.ts';
import { IdTokenIssuer } from './domain/id-token.ts';
import { Introspection } from './domain/introspection.ts';
import { platformClients } from './domain/platform-clients.ts';
import type { Foundation, ProtocolPorts, ServiceTokens } from './domain/ports.ts';
import { RefreshTokenCodec } from './domain/refresh-token.ts';
import { deriveKey, randomSecret } from './domain/secret.ts';

/** Verifiers' clocks may run behind ours: what kills a token is kept this much longer than the token. */
const clockSkewSeconds = 300;

/** The protocol half: what it gives to the people half, and what its own endpoints are made of. */
export interface Protocol extends ProtocolPorts {
  clients: Clients;
  authorizationCodes: RedisAuthorizationCodes;
  grants: PostgresGrants;
  idTokens: IdTokenIssuer;
  signingKeys: SigningKeys;
  accessTokens: AccessTokens;
  refreshTokens: RefreshTokenCodec;
  tokenStatus: TokenStatus;
  introspection: Introspection;
  serviceTokens: ServiceTokens;
  /** Key of the client secrets' digests. */
  clientSecretKey: Buffer;
  /** Seconds for which something issued now may still have to be revoked. */
  tokenLifetimeSeconds: number;
  /** Follows changes other processes make. Resolves to the function that stops it. */
  startFollowing(): Promise<() => Promise<void>>;
}

/** The foundation, with the database as Prisma knows it. */
export type ProtocolFoundation = Foundation & { database: Database<PrismaClient> };

export function createProtocolPorts(foundation: ProtocolFoundation): Protocol {
  const { kit, env, database, redis } = foundation;
  const { clock } = kit;
  const issuer = (tenant: string): string => issuerOf(env.PUBLIC_ORIGIN, tenant);
  const clientSecretKey = deriveKey(env.ENCRYPTION_KEY, 'client-secret');
  const tokenLifetimeSeconds = env.ACCESS_TOKEN_TTL_SECONDS + clockSkewSeconds;

  const signingKeys = new SigningKeys({ database, encryptionKey: env.ENCRYPTION_KEY, kit });
  const clients = new Clients({
    database,
    kit,
    platform: platformClients(platformSecrets(env), clientSecretKey),
  });
  const accessTokens = new AccessTokens({
    keys: signingKeys,
    publicOrigin: env.PUBLIC_ORIGIN,
    lifetime: env.ACCESS_TOKEN_TTL_SECONDS,
    clock,
  });
  const refreshTokens = new RefreshTokenCodec(deriveKey(env.ENCRYPTION_KEY, 'refresh-token'));
  const tokenStatus = new TokenStatus(database);

  return {
    clients,
    signingKeys,
    accessTokens,
    refreshTokens,
    tokenStatus,
    clientSecretKey,
    tokenLifetimeSeconds,
    issuer,
    authorizationCodes: new RedisAuthorizationCodes({
      redis,
      prefix: env.REDIS_PREFIX,
      encryptionKey: env.ENCRYPTION_KEY,
      lifetime: env.AUTHORIZATION_CODE_TTL_SECONDS,
      tombstoneSeconds: env.ACCESS_TOKEN_TTL_SECONDS,
    }),
    grants: new PostgresGrants({ database, clock, tokenLifetime: tokenLifetimeSeconds }),
    idTokens: new IdTokenIssuer({
      keys: signingKeys,
      publicOrigin: env.PUBLIC_ORIGIN,
      lifetime: env.ID_TOKEN_TTL_SECONDS,
      clock,
    }),
    introspection: new Introspection({
      accessTokens,
      refreshTokens,
      liveness: tokenStatus,
      issuer,
      platformTenant,
    }),
    serviceTokens: mintServiceTokens(clients, accessTokens, clock),
    startFollowing: async () => {
      const stops = await Promise.all([signingKeys.start(), clients.start()]);
      return async () => {
        await Promise.all(stops.map((stop) => stop()));
      };
    },
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
  const minted = new Map<string, { token: string; until: number }>();
  return {
    async tokenFor(service) {
      const known = minted.get(service);
      if (known && clock() < known.until) return known.token;
      const client = await clients.find(platformTenant, 'auth');
      if (!client) throw new Error('the platform client of this service is missing');
      const { token, expiresIn } = await accessTokens.issue(platformTenant, {
        client,
        scopes: [],
        resources: [serviceAudience(service)],
      });
      minted.set(service, { token, until: clock() + expiresIn * 800 });
      return token;
    },
  };
}
