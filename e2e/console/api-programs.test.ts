import { execFile } from 'node:child_process';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { protections } from '../../console/src/apis/protections.ts';
import { protects } from '../start/protected-api.ts';
import { runningDemo, unique } from '../support/demo.ts';
import { graph } from '../support/graph.ts';
import { adminToken } from '../support/sign-in.ts';
import { type Credentials, registered } from '../verifier/registered.ts';

const demo = runningDemo();
const { demo: tenant } = demo.tenants;
const scope = `${unique('orders')}:buyer's`;
const audience = `https://${unique('orders')}.example`;
const programs = protections({ issuer: tenant.issuer, audience, scope });
let folder = '';
let server: Credentials;
let app: Credentials;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ostiary-api-programs-'));
  await symlink(resolve(import.meta.dirname, '../../node_modules'), join(folder, 'node_modules'));
  const input = { identifier: audience, name: 'Orders', scopes: [{ name: scope }] };
  const { data } = await graph(
    demo,
    await adminToken(tenant),
    'mutation ($input: RegisterApiInput!) { registerApi(input: $input) { problems { message } } }',
    { input },
  );
  expect(data.registerApi.problems).toEqual([]);
  server = await registered(demo, tenant, { kind: 'MACHINE', protectedResources: [audience] });
  app = await registered(demo, tenant, { kind: 'MACHINE', ownScopes: [scope] });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const tokenFor = async (parameters: Record<string, string>): Promise<string> => {
  const response = await fetch(`${tenant.issuer}/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${app.clientId}:${app.clientSecret}`)}` },
    body: new URLSearchParams({ grant_type: 'client_credentials', ...parameters }),
  });
  return ((await response.json()) as { access_token: string }).access_token;
};
const env = () => ({ API_ID: server.clientId, API_SECRET: server.clientSecret });

test.each(programs.filter(({ id }) => id !== 'introspection').map(({ id, text }) => [id, text]))(
  'The program that the console shows for %s accepts tokens of its API with the scope, and no others.',
  async (id, text) => {
    const tokens = { own: await tokenFor({ scope }), other: await adminToken(tenant) };
    await protects(join(folder, `${id}.mjs`), text, env(), tokens);
  },
);

test('The command that the console shows introspects a token of the API.', async () => {
  const text = programs.find(({ id }) => id === 'introspection')?.text ?? '';
  const { stdout } = await promisify(execFile)('sh', ['-c', text], {
    env: { ...process.env, ...env(), TOKEN: await tokenFor({ scope }) },
  });
  expect(JSON.parse(stdout)).toMatchObject({ active: true, aud: audience, scope });
});
