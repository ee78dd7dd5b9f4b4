import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { runningDemo, unique } from '../support/demo.ts';
import { asClient, asDemo, asOperator, newHome, ostiary } from './command-line.ts';

const demo = runningDemo();
const folder = newHome();

/** Configuration with every section, and with names that are easily confused. */
const rich = {
  ostiary: 1,
  settings: { deletionPolicy: 'SOFT', auditRetentionDays: 400 },
  policy: {
    bannedPasswordWords: ['acme', 'tiger'],
    scimSecurityEvents: true,
    webOrigins: ['https://app.acme.example'],
  },
  branding: { name: 'Acme', color: '#336699' },
  schemas: [
    {
      id: 'urn:example:hr:2.0:User',
      name: 'HR',
      description: 'What HR knows',
      required: false,
      resourceType: 'USER',
      attributes: [
        { name: 'badge', type: 'STRING' },
        { name: 'desk', type: 'COMPLEX', subAttributes: [{ name: 'floor', type: 'INTEGER' }] },
      ],
    },
  ],
  clients: [
    {
      name: 'Portal',
      grantTypes: ['authorization_code', 'refresh_token'],
      redirectUris: ['https://portal.acme.example/callback'],
      scopes: ['openid', 'email'],
      requireConsent: false,
    },
    { name: 'Twin', grantTypes: ['client_credentials'], scopes: ['users:read'] },
    { name: 'Twin', grantTypes: ['client_credentials'], scopes: ['groups:read'] },
    { name: 'Twin#2', grantTypes: ['client_credentials'], scopes: ['audit:read'] },
    {
      name: 'API',
      grantTypes: ['client_credentials', 'urn:ietf:params:oauth:grant-type:token-exchange'],
      tokenExchange: { impersonation: false, subjectClients: ['Portal'] },
    },
    {
      name: 'Assistant',
      grantTypes: ['client_credentials', 'urn:ietf:params:oauth:grant-type:token-exchange'],
      tokenExchange: {
        agent: true,
        agentTokenLifetimeSeconds: 120,
        impersonation: false,
        subjectClients: ['Portal'],
      },
    },
  ],
  connectors: [{ name: 'HR source', profile: 'ENTRA', access: 'READ_ONLY', protectAdministrators: true }],
  webhooks: [{ name: 'Receiver', endpoint: 'https://hooks.acme.example/in', types: ['USER_DEACTIVATED'] }],
};

const file = (content: unknown): string => {
  const path = join(folder, `${unique('file')}.json`);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
};

async function newTenant(): Promise<string> {
  const id = unique('conf').toLowerCase().slice(0, 60);
  expect(await ostiary(['tenant', 'create', id], asOperator())).toMatchObject({ code: 0 });
  return id;
}

const inside = (tenant: string, ...args: string[]) =>
  ostiary([...args, '--operator', '--tenant', tenant, '--json', '--yes'], asOperator());

let source = '';
let richFile = '';
beforeAll(async () => {
  source = await newTenant();
  richFile = file(rich);
  expect(await inside(source, 'apply', richFile)).toMatchObject({ code: 0 });
});

describe('ostiary export, diff, apply and import', () => {
  test('A configuration that is exported from one tenant and applied to another is identical there, and a second apply changes nothing.', async () => {
    const exported = join(folder, 'exported.json');
    const written = await inside(source, 'export', exported);
    expect([written.code, written.json]).toEqual([0, { file: exported }]);
    const copy = await newTenant();
    expect(await inside(copy, 'diff', exported)).toMatchObject({ code: 7 });
    const secrets = join(folder, 'secrets.json');
    expect(await inside(copy, 'apply', exported, '--secrets-file', secrets)).toMatchObject({ code: 0 });
    expect((await inside(copy, 'diff', exported, '--prune')).json).toEqual({
      differences: [],
      onlyInTenant: [],
    });
    expect((await inside(copy, 'apply', exported)).json).toEqual({ changes: [] });
    expect((await inside(copy, 'export')).json).toEqual(JSON.parse(readFileSync(exported, 'utf8')));

    // Secrets are written to the requested file only.
    expect(statSync(secrets).mode & 0o777).toBe(0o600);
    const made = JSON.parse(readFileSync(secrets, 'utf8')) as { key: string; secret: string }[];
    expect(made.map(({ key }) => key).sort()).toEqual([
      'API',
      'Assistant',
      'HR source',
      'Portal',
      'Receiver',
      'Twin',
      'Twin#2',
      'Twin#2#1',
    ]);
    const text = readFileSync(exported, 'utf8') + (await inside(copy, 'export')).stdout;
    for (const { secret } of made) expect(text).not.toContain(secret);
    expect(text).not.toMatch(/"(clientSecret|secret|token)":|[0-9a-f]{8}-[0-9a-f]{4}-7/);
  });

  test('An import into an empty tenant leaves no difference, and an import does not change existing objects.', async () => {
    const copy = await newTenant();
    expect(await inside(copy, 'import', richFile)).toMatchObject({ code: 0 });
    expect((await inside(copy, 'diff', richFile)).json.differences).toEqual([]);
    const other = {
      ...rich,
      clients: [
        { ...rich.clients[0], requireConsent: true },
        { name: 'New', grantTypes: ['client_credentials'] },
      ],
    };
    const { json } = await inside(copy, 'import', file(other));
    expect(json.changes.map(({ action, key }: { action: string; key: string }) => [action, key])).toEqual([
      ['create', 'New'],
    ]);
  });

  test('Two parallel applies of one document create each object once.', async () => {
    const copy = await newTenant();
    const both = await Promise.all([inside(copy, 'apply', richFile), inside(copy, 'apply', richFile)]);
    expect(both.every(({ code }) => code === 0 || code === 5)).toBe(true);
    expect(await inside(copy, 'apply', richFile)).toMatchObject({ code: 0 });
    const { clients, connectors, webhooks, schemas } = (await inside(copy, 'export')).json;
    // The tenant begins with two clients.
    expect([clients.length, connectors.length, webhooks.length, schemas.length]).toEqual([6 + 2, 1, 1, 1]);
  });

  test('Apply changes only fields that the file names, and --prune deletes objects.', async () => {
    const copy = await newTenant();
    await inside(copy, 'apply', richFile);
    const changed = {
      ostiary: 1,
      clients: [{ name: 'Portal', scopes: ['openid'] }],
      policy: { bannedPasswordWords: [] },
    };
    const before = (await inside(copy, 'export')).json;
    const { json } = await inside(copy, 'apply', file(changed));
    expect(json.changes).toEqual([
      { action: 'change', section: 'clients', key: 'Portal', fields: ['scopes'] },
      { action: 'change', section: 'policy', key: 'policy', fields: ['bannedPasswordWords'] },
    ]);
    const after = (await inside(copy, 'export')).json;
    const portal = (document: { clients: { name: string }[] }) =>
      document.clients.find(({ name }) => name === 'Portal');
    expect(portal(after)).toEqual({ ...portal(before), scopes: ['openid'] });
    expect(after.webhooks).toEqual(before.webhooks);
    expect(await inside(copy, 'apply', file({ ostiary: 1, webhooks: [] }), '--prune')).toMatchObject({
      code: 0,
    });
    expect((await inside(copy, 'export')).json).toMatchObject({
      webhooks: [],
      connectors: before.connectors,
    });
    // The former document creates deleted objects again.
    await inside(copy, 'apply', richFile);
    expect((await inside(copy, 'export')).json.webhooks).toEqual(before.webhooks);
  });

  test.each([
    ['no JSON', '{'],
    ['a list', '[]'],
    ['no format', '{}'],
    ['another format', '{"ostiary":2}'],
    ['an unknown section', '{"ostiary":1,"users":[]}'],
    ['an inherited section', '{"ostiary":1,"constructor":[]}'],
    ['an unknown field', '{"ostiary":1,"clients":[{"name":"x","secret":"y"}]}'],
    ['an inherited field', '{"ostiary":1,"clients":[{"name":"x","toString":"y"}]}'],
    ['a client without a name', '{"ostiary":1,"clients":[{}]}'],
    ['a field of another type', '{"ostiary":1,"clients":[{"name":"x","scopes":"openid"}]}'],
    ['a section of another type', '{"ostiary":1,"clients":{}}'],
    ['an empty text', ''],
  ])('A file with %s is rejected before any request.', async (_, text) => {
    const path = file(text);
    for (const command of ['diff', 'apply', 'import']) {
      const answer = await inside(source, command, path);
      expect(answer).toMatchObject({ code: 2, stdout: '' });
      expect(answer.stderr).toContain(path);
    }
  });

  test('A document that refers to an unknown client is rejected.', async () => {
    const document = {
      ostiary: 1,
      clients: [{ name: unique('Refers'), grantTypes: ['client_credentials'], mayAct: 'Nobody' }],
    };
    const answer = await inside(source, 'apply', file(document));
    expect(answer).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('The file refers to the client Nobody'),
    });
  });

  test('When the server rejects a change after others were made, the error states how many were made.', async () => {
    const copy = await newTenant();
    const [good, bad] = ['Made', 'Refused'].map((name) => ({
      name,
      grantTypes: ['client_credentials'],
      scopes: [name === 'Made' ? 'users:read' : 'nothing:known'],
    }));
    const refused = await inside(copy, 'apply', file({ ostiary: 1, clients: [bad] }));
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('0 of 1 changes were made') });
    const half = await inside(copy, 'apply', file({ ostiary: 1, clients: [good, bad] }));
    expect(half).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('1 of 2 changes were made'),
    });
  });

  test('A client of another tenant exports, compares and applies its own tenant only.', async () => {
    const env = { ...asClient(demo.tenants.rival), OSTIARY_TENANT: 'demo' };
    for (const command of [['export'], ['diff', richFile], ['apply', richFile, '--yes']]) {
      expect(await ostiary(command, env)).toMatchObject({ code: 3, stdout: '' });
    }
    const own = await ostiary(['export'], asClient(demo.tenants.rival));
    expect(own.json.clients.map(({ name }: { name: string }) => name)).toContain('Demo administration');
  });

  test('A client cannot delete itself with --prune.', async () => {
    const answer = await ostiary(['apply', file({ ostiary: 1, clients: [] }), '--prune', '--yes'], asDemo());
    expect(answer).toMatchObject({ code: 5, stderr: expect.stringContaining('delete itself') });
  });
});
