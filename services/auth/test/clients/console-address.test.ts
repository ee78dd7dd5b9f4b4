import { beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@ostiary/service/testing';
import { ConsoleAtBrowser, logged, rows } from '../support/console-client.ts';
import { register, startAuth } from '../support/running-auth.ts';
import { Browser } from '../support/sign-in/browser.ts';
import { auth, backend, setUpTwoProcesses } from '../support/two-processes.ts';

setUpTwoProcesses();

beforeAll(async () => {
  for (const tenant of ['demo', 'rival']) await auth.deps.tenants.find(tenant);
});

describe('the address of the console', () => {
  const at = (url: string) => startAuth(backend, { env: { CONSOLE_URL: url }, publicOrigin: auth.origin });

  test('The client follows the setting, once a minute at most, and the change is logged.', async () => {
    await auth.deps.clients.find('demo', 'console');
    const moved = await at('https://console.example/admin/');
    try {
      expect(await moved.deps.clients.find('demo', 'console')).toMatchObject({
        redirectUris: ['https://console.example/admin/callback'],
        postLogoutRedirectUris: ['https://console.example/admin/'],
      });
      expect(await logged('demo', 'client.updated')).toMatchObject([
        {
          actor: { kind: 'system', id: 'auth' },
          changes: { redirect_uris: { after: ['https://console.example/admin/callback'] } },
        },
      ]);
      // The process with the other setting does not revert the change immediately.
      await eventually(async () => {
        const seen = await auth.deps.clients.find('demo', 'console');
        return seen?.redirectUris[0]?.startsWith('https://console.example') ?? false;
      });
      expect(await rows('demo')).toEqual([{ redirect_uris: ['https://console.example/admin/callback'] }]);
    } finally {
      await moved.stop();
    }
    await auth.database.sql.query(
      `UPDATE auth.clients SET updated_at = now() - interval '2 minutes' WHERE client_id = 'console'`,
    );
    await auth.deps.clients.changed('demo', 'console');
    expect(await auth.deps.clients.find('demo', 'console')).toMatchObject({
      redirectUris: [`${auth.origin}/console/callback`],
    });
  });

  test("A client registered under the console's id in an earlier release becomes the console's client, and its tokens end.", async () => {
    await auth.database.sql.query(
      `DELETE FROM auth.clients WHERE tenant = 'rival' AND client_id = 'console'`,
    );
    const { client, clientSecret = '' } = await register(
      auth,
      { grant_types: ['authorization_code', 'client_credentials'], scope: 'openid users:read' },
      'rival',
    );
    await auth.database.sql.query(
      `INSERT INTO auth.clients (tenant, client_id, name, type, token_endpoint_auth_method, redirect_uris, grant_types,
           response_types, scopes, resources, metadata)
       SELECT tenant, 'console', name, type, token_endpoint_auth_method, redirect_uris, grant_types, response_types, scopes, resources, metadata
         FROM auth.clients WHERE tenant = 'rival' AND client_id = $1`,
      [client.clientId],
    );
    await auth.database.sql.query(
      `UPDATE auth.client_secrets SET client_id = 'console' WHERE tenant = 'rival' AND client_id = $1`,
      [client.clientId],
    );
    await auth.deps.clients.changed('rival', 'console');
    const basic = ['console', clientSecret] as const;
    const answer = await auth.post('/t/rival/token', { grant_type: 'client_credentials' }, { basic });
    expect(answer.status).toBe(401);
    const found = await auth.deps.clients.record('rival', 'console');
    expect(found).toMatchObject({
      client: { type: 'public', epoch: 1, redirectUris: [`${auth.origin}/console/callback`] },
      secrets: [],
    });
  });

  test('Scopes registered by another release stay.', async () => {
    await auth.database.sql.query(
      `UPDATE auth.clients SET scopes = scopes || '{later:read}', updated_at = now() - interval '2 minutes'
        WHERE tenant = 'demo' AND client_id = 'console'`,
    );
    await auth.deps.clients.changed('demo', 'console');
    expect((await auth.deps.clients.find('demo', 'console'))?.scopes).toContain('later:read');
    await auth.database.sql.query(
      `UPDATE auth.clients SET scopes = '{openid}' WHERE tenant = 'demo' AND client_id = 'console'`,
    );
    await auth.deps.clients.changed('demo', 'console');
    expect((await auth.deps.clients.find('demo', 'console'))?.scopes).toContain('users:write');
  });

  test('Without a console, no tenant has its client, even if a registration remains.', async () => {
    const without = await at('off');
    try {
      expect(await without.deps.clients.find('demo', 'console')).toBeNull();
      const opened = await ConsoleAtBrowser.open(auth);
      const page = await new Browser(without.origin).get(opened.request({ scope: 'openid' }));
      expect([page.status, page.location]).toEqual([400, undefined]);
      await expect(
        without.deps.clientRegistry.register(
          'demo',
          { client_name: 'Mine', redirect_uris: ['https://evil.example/cb'] },
          { clientId: 'console' },
        ),
      ).rejects.toMatchObject({ code: 'invalid_client_metadata' });
    } finally {
      await without.stop();
    }
  });

  test.each([
    'http://console.example',
    'https://console.example/?x=1',
    'https://console.example/#x',
    'console',
  ])('A process with %s as the address does not start.', async (url) => {
    await expect(at(url)).rejects.toThrow(/CONSOLE_URL/);
  });

  test('Without TLS for users, the installation has no console by default.', async () => {
    const open = await startAuth(backend, { publicOrigin: 'http://id.example' });
    try {
      expect(await open.deps.clients.find('demo', 'console')).toBeNull();
    } finally {
      await open.stop();
    }
  });
});
