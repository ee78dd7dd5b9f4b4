import type { TokenVerifier } from '@ostiary/access';
import { createHttp, type ServiceKit } from '@ostiary/service';
import type { FastifyInstance } from 'fastify';
import { Connectors } from './data/connectors.ts';
import type { Database } from './data/database.ts';
import type { Credentials, Directory } from './domain/ports.ts';
import { Resources } from './domain/resources.ts';
import { provisioningSubgraph } from './graph/subgraph.ts';
import { Authenticator } from './http/authentication.ts';
import { answerMalformedUrl } from './http/errors.ts';
import { eventsMissing } from './http/events-missing.ts';
import { readResourceMetadata } from './http/resource-metadata.ts';
import { scimSurface } from './http/scim.ts';
import { LogWriter } from './jobs/log-writer.ts';

export interface AppOptions {
  kit: ServiceKit;
  database: Database;
  verifier: TokenVerifier;
  directory: Directory;
  credentials: Credentials;
  publicOrigin: string;
  /** Keys the digests of connector tokens; 32 bytes. */
  tokenKey: Uint8Array;
  /** Largest SCIM body in bytes. */
  bodyLimit: number;
  introspection: boolean;
  trustedProxies?: readonly string[];
  /** Which of these events have had no effect here. */
  missingEvents: (ids: string[]) => Promise<string[]>;
  /** Called when the provisioning log has grown. */
  onLogWritten?: () => void;
}

export interface App {
  http: FastifyInstance;
  /** Writes the provisioning log; stop it after HTTP has closed. */
  logWriter: LogWriter;
  connectors: Connectors;
}

/** Puts the service together: its SCIM surface, its subgraph and its internal routes. */
export async function createApp(options: AppOptions): Promise<App> {
  const { kit, database, verifier, publicOrigin } = options;
  const connectors = new Connectors(database, options.tokenKey);
  const logWriter = new LogWriter({
    sql: database.sql,
    connectors,
    kit,
    ...(options.onLogWritten ? { onWritten: options.onLogWritten } : {}),
  });
  const http = createHttp(kit, {
    malformedUrl: answerMalformedUrl,
    ...(options.trustedProxies ? { trustedProxies: options.trustedProxies } : {}),
  });

  const resources = new Resources({
    directory: options.directory,
    credentials: options.credentials,
    onActivationFailure: (error) => {
      kit.log.warn({ err: error }, 'password not activated at once; the event of the change will do it');
    },
  });
  const authenticator = new Authenticator({
    verifier,
    connectors,
    publicOrigin,
    onTokenUse: (tenant, tokenId) => logWriter.tokenUsed(tenant, tokenId),
  });

  await http.register(scimSurface, {
    prefix: '/t/:tenant/scim/v2',
    resources,
    authenticator,
    publicOrigin,
    bodyLimit: options.bodyLimit,
    record: (entry) => logWriter.append(entry),
    clock: kit.clock,
  });
  await http.register(
    provisioningSubgraph({
      database,
      connectors,
      verifier,
      publicOrigin,
      kit,
      introspection: options.introspection,
    }),
  );
  readResourceMetadata(http, publicOrigin);
  eventsMissing(http, verifier, options.missingEvents);
  logWriter.start();
  return { http, logWriter, connectors };
}
