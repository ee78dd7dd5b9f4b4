import { AccessError } from '@ostiary/access';
import { KeyReused } from '@ostiary/database';
import {
  badUserInput,
  conflict,
  insufficientUserAuthentication,
  notFound,
  readSchema,
  subgraphPlugin,
} from '@ostiary/graph';
import type { FastifyPluginAsync } from 'fastify';
import { securityLogResolvers } from '../audit/graph/index.ts';
import { clientResolvers, initialAccessTokenResolvers } from '../clients/graph/index.ts';
import { tokenResolvers } from '../grants/graph/index.ts';
import { signingKeyResolvers } from '../keys/graph/index.ts';
import { personalAccessTokenResolvers, serviceAccountResolvers } from '../machines/graph/index.ts';
import { departureResolvers } from '../offboarding/graph/index.ts';
import { ownershipResolvers } from '../ownership/graph/index.ts';
import { NoSuchOwner } from '../ownership/index.ts';
import { OAuthError } from '../protocol/index.ts';
import { authConferring, groupRoleResolvers } from '../roles/graph/index.ts';
import { sessionResolvers } from '../sessions/graph/index.ts';
import { credentialResolvers, invitationResolvers } from '../sign-in/graph/index.ts';
import { deliveryResolvers, signalStreamResolvers, webhookResolvers } from '../signals/graph/index.ts';
import {
  type AuthLoaders,
  authLoaders,
  ofActors,
  referenceResolvers,
  withProblems,
} from '../subgraph/graph/index.ts';
import { peopleResolvers } from '../subjects/graph/index.ts';
import { VersionChanged } from '../subjects/index.ts';
import { brandingOf, brandingResolvers, tenantResolvers } from '../tenants/graph/index.ts';
import { trustedIssuerResolvers } from '../trust/graph/index.ts';
import type { PeopleDependencies } from './people.ts';
import type { Protocol } from './protocol.ts';

export const typeDefs = readSchema(new URL('..', import.meta.url));

/** This service's part of the graph, at POST /graphql. */
export function authSubgraph(
  deps: PeopleDependencies &
    Pick<
      Protocol,
      'registrations' | 'signalStreams' | 'webhooks' | 'deliveries' | 'signingKeys' | 'tokenLifetimeSeconds'
    >,
): FastifyPluginAsync {
  const people = peopleResolvers(deps);
  const groupRoles = groupRoleResolvers(deps);
  const clients = clientResolvers(deps);
  const initialAccessTokens = initialAccessTokenResolvers(deps);
  const tokens = personalAccessTokenResolvers(deps);
  const serviceAccounts = serviceAccountResolvers(deps);
  const ownership = ownershipResolvers(deps);
  const signingKeys = signingKeyResolvers(deps);
  const trustedIssuers = trustedIssuerResolvers(deps);
  const webhooks = webhookResolvers(deps);
  const deliveries = deliveryResolvers(deps);
  const signalStreams = signalStreamResolvers(deps);
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
      CredentialKind: ownership.CredentialKind,
      Client: { ...clients.Client, ...ownership.Client },
      ServiceAccount: { ...serviceAccounts.ServiceAccount, ...ownership.ServiceAccount },
      ...trustedIssuers,
      ...securityLog,
      ...ofActors(deps),
      ...allTokens,
      Group: groupRoles.Group,
      RoleSource: groupRoles.RoleSource,
      Departure: departureResolvers.Departure,
      DepartureDelivery: departureResolvers.DepartureDelivery,
      ...webhooks,
      ...deliveries,
      ...signalStreams,
      User: {
        ...people.User,
        ...sessions.User,
        ...tokens.User,
        ...credentials.User,
        ...departureResolvers.User,
      },
      Credentials: credentials.Credentials,
      Session: { ...people.Session, ...sessions.Session, __resolveReference: referenceResolvers.Session },
      Grant: { ...people.Grant, ...sessions.Grant, __resolveReference: referenceResolvers.Grant },
      PersonalAccessToken: {
        ...allTokens.PersonalAccessToken,
        __resolveReference: referenceResolvers.PersonalAccessToken,
      },
      ApiKey: { ...allTokens.ApiKey, ...ownership.ApiKey, __resolveReference: referenceResolvers.ApiKey },
      InitialAccessToken: { __resolveReference: referenceResolvers.InitialAccessToken },
      SigningKey: { ...signingKeys.SigningKey, __resolveReference: referenceResolvers.SigningKey },
      TrustedIssuer: {
        ...trustedIssuers.TrustedIssuer,
        __resolveReference: referenceResolvers.TrustedIssuer,
      },
      Tenant: ofTenant.Tenant,
      Query: {
        ...securityLog.Query,
        ...departureResolvers.Query,
        ...sessions.Query,
        ...allTokens.Query,
        ...ofTenant.Query,
        ...clients.Query,
        ...initialAccessTokens.Query,
        ...serviceAccounts.Query,
        ...signingKeys.Query,
        ...trustedIssuers.Query,
        ...branding.Query,
        ...webhooks.Query,
        ...deliveries.Query,
        ...signalStreams.Query,
      },
      Mutation: withProblems({
        ...sessions.Mutation,
        ...credentials.Mutation,
        ...people.Mutation,
        ...groupRoles.Mutation,
        ...clients.Mutation,
        ...initialAccessTokens.Mutation,
        ...tokens.Mutation,
        ...serviceAccounts.Mutation,
        ...ownership.Mutation,
        ...signingKeys.Mutation,
        ...trustedIssuers.Mutation,
        ...branding.Mutation,
        ...webhooks.Mutation,
        ...deliveries.Mutation,
        ...signalStreams.Mutation,
        ...invitations.Mutation,
      }),
    },
    loaders: authLoaders(deps),
    conferring: authConferring(deps),
    // What a client may register is decided in OAuth's words.
    errors: (cause) => {
      if (cause instanceof OAuthError) return badUserInput(cause.description);
      if (cause instanceof KeyReused)
        return badUserInput('This idempotency key came with another change before.', {
          argument: 'idempotencyKey',
        });
      if (cause instanceof NoSuchOwner) return notFound('The owner');
      if (cause instanceof VersionChanged) return conflict('It has changed since: read it again.');
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
