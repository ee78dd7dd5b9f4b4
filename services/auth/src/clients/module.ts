import { conferring, type RouteConferrals } from '@ostiary/access';
import { LastUses } from '../access/index.ts';
import type { Access } from '../access/module.ts';
import { consoleUrlOf } from '../env.ts';
import { openRegistrations, requestDocuments } from '../platform/index.ts';
import { type District, ofServices, ofTenant, type Platform, type Process } from '../platform/module.ts';
import { randomSecret, type Subjects } from '../tenancy/index.ts';
import type { Tenancy } from '../tenancy/module.ts';
import { postgresApis } from './apis/data/apis.ts';
import { ApiGrantEnds } from './apis/domain/api-grant-ends.ts';
import { ApiRoles } from './apis/domain/api-roles.ts';
import { Apis } from './apis/domain/apis.ts';
import { apiRoleResolvers } from './apis/graph/api-roles.ts';
import { apiLoaders, apiResolvers } from './apis/graph/apis.ts';
import { announceClientsOf, type ChangedClients, followClients } from './data/client-announcements.ts';
import type { Departure } from './data/client-changes.ts';
import { FetchedClientLogos } from './data/client-logos.ts';
import { ClientSecrets } from './data/client-secrets.ts';
import { lastUsesOf, touchClients } from './data/client-uses.ts';
import { ClientRegistrations, Clients } from './data/clients.ts';
import { ConsoleRegistration } from './data/console-registration.ts';
import { DynamicRegistrations } from './data/dynamic-registration.ts';
import { pairwiseClients } from './data/pairwise-clients.ts';
import { RemoteJwks } from './data/remote-jwks.ts';
import { SectorDocuments } from './data/sector-documents.ts';
import { RegisteredWebOrigins } from './data/web-origins.ts';
import { PostgresDocumentClients } from './documents/data/document-clients.ts';
import { FetchedDocuments } from './documents/data/fetched-documents.ts';
import { DocumentClients } from './documents/domain/document-clients.ts';
import { OpenRegistrations } from './documents/domain/open-registration.ts';
import { createNewClientLimit, createSourceLimit } from './documents/domain/source-limit.ts';
import { documentPolicyResolvers, documentPolicyRights } from './documents/graph/document-policy.ts';
import { AssertionVerification } from './domain/assertions/assertion-verification.ts';
import type { Client } from './domain/client.ts';
import { platformClients } from './domain/platform-clients.ts';
import { createSubjectIdentifier } from './domain/subject-identifier.ts';
import { ofActors } from './graph/actors.ts';
import { clientResolvers, clientUseLoaders } from './graph/clients.ts';
import { initialAccessTokenLoaders, initialAccessTokenResolvers } from './graph/initial-access-tokens.ts';
import { clientRights } from './graph/rights.ts';
import { clientLogoRoutes } from './http/client-logo.ts';
import { internalClientEndpoints } from './http/internal-clients.ts';
import { registrationEndpoints } from './http/register.ts';

/** Services of higher districts that this district uses. */
export interface ClientPorts {
  subjects: Subjects;
}

type ClientDependencies = Process & Platform & Tenancy & Access & { higher: () => ClientPorts };

/** Rights that the modifying routes of this district confer. The process does not start with a route that is missing. */
export const clientConferrals: RouteConferrals = {
  ...conferring(
    'a client within the limits of the initial access token or of the policy of the tenant',
    'token made for it',
    ofTenant('POST', 'register'),
  ),
  ...conferring(
    'the client, within the limits of its registration',
    'token made for it',
    ofTenant('PUT', 'register/:clientId'),
  ),
  ...conferring('nothing', 'token made for it', ofTenant('DELETE', 'register/:clientId')),
  ...conferring('rights of the operator: clients', 'platform', ofServices('tenants/:tenant/clients')),
};

export type ClientServices = ReturnType<typeof createServices>;

export function createClients(o: ClientDependencies) {
  const services = createServices(o);
  const deps = { ...o, ...services };
  const district: District = {
    routes: {
      pages: (app) => clientLogoRoutes(app, deps),
      internalOAuth: (app) => internalClientEndpoints(app, deps),
      separate: [(app) => registrationEndpoints(app, deps)],
    },
    graph: () => ({
      resolvers: [
        clientResolvers(deps),
        apiResolvers(deps),
        documentPolicyResolvers(deps),
        apiRoleResolvers({ ...deps, subjects: o.higher().subjects }),
        initialAccessTokenResolvers(deps),
        ofActors(deps),
      ],
      loaders: [apiLoaders(deps), clientUseLoaders(deps), initialAccessTokenLoaders(deps)],
      rights: { ...clientRights(deps), ...documentPolicyRights(deps) },
    }),
    start: async () => [await services.clients.start()],
  };
  return { services, district };
}

function createServices(o: ClientDependencies) {
  const { database, env, keptKeys, keys, kit, safeFetch, tenantChanges, usedValues } = o;
  const { clock, log } = kit;
  const clientSecretKey = keptKeys.of('client-secret');
  const clientSecrets = new ClientSecrets({
    digestKey: clientSecretKey,
    sealKeys: keys.of('client-secret-seal'),
  });
  const changes = changesOf(o, clientSecrets);
  const consoleRegistration = new ConsoleRegistration({ ...changes, url: consoleUrlOf(env) });
  const clients = new Clients({
    database,
    kit,
    secrets: clientSecrets,
    platform: platformClients(platformSecrets(env), clientSecretKey),
    tenantChanges,
    console: () => consoleRegistration,
  });
  /** Documents at a `sector_identifier_uri`. */
  const sectorDocuments = new SectorDocuments(safeFetch);
  /** Key sets at a `jwks_uri`. */
  const remoteJwks = new RemoteJwks(safeFetch, clock);
  const registered = { clients, secrets: clientSecrets, sectors: sectorDocuments, knowers: o.knowers };
  const requirements = requirementsOf(o);
  return {
    clients,
    clientUses: new LastUses({ write: (uses) => touchClients(database.sql, uses), clock }),
    lastUsesOf: (tenant: string, clientIds: readonly string[]) => lastUsesOf(database.sql, tenant, clientIds),
    ...apisOf(o, clients),
    /** Key of the digests of client secrets. */
    clientSecretKey,
    clientSecrets,
    remoteJwks,
    /** Verifies client assertions: keys, and replay detection. */
    assertionVerification: new AssertionVerification({
      keysAt: (uri, refresh) => remoteJwks.get(uri, refresh),
      use: ({ tenant, clientId }, jti, milliseconds) =>
        usedValues.use('client_assertion', [tenant, clientId, jti], milliseconds),
    }),
    clientAnnouncements: announcementsOf(o),
    /** Returns the pairwise clients of a tenant that may request tokens for resources of other servers. */
    pairwiseClients: (tenant: string) => pairwiseClients(database.sql, tenant),
    clientLogos: new FetchedClientLogos({ sql: database.sql, fetch: safeFetch, clock, log }),
    registrations: new DynamicRegistrations({
      ...registered,
      database,
      key: keptKeys.of('client-registration'),
    }),
    clientRegistry: new ClientRegistrations({ ...changes, ...registered, ...requirements }),
    ...documentServices(o, clients, { ...changes, ...requirements }),
    webOrigins: webOriginsOf(o),
    /** Subject identifier of a user for a client (OpenID Connect Core §8). */
    subjectIdentifier: createSubjectIdentifier(keptKeys.of('pairwise-subject')),
  };
}

/** Requirements for every client, and the keys that it needs. */
const requirementsOf = ({ env, signingKeys, tenants }: ClientDependencies) => ({
  rulesOf: async (tenant: string) => ({
    httpsOnly: env.NODE_ENV === 'production',
    allowPrivate: env.OUTGOING_ALLOW_PRIVATE,
    requiredProfile: (await tenants.find(tenant))?.policy.requiredClientProfile ?? ('standard' as const),
  }),
  publishKeys: (client: Client) => signingKeys.publishFor(client),
});

/** Clients that are identified by a metadata document. */
function documentServices(
  { attempts, env, kit: { clock }, safeFetch, tenantChanges }: ClientDependencies,
  clients: Clients,
  changes: ReturnType<typeof changesOf> & ReturnType<typeof requirementsOf>,
) {
  const documentClientStore = new PostgresDocumentClients({
    ...changes,
    changed: (tenant, clientId) => clients.changed(tenant, clientId),
    tenantChanges,
    clock,
  });
  const limits = {
    network: requestDocuments.network(env.REQUEST_URIS_PER_MINUTE),
    tenant: requestDocuments.tenant(env.REQUEST_URIS_PER_MINUTE),
  };
  const documents = new FetchedDocuments({
    fetch: safeFetch,
    limit: createSourceLimit(attempts, 'client_document', limits),
    clock,
  });
  return {
    documentClientStore,
    openRegistration: new OpenRegistrations({
      documentClientStore,
      limit: createSourceLimit(attempts, 'open_registration', openRegistrations),
    }),
    documentClients: new DocumentClients({
      clients,
      documents,
      documentClientStore,
      limit: createSourceLimit(attempts, 'document_client', limits),
      newClientLimit: createNewClientLimit(attempts),
    }),
  };
}

const announcementsOf = ({ database }: ClientDependencies) => ({
  announceClientsOf,
  /** @see followClients */
  follow: (listener: (changed: ChangedClients | undefined) => void) => followClients(database, listener),
});

function apisOf({ database, env, kit, ...o }: ClientDependencies, clients: Clients) {
  const shared = { ...o, database, apiStore: postgresApis };
  const apiGrantEnds = new ApiGrantEnds(shared);
  return {
    apiGrantEnds,
    apiRoles: new ApiRoles({ ...shared, apiGrantEnds }),
    apis: new Apis({
      ...shared,
      clientAnnouncements: { announceClientsOf },
      forgetClients: (tenant) => clients.forget({ tenant }),
      publicOrigin: env.PUBLIC_ORIGIN,
      maxTokenLifetime: env.ACCESS_TOKEN_TTL_SECONDS,
      clock: kit.clock,
    }),
  };
}

const webOriginsOf = ({ database, env, kit, tenantChanges, tenants }: ClientDependencies) =>
  new RegisteredWebOrigins({
    sql: database.sql,
    tenants,
    policyDefaults: env.TENANT_POLICY_DEFAULTS,
    tenantChanges,
    clock: kit.clock,
  });

/** Dependencies of changes of clients. */
function changesOf(
  { database, eventPublisher, grants, kit, knowers, revocations, tokenLifetimeSeconds }: ClientDependencies,
  secrets: ClientSecrets,
) {
  const departure = (): Departure => ({
    secrets,
    knowers,
    eventPublisher,
    grants,
    revocations,
    expiresAt: Math.ceil(kit.clock() / 1000) + tokenLifetimeSeconds,
  });
  return { database, departure, revocations };
}

const platformSecrets = (env: Process['env']): Record<string, readonly (string | undefined)[]> => ({
  // A random secret: auth issues its own service tokens and never presents a secret.
  auth: [randomSecret()],
  directory: [env.SERVICE_CLIENT_SECRET_DIRECTORY, env.SERVICE_CLIENT_SECRET_DIRECTORY_SECOND],
  provisioning: [env.SERVICE_CLIENT_SECRET_PROVISIONING, env.SERVICE_CLIENT_SECRET_PROVISIONING_SECOND],
  gateway: [env.SERVICE_CLIENT_SECRET_GATEWAY, env.SERVICE_CLIENT_SECRET_GATEWAY_SECOND],
  operator: [env.OPERATOR_CLIENT_SECRET, env.OPERATOR_CLIENT_SECRET_SECOND],
});
