import { platformTenant, type RevocationList } from '@ostiary/access';
import type { Database, SeparationReason } from '@ostiary/database';
import { Counter } from '@ostiary/service';
import { PostgresGrants } from '../access/grants/data/grants.ts';
import { RefreshTokenCodec } from '../access/grants/domain/refresh-token.ts';
import { revokeApiTokensOfGrants, touchApiTokens } from '../access/machines/data/api-tokens.ts';
import { ApiTokenReader } from '../access/machines/domain/api-token-reader.ts';
import { LastUses } from '../access/machines/domain/last-uses.ts';
import type { RolePolicy } from '../access/roles/domain/counting-roles.ts';
import type { ConsoleRegistration } from '../clients/data/console-registration.ts';
import { createSubjectIdentifier } from '../clients/domain/subject-identifier.ts';
import { SessionIdentifiers } from '../identity/sessions/domain/session-identifier.ts';
import { TokenStatus } from '../oauth/data/token-status.ts';
import { AccessTokens } from '../oauth/domain/access-token.ts';
import { FeedLiveness } from '../oauth/domain/feed-liveness.ts';
import { IdTokenIssuer } from '../oauth/domain/id-token.ts';
import { Introspection } from '../oauth/domain/introspection.ts';
import type { PrismaClient } from '../platform/database/generated/client.ts';
import type { Foundation } from './dependencies.ts';

/**
 * Maximum difference in seconds between the clocks of issuer and verifiers. Revocations are kept this much longer than
 * the token's lifetime.
 */
const clockSkewSeconds = 300;

/** The foundation with the typed Prisma client. */
export type ProtocolFoundation = Foundation & {
  database: Database<PrismaClient>;
  /** Returns a tenant's requirements for roles to apply; undefined for an unknown tenant. */
  policyOf: (tenant: string) => Promise<RolePolicy | undefined>;
  /** Live revocations, as this process has received them. */
  revocationList: RevocationList;
  /** Registers the console as a client of each tenant. */
  consoleClients: () => ConsoleRegistration;
};

export function createTokenParts(foundation: ProtocolFoundation, issuer: (tenant: string) => string) {
  const { kit, env, database, keptKeys } = foundation;
  const tokenLifetimeSeconds = env.ACCESS_TOKEN_TTL_SECONDS + clockSkewSeconds;
  const subjectIdentifier = createSubjectIdentifier(keptKeys.of('pairwise-subject'));
  const sessionIdentifiers = new SessionIdentifiers(keptKeys.of('pairwise-session'));
  const issuing = {
    keys: foundation.signingKeys,
    subjectIdentifier,
    sessionIdentifiers,
    publicOrigin: env.PUBLIC_ORIGIN,
    clock: kit.clock,
  };
  const accessTokens = new AccessTokens({ ...issuing, lifetime: env.ACCESS_TOKEN_TTL_SECONDS });
  const refreshTokens = new RefreshTokenCodec(keptKeys.of('refresh-token'));
  const tokenStatus = new TokenStatus(database);
  const tokenLiveness = new FeedLiveness({
    store: tokenStatus,
    list: foundation.revocationList,
    maxStalenessMs: env.REVOCATION_MAX_STALENESS_SECONDS * 1_000,
    clock: foundation.monotonic,
  });
  const apiTokens = createApiTokenParts(foundation);
  return {
    ...apiTokens,
    tokenLifetimeSeconds,
    subjectIdentifier,
    sessionIdentifiers,
    accessTokens,
    refreshTokens,
    tokenStatus,
    tokenLiveness,
    idTokens: new IdTokenIssuer({ ...issuing, lifetime: env.ID_TOKEN_TTL_SECONDS }),
    grants: new PostgresGrants({
      database,
      clock: kit.clock,
      tokenLifetime: tokenLifetimeSeconds,
      revokeTokensOfGrants: revokeApiTokensOfGrants,
    }),
    introspection: new Introspection({
      accessTokens,
      refreshTokens,
      store: tokenStatus,
      followed: tokenLiveness,
      apiTokens: apiTokens.apiTokenReader,
      issuer,
      subjectIdentifier,
      platformTenant,
    }),
  };
}

/** Counts grants that could not be written in the shared statement of a batch and were written separately. */
export function countedSeparations({ metrics }: Foundation['kit']): (reason: SeparationReason) => void {
  const separations = new Counter({
    name: 'auth_grants_separated_total',
    help: 'Number of grants of a batch that were written separately, by reason: left out of the statement, or rejected with it',
    labelNames: ['reason'] as const,
    registers: [metrics],
  });
  return (reason) => separations.inc({ reason });
}

function createApiTokenParts(foundation: ProtocolFoundation) {
  const { kit, database, keptKeys, policyOf } = foundation;
  const apiTokenUses = new LastUses({
    write: (uses) => touchApiTokens(database.sql, uses),
    clock: kit.clock,
  });
  const apiTokenReader = new ApiTokenReader({
    ...foundation,
    sql: database.sql,
    digestKey: keptKeys.of('api-token'),
    policyOf,
    onUse: (tenant, id) => apiTokenUses.note(tenant, id),
  });
  return { apiTokenUses, apiTokenReader };
}
