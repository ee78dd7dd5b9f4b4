import { randomUUID } from 'node:crypto';
import { conferring, platformTenant, type RouteConferrals } from '@ostiary/access';
import { repeat } from '@ostiary/service';
import type { FastifyRequest } from 'fastify';
import type { Access } from '../access/module.ts';
import type { ClientServices } from '../clients/module.ts';
import type { Identity } from '../identity/module.ts';
import type { Parameters } from '../platform/index.ts';
import {
  type District,
  type GraphPart,
  ofServices,
  ofTenant,
  type Platform,
  type Process,
  type Routes,
  type Stop,
} from '../platform/module.ts';
import type { Tenancy } from '../tenancy/module.ts';
import { ClaimMapper } from './claims/domain/claim-mapper.ts';
import { UserValueSource } from './claims/domain/user-values.ts';
import { claimPreviewResolvers } from './claims/graph/claim-preview.ts';
import { RedisAuthorizationCodes } from './data/authorization-codes.ts';
import { RedisDeviceCodes } from './data/device-codes.ts';
import { RedisPushedRequests } from './data/pushed-requests.ts';
import { RequestDocuments } from './data/request-documents.ts';
import { TokenStatus } from './data/token-status.ts';
import { AccessTokens, MintedServiceTokens } from './domain/access-token.ts';
import { OpaqueTokens } from './domain/access-tokens/opaque-token.ts';
import { createDeviceRequestLimit } from './domain/device-request-limit.ts';
import { FeedLiveness } from './domain/feed-liveness.ts';
import { IdTokenIssuer } from './domain/id-token.ts';
import { Introspection } from './domain/introspection.ts';
import { UserClaims } from './domain/person-claims.ts';
import { createPushedRequestLimit } from './domain/pushed-request-limit.ts';
import { createRequestDocumentLimit } from './domain/request-document-limit.ts';
import { RequestObjects } from './domain/request-objects.ts';
import { saveFollowers, verifiersOf } from './feed/data/feed-followers.ts';
import { AudienceFeed } from './feed/domain/audience-feed.ts';
import { DigestAllowance } from './feed/domain/digest-allowance.ts';
import { FollowerActivity } from './feed/domain/follower-activity.ts';
import { FollowerReports, reportMs } from './feed/domain/follower-reports.ts';
import { Followers, measureFollowers } from './feed/domain/followers.ts';
import { PublicFeed } from './feed/domain/public-feed.ts';
import type { VerifiersOf } from './feed/domain/verifier.ts';
import { verifierLoaders, verifierResolvers } from './feed/graph/verifiers.ts';
import { revocationFeedEndpoint } from './feed/revocation-feed.http.ts';
import { AuthorizationFlow } from './http/authorization-flow.ts';
import { authorizeRoutes } from './http/authorize.ts';
import { consentRoutes } from './http/consent.ts';
import type { AuthorizationDependencies, Consents } from './http/dependencies.ts';
import { deviceRoutes } from './http/device.ts';
import { deviceAuthorizationEndpoint } from './http/device-authorization.ts';
import { discoveryEndpoints } from './http/discovery.ts';
import { internalIntrospectEndpoint } from './http/internal-introspect.ts';
import { introspectEndpoint } from './http/introspect.ts';
import { pushedAuthorizationEndpoint } from './http/pushed-authorization.ts';
import { revokeEndpoint } from './http/revoke.ts';
import { grantHandlers, tokenEndpoint } from './http/token.ts';
import { userinfoEndpoint } from './http/userinfo.ts';
import { assertingAccount, assertionGrants } from './trust/assertion-grants.http.ts';
import { postgresIssuerSubjects } from './trust/data/issuer-subjects.ts';
import { postgresTrustedIssuers } from './trust/data/trusted-issuers.ts';
import { IssuerSubjects } from './trust/domain/issuer-subjects.ts';
import { TrustedIssuers } from './trust/domain/trusted-issuers.ts';
import { issuerRights } from './trust/graph/rights.ts';
import { trustedIssuerLoaders, trustedIssuerResolvers } from './trust/graph/trusted-issuers.ts';

/** Services of higher districts that this district uses. */
export interface OAuthPorts {
  subjects: AuthorizationDependencies['subjects'];
}

type OAuthDependencies = Process &
  Platform &
  Tenancy &
  Access &
  ClientServices &
  Identity & { higher: () => OAuthPorts };

/**
 * Rights that the modifying routes of this district confer. The process does not start with a route that is missing.
 * OAuth endpoints give a client only rights that it is registered for or that a user granted.
 */
export const oauthConferrals = (enabled: { deviceFlow: boolean }): RouteConferrals => ({
  ...conferring(
    'access that the user grants the client, within the roles of the user and the registration of the client',
    'own sign-in',
    ofTenant('POST', 'consent', 'authorize', ...(enabled.deviceFlow ? ['device'] : [])),
  ),
  ...conferring(
    'tokens within the client’s registration and the grant',
    'own credential',
    ofTenant('POST', 'token', 'par', ...(enabled.deviceFlow ? ['device_authorization'] : [])),
  ),
  ...conferring(
    'nothing',
    'own credential',
    ofTenant('POST', 'introspect', 'revocations', 'revoke', 'userinfo'),
  ),
  ...conferring('nothing', 'platform', ofServices('introspect')),
});

export type OAuth = ReturnType<typeof createServices>;

export function createOAuth(o: OAuthDependencies) {
  const services = createServices(o);
  const deps = { ...o, ...services };
  const district: District = {
    routes: routesOf(deps),
    graph: () => graphOf(deps),
    start: async () => [
      await o.changedUsers.follow((person) => services.tokenLiveness.forget(person)),
      // Started after the client cache, which forgets the changed client first.
      await o.clientAnnouncements.follow((changed) => services.followers.noteChanged(changed)),
      repeat({
        name: 'registrations of followers',
        everyMs: 1_000,
        log: o.kit.log,
        work: () =>
          services.followers.noteMissedChanges((client) => o.clients.find(client.tenant, client.clientId)),
      }),
      reportFollowers(services, o.kit),
    ],
  };
  return { services, district };
}

/** Stops with a last report, because the rows of an ended process count until they are old. */
function reportFollowers({ followerReports }: OAuth, { log }: Process['kit']): Stop {
  const stop = repeat({
    name: 'reports of followers',
    everyMs: reportMs,
    pauseFirst: true,
    log,
    work: () => followerReports.write(),
  });
  return async () => {
    await stop();
    await followerReports.end().catch(() => undefined);
  };
}

function routesOf(o: OAuthDependencies & OAuth): Routes {
  const deps = () => ({
    ...o,
    ...o.higher(),
    assertingAccount: (tenant: string, request: FastifyRequest, parameters: Parameters) =>
      assertingAccount(o, tenant, request, parameters),
  });
  return {
    pages(app) {
      authorizeRoutes(app, deps());
      consentRoutes(app, deps());
      if (o.env.DEVICE_FLOW_ENABLED) deviceRoutes(app, deps());
    },
    oauth(app) {
      const parts = deps();
      const handlers = grantHandlers(parts, assertionGrants(parts));
      tokenEndpoint(app, parts, handlers);
      if (o.env.DEVICE_FLOW_ENABLED) deviceAuthorizationEndpoint(app, parts);
      pushedAuthorizationEndpoint(app, parts);
      revokeEndpoint(app, parts);
      userinfoEndpoint(app, parts);
      discoveryEndpoints(app, parts, [...handlers.keys()]);
    },
    internalOAuth: (app) => internalIntrospectEndpoint(app, deps()),
    separate: [(app) => introspectEndpoint(app, deps()), (app) => revocationFeedEndpoint(app, deps())],
  };
}

function graphOf(o: OAuthDependencies & OAuth): GraphPart {
  const { env, kit } = o;
  const { clock } = kit;
  const deps = {
    ...o,
    ...o.higher(),
    trustedIssuers: new TrustedIssuers({ ...o, allowPrivate: env.OUTGOING_ALLOW_PRIVATE, clock }),
    issuerSubjects: new IssuerSubjects({ ...o, clock }),
  };
  return {
    resolvers: [trustedIssuerResolvers(deps), claimPreviewResolvers(deps), verifierResolvers(deps)],
    loaders: [trustedIssuerLoaders(deps), verifierLoaders(deps)],
    rights: issuerRights(deps),
  };
}

function createServices(o: OAuthDependencies) {
  const { clients, consentStore, database, higher, kit } = o;
  const { clock } = kit;
  const tokens = tokenServices(o);
  const requests = requestServices(o);
  const consents: Consents = {
    given: (...of) => consentStore.consentedScopes(database.sql, ...of),
    remember: (...of) => consentStore.rememberConsent(database.sql, ...of),
  };
  return {
    ...tokens,
    ...requests,
    ...feedServices(o),
    consents,
    authorization: new AuthorizationFlow({
      ...o,
      ...tokens,
      ...requests,
      clock,
      consents,
      subjects: { find: (...of) => higher().subjects.find(...of) },
    }),
    userClaims: new UserClaims(o.directory),
    serviceTokens: new MintedServiceTokens({ clients, accessTokens: tokens.accessTokens, clock }),
    issuerSubjectStore: postgresIssuerSubjects,
    trustedIssuerStore: postgresTrustedIssuers,
  };
}

function tokenServices(o: OAuthDependencies) {
  const claimMapper = new ClaimMapper({
    values: new UserValueSource({
      directory: o.directory,
      subjects: { find: (...of) => o.higher().subjects.find(...of) },
    }),
    clients: o.clients,
    log: o.kit.log,
  });
  const { database, env, issuer, kit, refreshTokens, sessionIdentifiers, signingKeys, subjectIdentifier } = o;
  const issuing = {
    keys: signingKeys,
    subjectIdentifier,
    sessionIdentifiers,
    opaqueTokens: new OpaqueTokens(o.keys.of('opaque-token')),
    claimMapper,
    publicOrigin: env.PUBLIC_ORIGIN,
    clock: kit.clock,
  };
  const accessTokens = new AccessTokens({ ...issuing, lifetime: env.ACCESS_TOKEN_TTL_SECONDS });
  const tokenStatus = new TokenStatus(database);
  const tokenLiveness = new FeedLiveness({
    store: tokenStatus,
    list: o.revocationList,
    maxStalenessMs: env.REVOCATION_MAX_STALENESS_SECONDS * 1_000,
    clock: o.monotonic,
  });
  return {
    accessTokens,
    claimMapper,
    tokenStatus,
    tokenLiveness,
    idTokens: new IdTokenIssuer({ ...issuing, lifetime: env.ID_TOKEN_TTL_SECONDS }),
    introspection: new Introspection({
      accessTokens,
      refreshTokens,
      store: tokenStatus,
      followed: tokenLiveness,
      apiTokens: o.apiTokenReader,
      issuer,
      subjectIdentifier,
      platformTenant,
      claimMapper,
    }),
  };
}

/** The public revocation feed. */
function feedServices(o: OAuthDependencies) {
  const { clients, database, issuer, kit, monotonic, revocationLogs: logs } = o;
  const followers = new Followers();
  const followerActivity = new FollowerActivity(monotonic);
  const process = randomUUID();
  const verifiers: VerifiersOf = (...of) => verifiersOf(database.sql, ...of);
  measureFollowers(kit, followers);
  const allowance = new DigestAllowance(kit.log);
  const pages = new AudienceFeed({
    ...o,
    key: o.keptKeys.of('revocation-feed'),
    countDigests: (...of) => allowance.take(...of),
  });
  const feed = { logs, pages, followers, followerActivity, clients, issuer, monotonic, clock: kit.clock };
  return {
    followers,
    followerActivity,
    followerReports: new FollowerReports({
      activity: followerActivity,
      save: (reports) => saveFollowers(database.sql, process, reports),
    }),
    verifiers,
    publicFeed: new PublicFeed(feed),
  };
}

/** State in Redis between a request and its token: codes, device codes, pushed requests. */
function requestServices(o: OAuthDependencies) {
  const { assertionVerification, attempts, env, keys, kit, redis, safeFetch, usedValues } = o;
  const { clock } = kit;
  const sealed = { redis, prefix: env.REDIS_PREFIX, values: o.sealedValues, clock };
  const deviceCodes = new RedisDeviceCodes({
    ...sealed,
    names: keys.of('device-code'),
    lifetime: env.DEVICE_CODE_TTL_SECONDS,
    maxWaiting: env.DEVICE_CODES_WAITING,
    tombstoneSeconds: env.ACCESS_TOKEN_TTL_SECONDS,
  });
  return {
    deviceCodes,
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
