import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '@ostiary/service/testing';
import { unique } from '../support/demo.ts';
import { graph } from '../support/graph.ts';
import { listen } from '../support/live.ts';
import { type OwnSystem, ownSystem } from '../support/own-system.ts';
import { ScimClient } from '../support/scim.ts';
import { adminToken } from '../support/sign-in.ts';

const original = readFileSync(new URL('../../gateway/supergraph.graphql', import.meta.url), 'utf8');
/** Supergraph without `User.nickName`. */
const smaller = original.replace(/(type User\b[^}]*?)\n[^\n]*\n +nickName: String[^\n]*/, '$1');

let own: OwnSystem;
let folder: string;
let path: string;
let token: string;
let gateway: { name: string; url: string; metricsUrl: string };
let watching: { name: string; url: string; metricsUrl: string };

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ostiary-supergraph-'));
  path = join(folder, 'supergraph.graphql');
  await writeFile(path, original);
  own = await ownSystem();
  const env = { SUPERGRAPH_PATH: path, GRAPH_POINTS_PER_MINUTE: '999999999' };
  gateway = await own.system.spawnExtra('gateway', { env: { ...env, SUPERGRAPH_RELOAD_SECONDS: '3600' } });
  watching = await own.system.spawnExtra('gateway', { env: { ...env, SUPERGRAPH_RELOAD_SECONDS: '1' } });
  token = await adminToken(own.demo.tenants.demo);
});
afterAll(async () => {
  await own?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Replaces the file atomically. */
async function offer(sdl: string): Promise<void> {
  await writeFile(`${path}.next`, sdl);
  await rename(`${path}.next`, path);
}

const hangUp = () => own.system.kill(gateway.name, 'SIGHUP');
const metrics = async (of = gateway) => (await fetch(of.metricsUrl)).text();
const digestOf = (sdl: string) => createHash('sha256').update(sdl).digest('hex').slice(0, 12);
const served = (sdl: string, of = gateway) =>
  eventually(
    () => metrics(of),
    (text) => text.includes(`gateway_supergraph_info{digest="${digestOf(sdl)}"`),
  );
const ask = (query: string, of = gateway) => graph({ graphql: `${of.url}/graphql` }, token, query);
const nickNames = '{ users(first: 1) { edges { node { nickName } } } }';

test('SIGHUP makes the gateway serve a new supergraph, and no concurrent request fails.', async () => {
  expect(smaller).not.toBe(original);
  const subscriber = await listen(`${gateway.url}/graphql`, token, {
    query: 'subscription { userChanged { userId user { userName } } }',
  });
  let isOver = false;
  const outcomes: string[] = [];
  const caller = async (): Promise<void> => {
    while (!isOver) {
      const answer = await ask(
        '{ users(first: 3) { edges { node { id userName sessions { id } provisioning { externalId } } } } }',
      ).catch((error: unknown) => error);
      const { status, data, errors } = answer as Awaited<ReturnType<typeof ask>>;
      const isWhole = status === 200 && data?.users.edges.length === 3 && errors.length === 0;
      outcomes.push(isWhole ? 'answered' : `${status} ${JSON.stringify(errors)} ${String(answer)}`);
    }
  };
  const callers = Array.from({ length: 4 }, caller);
  const pid = await own.system.pid(gateway.name);
  for (const sdl of [smaller, original, smaller]) {
    await offer(sdl);
    const before = outcomes.length;
    await hangUp();
    await served(sdl);
    // Requests before and after the replacement are counted.
    await eventually(
      async () => outcomes.length,
      (count) => count > before + 8,
    );
  }
  isOver = true;
  await Promise.all(callers);
  expect(new Set(outcomes)).toEqual(new Set(['answered']));
  expect((await ask(nickNames)).errors[0]?.extensions?.code).toBe('GRAPHQL_VALIDATION_FAILED');
  // The process is the same, and its subscribers stay connected.
  expect(await own.system.pid(gateway.name)).toBe(pid);
  const { demo } = own.demo.tenants;
  const userName = unique('after-reload');
  const { id } = await new ScimClient(demo, demo.clients.scim.token).createUser({ userName });
  const notified = await subscriber.find(({ data }) => data?.userChanged.userId === id);
  expect(notified).toMatchObject({ data: { userChanged: { user: { userName } } } });
  subscriber.stop();
});

test.each([
  ['cannot be read', 'type Query {'],
  ['names a service that is not there', original.replaceAll('"provisioning"', '"payroll"')],
  ['is empty', ''],
])(
  'A supergraph file that %s is rejected and logged, and the previous supergraph is still served.',
  async (_what, bad) => {
    await offer(original);
    await hangUp();
    await served(original);
    const refusals = async () =>
      (await own.logOf(gateway.name)).filter(({ event }) => event === 'supergraph.rejected');
    const before = (await refusals()).length;
    await offer(bad);
    await hangUp();
    const logged = await eventually(refusals, (lines) => lines.length > before);
    expect(logged.at(-1)).toMatchObject({ supergraph: digestOf(bad), serving: digestOf(original) });
    // /readyz reports it, and the gateway continues.
    const state = await eventually(
      async () => {
        const response = await fetch(`${gateway.url}/readyz`);
        const body = (await response.json()) as { dependencies: Record<string, { status: string }> };
        return { code: response.status, file: body.dependencies['supergraph-file']?.status };
      },
      ({ file }) => file === 'down',
    );
    expect(state.code).toBe(200);
    expect(await metrics()).toContain(`gateway_supergraph_info{digest="${digestOf(original)}"`);
    expect((await ask(nickNames)).errors).toEqual([]);
  },
);

test('The gateway checks the supergraph file periodically, without a signal.', async () => {
  for (const sdl of [smaller, original]) {
    await offer(sdl);
    await served(sdl, watching);
    expect((await ask(nickNames, watching)).errors.length > 0).toBe(sdl === smaller);
  }
});
