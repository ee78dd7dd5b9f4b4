import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@ostiary/service/testing';
import type { Browser, Page } from 'playwright-core';
import { runningDemo } from '../support/demo.ts';
import { graph } from '../support/graph.ts';
import { adminToken } from '../support/sign-in.ts';
import { chromiumPath, launchChromium, why } from './chromium.ts';

const describeInBrowser = chromiumPath === undefined ? describe.skip : describe;

/** Responses that a page of an app could read. */
interface Notified {
  query: string;
  refused: string;
  budget: boolean;
  events: string;
  socket: string;
  discovery: string;
  tokens: string;
}

interface Asked {
  graphql: string;
  issuer: string;
  token: string;
}

/** Runs in the page. */
async function useEverything({ graphql, issuer, token }: Asked): Promise<Notified> {
  const blocked = 'blocked';
  const attempt = (work: () => Promise<string>): Promise<string> => work().catch(() => blocked);
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  let budget = false;
  const query = await attempt(async () => {
    const body = JSON.stringify({ query: '{ users(first: 1) { edges { node { id: userName } } } }' });
    const response = await fetch(graphql, { method: 'POST', headers, body });
    budget = response.headers.get('ratelimit') !== null;
    return response.text();
  });
  const refused = await attempt(async () => {
    const response = await fetch(graphql, {
      method: 'POST',
      headers: { ...headers, authorization: 'Bearer x.y.z' },
      body: '{"query":"{ __typename }"}',
    });
    return response.headers.get('www-authenticate') ?? '';
  });
  const subscription = 'subscription { userChanged { kind } }';
  const events = await attempt(async () => {
    const response = await fetch(graphql, {
      method: 'POST',
      headers: { ...headers, accept: 'text/event-stream' },
      body: JSON.stringify({ query: subscription }),
    });
    const reader = response.body?.getReader();
    const { value } = (await reader?.read()) ?? {};
    await reader?.cancel();
    return `${response.headers.get('content-type')} ${new TextDecoder().decode(value).slice(0, 1)}`;
  });
  const socket = await new Promise<string>((resolve) => {
    const opened = new WebSocket(graphql.replace('http', 'ws'), 'graphql-transport-ws');
    opened.onopen = () =>
      opened.send(JSON.stringify({ type: 'connection_init', payload: { authorization: `Bearer ${token}` } }));
    opened.onmessage = ({ data }) => {
      resolve((JSON.parse(String(data)) as { type: string }).type);
      opened.close();
    };
    opened.onclose = ({ code }) => resolve(`closed with ${code}`);
  });
  const discovery = await attempt(async () => {
    const response = await fetch(`${issuer}/.well-known/openid-configuration`);
    return ((await response.json()) as { issuer: string }).issuer;
  });
  const tokens = await attempt(async () => {
    const response = await fetch(`${issuer}/token`, {
      method: 'POST',
      headers: { dpop: 'none', 'content-type': 'application/x-www-form-urlencoded' },
      body: 'grant_type=refresh_token&client_id=nobody&refresh_token=none',
    });
    return ((await response.json()) as { error: string }).error;
  });
  return { query, refused, budget, events, socket, discovery, tokens };
}

describeInBrowser('a web app at another origin', () => {
  const servers: Server[] = [];
  let browser: Browser;
  let pages: Record<'demo' | 'rival' | 'nobody' | 'single', Page>;
  const demo = chromiumPath === undefined ? undefined : runningDemo();

  /** Serves an empty page at a separate origin. */
  async function startApp(): Promise<{ origin: string; page: Page }> {
    const server = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>App</title>');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    servers.push(server);
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const page = await browser.newPage();
    await page.goto(origin);
    return { origin, page };
  }

  async function registerOrigins(tenant: 'demo' | 'rival', webOrigins: string[] | null): Promise<void> {
    if (!demo) return;
    const { data, errors } = await graph(
      demo,
      await adminToken(demo.tenants[tenant]),
      'mutation ($input: UpdateTenantPolicyInput!) { updateTenantPolicy(input: $input) { policy { webOrigins } problems { message } } }',
      { input: { webOrigins } },
    );
    expect([errors, data?.updateTenantPolicy.problems]).toEqual([[], []]);
  }

  async function registerSinglePage(origin: string): Promise<void> {
    if (!demo) return;
    const { data, errors } = await graph(
      demo,
      await adminToken(demo.tenants.demo),
      'mutation ($input: RegisterClientInput!) { registerClient(input: $input) { client { id } problems { message } } }',
      { input: { kind: 'SINGLE_PAGE', name: 'At another origin', redirectUris: [`${origin}/callback`] } },
    );
    expect([errors, data?.registerClient.problems]).toEqual([[], []]);
  }

  /** Waits until the gateway and the authorization server have received a new origin, which takes a moment. */
  async function isKnown(tenant: 'demo' | 'rival', origin: string): Promise<void> {
    if (!demo) return;
    const headers = { origin, 'access-control-request-method': 'POST' };
    for (const url of [demo.graphql, `${demo.tenants[tenant].issuer}/token`]) {
      await eventually(
        async () =>
          (await fetch(url, { method: 'OPTIONS', headers })).headers.get('access-control-allow-origin'),
        (allowed) => allowed === origin,
      );
    }
  }

  beforeAll(async () => {
    browser = await launchChromium();
    const [demoApp, rivalApp] = [await startApp(), await startApp()];
    const [nobodys, single] = [await startApp(), await startApp()];
    pages = { demo: demoApp.page, rival: rivalApp.page, nobody: nobodys.page, single: single.page };
    await registerSinglePage(single.origin);
    await registerOrigins('demo', [demoApp.origin]);
    await registerOrigins('rival', [rivalApp.origin]);
    await Promise.all([
      isKnown('demo', demoApp.origin),
      isKnown('rival', rivalApp.origin),
      isKnown('demo', single.origin),
    ]);
  });
  afterAll(async () => {
    await registerOrigins('demo', null);
    await registerOrigins('rival', null);
    await browser?.close();
    for (const server of servers) server.close();
  });

  const from = async (whose: keyof typeof pages): Promise<Notified> => {
    if (!demo) throw new Error(why);
    const { issuer } = demo.tenants.demo;
    const token = await adminToken(demo.tenants.demo);
    return pages[whose].evaluate(useEverything, { graphql: demo.graphql, issuer, token });
  };

  const everything = {
    query: expect.stringContaining('"data":{"users"'),
    budget: true,
    refused: expect.stringContaining('invalid_token'),
    events: 'text/event-stream; charset=utf-8 :',
    socket: 'connection_ack',
    discovery: demo?.tenants.demo.issuer,
    tokens: expect.stringMatching(/^invalid_/),
  };

  test('A web app uses the graph, its events and the token endpoint when its tenant has registered the origin.', async () => {
    expect(await from('demo')).toEqual(everything);
  });

  test('A web app uses the same at the origin of a redirect URI of a single-page app of the tenant.', async () => {
    expect(await from('single')).toEqual(everything);
  });

  test('A web app cannot read data of another tenant.', async () => {
    expect(await from('rival')).toEqual({
      query: 'blocked',
      budget: false,
      // The response is the same as for any invalid token.
      refused: expect.stringContaining('invalid_token'),
      events: 'blocked',
      socket: 'closed with 4403',
      discovery: 'blocked',
      tokens: 'blocked',
    });
  });

  test('A web app whose origin is not registered cannot read any response.', async () => {
    expect(await from('nobody')).toEqual({
      query: 'blocked',
      budget: false,
      refused: 'blocked',
      events: 'blocked',
      socket: 'closed with 1006',
      discovery: 'blocked',
      tokens: 'blocked',
    });
  });
});
