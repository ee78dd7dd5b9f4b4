import { type RevocationList, requireRouteConferrals, type TokenVerifier } from '@ostiary/access';
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
import { Submissions } from './bulk/data/submissions.ts';
import { scimSurface } from './composition/scim.ts';
import { provisioningSubgraph } from './composition/subgraph.ts';
import { ConnectorAdministration } from './connectors/data/connector-administration.ts';
import { Connectors } from './connectors/data/connectors.ts';
import type { Owners } from './connectors/domain/ownership.ts';
import type { Database } from './database/data/database.ts';
import { createKeptKeys, createReencryption } from './database/data/sealed-columns.ts';
import { type KeptPurpose, renewedKeys } from './database/domain/keys.ts';
import { policySettings } from './events/data/tenants.ts';
import { eventRoutes } from './events/http/events.ts';
import { nodeRoutes } from './nodes/http/nodes.ts';
import { refuseOtherVersions } from './protocol/http/other-versions.ts';
import { LogWriter } from './provisioning-log/jobs/log-writer.ts';
import type { Administrators, Credentials, Directory } from './resources/domain/ports.ts';
import { Resources } from './resources/domain/resources.ts';
import { Cursors } from './search/domain/cursors.ts';

export interface AppOptions {
  kit: ServiceKit;
  database: Database;
  verifier: TokenVerifier;
  revocations: Pick<RevocationList, 'revoked'>;
  directory: Directory;
  credentials: Credentials;
  administrators: Administrators;
  owners: Owners;
  publicOrigin: string;
  /** TOKEN_KEY, and the second one that is valid. */
  tokenKeys: KeyRing;
  /** Largest SCIM body in bytes. */
  bodyLimit: number;
  /** Most operations in one Bulk. */
  bulkOperations: number;
  /** Requests in a minute for callers without a limit of their own. */
  requestsPerMinute: number;
  rates: Rates;
  /** How long a cursor is good for. */
  cursorSeconds: number;
  introspection: boolean;
  /** What holds in tenants that didn't say otherwise. */
  policyDefaults?: TenantPolicySettings;
  trustedProxies?: readonly string[];
  /** What the directory's events have come to here, and the way for those that come past the queue. */
  events: Pick<EventConsumer, 'missing' | 'accept'>;
  /** Called when the provisioning log has grown. */
  onLogWritten?: () => void;
}

export interface App {
  http: FastifyInstance;
  /** Writes the provisioning log; stop it after HTTP has closed. */
  logWriter: LogWriter;
  connectors: Connectors;
  administration: ConnectorAdministration;
  submissions: Submissions;
  keptKeys: Pick<KeptKeys<KeptPurpose>, 'stop'>;
  reencryption: Reencryption;
}

/** Puts the service together: its SCIM surface, its subgraph and its internal routes. */
export async function createApp(options: AppOptions): Promise<App> {
  const { kit, database, verifier, publicOrigin } = options;
  const keptKeys = createKeptKeys({ database, masters: options.tokenKeys, kit });
  await keptKeys.start();
  const connectors = new Connectors(database, keptKeys.of('connector-token'));
  const administration = new ConnectorAdministration(database, keptKeys.of('connector-token'));
  const submissions = new Submissions(database.sql);
  const logWriter = new LogWriter({
    sql: database.sql,
    connectors,
    kit,
    ...(options.onLogWritten ? { onWritten: options.onLogWritten } : {}),
  });
  const http = createHttp(kit, {
    publicOrigin,
    malformedUrl: answerMalformedUrl,
    // Typed clients join a base URL that ends in a slash with paths that begin with one.
    lenientSlashes: true,
    ...(options.trustedProxies ? { trustedProxies: options.trustedProxies } : {}),
  });

  const policyOf = async (tenant: string) =>
    tenantPolicyOf(await policySettings(database.sql, tenant), options.policyDefaults);
  requireRouteConferrals(http, routeConferrals, routeChecks(policyOf));

  const resources = new Resources({
    directory: options.directory,
    credentials: options.credentials,
    administrators: options.administrators,
    maySetPasswords: maySetPasswords(policyOf),
    onActivationFailure: (error) => {
      kit.log.warn({ err: error }, 'password not activated at once; the event of the change will do it');
    },
  });
  const authenticator = new Authenticator({
    verifier,
    revocations: options.revocations,
    connectors,
    publicOrigin,
    onTokenUse: (tenant, tokenId) => logWriter.tokenUsed(tenant, tokenId),
  });

  await http.register(scimSurface, {
    prefix: '/t/:tenant/scim/v2',
    resources,
    authenticator,
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
  });
  await http.register(
    provisioningSubgraph({
      database,
      connectors,
      administration,
      key: keptKeys.of('idempotency'),
      schemasOf: (tenant) => resources.schemas(tenant),
      owners: options.owners,
      givenBySources: (tenant) => options.directory.givenBySources(tenant),
      verifier,
      signInPolicy: policyOf,
      publicOrigin,
      kit,
      introspection: options.introspection,
    }),
  );
  refuseOtherVersions(http);
  readResourceMetadata(http, publicOrigin);
  eventRoutes(http, verifier, options.events);
  nodeRoutes(http, verifier, database.sql);
  logWriter.start();
  return {
    http,
    logWriter,
    connectors,
    administration,
    submissions,
    keptKeys,
    reencryption: createReencryption({ database, masters: options.tokenKeys, kit }),
  };
}
