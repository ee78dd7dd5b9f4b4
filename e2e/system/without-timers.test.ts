import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '@ostiary/service/testing';
import { unique } from '../support/demo.ts';
import { graph, meQuery } from '../support/graph.ts';
import { type OwnSystem, ownSystem } from '../support/own-system.ts';
import { ScimClient } from '../support/scim.ts';
import { signIn } from '../support/sign-in.ts';

const services = ['auth', 'directory', 'provisioning', 'gateway'] as const;
const preload = join(import.meta.dirname, '..', 'support', 'cost', 'stopped-timers.mjs');
/** Longer than any remaining one-shot timer. */
const lastTimersMs = 4_000;
/** Maximum time until each access path is closed. With a timer it would be ten minutes. */
const atOnceMs = 10_000;

let own: OwnSystem;
let source: ScimClient;

beforeAll(async () => {
  const env = {
    NODE_OPTIONS: `--import=${preload}`,
    // The feed is read by a timer, so revocations must arrive through the stream and must not be requested.
    REVOCATION_MAX_STALENESS_SECONDS: '3600',
  };
  own = await ownSystem({ fresh: true, of: { auth: env, directory: env, provisioning: env, gateway: env } });
  const { demo } = own.demo.tenants;
  source = new ScimClient(demo, demo.clients.scim.token);
});
afterAll(async () => {
  // The consistency checks expect running timers.
  for (const service of services) await own?.system.kill(service, 'SIGKILL', { restart: false });
  await own?.stop({ unsound: true });
});

const bearer = (token: string): RequestInit => ({ headers: { authorization: `Bearer ${token}` } });
const status = async (request: Promise<Response>): Promise<number> => {
  const response = await request;
  await response.body?.cancel();
  return response.status;
};

/** Creates a user who is signed in. @returns the requests to each access path */
async function employee() {
  const tenant = own.demo.tenants.demo;
  const user = { userName: unique('leaver'), password: unique('seven quiet otters') };
  const { id } = await source.createUser(user);
  const { access_token: token, refresh_token: refreshToken = '' } = (await signIn(own.demo, tenant, user))
    .tokens;
  const { api, web } = tenant.clients;
  const client = Buffer.from(`${api.client_id}:${api.client_secret}`).toString('base64');
  const doors: Record<string, () => Promise<boolean>> = {
    graph: async () => (await graph(own.demo, token, meQuery)).status !== 401,
    'SCIM /Me': async () => (await status(fetch(`${tenant.scim}/Me`, bearer(token)))) !== 401,
    userinfo: async () => (await status(fetch(`${tenant.issuer}/userinfo`, bearer(token)))) !== 401,
    introspection: async () => {
      const answer = await fetch(`${tenant.issuer}/introspect`, {
        method: 'POST',
        headers: { authorization: `Basic ${client}` },
        body: new URLSearchParams({ token }),
      });
      return ((await answer.json()) as { active?: boolean }).active !== false;
    },
  };
  const refresh = async (): Promise<number> =>
    status(
      fetch(`${tenant.issuer}/token`, {
        method: 'POST',
        body: new URLSearchParams({
          grant_type: 'refresh_token',
          client_id: web.client_id,
          refresh_token: refreshToken,
        }),
      }),
    );
  return { id, doors, refresh };
}

/** Returns the seconds since a process last read the revocation feed. */
async function feedAge(service: (typeof services)[number]): Promise<number> {
  const metrics = await (await fetch(own.system.metricsUrls[service])).text();
  return Number(/^revocation_list_age_seconds(?:\{.*\})? (\S+)$/m.exec(metrics)?.[1]);
}

async function closes(name: string, isOpen: () => Promise<boolean>): Promise<string[]> {
  const begun = performance.now();
  while (await isOpen()) {
    if (performance.now() - begun > atOnceMs) return [`${name} stayed open`];
  }
  return [];
}

test('With every timer of every process stopped, access is revoked immediately for offboarded users, one by one and all together.', async () => {
  const leaving = await Promise.all(Array.from({ length: 6 }, employee));
  for (const { doors } of leaving) {
    for (const isOpen of Object.values(doors)) expect(await isOpen()).toBe(true);
  }
  for (const service of services) await own.system.kill(service, 'SIGUSR2');
  await sleep(lastTimersMs);
  // Periodic reads have stopped.
  const ages = () => Promise.all([feedAge('gateway'), feedAge('provisioning'), feedAge('directory')]);
  await eventually(ages, (all) => all.every((age) => age > 2));

  const leave = async ({ id, doors, refresh }: (typeof leaving)[number]): Promise<void> => {
    const operation = { op: 'replace', path: 'active', value: false };
    expect((await source.patch(`/Users/${id}`, [operation])).status).toBe(200);
    const open = await Promise.all(Object.entries(doors).map(([name, isOpen]) => closes(name, isOpen)));
    expect(open.flat()).toEqual([]);
    expect(await refresh()).toBe(400);
  };
  for (const person of leaving.slice(0, 3)) await leave(person);
  await Promise.all(leaving.slice(3).map(leave));
});
