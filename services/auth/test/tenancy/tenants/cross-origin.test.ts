import { beforeAll, describe, expect, test } from '@jest/globals';
import { uuidv7 } from '@ostiary/service';
import { openAddresses } from '../../../src/tenancy/tenants/http/cross-origin.ts';
import { publicClient, register, secrets } from '../../support/running-auth.ts';
import { auth, setUpTwoProcesses } from '../../support/two-processes.ts';

setUpTwoProcesses();

const demoApp = 'https://app.demo.test';
const rivalApp = 'https://app.rival.test';
const redirectedTo = 'http://127.0.0.1:8500';
const nobodys = 'https://evil.test';

/** Sends a change of the tenant like the directory. */
async function registerOrigins(tenant: string, webOrigins: string[], status = 'active'): Promise<void> {
  await auth.get(`/t/${tenant}/jwks`);
  await auth.database.sql.query('UPDATE auth.tenants SET policy = $2, status = $3 WHERE id = $1', [
    tenant,
    JSON.stringify({ webOrigins }),
    status,
  ]);
  auth.deps.tenants.forget(tenant);
}

beforeAll(async () => {
  await registerOrigins('demo', [demoApp]);
  await registerOrigins('rival', [rivalApp]);
  await register(auth, {
    ...publicClient,
    redirect_uris: [`${redirectedTo}/callback`, 'com.example.app:/callback', 'https://app.demo.test/too'],
  });
});

const addressed = (address: string, tenant = 'demo') => address.replace(':tenant', tenant);
const send = (origin: string, address: string, method: string, headers: Record<string, string> = {}) =>
  fetch(`${auth.origin}${address}`, { method, headers: { origin, ...headers } });
const preflight = (origin: string, address: string) =>
  send(origin, address, 'OPTIONS', {
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'authorization, content-type, dpop',
  });
const corsOf = (response: Response) =>
  Object.fromEntries([...response.headers].filter(([name]) => name.startsWith('access-control-')));

describe.each(openAddresses)('pages of other origins at %s', (address) => {
  const methods = /token|par|revoke|device/.test(address) ? ['POST'] : ['GET'];

  test.each([demoApp, redirectedTo])(
    'A page may send requests and read answers from the origin %s.',
    async (origin) => {
      const asked = await preflight(origin, addressed(address));
      expect(asked.status).toBe(204);
      expect(asked.headers.get('access-control-allow-origin')).toBe(origin);
      expect(asked.headers.get('access-control-allow-methods')).toBe('GET, POST');
      for (const header of ['authorization', 'content-type', 'dpop'])
        expect(asked.headers.get('access-control-allow-headers')?.split(', ')).toContain(header);
      for (const method of methods) {
        const answer = await send(origin, addressed(address), method);
        expect(answer.headers.get('access-control-allow-origin')).toBe(origin);
        expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
        expect(answer.headers.get('access-control-expose-headers')).toContain('dpop-nonce');
        expect(answer.headers.get('vary')).toContain('Origin');
      }
    },
  );

  test.each([rivalApp, nobodys, 'null', 'http://127.0.0.1:8501', demoApp.toUpperCase(), 'com.example.app:'])(
    'A page may not read answers from the origin %s.',
    async (origin) => {
      const asked = await preflight(origin, addressed(address));
      expect([asked.status, corsOf(asked)]).toEqual([204, {}]);
      for (const method of methods) {
        const answer = await send(origin, addressed(address), method);
        expect(corsOf(answer)).toEqual({});
        expect(answer.headers.get('vary')).toContain('Origin');
      }
    },
  );

  test('At the rival tenant, only pages of the rival tenant may read answers.', async () => {
    expect(corsOf(await preflight(demoApp, addressed(address, 'rival')))).toEqual({});
    expect(corsOf(await preflight(redirectedTo, addressed(address, 'rival')))).toEqual({});
    expect(corsOf(await preflight(rivalApp, addressed(address, 'rival')))).not.toEqual({});
    for (const tenant of ['platform', 'nobody']) {
      expect(corsOf(await preflight(demoApp, addressed(address, tenant)))).toEqual({});
    }
  });
});

test.each([
  'introspect',
  'revocations',
  'register',
  'authorize',
  'login',
  'account',
  'logout',
  'ssf/streams',
  'branding/logo',
])('Pages of other origins cannot read answers at %s.', async (path) => {
  for (const method of ['GET', 'POST', 'OPTIONS']) {
    const answer = await send(demoApp, `/t/demo/${path}`, method, {
      'access-control-request-method': 'POST',
    });
    expect([method, corsOf(answer)]).toEqual([method, {}]);
  }
});

test('A removed origin, a disabled client or a suspended tenant takes effect within a second.', async () => {
  const tenant = `t${uuidv7().replaceAll('-', '').slice(0, 12)}`;
  await auth.database.sql.query(
    `INSERT INTO auth.tenants (id, name, status, version, policy) VALUES ($1, $1, 'active', 1, $2)`,
    [tenant, JSON.stringify({ webOrigins: [demoApp] })],
  );
  const { client } = await register(
    auth,
    { ...publicClient, redirect_uris: ['https://spa.test/cb'] },
    tenant,
  );
  const allowed = async (origin: string) =>
    (await preflight(origin, `/t/${tenant}/token`)).headers.get('access-control-allow-origin') !== null;
  const soon = () => new Promise((resolve) => setTimeout(resolve, 1_100));
  expect([await allowed(demoApp), await allowed('https://spa.test')]).toEqual([true, true]);
  await auth.database.sql.query(
    'UPDATE auth.clients SET disabled_at = now() WHERE tenant = $1 AND client_id = $2',
    [tenant, client.clientId],
  );
  await registerOrigins(tenant, ['https://new.test']);
  await soon();
  expect([
    await allowed(demoApp),
    await allowed('https://spa.test'),
    await allowed('https://new.test'),
  ]).toEqual([false, false, true]);
  await registerOrigins(tenant, ['https://new.test'], 'suspended');
  await soon();
  expect(await allowed('https://new.test')).toBe(false);
});

describe('notification of the gateway', () => {
  const tokenOf = async (client: keyof typeof secrets): Promise<string> => {
    const { body } = await auth.post(
      '/t/platform/token',
      { grant_type: 'client_credentials', resource: 'urn:ostiary:service:auth' },
      { basic: [client, secrets[client]] },
    );
    return String(body.access_token);
  };
  const path = '/internal/v1/web-origins';

  test('The gateway reads which tenants have registered which origins themselves.', async () => {
    await registerOrigins('demo', [demoApp, 'https://both.test']);
    await registerOrigins('rival', [rivalApp, 'https://both.test']);
    const authorization = `Bearer ${await tokenOf('gateway')}`;
    const { status, body } = await auth.get(path, { authorization });
    expect(status).toBe(200);
    expect(body.origins).toMatchObject({
      [demoApp]: ['demo'],
      [rivalApp]: ['rival'],
      'https://both.test': ['demo', 'rival'],
    });
    expect(body.origins).not.toHaveProperty(redirectedTo);
    await registerOrigins('rival', [rivalApp], 'suspended');
    const { origins } = (await auth.get(path, { authorization })).body as {
      origins: Record<string, string[]>;
    };
    expect(Object.keys(origins)).not.toContain(rivalApp);
  });

  test('The gateway reads the origins of apps in the browser, each for its own tenant, while client and tenant are active.', async () => {
    const app = async (tenant: string, metadata: object) =>
      (
        await register(
          auth,
          { ...publicClient, redirect_uris: ['https://spa.test:8443/callback'], ...metadata },
          tenant,
        )
      ).client.clientId;
    const origins = async (): Promise<Record<string, string[]>> =>
      (await auth.get(path, { authorization: `Bearer ${await tokenOf('gateway')}` })).body.origins as Record<
        string,
        string[]
      >;
    await registerOrigins('demo', []);
    const single = await app('demo', { application_type: 'web' });
    await app('rival', { application_type: 'native' });
    expect((await origins())['https://spa.test:8443']).toEqual(['demo']);
    await registerOrigins('demo', [], 'suspended');
    expect((await origins())['https://spa.test:8443']).toBeUndefined();
    await registerOrigins('demo', []);
    await auth.deps.clientRegistry.disable('demo', single);
    expect((await origins())['https://spa.test:8443']).toBeUndefined();
  });

  test('A caller other than the gateway may not read the registered origins.', async () => {
    expect((await auth.get(path)).status).toBe(401);
    for (const client of ['directory', 'provisioning', 'operator'] as const) {
      expect((await auth.get(path, { authorization: `Bearer ${await tokenOf(client)}` })).status).toBe(403);
    }
  });
});
