import { createHash, randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { createDatabase, type Database } from '@ostiary/database';
import { createTestDatabase } from '@ostiary/database/testing';
import { freePort } from '@ostiary/embedded';
import { createKit, createRedis, parseEnv, redisReady, uuidv7 } from '@ostiary/service';
import { eventually, testKeys, testNeighbours } from '@ostiary/service/testing';
import type { AuthorizedRequest } from '../../src/access/grants/domain/authorization-code.ts';
import { createAuthService, type Dependencies } from '../../src/app.ts';
import type { ClientMetadata, RegisteredClient } from '../../src/clients/domain/client-registry.ts';
import { env as specification } from '../../src/env.ts';
import { PrismaClient } from '../../src/platform/database/generated/client.ts';
import { quicker } from './quicker.ts';

export const secrets = {
  directory: 'directory-secret-for-tests',
  provisioning: 'provisioning-secret-for-tests',
  gateway: 'gateway-secret-for-tests',
  operator: 'operator-secret-for-tests',
};

export interface Answer {
  status: number;
  headers: Headers;
  body: Record<string, unknown>;
}

export type Fields = Record<string, string | readonly string[] | undefined>;

export interface RunningAuth {
  origin: string;
  deps: Dependencies;
  database: Database<PrismaClient>;
  issuer(tenant: string): string;
  /** Sends a form; `basic` is [client id, secret]. */
  post(
    path: string,
    fields: Fields | string,
    o?: { basic?: readonly [string, string]; headers?: Record<string, string> },
  ): Promise<Answer>;
  get(path: string, headers?: Record<string, string>): Promise<Answer>;
  routes(): { url: string; methods: string[] }[];
  stop(): Promise<void>;
}

export interface Backend {
  databaseUrl: string;
  prefix: string;
  directory: FakeDirectory;
  drop(): Promise<void>;
}

/** Simulated directory with two tenants. */
export class FakeDirectory {
  readonly tenants = new Map<string, { id: string; name: string; status: string }>();
  readonly groups = new Map<string, { value: string; display: string }[]>();
  /** Other attributes of users, by id. */
  readonly users = new Map<string, object>();
  /** Values of `attributes` in the requests, in order. */
  readonly asked: string[] = [];
  available = true;
  /** Delays answers about users. */
  delay: Promise<unknown> = Promise.resolve();
  readonly authorizations: string[] = [];
  #server: Server | undefined;

  async start(): Promise<void> {
    this.#server = createServer((request, response) => {
      this.authorizations.push(request.headers.authorization ?? '');
      const path = (request.url ?? '').split('?')[0] ?? '';
      const tenant = /^\/internal\/v1\/tenants\/([^/]+)$/.exec(path)?.[1];
      const user = /^\/internal\/v1\/tenants\/[^/]+\/Users\/([^/]+)$/.exec(path)?.[1];
      if (user) this.asked.push(new URL(request.url ?? '', 'http://x').searchParams.get('attributes') ?? '');
      if (!this.available) return void response.writeHead(503).end();
      const body = tenant
        ? this.tenants.get(tenant)
        : user && { id: user, groups: this.groups.get(user) ?? [], ...this.users.get(user) };
      const send = () =>
        response
          .writeHead(body ? 200 : 404, { 'content-type': 'application/json' })
          .end(JSON.stringify(body || { error: 'not_found' }));
      if (user) void this.delay.then(send);
      else send();
    });
    await new Promise<void>((resolve) => this.#server?.listen(0, '127.0.0.1', resolve));
  }

  get origin(): string {
    if (!this.#server) throw new Error('the directory has not started');
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server?.closeAllConnections();
    await new Promise((resolve) => this.#server?.close(resolve));
  }
}

export const migrations = fileURLToPath(new URL('../../prisma/migrations', import.meta.url));

/** Creates a database, a Redis prefix and a directory, for one or more processes. */
export async function createBackend(): Promise<Backend> {
  const database = await createTestDatabase({ schema: 'auth', directory: migrations });
  const directory = new FakeDirectory();
  for (const id of ['demo', 'rival']) directory.tenants.set(id, { id, name: id, status: 'active' });
  await directory.start();
  return {
    databaseUrl: database.url,
    prefix: `test-${randomBytes(6).toString('hex')}`,
    directory,
    drop: async () => {
      await directory.stop();
      await database.drop();
    },
  };
}

export const encryptionKey = Buffer.alloc(32, 7).toString('base64url');

/** Returns the variables of a process on the backend. */
export const environment = (backend: Backend, port: number): Record<string, string> => ({
  NODE_ENV: 'test',
  PORT: String(port),
  PUBLIC_ORIGIN: `http://127.0.0.1:${port}`,
  DATABASE_URL: backend.databaseUrl,
  REDIS_URL: process.env.TEST_REDIS_URL ?? 'redis://127.0.0.1:6379',
  REDIS_PREFIX: backend.prefix,
  ENCRYPTION_KEY: encryptionKey,
  ...testKeys,
  DIRECTORY_URL: backend.directory.origin,
  SERVICE_CLIENT_SECRET_DIRECTORY: secrets.directory,
  SERVICE_CLIENT_SECRET_PROVISIONING: secrets.provisioning,
  SERVICE_CLIENT_SECRET_GATEWAY: secrets.gateway,
  OPERATOR_CLIENT_SECRET: secrets.operator,
});

async function answer(response: Response): Promise<Answer> {
  const text = await response.text();
  const isJson = (response.headers.get('content-type') ?? '').includes('json');
  return {
    status: response.status,
    headers: response.headers,
    body: isJson ? (JSON.parse(text) as Record<string, unknown>) : { text },
  };
}

const requester = (origin: string): Pick<RunningAuth, 'post' | 'get'> => ({
  post: async (path, fields, options = {}) => {
    const headers = new Headers(options.headers);
    if (!headers.has('content-type')) headers.set('content-type', 'application/x-www-form-urlencoded');
    if (options.basic) headers.set('authorization', basicHeader(...options.basic));
    const body = typeof fields === 'string' ? fields : formText(fields);
    return answer(await fetch(origin + path, { method: 'POST', headers, body }));
  },
  get: async (path, headers) => answer(await fetch(origin + path, { headers: headers ?? {} })),
});

/** Starts a process of the authorization server on the backend, served over HTTP. */
export async function startAuth(
  backend: Backend,
  o: { env?: Record<string, string>; publicOrigin?: string; clock?: () => number } = {},
): Promise<RunningAuth> {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const env = parseEnv(specification, {
    ...environment(backend, port),
    PUBLIC_ORIGIN: o.publicOrigin ?? origin,
    ...o.env,
  });
  const kit = createKit({
    name: 'auth',
    logLevel: process.env.TEST_LOG ?? 'silent',
    neighbours: testNeighbours,
    ...(o.clock ? { clock: o.clock } : {}),
  });
  const database = createDatabase({
    url: env.DATABASE_URL,
    schema: 'auth',
    poolSize: 5,
    log: kit.log,
    prisma: (adapter) => new PrismaClient({ adapter }),
  });
  const redis = createRedis(env.REDIS_URL, { name: 'auth-test', log: kit.log });
  await redisReady(redis);
  // A pause for garbage collection of other tests is no break.
  const service = await createAuthService({ kit, env, database, redis, breakMs: 60_000, quicker }).catch(
    async (error: unknown) => {
      redis.disconnect();
      await database.close();
      throw error;
    },
  );
  const stopWork = await service.start();
  await eventually(async () => service.deps.continuity.sound);
  await service.app.listen({ host: '127.0.0.1', port });

  return {
    origin,
    deps: service.deps,
    database,
    issuer: (tenant) => `${o.publicOrigin ?? origin}/t/${tenant}`,
    ...requester(origin),
    routes: () =>
      [...service.app.printRoutes({ commonPrefix: false }).matchAll(/ (\/\S*) \(([A-Z, ]+)\)/g)].map(
        ([, url = '', methods = '']) => ({ url, methods: methods.split(', ') }),
      ),
    stop: async () => {
      await service.app.close();
      // Stops everything even if a test has removed the database.
      const stopped = await Promise.allSettled([stopWork()]);
      redis.disconnect();
      await Promise.allSettled([database.close()]);
      for (const step of stopped) if (step.status === 'rejected') throw step.reason;
    },
  };
}

export const basicHeader = (id: string, secret: string): string =>
  `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString('base64')}`;

function formText(fields: Fields): string {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) {
    for (const one of [value].flat()) if (one !== undefined) form.append(name, one as string);
  }
  return form.toString();
}

export const verifier = (): string => randomBytes(32).toString('base64url');

export const challenge = (codeVerifier: string): string =>
  createHash('sha256').update(codeVerifier).digest('base64url');

export const register = (
  auth: RunningAuth,
  metadata: Partial<ClientMetadata> = {},
  tenant = 'demo',
): Promise<RegisteredClient> =>
  auth.deps.clientRegistry.register(tenant, {
    client_name: 'Test',
    redirect_uris: ['https://app.example/cb'],
    ...metadata,
  });

export const publicClient: Partial<ClientMetadata> = {
  token_endpoint_auth_method: 'none',
  grant_types: ['authorization_code', 'refresh_token'],
  redirect_uris: ['http://127.0.0.1/callback'],
  scope: 'openid profile email groups offline_access users:read',
};

/** Creates a user with a live session. */
export async function signedIn(
  auth: RunningAuth,
  o: { tenant?: string; roles?: readonly string[] } = {},
): Promise<{ tenant: string; subjectId: string; sessionId: string }> {
  const tenant = o.tenant ?? 'demo';
  const subjectId = uuidv7();
  const sessionId = uuidv7();
  const profile = {
    userName: 'alice',
    displayName: 'Alice Adams',
    name: { givenName: 'Alice', familyName: 'Adams' },
    emails: [{ value: 'a@example.com' }, { value: 'alice@example.com', primary: true }],
    locale: 'en_GB',
    changedAt: '2026-01-02T03:04:05Z',
  };
  await auth.database.sql.query(
    `INSERT INTO auth.subjects (tenant, id, user_name, user_name_key, active, version, profile)
     VALUES ($1, $2, 'alice', 'alice', true, 1, $3)`,
    [tenant, subjectId, JSON.stringify(profile)],
  );
  await auth.database.sql.query(
    `INSERT INTO auth.sessions (tenant, id, subject_id, digest, amr, auth_time, expires_at)
     VALUES ($1, $2, $3, $4, '{pwd}', now(), now() + interval '1 day')`,
    [tenant, sessionId, subjectId, randomBytes(32)],
  );
  for (const role of o.roles ?? []) {
    await auth.database.sql.query(
      'INSERT INTO auth.role_assignments (tenant, subject_id, role) VALUES ($1, $2, $3)',
      [tenant, subjectId, role],
    );
  }
  return { tenant, subjectId, sessionId };
}

export interface IssuedCode {
  code: string;
  codeVerifier: string;
  person: { tenant: string; subjectId: string; sessionId: string };
  clientId: string;
  /** Token request that redeems the code. */
  form: Fields;
}

/** Issues a code like the authorization endpoint. */
export async function issueCode(
  auth: RunningAuth,
  clientId: string,
  o: Partial<AuthorizedRequest> & { roles?: readonly string[] } = {},
): Promise<IssuedCode> {
  const { roles, ...changes } = o;
  const tenant = o.tenant ?? 'demo';
  const person = o.subjectId
    ? { tenant, subjectId: o.subjectId, sessionId: o.sessionId ?? '' }
    : await signedIn(auth, { tenant, ...(roles ? { roles } : {}) });
  const codeVerifier = verifier();
  const redirectUri = o.redirectUri ?? 'http://127.0.0.1:8123/callback';
  const code = await auth.deps.authorizationCodes.issue({
    ...person,
    clientId,
    redirectUri,
    redirectUriSent: true,
    codeChallenge: challenge(codeVerifier),
    clientEpoch: (await auth.deps.clients.find(tenant, clientId))?.epoch ?? 0,
    subjectEpoch: 0,
    withdrawals: 0,
    scopes: ['openid', 'profile', 'email', 'offline_access'],
    resources: [],
    nonce: 'n-1',
    authTime: Math.floor(Date.now() / 1000),
    amr: ['pwd'],
    ...changes,
  });
  const form = {
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri,
    code_verifier: codeVerifier,
    client_id: clientId,
  };
  return { code, codeVerifier, person, clientId, form };
}

/** Returns the claims of a JWT, unverified. */
export const claimsOf = (token: unknown): Record<string, unknown> =>
  JSON.parse(Buffer.from(String(token).split('.')[1] ?? '', 'base64url').toString('utf8')) as Record<
    string,
    unknown
  >;
