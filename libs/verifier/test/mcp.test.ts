import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { requireBearerAuth } from '@modelcontextprotocol/sdk/server/auth/middleware/bearerAuth.js';
import { createMcpExpressApp } from '@modelcontextprotocol/sdk/server/express.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { eventually } from '@ostiary/service/testing';
import type { Verify } from '../src/index.ts';
import { principalOf, protectedResource, requireToken, tokenVerifier } from '../src/mcp.ts';
import { Prover } from '../src/testing.ts';
import { StubIssuer } from './support/stub-issuer.ts';

const paths = ['/own', '/sdk'];
const scopes = ['orders:read'];
let issuer: StubIssuer;
let server: Server;
let origin: string;
let verify: Verify;
/** Responses that a test ends. */
const waiting: ServerResponse[] = [];
/** Sessions that the server accepts. */
const openSessions = new Set<string>();

/** The part of Express that the test uses; its types are no dependency. */
interface ExpressApp {
  use(...handlers: unknown[]): void;
  get(path: string, ...handlers: unknown[]): void;
  post(path: string, ...handlers: unknown[]): void;
  listen(port: number, host: string): Server;
}

type Handled = Parameters<StreamableHTTPServerTransport['handleRequest']>;

async function serve(request: Handled[0] & { body: unknown }, response: Handled[1]): Promise<void> {
  const mcp = new McpServer({ name: 'orders', version: '1.0.0' });
  mcp.registerTool('whoami', { description: 'Returns the user.' }, ({ authInfo }) => {
    const principal = principalOf(authInfo);
    verify.requireRule(principal, { scopes });
    return { content: [{ type: 'text', text: `${principal?.subject} by ${authInfo?.clientId}` }] };
  });
  const transport = new StreamableHTTPServerTransport();
  await mcp.connect(transport as Parameters<typeof mcp.connect>[0]);
  await transport.handleRequest(request, response, request.body);
}

beforeAll(async () => {
  issuer = await new StubIssuer().start();
  verify = issuer.verifier();
  const app = createMcpExpressApp() as unknown as ExpressApp;
  app.use(protectedResource(verify));
  app.post('/own', requireToken(verify, { scopes }), serve);
  const resourceMetadataUrl = 'https://orders.example/.well-known/oauth-protected-resource';
  const options = { verifier: tokenVerifier(verify), requiredScopes: scopes, resourceMetadataUrl };
  app.post(
    '/sdk',
    requireBearerAuth({ ...options, expectedResource: new URL('https://orders.example') }),
    serve,
  );
  app.get('/stream', requireToken(verify), (_request: unknown, response: ServerResponse) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': open\n\n');
  });
  app.get('/open-sessions', requireToken(verify), (request: Handled[0], response: ServerResponse) => {
    response.statusCode = openSessions.has(String(request.headers['mcp-session-id'])) ? 200 : 404;
    response.end();
  });
  app.get('/slow-session', requireToken(verify), (_request: unknown, response: ServerResponse) => {
    waiting.push(response);
  });
  app.get('/listed-session', requireToken(verify), (_request: unknown, response: ServerResponse) => {
    response.writeHead(200, ['Mcp-Session-Id', randomUUID()]).end('begun');
  });
  app.get('/session', requireToken(verify), (_request: unknown, response: ServerResponse) => {
    response.setHeader('mcp-session-id', randomUUID());
    response.end('begun');
  });
  server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(async () => {
  server?.closeAllConnections();
  server?.close();
  await issuer.stop();
});

async function callTool(path: string, headers: Record<string, string>): Promise<unknown> {
  const client = new Client({ name: 'test', version: '1.0.0' });
  const transport = new StreamableHTTPClientTransport(new URL(origin + path), { requestInit: { headers } });
  await client.connect(transport as Parameters<typeof client.connect>[0]);
  try {
    const { content } = (await client.callTool({ name: 'whoami' })) as { content: { text: string }[] };
    return content[0]?.text;
  } finally {
    await client.close();
  }
}

const ask = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(origin + path, {
    method: 'POST',
    headers: {
      ...headers,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  });

const authorized = async (claims: Record<string, unknown> = {}): Promise<Record<string, string>> => ({
  authorization: await issuer.bearer({ scope: 'orders:read', ...claims }),
});

test.each(paths)('A tool of an MCP server gets the principal of a valid token (%s).', async (path) => {
  expect(await callTool(path, await authorized())).toBe('user-1 by shop');
});

test.each(paths)(
  'A request to an MCP server without a token gets 401 with its metadata (%s).',
  async (path) => {
    const response = await ask(path);
    expect(response.status).toBe(401);
    const challenge = response.headers.get('www-authenticate') ?? '';
    const [, address = ''] = /resource_metadata="([^"]+)"/.exec(challenge) ?? [];
    const metadata = await fetch(address.replace('https://orders.example', origin));
    expect(await metadata.json()).toMatchObject({
      resource: 'https://orders.example',
      authorization_servers: [issuer.issuer],
    });
  },
);

test.each(paths)('An MCP server rejects invalid and insufficient tokens (%s).', async (path) => {
  const foreign = await ask(path, await authorized({ iss: 'https://id.example/t/rival' }));
  expect([foreign.status, await foreign.json()]).toMatchObject([401, { error: 'invalid_token' }]);
  const forOther = await ask(path, await authorized({ aud: 'https://invoices.example' }));
  expect(forOther.status).toBe(401);
  const insufficient = await ask(path, await authorized({ scope: 'orders:write' }));
  expect([insufficient.status, await insufficient.json()]).toMatchObject([
    403,
    { error: 'insufficient_scope' },
  ]);
});

test.each(paths)('An MCP server rejects a revoked token (%s).', async (path) => {
  const headers = await authorized({ jti: `of ${path}` });
  expect((await ask(path, headers)).status).toBe(200);
  issuer.revoke('jti', `of ${path}`);
  await eventually(async () => (await ask(path, headers)).status === 401);
});

test('An MCP server accepts a DPoP proof once, and a bound token without a proof never.', async () => {
  const prover = await Prover.create();
  const token = await issuer.token({ scope: 'orders:read', cnf: { jkt: prover.jkt } });
  const headers = await prover.headers('POST', 'https://orders.example/own', token);
  expect((await ask('/own', headers)).status).toBe(200);
  expect((await ask('/own', headers)).status).toBe(401);
  for (const path of paths) expect((await ask(path, { authorization: `Bearer ${token}` })).status).toBe(401);
});

test('A stream of an MCP server ends when its token is revoked, and others continue.', async () => {
  const openStream = async (jti: string) => {
    const response = await fetch(`${origin}/stream`, { headers: await authorized({ jti }) });
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    await reader.read();
    return reader;
  };
  const [revoked, kept] = [await openStream('stream-1'), await openStream('stream-2')];
  issuer.revoke('jti', 'stream-1');
  await expect(revoked.read()).rejects.toThrow();
  const ending = kept.read().then(
    () => 'ended',
    () => 'ended',
  );
  expect(await Promise.race([ending, Promise.resolve('open')])).toBe('open');
  issuer.revoke('jti', 'stream-2');
  expect(await ending).toBe('ended');
});

test.each(['session', 'listed-session'])(
  'A session of an MCP server belongs to the user and client that began it: /%s.',
  async (path) => {
    const of = async (claims: Record<string, unknown>, session?: string) =>
      fetch(`${origin}/${path}`, {
        headers: { ...(await authorized(claims)), ...(session && { 'mcp-session-id': session }) },
      });
    const begun = await of({ sub: 'user-1' });
    await begun.text();
    const session = begun.headers.get('mcp-session-id') ?? '';
    const foreign = await of({ sub: 'user-2' }, session);
    expect([foreign.status, await foreign.json()]).toMatchObject([404, { error: { code: -32001 } }]);
    expect((await of({ sub: 'user-1', client_id: 'other' }, session)).status).toBe(404);
    expect((await of({ sub: 'user-1' }, session)).status).toBe(200);
  },
);

test('A session id that an MCP server rejects is not bound to its sender.', async () => {
  const session = randomUUID();
  const statusOf = async (sub: string) =>
    (
      await fetch(`${origin}/open-sessions`, {
        headers: { ...(await authorized({ sub })), 'mcp-session-id': session },
      })
    ).status;
  expect(await statusOf('user-2')).toBe(404);
  openSessions.add(session);
  expect([await statusOf('user-1'), await statusOf('user-2')]).toEqual([200, 404]);
});

const slowly = async (sub: string, session: string, signal?: AbortSignal) =>
  fetch(`${origin}/slow-session`, {
    headers: { ...(await authorized({ sub })), 'mcp-session-id': session },
    ...(signal && { signal }),
  }).then(
    ({ status }) => status,
    () => 'closed',
  );

test('Of two users who present an unknown session id at the same time, one gets a response.', async () => {
  const session = randomUUID();
  const answers = [slowly('user-1', session), slowly('user-2', session)];
  await eventually(() => waiting.length === 2);
  for (const response of waiting.splice(0)) response.end('{}');
  expect((await Promise.all(answers)).map(String).sort()).toEqual(['200', 'closed']);
});

test('A session id of a request that its sender aborts is not bound to the sender.', async () => {
  const session = randomUUID();
  const stop = new AbortController();
  const aborted = slowly('user-2', session, stop.signal);
  await eventually(() => waiting.length === 1);
  const [response] = waiting.splice(0);
  stop.abort();
  expect(await aborted).toBe('closed');
  await eventually(() => response?.destroyed === true);
  const answer = slowly('user-1', session);
  await eventually(() => waiting.length === 1);
  waiting.splice(0)[0]?.end('{}');
  expect(await answer).toBe(200);
});

test('An MCP server never accepts a token that cannot be verified.', async () => {
  const unreachable = await new StubIssuer().start();
  unreachable.failures.set('*', 'cut');
  const token = await unreachable.token();
  const other = unreachable.verifier();
  try {
    await expect(tokenVerifier(other).verifyAccessToken(token)).rejects.toMatchObject({
      errorCode: 'server_error',
    });
    await expect(tokenVerifier(other).verifyAccessToken('not a token')).rejects.toMatchObject({
      errorCode: 'invalid_token',
    });
  } finally {
    await unreachable.stop();
  }
});
