import { describe, expect, test } from '@jest/globals';
import type { Current } from '../../cli/src/configuration/current.ts';
import { warningsOf } from '../../cli/src/configuration/warnings.ts';
import { runningDemo, unique } from '../support/demo.ts';
import {
  administration,
  app,
  applied,
  exportOf,
  file,
  inside,
  newTenant,
  orders,
  rich,
  richOrders,
  richStock,
  service,
  stock,
} from './api-files.ts';
import { asClient, asOperator, ostiary } from './command-line.ts';

const demo = runningDemo();

const open = {
  clientDocumentPolicy: {
    hosts: [],
    registration: 'OPEN',
    redirectHosts: ['app.acme.example'],
    scopes: ['openid', 'profile'],
    apis: [],
  },
};

/** Registers a client without an initial access token; returns its name. */
async function registered(tenant: string, redirectUri: string): Promise<string> {
  const name = unique('Open');
  const response = await fetch(`${demo.origin}/t/${tenant}/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      client_name: name,
      redirect_uris: [redirectUri],
      grant_types: ['authorization_code'],
      token_endpoint_auth_method: 'none',
    }),
  });
  expect(response.status).toBe(201);
  return name;
}

const loopback = 'http://127.0.0.1/callback';
const hosted = 'https://app.acme.example/callback';

const namesIn = async (tenant: string): Promise<string[]> =>
  (await exportOf(tenant)).clients.map(({ name }: { name: string }) => name);

const policyFile = (changes: object): string =>
  file({ clientDocumentPolicy: { ...open.clientDocumentPolicy, ...changes } });

describe('the policy for client documents in configuration files', () => {
  test('An import leaves the policy unchanged, and with it the clients that the policy of the file does not allow.', async () => {
    const tenant = await newTenant();
    await applied(tenant, open);
    const name = await registered(tenant, loopback);
    const path = file({
      branding: { name: 'Imported' },
      clientDocumentPolicy: { registration: 'OFF', apis: ['https://none.example'] },
    });
    const answer = await inside(tenant, 'import', path);
    expect([answer.code, answer.json.changes]).toEqual([
      0,
      [{ action: 'change', section: 'branding', key: 'branding', fields: ['name'] }],
    ]);
    expect(answer.stderr).toContain('clientDocumentPolicy differs and is not changed');
    expect(await exportOf(tenant)).toMatchObject({ ...open, branding: { name: 'Imported' } });
    expect(await namesIn(tenant)).toContain(name);
    expect((await ostiary(['import', '--help'], {})).stdout).toContain('clientDocumentPolicy');
  });

  test('An apply names the clients that a narrower policy deletes before it deletes them, and no other tenant loses clients.', async () => {
    const [tenant, other] = [await newTenant(), await newTenant()];
    await Promise.all([applied(tenant, open), applied(other, open)]);
    const [local, remote] = [await registered(tenant, loopback), await registered(tenant, hosted)];
    const theirs = await registered(other, loopback);
    const hostless = policyFile({ redirectHosts: [] });
    const unconfirmed = await ostiary(['apply', hostless, '--operator', '--tenant', tenant], asOperator());
    expect(unconfirmed.code).toBe(2);
    expect(unconfirmed.stderr).toContain(`deleted with everything issued to them (1): ${remote}.`);
    expect(await namesIn(tenant)).toEqual(expect.arrayContaining([local, remote]));
    expect(await inside(tenant, 'apply', hostless)).toMatchObject({ code: 0 });
    const kept = await namesIn(tenant);
    expect([kept.includes(local), kept.includes(remote)]).toEqual([true, false]);

    const narrower = await inside(tenant, 'apply', policyFile({ redirectHosts: [], scopes: ['openid'] }));
    expect(narrower.stderr).toMatch(/warning: .* lose profile\. Their access tokens are revoked/);
    expect(narrower.stderr).not.toContain('are deleted');
    const closed = await inside(tenant, 'apply', policyFile({ registration: null, scopes: ['openid'] }));
    expect([closed.code, closed.stderr]).toEqual([
      0,
      expect.stringContaining(`issued to them (1): ${local}.`),
    ]);
    expect(await namesIn(tenant)).not.toContain(local);
    expect(await namesIn(other)).toContain(theirs);
  });

  test('A client of the rival tenant is not warned of clients of another tenant, and deletes none of them.', async () => {
    const tenant = await newTenant();
    await applied(tenant, open);
    const name = await registered(tenant, loopback);
    const before = await exportOf(tenant);
    const path = policyFile({ registration: 'OFF', redirectHosts: [] });
    const as = asClient(demo.tenants.rival);
    const { clientDocumentPolicy } = (await ostiary(['export'], as)).json;
    const answer = await ostiary(['apply', path], as);
    expect([answer.code, answer.stderr.includes(name)]).toEqual([2, false]);
    expect((await ostiary(['export'], as)).json).toMatchObject({ clientDocumentPolicy });
    const foreign = await ostiary(['apply', path, '--yes'], { ...as, OSTIARY_TENANT: tenant });
    expect(foreign).toMatchObject({ code: 3, stdout: '' });
    expect(await exportOf(tenant)).toEqual(before);
  });

  test('Clients with a document are named if the policy no longer has their host, with its port.', () => {
    const ids = ['https://a.example/x', 'https://a.example:8443/x', 'https://b.example/x', 'plain'];
    const clients = ids.map((id) => ({ id, key: id, version: 1, item: {}, raw: { redirectUris: [] } }));
    const policy = { hosts: ['*'], registration: 'TOKEN', redirectHosts: [], scopes: [], apis: [] };
    const current = {
      tenant: 'x',
      settings: { clientDocumentPolicy: { version: 1, item: policy } },
      lists: { clients },
    } as unknown as Current;
    const warned = (hosts: string[] | null): string[] =>
      warningsOf(
        [
          {
            ...{ action: 'change', section: 'clientDocumentPolicy', key: 'clientDocumentPolicy' },
            ...{ fields: ['hosts'], item: { hosts }, version: 1 },
          },
        ],
        current,
      );
    expect(warned(['*'])).toEqual([]);
    const [said] = warned(['a.example']);
    expect(said).toContain('(2)');
    expect(said).toContain(`${ids[1]}, ${ids[2]}`);
    expect(warned(['a.example:8443', 'b.example'])[0]).toContain('(1)');
    expect(warned(null)[0]).toContain('(3)');
  });
});

describe('removed scopes, roles and APIs in configuration files', () => {
  test('An apply warns that they end access tokens, and an apply that adds some does not.', async () => {
    const tenant = await newTenant();
    expect((await inside(tenant, 'apply', file(rich))).stderr).not.toContain('warning');
    const fewer = {
      apis: [{ ...richOrders, scopes: richOrders?.scopes.slice(1), roles: [{ name: 'refunder' }] }],
      clients: [administration, { ...service, ownScopes: ['orders:read'] }, { ...app, scopes: ['openid'] }],
      groupApiRoles: [],
      clientDocumentPolicy: { apis: [] },
    };
    const { code, stderr } = await inside(tenant, 'apply', file(fewer), '--prune');
    expect(code).toBe(0);
    const warnings = stderr.split('\n').filter((line) => line.startsWith('warning:'));
    expect(warnings).toEqual([
      `warning: The API ${stock} is deleted with its scopes and roles. Access tokens of its clients are revoked.`,
      `warning: The API ${orders}, and all clients, users and groups, lose orders:write, approver, buyer. Access tokens of its clients are revoked.`,
    ]);
    const added = await inside(tenant, 'apply', file({ apis: rich.apis.map(withMore) }));
    expect([added.code, added.stderr.includes('warning')]).toEqual([0, false]);
  });
});

const withMore = (api: (typeof rich)['apis'][number]) => ({
  ...api,
  roles: api === richStock ? [] : [...api.roles, { name: 'refunder' }],
});
