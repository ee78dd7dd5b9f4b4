import { randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { RemoteAccess } from '@ostiary/access';
import { createDatabase, type Database } from '@ostiary/database';
import { createTestDatabase } from '@ostiary/database/testing';
import { createOutbox } from '@ostiary/events';
import { createKit, type ServiceKit } from '@ostiary/service';
import { testStreamKeys } from '@ostiary/service/testing';
import { type AppParts, createApp } from '../../src/app.ts';
import { Directory } from '../../src/composition/directory.ts';
import { PrismaClient } from '../../src/database/generated/client.ts';
import { eventConsumers } from '../../src/events/domain/deliveries.ts';
import type { OwningService } from '../../src/nodes/graph/owning-services.ts';
import { FakeIssuer } from './issuer.ts';

export const migrations = fileURLToPath(new URL('../../prisma/migrations', import.meta.url));
export const schemaFile = fileURLToPath(new URL('../../prisma/schema.prisma', import.meta.url));

// biome-ignore lint/suspicious/noExplicitAny: tests read responses of any shape
export type Json = any;

export interface Answer {
  status: number;
  body: Json;
  headers: Headers;
}

export interface Harness {
  url: string;
  prefix: string;
  redisUrl: string;
  kit: ServiceKit;
  issuer: FakeIssuer;
  database: Database<PrismaClient>;
  /** For another process on the same data. */
  databaseUrl: string;
  tokenFor: RemoteAccess['tokenFor'];
  /** Other services with nodes of the graph, by default none. */
  owningServices: OwningService[];
  /** Returns the texts of the statements run outside of transactions since the last call. */
  statements(): string[];
  /** Sends a request to the internal surface, by default as the provisioning service. */
  call(method: string, path: string, body?: unknown, token?: string): Promise<Answer>;
  /** Sends a GraphQL request. */
  graph(query: string, variables?: object, token?: string): Promise<Answer>;
  /** Creates a tenant with a unique name. */
  tenant(): Promise<string>;
  /** Runs the periodic tasks once. */
  tidy(): Promise<void>;
  sql<R extends object = Json>(text: string, values?: readonly unknown[]): Promise<R[]>;
  stop(): Promise<void>;
}

export const actor = { kind: 'connector', id: 'scim' } as const;

const redisUrlOfTests = (): string => {
  const redisUrl = process.env.TEST_REDIS_URL;
  if (redisUrl) return redisUrl;
  throw new Error('TEST_REDIS_URL is not set: `npm test` at the root starts a server and sets it.');
};

/** Access with tokens of the issuer in place of the authorization server. */
const accessFrom = (issuer: FakeIssuer, kit: ServiceKit, redis: { redisUrl: string; prefix: string }) =>
  new RemoteAccess({
    kit,
    serviceName: 'directory',
    env: {
      AUTH_URL: issuer.url,
      PUBLIC_ORIGIN: issuer.publicOrigin,
      REDIS_URL: redis.redisUrl,
      REDIS_PREFIX: redis.prefix,
      SERVICE_CLIENT_SECRET: 'a-secret-only-for-tests',
      REVOCATION_MAX_STALENESS_SECONDS: 10,
      DPOP_PROOFS_PER_MINUTE: 600,
      ...testStreamKeys,
    },
  });

/** A client that records its operations, such as `Group.findMany`: one statement each. */
const noting = (prisma: PrismaClient, note: (operation: string) => void): PrismaClient =>
  prisma.$extends({
    query: {
      $allOperations({ model, operation, args, query }) {
        note(`${model}.${operation}`);
        return query(args);
      },
    },
  }) as unknown as PrismaClient;

/** A database that records the texts of the statements run outside of transactions. */
function counting(database: Database<PrismaClient>) {
  let statements: string[] = [];
  const counted: Database<PrismaClient> = {
    ...database,
    sql: {
      prisma: () => Promise.resolve(noting(database.prisma, (operation) => statements.push(operation))),
      query: (text, values) => {
        statements.push(text);
        return database.sql.query(text, values);
      },
    },
  };
  const since = (): string[] => {
    const seen = statements;
    statements = [];
    return seen;
  };
  return { counted, since };
}

/** Returns a function that sends requests to the process at an address. */
const sender =
  (url: string) =>
  async (method: string, path: string, token: string | undefined, body?: unknown): Promise<Answer> => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return {
      status: response.status,
      body: text === '' ? undefined : JSON.parse(text),
      headers: response.headers,
    };
  };

function requestsOf(send: ReturnType<typeof sender>, issuer: FakeIssuer) {
  const serviceToken = issuer.serviceToken('provisioning');
  return {
    call: (method: string, path: string, body?: unknown, token = serviceToken) =>
      send(method, path, token, body),
    graph: (query: string, variables = {}, token?: string) =>
      send('POST', '/graphql', token, { query, variables }),
    async tenant() {
      const id = `t-${randomBytes(5).toString('hex')}`;
      const operator = issuer.serviceToken('operator');
      const made = await send('POST', '/internal/v1/tenants', operator, { id, name: `Tenant ${id}`, actor });
      if (made.status !== 201) throw new Error(JSON.stringify(made.body));
      return id;
    },
  };
}

/** Starts the directory on a database and a Redis prefix of its own, on a free port. */
export async function startDirectory(
  options: {
    databaseUrl?: string;
    wrap?: (database: Database<PrismaClient>) => Database<PrismaClient>;
    closing?: AppParts['closing'];
  } = {},
): Promise<Harness> {
  const redisUrl = redisUrlOfTests();
  const scratch = await createTestDatabase({ schema: 'directory', directory: migrations });
  const issuer = new FakeIssuer();
  await issuer.start();
  const kit = createKit({ name: 'directory', logLevel: process.env.TEST_LOG_LEVEL ?? 'silent' });
  const databaseUrl = options.databaseUrl ?? scratch.url;
  const database = createDatabase({
    url: databaseUrl,
    schema: 'directory',
    poolSize: 10,
    log: kit.log,
    prisma: (adapter) => new PrismaClient({ adapter }),
  });
  const prefix = `test-${randomBytes(6).toString('hex')}`;
  const access = accessFrom(issuer, kit, { redisUrl, prefix });
  access.start();
  const { counted, since } = counting(database);
  const outbox = createOutbox('directory', eventConsumers);
  const directory = new Directory({ database, outbox, clock: Date.now, searchLimit: 10_000 });
  const owningServices: OwningService[] = [];
  const app = await createApp({
    kit,
    owningServices,
    database: options.wrap?.(counted) ?? counted,
    verifier: access.verifier,
    publicOrigin: issuer.publicOrigin,
    introspection: true,
    ...(options.closing && { closing: options.closing }),
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  const own = { url, prefix, redisUrl, kit, issuer, database, databaseUrl, owningServices };
  return {
    ...own,
    ...requestsOf(sender(url), issuer),
    tokenFor: (service) => access.tokenFor(service),
    statements: since,
    tidy: async () => void (await directory.maintain()),
    sql: async <R extends object>(text: string, values: readonly unknown[] = []) =>
      (await database.sql.query<R>(text, values)).rows,
    async stop() {
      await app.close();
      await access.stop();
      await database.close();
      await issuer.stop();
      await scratch.drop();
    },
  };
}

/** Returns the requests of a service about one tenant. */
export function tenantClient(harness: Harness, tenant: string) {
  const base = `/internal/v1/tenants/${tenant}`;
  const { call } = harness;
  return {
    tenant,
    create: (type: string, resource: object, extra: object = {}) =>
      call('POST', `${base}/${type}`, { resource: withSchema(type, resource), actor, ...extra }),
    read: (type: string, id: string, query = '') => call('GET', `${base}/${type}/${id}${query}`),
    search: (type: string, query: object = {}) => call('POST', `${base}/${type}/search`, query),
    replace: (type: string, id: string, resource: object, extra: object = {}) =>
      call('PUT', `${base}/${type}/${id}`, { resource: withSchema(type, resource), actor, ...extra }),
    patch: (type: string, id: string, operations: unknown, extra: object = {}) =>
      call('PATCH', `${base}/${type}/${id}`, { operations, actor, ...extra }),
    remove: (type: string, id: string, extra: object = {}) =>
      call('DELETE', `${base}/${type}/${id}`, { actor, ...extra }),
  };
}

export type TenantClient = ReturnType<typeof tenantClient>;

const withSchema = (type: string, resource: object): object => ({
  schemas: [`urn:ietf:params:scim:schemas:core:2.0:${type.slice(0, -1)}`],
  ...resource,
});
