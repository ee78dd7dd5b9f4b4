import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  alice,
  allow,
  allowOn,
  documents,
  newPath,
  service,
  setUpDocuments,
  signedIn,
  stored,
} from '../../support/document-client.ts';
import { McpClient } from '../../support/mcp/client.ts';
import { ProtectedMcpServer } from '../../support/mcp/server.ts';
import { rival, tenant } from '../../support/sign-in/service.ts';

setUpDocuments();

let server: ProtectedMcpServer;
let apiId: string;

/** The issuer is a proxy in front of the service, as in production. */
const viaProxy: typeof fetch = (address, init) => {
  const { href } = new URL(String(address));
  const { origin } = new URL(service.deps.issuer(tenant));
  return fetch(href.startsWith(`${origin}/`) ? service.origin + href.slice(origin.length) : href, init);
};

beforeAll(async () => {
  const issuer = service.deps.issuer(tenant);
  server = await new ProtectedMcpServer({ issuer, fetch: viaProxy, scope: 'notes:read' }).start();
  const api = await service.deps.apis.register(tenant, {
    identifier: server.identifier,
    name: 'Notes',
    scopes: [{ name: 'notes:read', descriptions: {} }],
    roles: [],
    tokenLifetimeSeconds: null,
    tokenFormat: 'jwt',
  });
  apiId = api.id;
});
afterAll(() => server?.stop());

const newClient = (documentUrl?: string): McpClient =>
  new McpClient({ server: server.identifier, fetch: viaProxy, ...(documentUrl && { documentUrl }) });

/** Signs alice in and allows the request of a client. */
async function authorize(client: McpClient): Promise<string> {
  const address = await client.addressOfAuthorization();
  const browser = await signedIn();
  const page = await browser.follow(await browser.get(address.pathname + address.search));
  await client.finish(await allowOn(browser, page));
  return page.text;
}

test('The client of the MCP SDK uses a protected MCP server with its metadata document, and refreshes its tokens.', async () => {
  await allow([documents.host], { apiIds: [apiId], registration: 'off' });
  const client = newClient(documents.publish(newPath()));
  expect(await authorize(client)).toContain(`published by <strong>${documents.host}</strong>`);
  expect(await client.call('whoami')).toBe(alice.id);
  const { refresh_token: refreshToken, ...others } = client.installation.tokens() ?? {};
  expect(refreshToken).toBeDefined();
  client.installation.saveTokens({
    ...others,
    token_type: 'bearer',
    access_token: 'expired',
    refresh_token: refreshToken,
  });
  expect(await client.call('whoami')).toBe(alice.id);
});

test('The client of the MCP SDK uses a protected MCP server after open registration, and loses it with the policy.', async () => {
  await allow([], { apiIds: [apiId], registration: 'open' });
  const client = newClient();
  expect(await authorize(client)).toContain('The app registered itself');
  expect(await client.call('whoami')).toBe(alice.id);
  const { client_id: id = '' } = client.installation.clientInformation() ?? {};
  expect(await stored(id)).toMatchObject({ type: 'public', scopes: ['offline_access', 'notes:read'] });
  await allow([], { registration: 'token' });
  expect(await stored(id)).toBeNull();
  const tokens = client.installation.tokens();
  client.installation.saveTokens({ ...tokens, token_type: 'bearer', access_token: 'expired' });
  await expect(client.call('whoami')).rejects.toThrow();
});

test('The client of the MCP SDK is rejected while the policy of the tenant is closed, whatever the policy of another tenant.', async () => {
  await allow(['*'], { registration: 'open', redirectHosts: ['*'] }, rival);
  await allow([], { registration: 'token' });
  await expect(newClient(documents.publish(newPath())).addressOfAuthorization()).rejects.toThrow(
    /token|register/i,
  );
  await allow([], { registration: 'off' });
  await expect(newClient().addressOfAuthorization()).rejects.toThrow(
    'does not support dynamic client registration',
  );
});
