import { readFileSync } from 'node:fs';
import { AccessError } from '@ostiary/access';
import { KeyReused } from '@ostiary/database';
import {
  badUserInput,
  conflict,
  insufficientUserAuthentication,
  notFound,
  subgraphPlugin,
} from '@ostiary/graph';
import type { FastifyPluginAsync } from 'fastify';
import { OAuthError } from '../domain/errors.ts';
import { NoSuchOwner } from '../domain/owners.ts';
import { VersionChanged } from '../domain/versions.ts';
import type { PeopleDependencies } from '../people.ts';
import type { Protocol } from '../protocol.ts';
import { ofActors } from './actors.ts';
import { brandingOf, brandingResolvers } from './branding.ts';
import { clientResolvers } from './clients.ts';
import { authConferring } from './conferring.ts';
import { credentialResolvers } from './credentials.ts';
import { deliveryResolvers } from './deliveries.ts';
import { departureResolvers } from './departures.ts';
import { groupRoleResolvers } from './group-roles.ts';
import { initialAccessTokenResolvers } from './initial-access-tokens.ts';
import { invitationResolvers } from './invitations.ts';
import { type AuthLoaders, authLoaders } from './loaders.ts';
import { ownershipResolvers } from './ownership.ts';
import { peopleResolvers } from './people.ts';
import { personalAccessTokenResolvers } from './personal-access-tokens.ts';
import { withProblems } from './problems.ts';
import { referenceResolvers } from './references.ts';
import { securityLogResolvers } from './security-log.ts';
import { serviceAccountResolvers } from './service-accounts.ts';
import { sessionResolvers } from './sessions.ts';
import { signalStreamResolvers } from './signal-streams.ts';
import { signingKeyResolvers } from './signing-keys.ts';
import { tenantResolvers } from './tenant.ts';
import { tokenResolvers } from './tokens.ts';
import { trustedIssuerResolvers } from './trusted-issuers.ts';
import { webhookResolvers } from './webhooks.ts';

export const typeDefs = readFileSync(new URL('./schema.graphql', import.meta.url), 'utf8');

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
