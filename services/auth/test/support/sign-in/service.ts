import { createHash, randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { ServiceTokens, selfScopes, serviceAudience } from '@ostiary/access';
import { createDatabase } from '@ostiary/database';
import { createTestDatabase } from '@ostiary/database/testing';
import { createKit, createRedis, HttpPeer, parseEnv, redisReady, type ServiceKit } from '@ostiary/service';
import { eventually, testKeys } from '@ostiary/service/testing';
import { type AuthService, createAuthService, type Dependencies } from '../../../src/app.ts';
import type { Client } from '../../../src/clients/domain/client.ts';
import type { ClientMetadata } from '../../../src/clients/domain/client-registry.ts';
import { env as specs } from '../../../src/env.ts';
import { PrismaClient } from '../../../src/platform/database/generated/client.ts';
import { quicker } from '../quicker.ts';
import { type Answer, Browser } from './browser.ts';
import { TestDirectory } from './directory.ts';

/** Scopes with which an app may change the account of its user. */
export const selfService = Object.keys(selfScopes).join(' ');

export const tenant = 'demo';
export const rival = 'rival';
export const password = 'correct horse battery staple';
export const callback = 'https://app.example/callback';

const publicOrigin = 'http://localhost:4000';
const secret = 'a secret that only tests know';

/** Complete service on a real PostgreSQL and Redis, with a free port and a simulated directory. */
export interface TestService {
  origin: string;
  deps: Dependencies;
  kit: ServiceKit;
  directory: TestDirectory;
  logs: string[];
  browser(): Browser;
  /** Calls an internal route as one of the other services. */
  internal(
    method: 'GET' | 'POST',
    path: string,
    body?: unknown,
    as?: 'operator' | 'provisioning' | 'directory' | 'gateway',
  ): Promise<{ status: number; body: Record<string, unknown> }>;
  /** Creates a user who can sign in with `password`. */
  person(userName: string, o?: { tenant?: string }): Promise<{ id: string; userName: string }>;
  client(metadata?: Partial<ClientMetadata>, of?: string): Promise<Client & { secret: string | undefined }>;
  routes(): { url: string; methods: string[] }[];
  stop(): Promise<void>;
}

/** Returns the variables of the process, with the changes of the test. */
const environment = (
  o: { databaseUrl: string; redisUrl: string; prefix: string; directory: string },
  changes: Record<string, string> | undefined,
) =>
  parseEnv(specs, {
    NODE_ENV: 'test',
    PUBLIC_ORIGIN: publicOrigin,
    DATABASE_URL: o.databaseUrl,
    REDIS_URL: o.redisUrl,
    REDIS_PREFIX: o.prefix,
    ENCRYPTION_KEY: randomBytes(32).toString('base64url'),
    ...testKeys,
    DIRECTORY_URL: o.directory,
    SERVICE_CLIENT_SECRET_DIRECTORY: secret,
    SERVICE_CLIENT_SECRET_PROVISIONING: secret,
    SERVICE_CLIENT_SECRET_GATEWAY: secret,
    OPERATOR_CLIENT_SECRET: secret,
    ...changes,
  });

/** Returns a caller of the internal routes, with a separate token for each service. */
function internalCaller(origin: string, peer: HttpPeer): TestService['internal'] {
  const tokens = new Map<string, ServiceTokens>();
  const tokenOf = (clientId: string): Promise<string> => {
    let own = tokens.get(clientId);
    if (!own) {
      own = new ServiceTokens({
        auth: peer,
        clientId,
        clientSecret: secret,
        audience: serviceAudience('auth'),
      });
      tokens.set(clientId, own);
    }
    return own.supply();
  };
  return async (method, path, body, as = 'operator') => {
    const response = await fetch(`${origin}/internal/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${await tokenOf(as)}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return {
      status: response.status,
      body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>),
    };
  };
}

/** Adds users to the directory and sets their password. */
const userMaker =
  (directory: TestDirectory, internal: TestService['internal']): TestService['person'] =>
  async (userName, o = {}) => {
    const of = o.tenant ?? tenant;
    const person = directory.addUser(of, userName);
    const staged = await internal('POST', `/tenants/${of}/credentials`, { subject: person.id, password });
    await internal('POST', `/tenants/${of}/credentials/${staged.body.ticket}/activate`);
    return person;
  };

/** Registers apps with every scope of self-service. */
const clientMaker =
  (deps: Dependencies): TestService['client'] =>
  async (metadata = {}, of = tenant) => {
    const { client, clientSecret } = await deps.clientRegistry.register(of, {
      client_name: 'Notes <App>',
      token_endpoint_auth_method: 'none',
      application_type: 'web',
      redirect_uris: [callback],
      grant_types: ['authorization_code', 'refresh_token'],
      scope: `openid profile email offline_access users:read ${selfService}`,
      ...metadata,
    });
    return { ...client, secret: clientSecret };
  };

/** Starts a directory with two tenants, on an empty database. */
async function startDirectory(databaseUrl: string, redis: { redisUrl: string; prefix: string }) {
  const directory = new TestDirectory(databaseUrl);
  await directory.start(redis);
  directory.addTenant(tenant, 'Demo & Sons');
  directory.addTenant(rival, 'Rival');
  return directory;
}

/** Parses the routes of a printed tree: each line continues the path of the line that it is indented under. */
function routesIn(tree: string): { url: string; methods: string[] }[] {
  const path: string[] = [];
  return tree.split('\n').flatMap((line) => {
    const [, indent = '', part = '', methods] =
      /^((?:[│ ] {3})*)[├└]── (\S*)(?: \(([A-Z, ]+)\))?/.exec(line) ?? [];
    path.splice(indent.length / 4, path.length, part);
    return methods === undefined ? [] : [{ url: path.join(''), methods: methods.split(', ') }];
  });
}

/**
 * @param o `env`: variables that differ from the default; `breakMs`: minimum duration of a break, by default longer
 * than pauses for garbage collection of other tests; `asInProduction`: hashes passwords at the production cost
 */
export async function startTestService(
  o: { env?: Record<string, string>; breakMs?: number; asInProduction?: boolean } = {},
): Promise<TestService> {
  const testDatabase = await createTestDatabase({
    schema: 'auth',
    directory: fileURLToPath(new URL('../../../prisma/migrations', import.meta.url)),
  });
  const redisUrl = process.env.TEST_REDIS_URL ?? '';
  const prefix = `test-${randomBytes(6).toString('hex')}`;
  const directory = await startDirectory(testDatabase.url, { redisUrl, prefix });
  const env = environment(
    { databaseUrl: testDatabase.url, redisUrl, prefix, directory: directory.origin },
    o.env,
  );
  const logs: string[] = [];
  const kit = createKit({
    name: 'auth',
    logLevel: 'info',
    logStream: { write: (line) => void logs.push(line) },
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
  const suited = { breakMs: o.breakMs ?? 60_000, quicker: o.asInProduction ? undefined : quicker };
  const service: AuthService = await createAuthService({ kit, env, database, redis, ...suited });
  const stopService = await service.start();
  const origin = await service.app.listen({ host: '127.0.0.1', port: 0 });
  const { deps } = service;
  await eventually(async () => deps.continuity.sound);
  const peer = new HttpPeer({ name: 'auth', origin });
  const internal = internalCaller(origin, peer);

  return {
    origin,
    deps,
    kit,
    directory,
    logs,
    browser: () => new Browser(origin),
    internal,
    person: userMaker(directory, internal),
    client: clientMaker(deps),
    routes: () => routesIn(service.app.printRoutes({ commonPrefix: false })),
    async stop() {
      await peer.close();
      await service.app.close();
      await stopService();
      redis.disconnect();
      await database.close();
      await directory.stop();
      await testDatabase.drop();
    },
  };
}

export const verifier = randomBytes(32).toString('base64url');

/** Returns the address of an authorization request. Fields replace the defaults; undefined omits one. */
export function authorizeUrl(
  client: { clientId: string; tenant: string; scopes?: readonly string[] },
  fields: Record<string, string | undefined> = {},
): string {
  const query = new URLSearchParams();
  const all: Record<string, string | undefined> = {
    response_type: 'code',
    client_id: client.clientId,
    redirect_uri: callback,
    // Permitted scopes of self-service: a request with scopes outside of the registration is rejected.
    scope: [
      'openid',
      'profile',
      ...selfService.split(' ').filter((name) => client.scopes?.includes(name) ?? true),
    ].join(' '),
    state: 'the state',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...fields,
  };
  for (const [name, value] of Object.entries(all)) if (value !== undefined) query.set(name, value);
  return `/t/${client.tenant}/authorize?${query}`;
}

/** Opens an authorization request and signs in; ends at the consent page or the client's callback. */
export async function signIn(
  browser: Browser,
  client: { clientId: string; tenant: string },
  userName: string,
  o: { fields?: Record<string, string | undefined>; password?: string } = {},
): Promise<Answer> {
  const page = await browser.follow(await browser.get(authorizeUrl(client, o.fields)));
  return browser.follow(
    await browser.submit(page, { username: userName, password: o.password ?? password, action: 'sign-in' }),
  );
}

/** Signs in like `signIn` and consents. Ends at the client's callback. */
export async function signInAndAllow(
  browser: Browser,
  client: { clientId: string; tenant: string },
  userName: string,
  fields: Record<string, string | undefined> = {},
): Promise<URL> {
  const answer = await signIn(browser, client, userName, { fields });
  const end = answer.status === 200 ? await browser.submit(answer, { action: 'allow' }) : answer;
  if (end.location === undefined) throw new Error(`no redirect but ${end.status}: ${end.text}`);
  return new URL(end.location);
}

export interface TokenAnswer {
  status: number;
  body: Record<string, string> & { expires_in?: number };
}

export async function token(
  service: TestService,
  client: { clientId: string; tenant: string },
  form: Record<string, string>,
): Promise<TokenAnswer> {
  const response = await fetch(`${service.origin}/t/${client.tenant}/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ client_id: client.clientId, ...form }),
  });
  return { status: response.status, body: (await response.json()) as TokenAnswer['body'] };
}

export const redeem = (
  service: TestService,
  client: { clientId: string; tenant: string },
  answer: URL,
): Promise<TokenAnswer> =>
  token(service, client, {
    grant_type: 'authorization_code',
    code: answer.searchParams.get('code') ?? '',
    redirect_uri: callback,
    code_verifier: verifier,
  });

export async function userinfoStatus(
  service: TestService,
  accessToken: string,
  of = tenant,
): Promise<number> {
  const response = await fetch(`${service.origin}/t/${of}/userinfo`, {
    headers: { authorization: `Bearer ${accessToken}` },
  });
  await response.text();
  return response.status;
}
