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
import { securityLogResolvers } from '../audit/graph/security-log.ts';
import { clientResolvers } from '../clients/graph/clients.ts';
import { initialAccessTokenResolvers } from '../clients/graph/initial-access-tokens.ts';
import { tokenResolvers } from '../grants/graph/tokens.ts';
import { signingKeyResolvers } from '../keys/graph/signing-keys.ts';
import { personalAccessTokenResolvers } from '../machines/graph/personal-access-tokens.ts';
import { serviceAccountResolvers } from '../machines/graph/service-accounts.ts';
import { departureResolvers } from '../offboarding/graph/departures.ts';
import { NoSuchOwner } from '../ownership/domain/owners.ts';
import { ownershipResolvers } from '../ownership/graph/ownership.ts';
import { OAuthError } from '../protocol/domain/errors.ts';
import { authConferring } from '../roles/graph/conferring.ts';
import { groupRoleResolvers } from '../roles/graph/group-roles.ts';
import { sessionResolvers } from '../sessions/graph/sessions.ts';
import { credentialResolvers } from '../sign-in/graph/credentials.ts';
import { invitationResolvers } from '../sign-in/graph/invitations.ts';
import { deliveryResolvers } from '../signals/graph/deliveries.ts';
import { signalStreamResolvers } from '../signals/graph/signal-streams.ts';
import { webhookResolvers } from '../signals/graph/webhooks.ts';
import { ofActors } from '../subgraph/graph/actors.ts';
import { type AuthLoaders, authLoaders } from '../subgraph/graph/loaders.ts';
import { withProblems } from '../subgraph/graph/problems.ts';
import { referenceResolvers } from '../subgraph/graph/references.ts';
import { VersionChanged } from '../subjects/domain/versions.ts';
import { peopleResolvers } from '../subjects/graph/people.ts';
import { brandingOf, brandingResolvers } from '../tenants/graph/branding.ts';
import { tenantResolvers } from '../tenants/graph/tenant.ts';
import { trustedIssuerResolvers } from '../trust/graph/trusted-issuers.ts';
import type { PeopleDependencies } from './people.ts';
import type { Protocol } from './protocol.ts';

export const typeDefs = readSchema(new URL('..', import.meta.url));

/** This service's part of the graph, at POST /graphql. */
export function authSubgraph(
  deps: PeopleDependencies &
    Pick<Protocol, 'registrations' | 'signalStreams' | 'signingKeys' | 'tokenLifetimeSeconds'>,
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
