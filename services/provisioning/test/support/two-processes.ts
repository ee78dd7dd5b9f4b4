import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '@ostiary/database/testing';
import { freePort } from '@ostiary/embedded';
import { uuidv7 } from '@ostiary/service';
import { recordSkip } from '@ostiary/service/testing';
import { type AuthorizationServer, publicOrigin, startAuthorizationServer } from './authorization-server.ts';
import { createTenants, startWithDirectory, type WithDirectory } from './real-directory.ts';
import { buildOf, type RunningProcess, runScript, startProcess } from './running-process.ts';
import { managingConnectors, redisUrl } from './service.ts';

export const userSchema = 'urn:ietf:params:scim:schemas:core:2.0:User';
export const groupSchema = 'urn:ietf:params:scim:schemas:core:2.0:Group';
export const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
export const patchOp = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';

const built = ['directory', 'provisioning'].every((service) => existsSync(buildOf(service, 'main.js')));

if (!built) recordSkip('directory or provisioning is not built (npm run build)');
/** Groups tests that need both services as processes; without their builds they are skipped. */
export const describeProcesses: typeof describe.skip = built ? describe : describe.skip;

export let authorization: AuthorizationServer;
export let directory: RunningProcess;
export let provisioning: Pick<RunningProcess, 'url'>;
let directoryEnv: Record<string, string>;
let admin: string;

/** Starts the two processes as in a deployment; only the authorization server is a stand-in. */
export function setUpTwoProcesses(): void {
  let scratch: TestDatabase;
  let process: RunningProcess;

  beforeAll(async () => {
    authorization = await startAuthorizationServer();
    scratch = await createTestDatabase();
    const provisioningPort = await freePort();
    const common = {
      DATABASE_URL: scratch.url,
      REDIS_URL: redisUrl,
      REDIS_PREFIX: `test-${uuidv7()}`,
      AUTH_URL: authorization.url,
      PUBLIC_ORIGIN: publicOrigin,
      SERVICE_CLIENT_SECRET: 'a secret for the tests',
      HOST: '127.0.0.1',
    };
    await runScript(buildOf('directory', 'migrate.js'), common);
    await runScript(buildOf('provisioning', 'migrate.js'), common);
    directoryEnv = { ...common, PROVISIONING_URL: `http://127.0.0.1:${provisioningPort}` };
    directory = await startProcess(buildOf('directory', 'main.js'), directoryEnv);
    process = await startProcess(
      buildOf('provisioning', 'main.js'),
      {
        ...common,
        DIRECTORY_URL: directory.url,
        TOKEN_KEY: randomBytes(32).toString('base64url'),
      },
      provisioningPort,
    );
    provisioning = process;
    await createTenants(authorization, directory.url);
    admin = adminToken();
  });
  afterAll(async () => {
    const codes = [await process?.stop(), await directory?.stop()];
    await authorization?.close();
    await scratch?.drop();
    expect(codes).toEqual([0, 0]);
  });
}

const adminToken = (): string =>
  authorization.token({ subject: 'admin', scopes: [...managingConnectors, 'provisioning:read'] });

/** Starts the two services in the process of the tests, where separate processes are not required. */
export function setUpTwoServices(): void {
  let running: WithDirectory;

  beforeAll(async () => {
    running = await startWithDirectory();
    authorization = running.authorization;
    provisioning = running.service;
    admin = adminToken();
  });
  afterAll(() => running?.close());
}

/** Starts the directory again at its former address. */
export async function restartDirectory(): Promise<void> {
  directory = await startProcess(buildOf('directory', 'main.js'), directoryEnv, directory.port);
}

export const graph = async (query: string, variables: object, token = admin) => {
  const response = await fetch(`${provisioning.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ query, variables }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses of any shape
  return (await response.json()) as any;
};

export async function source(profile: string) {
  const answer = await graph(
    `mutation ($input: CreateConnectorInput!) { createConnector(input: $input) { token connector { id } } }`,
    { input: { name: profile, profile } },
  );
  const { token, connector } = answer.data.createConnector;
  const call = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const response = await fetch(`${provisioning.url}/t/demo/scim/v2${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/scim+json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      // biome-ignore lint/suspicious/noExplicitAny: tests read responses of any shape
      body: (text === '' ? undefined : JSON.parse(text)) as any,
    };
  };
  return {
    id: connector.id as string,
    token: token as string,
    call,
    patch: (path: string, ...Operations: unknown[]) =>
      call('PATCH', path, { schemas: [patchOp], Operations }),
    create: async (resource: object) => {
      const userName = `user-${uuidv7()}`;
      const answer = await call('POST', '/Users', { schemas: [userSchema], userName, ...resource });
      expect(answer.status).toBe(201);
      return answer.body;
    },
  };
}
