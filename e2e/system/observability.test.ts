import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@ostiary/service/testing';
import pg from 'pg';
import { monitorRedis } from '../support/cost/redis-monitor.ts';
import { unique } from '../support/demo.ts';
import { graph, usersQuery } from '../support/graph.ts';
import { alertRules, dashboard, exportedMetrics, expressionsOf, metricsIn } from '../support/monitoring.ts';
import { type OwnSystem, ownSystem } from '../support/own-system.ts';
import { ScimClient, userSchema } from '../support/scim.ts';
import { adminToken, signIn } from '../support/sign-in.ts';

interface Span {
  service: string;
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
}

const spans: Span[] = [];
let collector: Server;
let own: OwnSystem;
let admin: string;

beforeAll(async () => {
  collector = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += String(chunk)));
    request.on('end', () => {
      collect(body);
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
  const { port } = collector.address() as AddressInfo;
  own = await ownSystem({
    fresh: true,
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`, LOG_LEVEL: 'debug' },
  });
  admin = await adminToken(own.demo.tenants.demo);
});

afterAll(async () => {
  await own?.stop();
  collector.close();
});

function collect(body: string): void {
  const exported = JSON.parse(body) as {
    resourceSpans: {
      resource: { attributes: { key: string; value: { stringValue?: string } }[] };
      scopeSpans: { spans: Omit<Span, 'service'>[] }[];
    }[];
  };
  for (const { resource, scopeSpans } of exported.resourceSpans) {
    const service = resource.attributes.find(({ key }) => key === 'service.name')?.value.stringValue ?? '';
    for (const scope of scopeSpans) spans.push(...scope.spans.map((span) => ({ ...span, service })));
  }
}

/** Returns the span and its ancestors. */
function ancestry(span: Span): Span[] {
  const parent = spans.find((candidate) => candidate.spanId === span.parentSpanId);
  return [span, ...(parent ? ancestry(parent) : [])];
}

describe('traces', () => {
  test('Traces join gateway → subgraph → SQL.', async () => {
    await graph(own.demo, admin, usersQuery, { first: 5 });
    const found = await eventually(
      async () =>
        spans
          .filter((span) => span.service === 'ostiary-directory' && /SELECT/i.test(span.name))
          .map((span) => ancestry(span).map(({ service }) => service))
          .find((services) => services.includes('ostiary-gateway')),
      (services) => services !== undefined,
    );
    expect(found?.at(-1)).toBe('ostiary-gateway');
  });

  test('Traces join SCIM request → directory → outbox → job in auth.', async () => {
    const scim = new ScimClient(own.demo.tenants.demo, own.demo.tenants.demo.clients.scim.token);
    const { id } = await scim.createUser({ userName: unique('traced') });
    await scim.patch(`/Users/${id}`, [{ op: 'replace', path: 'active', value: false }]);
    const chain = await eventually(
      async () =>
        spans
          .filter((span) => span.service === 'ostiary-auth' && /user\.deactivated/.test(span.name))
          .map((span) => ancestry(span).map(({ service }) => service))[0],
      (services) => services?.includes('ostiary-provisioning') ?? false,
    );
    expect(chain).toEqual(
      expect.arrayContaining(['ostiary-auth', 'ostiary-directory', 'ostiary-provisioning']),
    );
  });
});

test('A change is logged with the trace of the request by all three services.', async () => {
  const trace = randomBytes(16).toString('hex');
  const name = unique('traced');
  const asked = await fetch(own.demo.graphql, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${admin}`,
      traceparent: `00-${trace}-${randomBytes(8).toString('hex')}-01`,
    },
    body: JSON.stringify({
      query: `mutation ($name: String!) {
        createUser(input: { userName: $name }) { user { id } }
        createServiceAccount(input: { name: $name, scopes: ["users:read"] }) { serviceAccount { id } }
        createConnector(input: { name: $name }) { connector { id } }
      }`,
      variables: { name },
    }),
  });
  const { data } = (await asked.json()) as { data: Record<string, Record<string, { id: string }>> };
  const ids = {
    user: data.createUser?.user?.id,
    account: data.createServiceAccount?.serviceAccount?.id,
    connector: data.createConnector?.connector?.id,
  };
  const { data: logs, errors } = await graph(
    own.demo,
    admin,
    `query ($user: ID!, $account: ID!, $connector: ID!) {
      auditLog(filter: { resourceId: $user }) { edges { node { action traceId } } }
      securityLog(filter: { resourceId: $account }) { edges { node { action traceId } } }
      connectorLog(filter: { connectorId: $connector }) { edges { node { action traceId } } }
    }`,
    ids,
  );
  expect(errors).toEqual([]);
  const notified = (action: string) => ({ edges: [{ node: { action, traceId: trace } }] });
  expect(logs).toEqual({
    auditLog: notified('user.created'),
    securityLog: notified('service_account.created'),
    connectorLog: notified('connector.created'),
  });
});

describe('logs', () => {
  test('Logs are structured, carry request and trace ids that join across processes, and contain no secret.', async () => {
    const tenant = own.demo.tenants.demo;
    const user = { userName: unique('quiet'), password: unique('correct horse battery') };
    const email = `${user.userName}@mail.example.com`;
    const scim = new ScimClient(tenant, tenant.clients.scim.token);
    const { id } = await scim.createUser({ ...user, emails: [{ value: email }] });
    const { tokens } = await signIn(own.demo, tenant, user);
    await scim.call('GET', `/Users/${id}`, undefined, { 'x-request-id': 'request-from-outside-1' });
    await fetch(`${tenant.issuer}/userinfo`, { headers: { authorization: `Bearer ${tokens.access_token}` } });

    const names = ['auth', 'directory', 'provisioning', 'gateway'];
    await eventually(
      async () =>
        (await Promise.all(['gateway', 'provisioning', 'directory'].map(own.logOf))).map((lines) =>
          lines.some((line) => line.requestId === 'request-from-outside-1'),
        ),
      (found) => found.every(Boolean),
    );
    for (const name of names) {
      // A process buffers log lines for a moment.
      const lines = await eventually(
        () => own.logOf(name),
        (seen) => seen.some((line) => typeof line.traceId === 'string'),
      );
      const text = JSON.stringify(lines);
      const secrets = [
        user.password,
        email,
        tokens.access_token,
        tokens.refresh_token ?? '-',
        tenant.clients.scim.token,
        tenant.clients.admin.client_secret,
        admin,
        ...Object.values(own.system.secrets),
      ];
      for (const secret of secrets) expect(text.includes(secret)).toBe(false);
    }
  });
});

describe('health and metrics', () => {
  test.each(['auth', 'directory', 'provisioning', 'gateway'] as const)(
    'The process %s has /livez and /readyz, and /metrics on a separate port.',
    async (name) => {
      const url = own.system.urls[name];
      expect((await fetch(`${url}/livez`)).status).toBe(200);
      const ready = await fetch(`${url}/readyz`);
      expect(ready.status).toBe(200);
      expect(
        Object.keys(((await ready.json()) as { dependencies: object }).dependencies).length,
      ).toBeGreaterThan(0);
      expect((await fetch(`${url}/metrics`)).status).toBe(404);
      const metrics = await (await fetch(own.system.metricsUrls[name])).text();
      expect(metrics).toMatch(/^http_request_duration_seconds_count\{/m);
      expect(metrics).toMatch(/^process_cpu_seconds_total/m);
      expect(metrics).toContain(`service="${name}"`);
    },
  );

  test('The outbox and the revocation list have metrics.', async () => {
    const directory = await (await fetch(own.system.metricsUrls.directory)).text();
    expect(directory).toMatch(/^outbox_/m);
    expect(directory).toMatch(/^revocation_list_age_seconds/m);
  });

  const processes = ['auth', 'directory', 'provisioning', 'gateway'] as const;
  const textsOf = () =>
    Promise.all(processes.map(async (name) => (await fetch(own.system.metricsUrls[name])).text()));

  test('Every metric that an alert or the dashboard uses is exported by some process.', async () => {
    const exported = exportedMetrics(await textsOf());
    const asked = [...alertRules().map(({ expr }) => expr), ...expressionsOf(dashboard())].flatMap(metricsIn);
    expect(asked.length).toBeGreaterThan(30);
    expect(asked.filter((name) => !exported.has(name))).toEqual([]);
  });

  test('Each process exports the metrics that docs/reference/metrics.md lists for it.', async () => {
    const page = readFileSync(new URL('../../docs/reference/metrics.md', import.meta.url), 'utf8');
    const rows = [...page.matchAll(/^\| `(\w+)[^|]* \|.*\| ([\w, ]+) \|$/gm)]
      .map(([, name = '', of = '']) => ({ name, of: of === 'all' ? [...processes] : of.split(', ') }))
      // Exported with DATABASE_REPLICA_URL only.
      .filter(({ name }) => !name.startsWith('database_replica_'));
    const texts = await textsOf();
    for (const [index, process] of processes.entries()) {
      const exported = [...exportedMetrics([texts[index] ?? ''])].filter(
        (name) => name === 'process_ready' || !/^(?:nodejs|process)_/.test(name),
      );
      const listed = rows.filter(({ of }) => of.includes(process)).map(({ name }) => name);
      expect({ process, exported: exported.toSorted() }).toEqual({ process, exported: listed.toSorted() });
    }
  });
});

/** Returns every row of every table that contains the text, also as the bytes of a bytea. */
async function tablesWith(text: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: own.system.databaseUrl });
  await client.connect();
  try {
    const { rows: tables } = await client.query<{ name: string }>(
      `SELECT format('%I.%I', table_schema, table_name) AS name FROM information_schema.tables
       WHERE table_type = 'BASE TABLE' AND table_schema IN ('auth', 'directory', 'provisioning')`,
    );
    expect(tables.length).toBeGreaterThan(20);
    const found: string[] = [];
    for (const { name } of tables) {
      const { rowCount } = await client.query(
        `SELECT 1 FROM ${name} t WHERE position($1 in t::text) > 0 OR position($2 in t::text) > 0 LIMIT 1`,
        [text, Buffer.from(text).toString('hex')],
      );
      if (rowCount) found.push(name);
    }
    return found;
  } finally {
    await client.end();
  }
}

const patchOp = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
const bulkRequest = 'urn:ietf:params:scim:api:messages:2.0:BulkRequest';

describe('a password that is sent over SCIM', () => {
  let scim: ScimClient;
  let stopMonitor: () => void;
  let monitored = '';

  beforeAll(async () => {
    const { demo } = own.demo.tenants;
    scim = new ScimClient(demo, demo.clients.scim.token);
    stopMonitor = await monitorRedis(own.system.redisUrl, (words) => {
      monitored += `${words.join(' ')}\n`;
    });
  });
  afterAll(() => stopMonitor?.());

  const userName = unique('secretive');
  const user = (password: string) => ({ schemas: [userSchema], userName, password });
  const patch = (password: string) => ({
    schemas: [patchOp],
    Operations: [{ op: 'replace', value: { password, displayName: 'S' } }],
  });
  let path: string;

  test.each([
    ['POST', (password: string) => scim.call('POST', '/Users', user(password))],
    ['PUT', (password: string) => scim.call('PUT', path, user(password))],
    ['PATCH', (password: string) => scim.call('PATCH', path, patch(password))],
    [
      'Bulk',
      (password: string) =>
        scim.call('POST', '/Bulk', {
          schemas: [bulkRequest],
          Operations: [{ method: 'PATCH', path, data: patch(password) }],
        }),
    ],
    ['a POST that is refused', (password: string) => scim.call('POST', '/Users', user(password))],
  ])(
    'A password sent by %s is in no response, table, log or queue, and works unless it was rejected.',
    async (how, send) => {
      const password = unique('correct-horse-battery');
      const answer = await send(password);
      expect(answer.status).toBe(how.endsWith('refused') ? 409 : how === 'POST' ? 201 : 200);
      if (how === 'POST') path = `/Users/${answer.body.id}`;
      expect(JSON.stringify(answer.body)).not.toContain(password);
      if (!how.endsWith('refused')) {
        await eventually(
          () => signIn(own.demo, own.demo.tenants.demo, { userName, password }).catch(() => undefined),
          (signedIn) => signedIn !== undefined,
        );
      }
      // Jobs about it have been processed by now, or are still in the tables.
      expect(await tablesWith(password)).toEqual([]);
      expect(await own.logs()).not.toContain(password);
      expect(monitored).not.toContain(password);
    },
  );

  test('The search for the password finds values that are stored.', async () => {
    expect(await tablesWith(userName)).toEqual(expect.arrayContaining(['directory.users', 'auth.subjects']));
    // Jobs contain the ids of users in clear text, and no names.
    expect(monitored).toContain(path.split('/').at(-1));
    expect(monitored).not.toContain(userName);
    expect((await own.logs()).length).toBeGreaterThan(1000);
  });
});
