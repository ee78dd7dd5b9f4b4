import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { RemoteAccess } from '@ostiary/access';
import { createTestDatabase } from '@ostiary/database/testing';
import { EventConsumer } from '@ostiary/events';
import {
  createKit,
  createRedis,
  HttpPeer,
  type KeyRing,
  keyRing,
  type ServiceKit,
  uuidv7,
} from '@ostiary/service';
import { testEventSignatures, testStreamKeys } from '@ostiary/service/testing';
import { scimRates } from '../../src/access/http/rate-limit.ts';
import { type AppOptions, createApp } from '../../src/app.ts';
import { RemoteOwners } from '../../src/connectors/data/owners.ts';
import type { ChangeRequest, NewConnector } from '../../src/connectors/domain/connector-changes.ts';
import { openDatabase, schemaName } from '../../src/database/data/database.ts';
import { resourceLinks } from '../../src/events/data/links.ts';
import { tenantSettings } from '../../src/events/data/tenants.ts';
import { consumerName, projectEvents } from '../../src/events/domain/directory-events.ts';
import { RemoteAdministrators } from '../../src/resources/data/administrators.ts';
import { RemoteCredentials } from '../../src/resources/data/credentials.ts';
import { RemoteDirectory } from '../../src/resources/data/directory.ts';
import { type AuthorizationServer, publicOrigin, startAuthorizationServer } from './authorization-server.ts';

export const migrations = fileURLToPath(new URL('../../prisma/migrations', import.meta.url));
export const redisUrl = process.env.TEST_REDIS_URL ?? 'redis://127.0.0.1:6379';

/** Scopes with which a connector of any kind can be created. */
export const managingConnectors = [
  'connectors:read',
  'connectors:write',
  ...['users', 'groups', 'scim'].flatMap((kind) => [`${kind}:read`, `${kind}:write`]),
];

/** Permits all rights of the connector. */
export const anybodyMay = async (): Promise<void> => undefined;

/** Returns the context of a change that the test itself makes. */
export const byTheTest = (tenant = 'demo'): ChangeRequest => ({
  tenant,
  actor: { kind: 'system', id: 'test' },
  clientId: null,
});

export interface ScimResponse {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses of any shape
  body: any;
}

export interface ScimRequest {
  token?: string | undefined;
  tenant?: string;
  headers?: Record<string, string>;
  /** Sent as JSON; a string is sent unchanged. */
  body?: unknown;
}

export interface ServiceOptions {
  directoryUrl: string;
  authorization?: AuthorizationServer;
  prefix?: string;
  tokenKey?: Uint8Array;
  /** For a service whose key is being replaced. */
  tokenKeys?: KeyRing;
  database?: string;
  redisUrl?: string;
  /** Timeout of Redis in milliseconds, after which this process counts requests alone. */
  countingMs?: number;
  limits?: {
    bulkOperations?: number;
    requestsPerMinute?: number;
    cursorSeconds?: number;
    bodyLimit?: number;
  };
  clock?: () => number;
}

/** Starts the whole service on a free port, with a database of its own and the given directory. */
export async function startService(o: ServiceOptions) {
  const authorization = o.authorization ?? (await startAuthorizationServer());
  const scratch = o.database
    ? undefined
    : await createTestDatabase({ schema: schemaName, directory: migrations });
  const databaseUrl = o.database ?? String(scratch?.url);
  const prefix = o.prefix ?? `test-${uuidv7()}`;
  const kit = createKit({ name: 'test', logLevel: process.env.TEST_LOG_LEVEL ?? 'silent' });
  const around = createSurroundings(o, { kit, authorization, databaseUrl, prefix });
  const { database, access, consumer, redis, peers } = around;
  const app = await createApp(appOptions(o, kit, prefix, around));
  access.start();
  consumer.start();
  await access.follower.refresh();
  const url = await app.http.listen({ host: '127.0.0.1', port: 0 });
  return {
    url,
    prefix,
    databaseUrl,
    kit,
    database,
    authorization,
    /** Applies ends of ownership once, as a process does each second. */
    carryOutEnds: () => app.ownershipEnds.carryOutAll(),
    /** Runs the search for owners once. */
    findOwners: () => app.ownerSearch.round(),
    /** Revocations received by this process. */
    revocations: access.revocations,
    app,
    ...clientOf(url),
    /** Creates a connector and returns its token. */
    async connector(input: Partial<NewConnector> & { tenant?: string } = {}) {
      const { tenant = 'demo', name = 'Source', profile = 'auto', clientId = null, ...rest } = input;
      return app.administration.create(byTheTest(tenant), { name, profile, clientId, ...rest });
    },
    async close() {
      await app.http.close();
      await app.logWriter.stop();
      await consumer.stop();
      await access.stop();
      await Promise.all(Object.values(peers).map((peer) => peer.close()));
      await database.close();
      await scratch?.drop();
      redis.disconnect();
      if (!o.authorization) await authorization.close();
    },
  };
}

export type RunningService = Awaited<ReturnType<typeof startService>>;

/** Creates the parts that the service depends on. */
function createSurroundings(
  o: ServiceOptions,
  given: { kit: ServiceKit; authorization: AuthorizationServer; databaseUrl: string; prefix: string },
) {
  const { kit, authorization, databaseUrl, prefix } = given;
  const database = openDatabase({ url: databaseUrl, log: kit.log });
  const access = new RemoteAccess({
    kit,
    serviceName: 'provisioning',
    env: {
      AUTH_URL: authorization.url,
      PUBLIC_ORIGIN: publicOrigin,
      REDIS_URL: redisUrl,
      REDIS_PREFIX: prefix,
      SERVICE_CLIENT_SECRET: 'a secret for the tests',
      REVOCATION_MAX_STALENESS_SECONDS: 10,
      DPOP_PROOFS_PER_MINUTE: 600,
      ...testStreamKeys,
    },
  });
  const peerOf = (name: 'auth' | 'directory', origin: string): HttpPeer =>
    new HttpPeer({ name, origin, token: access.tokenFor(name) });
  const consumer = new EventConsumer({
    database,
    schema: schemaName,
    consumer: consumerName,
    redisUrl,
    prefix,
    signatures: testEventSignatures,
    log: kit.log,
    metrics: kit.metrics,
    handle: projectEvents({ links: resourceLinks, tenants: tenantSettings }),
  });
  const redis = createRedis(o.redisUrl ?? redisUrl, { name: 'test-rates', log: kit.log });
  const peers = { directory: peerOf('directory', o.directoryUrl), auth: peerOf('auth', authorization.url) };
  return { database, access, consumer, redis, peers };
}

function appOptions(
  o: ServiceOptions,
  kit: ServiceKit,
  prefix: string,
  { database, access, consumer, redis, peers }: ReturnType<typeof createSurroundings>,
): AppOptions {
  return {
    kit: o.clock ? { ...kit, clock: o.clock } : kit,
    database,
    verifier: access.verifier,
    revocations: access.revocations,
    directory: new RemoteDirectory(peers.directory),
    credentials: new RemoteCredentials(peers.auth),
    administrators: new RemoteAdministrators(peers.auth, database.sql),
    owners: new RemoteOwners(peers.auth),
    publicOrigin,
    tokenKeys: o.tokenKeys ?? keyRing(Buffer.from(o.tokenKey ?? randomBytes(32))),
    bodyLimit: o.limits?.bodyLimit ?? 100_000,
    bulkOperations: o.limits?.bulkOperations ?? 1000,
    requestsPerMinute: o.limits?.requestsPerMinute ?? 1_000_000,
    rates: scimRates({ redis, prefix, log: kit.log, timeoutMs: o.countingMs ?? 15_000 }),
    cursorSeconds: o.limits?.cursorSeconds ?? 3600,
    introspection: true,
    events: consumer,
  };
}

/** Returns requests to a running service. */
function clientOf(url: string) {
  const scim = async (method: string, path: string, request: ScimRequest = {}): Promise<ScimResponse> => {
    const { token, tenant = 'demo', headers, body } = request;
    const response = await fetch(`${url}/t/${tenant}/scim/v2${path}`, {
      method,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/scim+json' }),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: text === '' ? undefined : JSON.parse(text),
    };
  };
  const graph = async (
    query: string,
    o: { token?: string; variables?: object } = {},
  ): Promise<ScimResponse> => {
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(o.token === undefined ? {} : { authorization: `Bearer ${o.token}` }),
      },
      body: JSON.stringify({ query, variables: o.variables }),
    });
    return { status: response.status, headers: response.headers, body: await response.json() };
  };
  return { scim, graph };
}
