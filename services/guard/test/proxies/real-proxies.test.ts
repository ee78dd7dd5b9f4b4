import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { eventually, recordSkip } from '@ostiary/service/testing';
import { Prover } from '@ostiary/verifier/testing';
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose';
import { StubIssuer } from '../../../../libs/verifier/test/support/stub-issuer.ts';
import { identityHeaders } from '../../src/decisions/domain/identity.ts';
import { assertions, TestGuard } from '../support/guard.ts';
import {
  App,
  freePort,
  type Ports,
  programOf,
  programs,
  RealProxy,
  type Received,
  send,
  type TestedProxy,
} from '../support/proxies.ts';

const proxies = Object.keys(programs) as TestedProxy[];
for (const proxy of proxies)
  if (programOf(proxy) === undefined) recordSkip(`${programs[proxy]} names no ${proxy} (apt: ${proxy})`);

/** Value of every header that a test forges. */
const forged = 'forged-value';

/** Spellings of a header that an app could read as the same one. */
const spellingsOf = (name: string): string[] => [
  name,
  name.toUpperCase(),
  name.replaceAll('-', '_'),
  name.replace('-', '_'),
  name.replaceAll('-', '.'),
];

/** Reports whether an app could read a forged value as an identity header. */
const hasForged = ({ rawHeaders }: Received): boolean =>
  rawHeaders.some(
    (value, at) => at % 2 === 1 && value.includes(forged) && /^x.ostiary./i.test(rawHeaders[at - 1] ?? ''),
  );

describe.each(proxies)('an app behind %s', (name) => {
  const testWith = programOf(name) === undefined ? test.skip : test;
  let issuer: StubIssuer;
  let guard: TestGuard;
  let app: App;
  let proxy: RealProxy;
  let ports: Ports;

  beforeAll(async () => {
    if (programOf(name) === undefined) return;
    issuer = await new StubIssuer().start();
    app = await App.start();
    guard = await TestGuard.start(issuer, { proxy: name });
    ports = { proxy: await freePort(), guard: guard.port, app: app.port };
    proxy = await RealProxy.start(name, ports);
    await eventually(async () => (await guard.ask({}, '/readyz')).status === 200);
  });

  afterAll(async () => {
    await proxy?.stop();
    await guard?.stop();
    await app?.stop();
    await issuer?.stop();
  });

  beforeEach(() => {
    app?.received.splice(0);
  });

  const sendTo = (
    ...[path, headers, o]: Parameters<typeof send> extends [number, ...infer Rest] ? Rest : never
  ) => send(ports.proxy, path, headers, o);
  const bearer = async (claims: Record<string, unknown> = {}) => ({
    authorization: await issuer.bearer(claims),
  });

  testWith(`Behind ${name}, the app gets the request with the identity of the caller.`, async () => {
    const headers = await bearer({ scope: 'openid', sid: 'session-1' });
    const { status } = await sendTo('/orders/7?x=%2F', headers, { method: 'POST', body: 'a=1' });
    const [request] = app.received;
    expect([status, app.received.length]).toEqual([200, 1]);
    expect(request).toMatchObject({ method: 'POST', url: '/orders/7?x=%2F', body: 'a=1' });
    expect(request?.headers).toMatchObject({
      'x-ostiary-kind': 'user',
      'x-ostiary-subject': 'user-1',
      'x-ostiary-client': 'shop',
      'x-ostiary-scopes': 'openid',
      'x-ostiary-session': 'session-1',
    });
    const keys = createLocalJWKSet(assertions.keySet as unknown as JSONWebKeySet);
    const assertion = String(request?.headers['x-ostiary-assertion']);
    const { payload } = await jwtVerify(assertion, keys, { typ: 'guard+jwt', audience: 'orders.example' });
    expect(payload.sub).toBe('user-1');
  });

  testWith(
    `Behind ${name}, a request without a token gets 401 with the challenge, and does not reach the app.`,
    async () => {
      const { status, headers } = await sendTo('/orders');
      expect([status, headers['www-authenticate'], app.received]).toEqual([
        401,
        expect.stringContaining('Bearer'),
        [],
      ]);
    },
  );

  testWith(
    `Behind ${name}, the requests of the guide are rejected with the documented statuses.`,
    async () => {
      const documented = { nginx: 403, haproxy: 401, caddy: 401 };
      expect((await sendTo('/orders')).status).toBe(401);
      expect((await sendTo('/orders', { 'X-Ostiary-Subject': 'admin' })).status).toBe(documented[name]);
      expect(app.received).toEqual([]);
    },
  );

  const testWithHaproxy = name === 'haproxy' ? testWith : () => {};
  testWithHaproxy('HAProxy rejects more than 20 spellings of headers for the guard.', async () => {
    const headers = await bearer();
    const marks = '!#$%&*+.^_|~';
    const spelled = (count: number) =>
      Object.fromEntries(
        Array.from({ length: count }, (_, at) => [
          `x${marks[at % marks.length]}request${marks[Math.floor(at / marks.length)]}id`,
          'a',
        ]),
      );
    expect((await sendTo('/orders', { ...headers, ...spelled(19) })).status).toBe(200);
    expect((await sendTo('/orders', { ...headers, ...spelled(20) })).status).toBe(400);
    expect(app.received).toHaveLength(1);
  });

  testWith.each(identityHeaders)(
    `Behind ${name}, a client cannot send the header %s in any spelling.`,
    async (header) => {
      for (const spelling of spellingsOf(header)) {
        for (const value of [forged, [forged, forged]])
          for (const [path, headers] of [
            ['/orders', await bearer()],
            ['/orders', {}],
            ['/public/x', {}],
          ] as const)
            await sendTo(path, { ...headers, [spelling]: value as string | string[] });
      }
      expect(app.received.filter(hasForged)).toEqual([]);
    },
  );

  testWith(
    `Behind ${name}, headers of a client cannot replace the request on which the guard decides.`,
    async () => {
      const headers = {
        'x-original-method': 'GET',
        'x-original-url': 'https://orders.example/public/x',
        'x-forwarded-method': 'GET',
        'x-forwarded-host': 'orders.example',
        'x-forwarded-uri': '/public/x',
        'x-forwarded-proto': 'https',
        'x-rewrite-url': '/public/x',
      };
      expect((await sendTo('/orders', headers)).status).toBe(401);
      for (const [header, value] of Object.entries(headers)) {
        const { status } = await sendTo('/orders', { [header]: [value, value] });
        expect([header, status >= 400]).toEqual([header, true]);
      }
      expect(app.received).toEqual([]);
    },
  );

  testWith(
    `Behind ${name}, a client that repeats a header does not reach the app without a token.`,
    async () => {
      for (const header of ['x-request-id', 'dpop', 'x-http-method']) {
        const { status } = await sendTo('/orders', { [header]: Array.from({ length: 60 }, () => 'a') });
        expect([header, status >= 400, app.received]).toEqual([header, true, []]);
      }
    },
  );

  testWith(
    `Behind ${name}, a client cannot remove an identity header by naming it in Connection.`,
    async () => {
      await sendTo('/orders', { ...(await bearer()), connection: 'X-Ostiary-Subject' });
      await sendTo('/orders', { ...(await bearer()), connection: 'close, x-ostiary-assertion' });
      for (const { headers } of app.received)
        expect([headers['x-ostiary-subject'], typeof headers['x-ostiary-assertion']]).toEqual([
          'user-1',
          'string',
        ]);
    },
  );

  testWith(`Behind ${name}, a client gets no identity from the guard.`, async () => {
    const asked = { 'x-original-method': 'GET', 'x-original-url': 'https://orders.example/public/x' };
    for (const path of [
      '/verify/../.well-known/oauth-protected-resource',
      '/verify',
      '/.well-known/../verify',
    ]) {
      const { headers } = await sendTo(path, { ...asked, ...(await bearer()) });
      const values = Object.entries(headers).filter(([header]) => header.startsWith('x-ostiary-'));
      expect(values.filter(([, value]) => value !== '')).toEqual([]);
    }
  });

  testWith.each([
    '/public/../admin/users',
    '/public/%2e%2e/admin/users',
    '/public/..%2fadmin/users',
    '/public/%2E%2E%2Fadmin/users',
    '/public/..;/admin/users',
    '/public\\..\\admin\\users',
    '/public/%5c../admin/users',
    '//admin/users',
    '/public//../admin/users',
    '/public/%252e%252e/admin/users',
    '/ADMIN/users',
    '/%41dmin/users',
    '/admin/users?/public/x',
  ])(`Behind ${name}, the path %s does not reach the app without a token.`, async (path) => {
    const { status } = await sendTo(path);
    expect([status >= 400, app.received]).toEqual([true, []]);
  });

  testWith(`Behind ${name}, the app gets only requests of hosts with rules.`, async () => {
    for (const host of ['other.example', 'shop.example', 'orders.example.other.example', '127.0.0.1'])
      await sendTo('/orders', { host });
    expect(app.received).toEqual([]);
  });

  testWith(
    `Behind ${name}, a token that is bound to a key is accepted with a proof for the public address.`,
    async () => {
      const prover = await Prover.create();
      const token = await issuer.token({ cnf: { jkt: prover.jkt } });
      const headers = await prover.headers('PUT', 'https://orders.example/orders/7', token);
      expect((await sendTo('/orders/7?x=1', headers, { method: 'PUT' })).status).toBe(200);
      expect((await sendTo('/orders/7?x=1', headers, { method: 'PUT' })).status).toBe(401);
      expect(app.received).toHaveLength(1);
    },
  );

  testWith(`Behind ${name}, a revoked token no longer reaches the app.`, async () => {
    const leaver = await bearer({ sub: `leaver-${name}` });
    expect((await sendTo('/orders', leaver)).status).toBe(200);
    issuer.revoke('sub', `leaver-${name}`);
    await eventually(async () => (await sendTo('/orders', leaver)).status === 401);
    expect((await sendTo('/orders', await bearer())).status).toBe(200);
  });

  testWith(
    `Behind ${name}, parallel requests reach the app with the identity of their own token.`,
    async () => {
      const subjects = Array.from({ length: 40 }, (_, index) => `user-${index}`);
      await Promise.all(subjects.map(async (sub) => sendTo(`/of/${sub}`, await bearer({ sub }))));
      const seen = app.received.map(({ url, headers }) => [url, headers['x-ostiary-subject']]);
      expect(seen.sort()).toEqual(subjects.map((sub) => [`/of/${sub}`, sub]).sort());
    },
  );

  testWith(
    `Behind ${name}, the app gets no request with a token while the guard has no current feed.`,
    async () => {
      issuer.failures.set('*', { status: 503 });
      issuer.cut();
      const headers = await bearer();
      await eventually(async () => (await sendTo('/orders', headers)).status === 503);
      app.received.splice(0);
      expect([(await sendTo('/orders', headers)).status, app.received]).toEqual([503, []]);
      issuer.failures.clear();
      await eventually(async () => (await sendTo('/orders', headers)).status === 200);
    },
  );

  testWith(`Behind ${name}, the app gets no request while the guard does not run.`, async () => {
    const [unused, front] = [await freePort(), await freePort()];
    const alone = await RealProxy.start(name, { proxy: front, guard: unused, app: app.port });
    try {
      const answers = [await send(front, '/orders', await bearer()), await send(front, '/public/x')];
      for (const { status } of answers) expect(status).toBeGreaterThanOrEqual(500);
      expect(app.received).toEqual([]);
    } finally {
      await alone.stop();
    }
  });
});

const testWithNginx = programOf('nginx') === undefined ? test.skip : test;

testWithNginx(
  'If nginx does not pass the headers of a client to the guard, it replaces them by those of the guard.',
  async () => {
    const issuer = await new StubIssuer().start();
    const app = await App.start();
    const guard = await TestGuard.start(issuer, { proxy: 'nginx' });
    const front = await freePort();
    const hiding = (text: string) =>
      text.replace(
        'proxy_pass_request_body off;',
        'proxy_pass_request_body off;\nproxy_pass_request_headers off;\nproxy_set_header Authorization $http_authorization;',
      );
    const proxy = await RealProxy.start('nginx', { proxy: front, guard: guard.port, app: app.port }, hiding);
    try {
      const headers = Object.fromEntries(identityHeaders.map((name) => [name, forged]));
      const asked = await send(front, '/orders', { ...headers, authorization: await issuer.bearer() });
      expect(asked.status).toBe(200);
      expect((await send(front, '/public/x', headers)).status).toBe(200);
      expect(app.received.map(({ headers }) => headers['x-ostiary-subject'])).toEqual(['user-1', undefined]);
      expect(app.received.filter(hasForged)).toEqual([]);
    } finally {
      await proxy.stop();
      await guard.stop();
      await app.stop();
      await issuer.stop();
    }
  },
);
