import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@ostiary/service/testing';
import { unique } from '../support/demo.ts';
import { graph, meQuery, usersQuery } from '../support/graph.ts';
import { briefStaleness, type OwnSystem, ownSystem } from '../support/own-system.ts';
import { ScimClient, userSchema } from '../support/scim.ts';
import { adminToken, type SignedIn, signIn } from '../support/sign-in.ts';

let own: OwnSystem;
let admin: string;
let alice: SignedIn;
let scim: ScimClient;

beforeAll(async () => {
  own = await ownSystem({ env: briefStaleness });
  const tenant = own.demo.tenants.demo;
  admin = await adminToken(tenant);
  // Without groups, which only the directory stores.
  alice = await signIn(own.demo, tenant, tenant.users.alice, { scope: 'openid profile offline_access' });
  scim = new ScimClient(tenant, tenant.clients.scim.token);
});

/** The last test checks the invariants and leaves the system stopped. */
afterAll(() => own?.stop({ unsound: true }));

const statusOf = (path: string, token?: string) =>
  fetch(`${own.demo.origin}${path}`, token ? { headers: { authorization: `Bearer ${token}` } } : {}).then(
    (response) => response.status,
  );
const people = () => graph(own.demo, admin, usersQuery, { first: 10 });
interface Readiness {
  status: string;
  dependencies: Record<string, { status: string }>;
}

const readinessOf = async (origin: string) => (await (await fetch(`${origin}/readyz`)).json()) as Readiness;
/** Waits until a process reports that a dependency is down, because earlier results are reused for a short time. */
const seenDown = (origin: string, dependency: string) =>
  eventually(
    () => readinessOf(origin),
    ({ dependencies }) => dependencies[dependency]?.status === 'down',
  );
const allWell = () => eventually(people, (answer) => answer.status === 200 && answer.errors.length === 0);

const services = ['auth', 'directory', 'provisioning', 'gateway'] as const;
const pidsNow = () => Promise.all(services.map((name) => own.system.pid(name)));

/** A SCIM request whose server confirms its arrival before the body is sent (RFC 9110 §10.1.1). */
class ArrivingRequest {
  readonly arrived: Promise<unknown>;
  readonly answered: Promise<{ status: number; body: { id?: string } }>;
  readonly #request: ClientRequest;

  constructor(method: string, url: string) {
    const authorization = `Bearer ${own.demo.tenants.demo.clients.scim.token}`;
    const headers = { authorization, expect: '100-continue', 'content-type': 'application/scim+json' };
    this.#request = request(url, { method, headers, agent: false });
    this.arrived = once(this.#request, 'continue');
    this.answered = once(this.#request, 'response').then(async ([response]: IncomingMessage[]) => ({
      status: response?.statusCode ?? 0,
      body: (await json(response as IncomingMessage)) as { id?: string },
    }));
    this.#request.flushHeaders();
  }

  end(body = ''): void {
    this.#request.end(body);
  }
}

/** Stops a process, runs the checks, and always starts it again. */
async function without(name: string, look: () => Promise<void>): Promise<void> {
  await own.system.stop(name);
  try {
    await look();
  } finally {
    await own.system.start(name);
  }
  await allWell();
}

describe('an unavailable service impairs only its own functions and recovers automatically', () => {
  test('Without provisioning, SCIM returns 503, the graph answers without its fields, and sign-in works.', async () => {
    await without('provisioning', async () => {
      const answer = await scim.call('GET', '/Users?count=1');
      expect(answer.status).toBe(503);
      expect(answer.headers.get('retry-after')).not.toBeNull();
      expect(answer.body).toMatchObject({
        schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
        status: '503',
      });

      const partial = await people();
      expect(partial.status).toBe(200);
      expect(partial.data.users.edges.length).toBeGreaterThan(0);
      expect(partial.data.users.edges[0].node).toMatchObject({
        provisioning: null,
        userName: expect.any(String),
      });
      expect(partial.errors.every((error) => error.path?.includes('provisioning'))).toBe(true);
      expect(partial.errors[0]?.extensions?.code).toBe('SERVICE_UNAVAILABLE');
      expect((await seenDown(own.demo.origin, 'provisioning')).status).not.toBe('unavailable');

      const tenant = own.demo.tenants.demo;
      expect((await signIn(own.demo, tenant, tenant.users.bob)).subject).not.toBe('');
    });
    expect((await scim.call('GET', '/Users?count=1')).status).toBe(200);
    await eventually(
      () => readinessOf(own.demo.origin),
      (state) => state.status === 'ready',
    );
  });

  test('Without the directory, SCIM returns 503, userinfo works, and the graph names the missing part.', async () => {
    await without('directory', async () => {
      expect((await scim.call('GET', '/Users?count=1')).status).toBe(503);
      for (const neighbour of ['provisioning', 'auth'] as const) {
        expect(await seenDown(own.system.urls[neighbour], 'directory')).toMatchObject({
          status: 'degraded',
          dependencies: { directory: { status: 'down' }, postgresql: { status: 'up' } },
        });
      }
      expect(await statusOf('/t/demo/userinfo', alice.tokens.access_token)).toBe(200);
      const answer = await people();
      expect(answer.data?.users ?? null).toBeNull();
      expect(answer.errors[0]).toMatchObject({
        path: ['users'],
        extensions: { code: 'SERVICE_UNAVAILABLE', service: 'directory' },
      });
    });
  });

  test('Without auth, local verification works for the staleness bound, and requests are then rejected, never accepted.', async () => {
    await without('auth', async () => {
      expect((await graph(own.demo, alice.tokens.access_token, meQuery)).data.me.id).toBe(alice.subject);
      expect(await statusOf('/t/demo/.well-known/openid-configuration')).toBe(503);
      const refused = await eventually(
        () => graph(own.demo, alice.tokens.access_token, meQuery),
        (answer) => answer.status === 503,
      );
      expect(refused.errors[0]?.extensions?.code).toBe('SERVICE_UNAVAILABLE');
    });
    await eventually(
      () => graph(own.demo, alice.tokens.access_token, meQuery),
      (answer) => answer.data?.me?.id === alice.subject,
    );
  });

  test('Without the gateway, the services continue to work.', async () => {
    await without('gateway', async () => {
      const direct = await fetch(`${own.system.urls.auth}/t/demo/jwks`);
      expect(direct.status).toBe(200);
    });
  });

  test('Without Valkey, issued tokens work, and waiting events are delivered when it is back.', async () => {
    const user = { userName: unique('leaver'), password: unique('correct horse battery') };
    const { id } = await scim.createUser(user);
    const { tokens } = await signIn(own.demo, own.demo.tenants.demo, user);
    await own.system.stop('valkey');
    expect((await graph(own.demo, tokens.access_token, meQuery)).status).toBe(200);
    // If auth were out of rotation, no revocations could be read, and all verifiers would soon reject all tokens.
    await seenDown(own.system.urls.auth, 'redis');
    const ready = await fetch(`${own.system.urls.auth}/readyz`);
    expect({ status: ready.status, body: await ready.json() }).toMatchObject({
      status: 200,
      body: { status: 'degraded', dependencies: { redis: { status: 'down' } } },
    });
    const refreshed = await fetch(`${own.demo.tenants.demo.issuer}/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'refresh_token',
        client_id: own.demo.tenants.demo.clients.web.client_id,
        refresh_token: tokens.refresh_token ?? '',
      }),
    });
    expect(refreshed.status).toBe(200);
    expect((await scim.patch(`/Users/${id}`, [{ op: 'replace', path: 'active', value: false }])).status).toBe(
      200,
    );
    await own.system.start('valkey');
    await eventually(
      () => graph(own.demo, tokens.access_token, meQuery),
      (answer) => answer.status === 401,
    );
    await allWell();
  });

  test('Without PostgreSQL, requests return 503, and no process terminates.', async () => {
    const pids = await pidsNow();
    await without('postgres', async () => {
      expect((await scim.call('GET', '/Users?count=1')).status).toBe(503);
      const token = await fetch(`${own.demo.tenants.demo.issuer}/token`, {
        method: 'POST',
        body: new URLSearchParams({
          grant_type: 'refresh_token',
          client_id: own.demo.tenants.demo.clients.web.client_id,
          refresh_token: alice.tokens.refresh_token ?? '',
        }),
      });
      expect(token.status).toBe(503);
    });
    expect(await pidsNow()).toEqual(pids);
  });
});

describe('SIGTERM under load', () => {
  test('Every request that arrived before the SIGTERM is answered.', async () => {
    const extra = await own.system.spawnExtra('provisioning');
    const base = `${extra.url}/t/demo/scim/v2`;
    const listed = Array.from({ length: 60 }, () => new ArrivingRequest('GET', `${base}/Users?count=5`));
    for (const request of listed) request.end();
    const change = new ArrivingRequest('POST', `${base}/Users`);
    await Promise.all([...listed, change].map(({ arrived }) => arrived));
    const stopped = extra.stop();
    await eventually(() =>
      fetch(`${extra.url}/livez`).then(
        () => false,
        () => true,
      ),
    );
    change.end(JSON.stringify({ schemas: [userSchema], userName: unique('drained') }));
    for (const { answered } of listed) expect((await answered).status).toBe(200);
    const created = await change.answered;
    expect(created.status).toBe(201);
    await stopped;
    expect((await scim.call('GET', `/Users/${created.body.id}`)).status).toBe(200);
  });

  test('The event of the last change before a restart arrives.', async () => {
    const leaver = { userName: unique('leaver'), password: unique('correct horse battery') };
    const { id } = await scim.createUser(leaver);
    const { tokens } = await signIn(own.demo, own.demo.tenants.demo, leaver);
    expect((await scim.patch(`/Users/${id}`, [{ op: 'replace', path: 'active', value: false }])).status).toBe(
      200,
    );
    await Promise.all([own.system.restart('directory'), own.system.restart('auth')]);
    await eventually(
      () => graph(own.demo, tokens.access_token, meQuery),
      (answer) => answer.status === 401,
    );
  });
});

test('The processes stop immediately on a SIGTERM at the moment Valkey returns.', async () => {
  expect(await own.brokenInvariants()).toEqual([]);
  await own.system.kill('valkey', 'SIGKILL');
  await own.system.ready('valkey');
  await Promise.all(services.map((name) => own.system.stop(name)));
});
