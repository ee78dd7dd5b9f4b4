import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Issuer } from '@ostiary/access/testing';
import { eventually } from '@ostiary/service/testing';
import { TrustedDocuments } from '../../src/admission/graph/trusted-documents.ts';
import type { ServedGraph } from '../../src/execution/graph/served-graph.ts';
import { SupergraphFile } from '../../src/execution/supergraph-file.jobs.ts';
import { ask, type RunningGateway, Services, testSupergraph } from '../support/system.ts';

let issuer: Issuer;
let services: Services;
let gateway: RunningGateway;
let graph: ServedGraph;
let file: SupergraphFile;
let path: string;
let folder: string;
let token: string;

const original = testSupergraph();
/** The same graph without `User.fails`. */
const smaller = original.replace(/^\s*fails: String.*\n/m, '');

beforeAll(async () => {
  issuer = await new Issuer();
  token = await issuer.token({ scopes: ['users:read', 'sessions:read', 'provisioning:read'] });
  services = await Services.start(issuer);
  gateway = await services.gateway({
    introspection: true,
    guards: { documents: new TrustedDocuments([['sources', '{ users(first: 1) { source } }']]) },
    onGraph: (served) => {
      graph = served;
    },
  });
  folder = await mkdtemp(join(tmpdir(), 'ostiary-supergraph-'));
  path = join(folder, 'supergraph.graphql');
  await writeFile(path, original);
  file = new SupergraphFile(
    { path, everySeconds: 3_600, kit: gateway.kit, load: (sdl) => graph.load(sdl) },
    original,
  );
});
afterAll(async () => {
  await file.stop();
  await services.stop();
  await rm(folder, { recursive: true });
});

const fieldsOfUser = async (): Promise<string[]> => {
  const answer = await ask(gateway.url, '{ __type(name: "User") { fields { name } } }');
  const type = answer.body.data?.__type as { fields: { name: string }[] } | undefined;
  return type?.fields.map(({ name }) => name) ?? [];
};
const offer = async (sdl: string): Promise<void> => {
  await writeFile(path, sdl);
  await file.look();
};

test('A new supergraph is loaded while requests are in flight, and none is dropped.', async () => {
  expect(smaller).not.toBe(original);
  const schemas: string[] = [];
  graph.onSchema((schema) => void schemas.push(Object.keys(schema.getTypeMap()).join()));
  let done = false;
  const statuses: number[] = [];
  const caller = async (): Promise<void> => {
    while (!done) {
      const answer = await ask(gateway.url, '{ users(first: 2) { id name sessions { id } source } }', {
        token,
      });
      statuses.push(answer.status);
      expect(answer.body.data?.users).toHaveLength(2);
    }
  };
  const callers = Array.from({ length: 4 }, caller);
  for (const sdl of [smaller, original, smaller]) {
    const before = statuses.length;
    await offer(sdl);
    await eventually(() => statuses.length >= before + 4);
  }
  done = true;
  await Promise.all(callers);
  expect(new Set(statuses)).toEqual(new Set([200]));
  expect(await fieldsOfUser()).not.toContain('fails');
  expect(schemas).toHaveLength(4);
});

test.each([
  ['text that is no schema', 'type Query {'],
  ['a schema that is no supergraph', 'type Query { users: [String] }'],
  ['nothing', ''],
  ['a supergraph with an unknown subgraph', original.replaceAll('"provisioning"', '"payroll"')],
  [
    'a supergraph without a field that a trusted document asks for',
    original.replace(/^\s*source: String.*\n/m, ''),
  ],
])(
  'A supergraph file with %s is rejected; the old supergraph stays, and readiness reports it.',
  async (_name, sdl) => {
    await offer(smaller);
    const before = graph.digest;
    expect(sdl).not.toBe(original);
    await offer(sdl);
    expect(graph.digest).toBe(before);
    expect((await ask(gateway.url, '{ users(first: 1) { id source } }', { token })).status).toBe(200);
    await new Promise((resolve) => setTimeout(resolve, 300));
    const ready = (await (await fetch(`${gateway.url}/readyz`)).json()) as {
      dependencies: Record<string, { status: string }>;
    };
    expect(ready.dependencies['supergraph-file']).toMatchObject({ status: 'down', required: false });
    expect(await gateway.kit.metrics.metrics()).toMatch(
      /gateway_supergraph_loads_total\{outcome="refused",service="gateway"\} [1-9]/,
    );
    await offer(original);
    expect(await fieldsOfUser()).toContain('fails');
  },
);

test('A missing supergraph file changes nothing, and the file is read again when it is restored.', async () => {
  const before = graph.digest;
  await rm(path);
  await file.look();
  expect(graph.digest).toBe(before);
  await offer(smaller);
  expect(await fieldsOfUser()).not.toContain('fails');
});
