import { chmodSync, chownSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, describe, expect, test } from '@jest/globals';
import { recordSkip } from '@ostiary/service/testing';
import { asOperator, newHome, ostiary } from './command-line.ts';

const secret = 'the secret of the real installation';

const mayGiveAway = process.getuid?.() === 0;
if (!mayGiveAway) recordSkip('only root can give a file to another user');

interface Listener {
  origin: string;
  /** Received requests with their decoded credentials. */
  heard: string[];
}

const ending: (() => void)[] = [];
afterAll(() => {
  for (const end of ending) end();
});

/** Starts a server that records all requests. */
async function listener(
  answer: (request: IncomingMessage, origin: string) => object = () => ({}),
): Promise<Listener> {
  const heard: string[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const { authorization = '' } = request.headers;
      const basic = Buffer.from(authorization.replace(/^Basic /, ''), 'base64').toString();
      heard.push(`${request.method} ${request.url} ${decodeURIComponent(basic)} ${decodeURIComponent(body)}`);
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(answer(request, origin)));
    });
  });
  server.on('connect', (request, socket) => {
    heard.push(`CONNECT ${request.url}`);
    socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  ending.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { origin, heard };
}

/** Response of a gateway's operator port. */
const operatorPort = (_: IncomingMessage, origin: string) => ({
  issuer: `${origin}/t/platform`,
  access_token: 'x',
  expires_in: 60,
});

/** Creates a folder in which another user has placed files like those of `npm start`. */
function planted(origin: string): string {
  const folder = newHome();
  const home = join(folder, '.ostiary');
  mkdirSync(home);
  const clients = { admin: { client_id: 'planted', client_secret: 'planted' } };
  writeFileSync(
    join(home, 'demo.json'),
    JSON.stringify({ origin, operator: origin, tenants: { demo: { clients } } }),
  );
  writeFileSync(join(home, 'secrets.json'), JSON.stringify({ OPERATOR_CLIENT_SECRET: 'planted' }));
  return folder;
}

describe('destinations of credentials', () => {
  test("The operator's secret of the environment is not sent to an address from a folder.", async () => {
    const { origin, heard } = await listener(operatorPort);
    const { code, stderr } = await ostiary(
      ['tenant', 'list'],
      { OPERATOR_CLIENT_SECRET: secret },
      { cwd: planted(origin) },
    );
    expect(heard.filter((line) => line.includes(secret))).toEqual([]);
    expect([code, stderr]).toEqual([3, expect.stringContaining('OSTIARY_OPERATOR_URL')]);
  });

  (mayGiveAway ? test : test.skip)(
    'A demo file of another user in a parent folder is not read.',
    async () => {
      const { origin, heard } = await listener(operatorPort);
      const folder = planted(origin);
      const below = join(folder, 'checkout');
      mkdirSync(below);
      chmodSync(folder, 0o755);
      chownSync(join(folder, '.ostiary', 'demo.json'), 65_534, 65_534);
      const { code, stderr } = await ostiary(['client', 'list'], {}, { cwd: below });
      expect([code, heard]).toEqual([3, []]);
      expect(stderr).toContain('No user is signed in');
      // An explicit OSTIARY_HOME is trusted.
      await ostiary(['client', 'list'], { OSTIARY_HOME: join(folder, '.ostiary') }, { cwd: below });
      expect(heard.length).toBeGreaterThan(0);
    },
  );

  test('Signing in at another server with the same profile does not send the former refresh token there.', async () => {
    const former = await listener((_, origin) => ({
      issuer: `${origin}/t/acme`,
      device_authorization_endpoint: `${origin}/device`,
      token_endpoint: `${origin}/token`,
      revocation_endpoint: `${origin}/revoke`,
    }));
    const other = await listener((request, origin) =>
      request.url === '/device'
        ? { device_code: 'd', user_code: 'u', verification_uri: origin, interval: 0.01, expires_in: 5 }
        : {
            issuer: `${origin}/t/acme`,
            device_authorization_endpoint: `${origin}/device`,
            token_endpoint: `${origin}/token`,
            revocation_endpoint: `${origin}/revoke`,
            access_token: 'new',
            expires_in: 60,
          },
    );
    const home = newHome();
    const profiles = join(home, 'ostiary', 'profiles');
    mkdirSync(profiles, { recursive: true });
    const tokens = { accessToken: 'a', expiresAt: 0, refreshToken: 'former-refresh-token', scope: '' };
    const profile = { server: former.origin, tenant: 'acme', clientId: 'c', tokens };
    writeFileSync(join(profiles, 'default.json'), JSON.stringify(profile), { mode: 0o600 });
    const { code } = await ostiary(['login', '--server', other.origin, '--tenant', 'acme'], {
      HOME: home,
      XDG_CONFIG_HOME: home,
    });
    expect(code).toBe(0);
    expect(other.heard.filter((line) => line.includes('former-refresh-token'))).toEqual([]);
    // It is revoked at the former server.
    expect(former.heard).toContainEqual(expect.stringMatching(/^POST \/revoke .*token=former-refresh-token/));
  });

  test('The command retries a server that is unavailable while the user enters the code.', async () => {
    let polls = 0;
    const answers: Record<string, (origin: string) => object> = {
      '/t/acme/.well-known/openid-configuration': (origin) => ({
        issuer: `${origin}/t/acme`,
        device_authorization_endpoint: `${origin}/device`,
        token_endpoint: `${origin}/token`,
      }),
      '/device': (origin) => ({
        ...{ device_code: 'd', user_code: 'u', verification_uri: origin, interval: 0.01, expires_in: 20 },
      }),
      '/token': () => {
        polls++;
        if (polls === 1) return { error: 'temporarily_unavailable' };
        if (polls === 2) return { error: 'authorization_pending' };
        return { access_token: 'late', expires_in: 60 };
      },
    };
    const { origin } = await listener((request, at) => answers[request.url ?? '']?.(at) ?? {});
    const home = newHome();
    const login = ['login', '--server', origin, '--tenant', 'acme', '--client-id', 'c'];
    const { code } = await ostiary(login, { HOME: home, XDG_CONFIG_HOME: home });
    expect([code, polls]).toEqual([0, 3]);
  });

  test('Requests to this machine bypass any proxy, which could read the secret.', async () => {
    const proxy = await listener();
    const { origin, heard } = await listener(operatorPort);
    await ostiary(['tenant', 'list'], {
      OSTIARY_OPERATOR_URL: origin,
      OPERATOR_CLIENT_SECRET: secret,
      HTTP_PROXY: proxy.origin,
      HTTPS_PROXY: proxy.origin,
      NO_PROXY: 'internal.example',
    });
    expect(proxy.heard).toEqual([]);
    expect(heard).toContainEqual(expect.stringContaining(secret));
    // Requests to other hosts use the proxy.
    const elsewhere = ['doctor', '--server', 'http://elsewhere.invalid'];
    await ostiary(elsewhere, { HTTP_PROXY: proxy.origin });
    expect(proxy.heard.length).toBeGreaterThan(0);
    // If the proxy is unreachable, the error names it.
    const { stdout } = await ostiary(elsewhere, { HTTP_PROXY: 'http://127.0.0.1:9' });
    expect(stdout).toContain('with HTTP_PROXY');
  });
});

test('A Node.js version without proxy support prints a warning, bypasses the proxy and works.', async () => {
  const { origin, heard } = await listener(operatorPort);
  const without = 'process.getBuiltinModule("node:http").setGlobalProxyFromEnv = undefined;';
  const { code, stderr } = await ostiary(['tenant', 'list'], {
    OSTIARY_OPERATOR_URL: origin,
    OPERATOR_CLIENT_SECRET: secret,
    HTTPS_PROXY: 'http://127.0.0.1:9',
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(without)}`,
  });
  expect(stderr).toMatch(/^warning: Node\.js \S+ ignores HTTPS_PROXY/);
  // The listener returns no tenants; it did receive the request.
  expect([code, heard.some((line) => line.includes(secret))]).toEqual([1, true]);
});

describe('storage of secrets', () => {
  test('An existing file for secrets ends the command before any change.', async () => {
    // This tenant is used by no other test.
    const tenant = `kept-${Date.now().toString(36)}`;
    expect(await ostiary(['tenant', 'create', tenant], asOperator())).toMatchObject({ code: 0 });
    const inside = (...args: string[]) => ostiary([...args, '--operator', '--tenant', tenant], asOperator());
    const folder = newHome();
    const [document, kept] = [join(folder, 'clients.json'), join(folder, 'kept.json')];
    const exported = await inside('export');
    const clients = [{ name: 'Never made', grantTypes: ['client_credentials'], scopes: ['users:read'] }];
    writeFileSync(
      document,
      JSON.stringify({ ...exported.json, clients: [...exported.json.clients, ...clients] }),
    );
    writeFileSync(kept, 'something else');
    const { code } = await inside('apply', document, '--yes', '--secrets-file', kept);
    expect(code).toBe(2);
    expect((await inside('client', 'list', '--name', 'Never made', '--json')).json).toEqual([]);
    // A command that created no secret leaves no file.
    const unused = join(folder, 'unused.json');
    const same = join(folder, 'same.json');
    writeFileSync(same, JSON.stringify(exported.json));
    expect((await inside('apply', same, '--yes', '--secrets-file', unused)).code).toBe(0);
    expect(existsSync(unused)).toBe(false);
  });
});
