import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { freePort } from '@ostiary/embedded';
import { Browser } from '../support/browser.ts';
import { runningDemo, unique } from '../support/demo.ts';
import { graph } from '../support/graph.ts';
import { adminToken, walk } from '../support/sign-in.ts';

const demo = runningDemo();
const tenant = demo.tenants.demo;
const suite = fileURLToPath(import.meta.resolve('@modelcontextprotocol/conformance/dist/index.js'));
const resource = 'https://mcp.example.com';

let results: string;
beforeAll(() => {
  results = mkdtempSync(join(tmpdir(), 'mcp-conformance-'));
});
afterAll(() => rmSync(results, { recursive: true }));

/** Registers a client as an administrator does for an MCP client without a metadata document. */
async function registerClient(): Promise<string> {
  const { data, errors } = await graph(
    demo,
    await adminToken(tenant),
    'mutation ($input: RegisterClientInput!) { registerClient(input: $input) { client { id } } }',
    {
      input: {
        kind: 'MCP',
        name: unique('conformance'),
        redirectUris: ['http://127.0.0.1/callback'],
        resources: [resource],
      },
    },
  );
  expect(errors).toEqual([]);
  return data.registerClient.client.id;
}

/** Runs the scenarios, and signs alice in at the address that the suite prints. */
async function runSuite(clientId: string): Promise<{ exitCode: number | null; output: string }> {
  const port = await freePort();
  const of = { url: tenant.issuer, 'client-id': clientId, resource, port, 'output-dir': results };
  const words = Object.entries(of).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const child = spawn(process.execPath, [suite, 'authorization', ...words], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const lines: string[] = [];
  createInterface(child.stderr).on('line', (line) => void lines.push(line));
  for await (const line of createInterface(child.stdout)) {
    lines.push(line);
    if (!line.startsWith(`${tenant.issuer}/authorize?`)) continue;
    const { url } = await walk(new Browser(demo.origin), new URL(line), tenant.users.alice);
    await (await fetch(url)).text();
  }
  return { exitCode: await ended, output: lines.join('\n') };
}

test('The tenant passes the authorization server scenarios of the MCP conformance suite, with PKCE and a resource.', async () => {
  const { exitCode, output } = await runSuite(await registerClient());
  expect({ exitCode, output }).toEqual({ exitCode: 0, output });
  const checks = readdirSync(results).flatMap((folder) =>
    JSON.parse(readFileSync(join(results, folder, 'checks.json'), 'utf8')),
  ) as { id: string; status: string }[];
  expect(Object.fromEntries(checks.map(({ id, status }) => [id, status]))).toEqual({
    'authorization-server-metadata': 'SUCCESS',
    // A warning: the tenant accepts no metadata documents by default.
    'authorization-server-metadata-cimd': 'WARNING',
    'authorization-code-grant': 'SUCCESS',
  });
});
