import { AccessError } from '@ostiary/access';
import { KeyReused } from '@ostiary/database';
import {
  badUserInput,
  conflict,
  insufficientUserAuthentication,
  notFound,
  type Resolvers,
  subgraphPlugin,
  type TypeResolvers,
} from '@ostiary/graph';
import type { FastifyPluginAsync } from 'fastify';
import { PostgresSecurityLogReader } from '../audit/data/index.ts';
import { securityLogResolvers } from '../audit/graph/index.ts';
import { clientResolvers, initialAccessTokenResolvers } from '../clients/graph/index.ts';
import { PostgresGrantList } from '../grants/data/index.ts';
import { grantResolvers } from '../grants/graph/index.ts';
import { signingKeyResolvers } from '../keys/graph/index.ts';
import { PostgresTokenList } from '../machines/data/index.ts';
import {
  personalAccessTokenResolvers,
  serviceAccountResolvers,
  tokenResolvers,
} from '../machines/graph/index.ts';
import { PostgresDepartureReports } from '../offboarding/data/index.ts';
import { departureResolvers } from '../offboarding/graph/index.ts';
import { PostgresCredentialOwners } from '../ownership/data/index.ts';
import { ownershipResolvers } from '../ownership/graph/index.ts';
import { KnownSecretReader } from '../ownership/index.ts';
import { NoSuchOwner, OAuthError, VersionChanged } from '../protocol/index.ts';
import { PostgresRoleDirectory } from '../roles/data/index.ts';
import { groupRoleResolvers, RolesActedOn, userRoleResolvers } from '../roles/graph/index.ts';
import { sessionResolvers } from '../sessions/graph/index.ts';
import { PostgresCredentialSummaries, signInCounts } from '../sign-in/data/index.ts';
import { credentialResolvers, invitationResolvers } from '../sign-in/graph/index.ts';
import { PostgresSignInAttempts } from '../sign-in-log/data/index.ts';
import { signInAttemptResolvers } from '../sign-in-log/graph/index.ts';
import { deliveryResolvers, signalStreamResolvers, webhookResolvers } from '../signals/graph/index.ts';
import { ofActors, withProblems } from '../subgraph/graph/index.ts';
import { PostgresTenantStatistics } from '../tenants/data/index.ts';
import { brandingOf, brandingResolvers, tenantResolvers } from '../tenants/graph/index.ts';
import { PostgresIssuerSubjectList } from '../trust/data/index.ts';
import { trustedIssuerResolvers } from '../trust/graph/index.ts';
import { BoundSubjects, RegisteredIssuers } from '../trust/index.ts';
import { authConferring } from './graph-conferral.ts';
import { type AuthLoaders, authLoaders } from './loaders.ts';
import type { PeopleDependencies } from './people.ts';
import type { Protocol } from './protocol.ts';
import { typeDefs } from './schema.ts';
import { stores } from './stores.ts';

type Parts = PeopleDependencies &
  Pick<
    Protocol,
    'registrations' | 'signalStreams' | 'webhooks' | 'deliveries' | 'signingKeys' | 'tokenLifetimeSeconds'
  >;

/** This service's subgraph at POST /graphql. */
export function authSubgraph(parts: Parts): FastifyPluginAsync {
  const deps = { ...parts, ...readers(parts), ...administered(parts) };
  return subgraphPlugin<AuthLoaders>({
    name: 'auth',
    typeDefs,
    resolvers: merged(deps),
    loaders: authLoaders(deps),
    conferring: authConferring(deps),
    errors: errorOf,
    verifier: deps.verifier,
    publicOrigin: deps.env.PUBLIC_ORIGIN,
    kit: deps.kit,
    introspection: deps.env.GRAPH_INTROSPECTION ?? deps.env.NODE_ENV !== 'production',
    writing: deps.database.replica.standby?.writing,
  });
}

/** Readers that only the graph uses. */
function readers({ database: { sql, replica }, env, kit: { clock } }: Parts) {
  const roleDirectory = new PostgresRoleDirectory(sql);
  return {
    roleDirectory,
    acting: new RolesActedOn(roleDirectory),
    grantList: new PostgresGrantList(sql),
    tokenList: new PostgresTokenList(sql),
    credentialOwners: new PostgresCredentialOwners(sql),
    credentialSummaries: new PostgresCredentialSummaries(sql),
    departureReports: new PostgresDepartureReports(sql),
    issuerSubjectList: new PostgresIssuerSubjectList(sql),
    signInAttempts: new PostgresSignInAttempts(sql),
    knownSecretReader: new KnownSecretReader(sql, stores.knownSecrets),
    securityLogReader: new PostgresSecurityLogReader(sql, replica),
    statistics: new PostgresTenantStatistics({
      sql,
      replica,
      idleSeconds: env.SESSION_IDLE_SECONDS,
      clock,
      signIns: (tenant, since) =>
        replica.read('auth.signIns.statistics', [tenant], sql, (older) => signInCounts(older, tenant, since)),
    }),
    clock,
  };
}

/** Administration services that only the graph uses. */
function administered(parts: Parts) {
  const { env, kit, database } = parts;
  return {
    trustedIssuers: new RegisteredIssuers({
      ...parts,
      database,
      clients: parts.clients,
      grants: parts.grants,
      revocations: parts.revocations,
      issuer: parts.issuer,
      allowPrivate: env.OUTGOING_ALLOW_PRIVATE,
      clock: kit.clock,
    }),
    issuerSubjects: new BoundSubjects({ ...parts, clock: kit.clock }),
    settings: {
      sessionIdleSeconds: env.SESSION_IDLE_SECONDS,
      sessionAbsoluteSeconds: env.SESSION_ABSOLUTE_SECONDS,
      accessTokenSeconds: env.ACCESS_TOKEN_TTL_SECONDS,
      idTokenSeconds: env.ID_TOKEN_TTL_SECONDS,
      refreshTokenIdleSeconds: env.REFRESH_TOKEN_IDLE_SECONDS,
      refreshTokenAbsoluteSeconds: env.REFRESH_TOKEN_ABSOLUTE_SECONDS,
      invitationSeconds: env.INVITATION_TTL_SECONDS,
      passwordMinLength: env.PASSWORD_MIN_LENGTH,
      securityLogRetentionSeconds: env.SECURITY_LOG_RETENTION_SECONDS,
    },
  };
}

type GraphDependencies = Parts & ReturnType<typeof readers> & ReturnType<typeof administered>;

/** Merges the resolvers of all modules. Fields of one type may come from several modules. */
function merged(deps: GraphDependencies): Resolvers<AuthLoaders> {
  const modules: Resolvers<AuthLoaders>[] = [
    { User: { __resolveReference: ({ id }: { id: string }) => ({ id }) } },
    sessionResolvers(deps),
    signInAttemptResolvers(deps),
    grantResolvers(deps),
    userRoleResolvers(deps),
    groupRoleResolvers(deps),
    clientResolvers(deps),
    initialAccessTokenResolvers(deps),
    personalAccessTokenResolvers(deps),
    serviceAccountResolvers(deps),
    tokenResolvers(deps),
    ownershipResolvers(deps),
    signingKeyResolvers(deps),
    trustedIssuerResolvers(deps),
    securityLogResolvers(deps),
    departureResolvers,
    webhookResolvers(deps),
    deliveryResolvers(deps),
    signalStreamResolvers(deps),
    brandingResolvers(deps),
    tenantResolvers(deps, brandingOf(deps)),
    invitationResolvers(deps),
    credentialResolvers(deps),
    ofActors(deps),
  ];
  const all: Resolvers<AuthLoaders> = {};
  for (const types of modules) {
    for (const [type, fields] of Object.entries(types)) {
      const before = all[type] ?? {};
      const twice = Object.keys(fields).find((field) => Object.hasOwn(before, field));
      if (twice !== undefined) throw new Error(`${type}.${twice} is resolved by two modules.`);
      all[type] = { ...before, ...fields } as TypeResolvers<AuthLoaders>;
    }
  }
  return { ...all, Mutation: withProblems(all.Mutation as TypeResolvers<AuthLoaders>) };
}

/** Converts errors of other layers to GraphQL errors. Registration of clients reports OAuth errors. */
function errorOf(cause: unknown): ReturnType<typeof badUserInput> | undefined {
  if (cause instanceof OAuthError) return badUserInput(cause.description);
  if (cause instanceof KeyReused)
    return badUserInput('This idempotency key has already been used with a different change.', {
      argument: 'idempotencyKey',
    });
  if (cause instanceof NoSuchOwner) return notFound('The owner');
  if (cause instanceof VersionChanged)
    return conflict('The object has changed since it was read. Read it again.');
  // Insufficient authentication (RFC 9470).
  if (cause instanceof AccessError && cause.authentication)
    return insufficientUserAuthentication(cause.authentication);
  return undefined;
}
