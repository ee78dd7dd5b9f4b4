import { readFileSync } from 'node:fs';
import { AccessError } from '@ostiary/access';
import { badUserInput, insufficientUserAuthentication, subgraphPlugin } from '@ostiary/graph';
import type { FastifyPluginAsync } from 'fastify';
import { OAuthError } from '../domain/errors.ts';
import { KeyReused } from '../domain/idempotency.ts';
import type { PeopleDependencies } from '../people.ts';
import type { Protocol } from '../protocol.ts';
import { brandingOf, brandingResolvers } from './branding.ts';
import { clientResolvers } from './clients.ts';
import { credentialResolvers } from './credentials.ts';
import { initialAccessTokenResolvers } from './initial-access-tokens.ts';
import { invitationResolvers } from './invitations.ts';
import { type AuthLoaders, authLoaders } from './loaders.ts';
import { peopleResolvers } from './people.ts';
import { personalAccessTokenResolvers } from './personal-access-tokens.ts';
import { withProblems } from './problems.ts';
import { securityLogResolvers } from './security-log.ts';
import { serviceAccountResolvers } from './service-accounts.ts';
import { sessionResolvers } from './sessions.ts';
import { signingKeyResolvers } from './signing-keys.ts';
import { tenantResolvers } from './tenant.ts';
import { tokenResolvers } from './tokens.ts';
import { trustedIssuerResolvers } from './trusted-issuers.ts';

export const typeDefs = readFileSync(new URL('./schema.graphql', import.meta.url), 'utf8');

/** This service's part of the graph, at POST /graphql. */
export function authSubgraph(
  deps: PeopleDependencies & Pick<Protocol, 'registrations' | 'signingKeys' | 'tokenLifetimeSeconds'>,
): FastifyPluginAsync {
  const people = peopleResolvers(deps);
  const clients = clientResolvers(deps);
  const initialAccessTokens = initialAccessTokenResolvers(deps);
  const tokens = personalAccessTokenResolvers(deps);
  const serviceAccounts = serviceAccountResolvers(deps);
  const signingKeys = signingKeyResolvers(deps);
  const trustedIssuers = trustedIssuerResolvers(deps);
  const branding = brandingResolvers(deps);
  const invitations = invitationResolvers(deps);
  const securityLog = securityLogResolvers(deps);
  const sessions = sessionResolvers(deps);
  const allTokens = tokenResolvers(deps);
  const credentials = credentialResolvers(deps);
  const ofTenant = tenantResolvers(deps, brandingOf(deps));
  return subgraphPlugin<AuthLoaders>({
    name: 'auth',
    typeDefs,
    resolvers: {
      ...people,
      ...clients,
      ...serviceAccounts,
      ...signingKeys,
      ...trustedIssuers,
      ...securityLog,
      ...allTokens,
      User: { ...people.User, ...tokens.User, ...credentials.User },
      Credentials: credentials.Credentials,
      Session: { ...people.Session, ...sessions.Session },
      Grant: { ...people.Grant, ...sessions.Grant },
      Tenant: ofTenant.Tenant,
      Query: {
        ...securityLog.Query,
        ...sessions.Query,
        ...allTokens.Query,
        ...ofTenant.Query,
        ...clients.Query,
        ...initialAccessTokens.Query,
        ...serviceAccounts.Query,
        ...signingKeys.Query,
        ...trustedIssuers.Query,
        ...branding.Query,
      },
      Mutation: withProblems({
        ...sessions.Mutation,
        ...credentials.Mutation,
        ...people.Mutation,
        ...clients.Mutation,
        ...initialAccessTokens.Mutation,
        ...tokens.Mutation,
        ...serviceAccounts.Mutation,
        ...signingKeys.Mutation,
        ...trustedIssuers.Mutation,
        ...branding.Mutation,
        ...invitations.Mutation,
      }),
    },
    loaders: authLoaders(deps),
    // What a client may register is decided in OAuth's words.
    errors: (cause) => {
      if (cause instanceof OAuthError) return badUserInput(cause.description);
      if (cause instanceof KeyReused)
        return badUserInput('This idempotency key came with another change before.', {
          argument: 'idempotencyKey',
        });
      // A sign-in that won't do (RFC 9470).
      if (cause instanceof AccessError && cause.authentication)
        return insufficientUserAuthentication(cause.authentication);
      return undefined;
    },
    verifier: deps.verifier,
    publicOrigin: deps.env.PUBLIC_ORIGIN,
    kit: deps.kit,
    introspection: deps.env.GRAPH_INTROSPECTION ?? deps.env.NODE_ENV !== 'production',
  });
}
