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
import { PostgresGrantList } from '../access/grants/data/grant-list.ts';
import { grantResolvers } from '../access/grants/graph/grants.ts';
import { PostgresTokenList } from '../access/machines/data/token-list.ts';
import { personalAccessTokenResolvers } from '../access/machines/graph/personal-access-tokens.ts';
import { serviceAccountResolvers } from '../access/machines/graph/service-accounts.ts';
import { tokenResolvers } from '../access/machines/graph/tokens.ts';
import { PostgresCredentialOwners } from '../access/ownership/data/credential-owners.ts';
import { KnownSecretReader } from '../access/ownership/domain/known-secret.ts';
import { ownershipResolvers } from '../access/ownership/graph/ownership.ts';
import { PostgresRoleDirectory } from '../access/roles/data/role-directory.ts';
import { RolesActedOn } from '../access/roles/graph/acting.ts';
import { groupRoleResolvers } from '../access/roles/graph/group-roles.ts';
import { userRoleResolvers } from '../access/roles/graph/user-roles.ts';
import { clientResolvers } from '../clients/graph/clients.ts';
import { initialAccessTokenResolvers } from '../clients/graph/initial-access-tokens.ts';
import { sessionResolvers } from '../identity/sessions/graph/sessions.ts';
import { PostgresCredentialSummaries } from '../identity/sign-in/data/credential-summaries.ts';
import { signInCounts } from '../identity/sign-in/data/sign-in-counts.ts';
import { credentialResolvers } from '../identity/sign-in/graph/credentials.ts';
import { invitationResolvers } from '../identity/sign-in/graph/invitations.ts';
import { signInAttemptResolvers } from '../identity/sign-in-log/graph/sign-in-attempts.ts';
import { PostgresSignInAttempts } from '../identity/sign-in-log/sign-in-attempts.data.ts';
import { PostgresDepartureReports } from '../lifecycle/offboarding/data/departures.ts';
import { departureResolvers } from '../lifecycle/offboarding/graph/departures.ts';
import { PostgresIssuerSubjectList } from '../oauth/trust/data/issuer-subjects.ts';
import { BoundSubjects } from '../oauth/trust/domain/issuer-subjects.ts';
import { RegisteredIssuers } from '../oauth/trust/domain/trusted-issuers.ts';
import { trustedIssuerResolvers } from '../oauth/trust/graph/trusted-issuers.ts';
import { securityLogResolvers } from '../platform/audit/graph/security-log.ts';
import { PostgresSecurityLogReader } from '../platform/audit/security-log.data.ts';
import { OAuthError } from '../platform/protocol/domain/errors.ts';
import { NoSuchOwner } from '../platform/protocol/domain/no-such-owner.ts';
import { VersionChanged } from '../platform/protocol/domain/versions.ts';
import { ofActors } from '../platform/subgraph/graph/actors.ts';
import { withProblems } from '../platform/subgraph/graph/problems.ts';
import { deliveryResolvers } from '../signals/graph/deliveries.ts';
import { signalStreamResolvers } from '../signals/graph/signal-streams.ts';
import { webhookResolvers } from '../signals/graph/webhooks.ts';
import { signingKeyResolvers } from '../tenancy/keys/graph/signing-keys.ts';
import { PostgresTenantStatistics } from '../tenancy/tenants/data/tenant-figures.ts';
import { brandingOf, brandingResolvers } from '../tenancy/tenants/graph/branding.ts';
import { tenantResolvers } from '../tenancy/tenants/graph/tenant.ts';
import type { Dependencies } from './dependencies.ts';
import { authConferring } from './graph-conferral.ts';
import { type AuthLoaders, authLoaders } from './loaders.ts';
import { typeDefs } from './schema.ts';

/** This service's subgraph at POST /graphql. */
export function authSubgraph(parts: Dependencies): FastifyPluginAsync {
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
function readers({ database: { sql, replica }, env, kit: { clock }, knownSecrets }: Dependencies) {
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
    knownSecretReader: new KnownSecretReader(sql, knownSecrets),
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
function administered(parts: Dependencies) {
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

type GraphDependencies = Dependencies & ReturnType<typeof readers> & ReturnType<typeof administered>;

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
