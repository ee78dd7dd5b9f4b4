import {
  ownPerimeter,
  type RevocationList,
  requireRouteConferrals,
  type TokenVerifier,
} from '@ostiary/access';
import type { TenantPolicy } from '@ostiary/events';
import { type EventConsumer, type TenantPolicySettings, tenantPolicyOf } from '@ostiary/events';
import {
  createHttp,
  type KeptKeys,
  type KeyRing,
  type Reencryption,
  type ServiceKit,
} from '@ostiary/service';
import type { Rates } from '@ostiary/service/rates';
import type { FastifyInstance } from 'fastify';
import { Authenticator } from './access/http/authentication.ts';
import { routeConferrals } from './access/http/conferring.ts';
import { answerMalformedUrl } from './access/http/errors.ts';
import { readResourceMetadata } from './access/http/resource-metadata.ts';
import { maySetPasswords, routeChecks } from './access/http/route-assurance.ts';
import { Submissions } from './bulk/submissions.data.ts';
import { createConnectors } from './composition/connectors.ts';
import { type ScimSurfaceOptions, scimSurface } from './composition/scim.ts';
import { provisioningSubgraph, type SubgraphDependencies } from './composition/subgraph.ts';
import { connectorLogQueries } from './connectors/data/connector-log.ts';
import type { Connectors } from './connectors/data/connectors.ts';
import { PostgresIdempotencyKeys } from './connectors/data/idempotency-keys.ts';
import type { ManagedPrivileges } from './connectors/domain/conferred.ts';
import type { ConnectorAdministration } from './connectors/domain/connector-administration.ts';
import type { OwnerSearch } from './connectors/domain/owner-search.ts';
import type { Owners } from './connectors/domain/ownership.ts';
import type { OwnershipEnds } from './connectors/domain/ownership-ends.ts';
import type { Database } from './database/data/database.ts';
import { createKeptKeys, createReencryption } from './database/data/sealed-columns.ts';
import { type KeptPurpose, renewedKeys } from './database/keys.ts';
import { resourceLinks } from './events/data/links.ts';
import { tenantSettings } from './events/data/tenants.ts';
import { eventRoutes } from './events/events.http.ts';
import { graphNodes } from './nodes/nodes.data.ts';
import { nodeRoutes } from './nodes/nodes.http.ts';
import { refuseOtherVersions } from './protocol/http/other-versions.ts';
import { provisioningLog, provisioningLogQueries } from './provisioning-log/log.data.ts';
import { LogWriter } from './provisioning-log/log-writer.jobs.ts';
import type { Administrators } from './resources/domain/administrators.ts';
import type { Credentials } from './resources/domain/credentials.ts';
import type { Directory } from './resources/domain/directory.ts';
import { Resources } from './resources/domain/resources.ts';
import { Cursors } from './search/domain/cursors.ts';

export interface AppOptions {
  kit: ServiceKit;
  database: Database;
  verifier: TokenVerifier;
  revocations: RevocationList;
  directory: Directory & ManagedPrivileges;
  credentials: Credentials;
  administrators: Administrators;
  owners: Owners;
  publicOrigin: string;
  /** TOKEN_KEY, and the second valid key. */
  tokenKeys: KeyRing;
  /** Maximum size of a SCIM body in bytes. */
  bodyLimit: number;
  /** Maximum number of operations in one Bulk. */
  bulkOperations: number;
  /** Requests per minute for callers without a limit of their own. */
  requestsPerMinute: number;
  rates: Rates;
  /** Lifetime of a cursor in seconds. */
  cursorSeconds: number;
  introspection: boolean;
  /** The policy of tenants that have set none. */
  policyDefaults?: TenantPolicySettings;
  trustedProxies?: readonly string[];
  /** Returns the applied events of the directory, and accepts those that are delivered outside of the queue. */
  events: EventConsumer;
  /** Called when the provisioning log has grown. */
  onLogWritten?: () => void;
}

export interface App {
  http: FastifyInstance;
  /** Writes the provisioning log; stop it after HTTP has closed. */
  logWriter: LogWriter;
  connectors: Connectors;
  administration: ConnectorAdministration;
  ownershipEnds: OwnershipEnds;
  ownerSearch: OwnerSearch;
  submissions: Submissions;
  keptKeys: KeptKeys<KeptPurpose>;
  reencryption: Reencryption;
}

/** The shared parts of the surfaces. */
interface Parts extends ReturnType<typeof createConnectors> {
  keptKeys: KeptKeys<KeptPurpose>;
  resources: Resources;
  submissions: Submissions;
  logWriter: LogWriter;
  policyOf: (tenant: string) => Promise<TenantPolicy>;
}

/** Creates the service: its SCIM surface, its subgraph and its internal routes. */
export async function createApp(options: AppOptions): Promise<App> {
  const { kit, database, verifier, publicOrigin } = options;
  const keptKeys = createKeptKeys({ database, masters: options.tokenKeys, kit });
  await keptKeys.start();
  const parts = createParts(options, keptKeys);
  const http = createHttp(kit, {
    publicOrigin,
    malformedUrl: answerMalformedUrl,
    // Typed clients join a base URL with a trailing slash and paths with a leading one.
    lenientSlashes: true,
    perimeter: ownPerimeter({
      service: 'provisioning',
      bodyLimit: options.bodyLimit,
      neighbours: kit.neighbours,
    }),
    ...(options.trustedProxies ? { trustedProxies: options.trustedProxies } : {}),
  });
  requireRouteConferrals(http, routeConferrals, routeChecks(parts.policyOf));
  await http.register(scimSurface, { prefix: '/t/:tenant/scim/v2', ...scimOptions(options, parts) });
  await http.register(provisioningSubgraph(subgraphOptions(options, parts)));
  refuseOtherVersions(http);
  readResourceMetadata(http, publicOrigin);
  eventRoutes(http, verifier, options.events);
  nodeRoutes(http, { verifier, sql: database.sql, nodes: graphNodes });
  parts.logWriter.start();
  const { logWriter, connectors, administration, ownershipEnds, ownerSearch, submissions } = parts;
  return {
    http,
    logWriter,
    connectors,
    administration,
    ownershipEnds,
    ownerSearch,
    submissions,
    keptKeys,
    reencryption: createReencryption({ database, masters: options.tokenKeys, kit }),
  };
}

function createParts(options: AppOptions, keptKeys: KeptKeys<KeptPurpose>): Parts {
  const { kit, database, owners } = options;
  const connecting = createConnectors({
    database,
    owners,
    tokenKey: keptKeys.of('connector-token'),
    log: kit.log,
  });
  const policyOf = async (tenant: string) =>
    tenantPolicyOf(await tenantSettings.policySettings(database.sql, tenant), options.policyDefaults);
  return {
    ...connecting,
    keptKeys,
    policyOf,
    submissions: new Submissions(database.sql),
    logWriter: new LogWriter({
      sql: database.sql,
      provisioningLog,
      tokenUses: connecting.connectors,
      kit,
      ...(options.onLogWritten ? { onWritten: options.onLogWritten } : {}),
    }),
    resources: new Resources({
      directory: options.directory,
      credentials: options.credentials,
      administrators: options.administrators,
      maySetPasswords: maySetPasswords(policyOf),
      onActivationFailure: (error) => {
        kit.log.warn(
          { event: 'password.activation_deferred', err: error },
          'Password could not be activated; the event of the change activates it',
        );
      },
    }),
  };
}

function scimOptions(
  options: AppOptions,
  { connectors, logWriter, resources, policyOf, submissions, keptKeys }: Parts,
): ScimSurfaceOptions {
  const { kit, verifier, publicOrigin } = options;
  return {
    resources,
    authenticator: new Authenticator({
      verifier,
      revocations: options.revocations,
      connectors,
      publicOrigin,
      onTokenUse: (tenant, tokenId) => logWriter.tokenUsed(tenant, tokenId),
    }),
    publicOrigin,
    policyOf,
    signInPolicy: policyOf,
    cursors: new Cursors({
      keys: renewedKeys(options.tokenKeys, 'cursor'),
      lifetimeSeconds: options.cursorSeconds,
      clock: kit.clock,
    }),
    submissions,
    rate: { rates: options.rates, requestsPerMinute: options.requestsPerMinute },
    bulkOperations: options.bulkOperations,
    digestKey: keptKeys.of('bulk-digest'),
    bodyLimit: options.bodyLimit,
    draining: () => kit.health.draining,
    record: (entry) => logWriter.append(entry),
    clock: kit.clock,
  };
}

function subgraphOptions(
  options: AppOptions,
  { connectors, administration, resources, policyOf, keptKeys }: Parts,
): SubgraphDependencies {
  return {
    sql: options.database.sql,
    connectors,
    administration,
    connectorLog: connectorLogQueries(options.database.replica),
    provisioningLog: provisioningLogQueries(options.database.replica),
    links: resourceLinks,
    keys: new PostgresIdempotencyKeys(keptKeys.of('idempotency')),
    schemasOf: (tenant) => resources.schemas(tenant),
    owners: options.owners,
    privileges: options.directory,
    verifier: options.verifier,
    signInPolicy: policyOf,
    publicOrigin: options.publicOrigin,
    kit: options.kit,
    introspection: options.introspection,
    writing: options.database.replica.standby?.writing,
  };
}
