import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import { unique } from '../support/demo.ts';
import { asOperator, newHome, ostiary } from './command-line.ts';
import { tenantGraph } from './tenant-graph.ts';

const folder = newHome();

/** Writes a configuration file. */
export const file = (content: object): string => {
  const path = join(folder, `${unique('file')}.json`);
  writeFileSync(path, JSON.stringify({ ostiary: 1, ...content }));
  return path;
};

/** Creates a tenant with the group of the file. */
export async function newTenant(): Promise<string> {
  const id = unique('capi').toLowerCase().slice(0, 60);
  expect(await ostiary(['tenant', 'create', id], asOperator())).toMatchObject({ code: 0 });
  await tenantGraph(
    id,
    'mutation { createGroup(input: { displayName: "Buyers" }) { problems { message } } }',
    {},
  );
  return id;
}

export const inside = (tenant: string, ...args: string[]) =>
  ostiary([...args, '--operator', '--tenant', tenant, '--json', '--yes'], asOperator());

export const exportOf = async (tenant: string) => (await inside(tenant, 'export')).json;

export const applied = async (tenant: string, content: object, ...options: string[]) => {
  const answer = await inside(tenant, 'apply', file(content), ...options);
  expect([answer.code, answer.stderr]).toEqual([0, expect.any(String)]);
  return answer.json.changes as { action: string; section: string; key: string; fields: string[] }[];
};

export const orders = 'https://orders.acme.example';
export const stock = 'https://stock.acme.example/v1';

/** Configuration with every section that concerns APIs. */
export const rich = {
  apis: [
    {
      identifier: orders,
      name: 'Orders',
      scopes: [
        {
          name: 'orders:write',
          descriptions: [
            { language: 'de', text: 'Bestellungen ändern' },
            { language: 'en', text: 'Change orders' },
          ],
        },
        { name: 'orders:read', descriptions: [] },
      ],
      roles: [
        { name: 'approver', descriptions: [{ language: 'en', text: 'Approves orders' }] },
        { name: 'buyer', descriptions: [] },
      ],
      tokenLifetimeSeconds: 120,
      tokenFormat: 'OPAQUE',
      claims: [{ name: 'dept', expression: 'user.department', required: true }],
    },
    {
      identifier: stock,
      name: 'Stock',
      scopes: [{ name: 'stock:read', descriptions: [] }],
      roles: [],
      tokenLifetimeSeconds: null,
      tokenFormat: 'JWT',
      claims: [],
    },
  ],
  clients: [
    { name: 'Administration' },
    {
      name: 'Service',
      grantTypes: ['client_credentials'],
      scopes: [],
      ownScopes: ['orders:read', 'orders:write', 'stock:read'],
    },
    {
      name: 'App',
      grantTypes: ['authorization_code'],
      redirectUris: ['https://app.acme.example/callback'],
      scopes: ['openid', 'orders:read'],
    },
  ],
  groupApiRoles: [
    { group: 'Buyers', api: orders, role: 'approver', managedBySources: true },
    { group: 'Buyers', api: orders, role: 'buyer', managedBySources: false },
  ],
  clientDocumentPolicy: {
    hosts: ['agents.acme.example', 'app.acme.example:8443'],
    registration: 'OPEN',
    redirectHosts: ['app.acme.example'],
    scopes: ['openid', 'profile'],
    apis: [orders],
  },
};

export const [richOrders, richStock] = rich.apis;
export const [administration, service, app] = rich.clients as [object, { name: string }, { name: string }];
