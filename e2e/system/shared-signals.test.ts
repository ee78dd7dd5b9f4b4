import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '@ostiary/service/testing';
import { createRemoteJWKSet, type JWTPayload, jwtVerify } from 'jose';
import { type DemoTenant, unique } from '../support/demo.ts';
import { deliversHere, type OwnSystem, ownSystem } from '../support/own-system.ts';
import { ScimClient, userSchema } from '../support/scim.ts';
import { adminToken } from '../support/sign-in.ts';

const risc = 'https://schemas.openid.net/secevent/risc/event-type';
const patch = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
const people = 30;

let own: OwnSystem;
const streams: (() => Promise<unknown>)[] = [];
/** Tokens that the receiver accepted, and how often it returns 503. */
const taken: string[] = [];
const receiver = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const fails = Math.random() < 0.2;
    if (!fails) taken.push(Buffer.concat(chunks).toString());
    response.writeHead(fails ? 503 : 202).end();
  });
});

beforeAll(async () => {
  own = await ownSystem({ of: { auth: deliversHere } });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
});

afterAll(async () => {
  // Without this, later tests would wait for a receiver that no longer exists.
  for (const end of streams) await end();
  receiver.closeAllConnections();
  receiver.close();
  await own?.stop();
});

interface Transmitter {
  issuer: string;
  jwks_uri: string;
  configuration_endpoint: string;
}

/** Discovers the transmitter by the issuer only (SSF 1.0 §7.2). */
async function transmitterOf({ issuer }: DemoTenant): Promise<Transmitter> {
  const { origin, pathname } = new URL(issuer);
  const response = await fetch(`${origin}/.well-known/ssf-configuration${pathname}`);
  return (await response.json()) as Transmitter;
}

const events = [`${risc}/account-disabled`, `${risc}/account-enabled`];

async function streamOf(tenant: DemoTenant, delivery: Record<string, string>) {
  const { configuration_endpoint: address } = await transmitterOf(tenant);
  const response = await fetch(address, {
    method: 'POST',
    headers: { authorization: `Bearer ${await adminToken(tenant)}`, 'content-type': 'application/json' },
    body: JSON.stringify({ delivery, events_requested: events }),
  });
  expect(response.status).toBe(201);
  const stream = (await response.json()) as {
    stream_id: string;
    aud: string;
    delivery: { endpoint_url: string };
  };
  streams.push(async () =>
    fetch(`${address}?${new URLSearchParams({ stream_id: stream.stream_id })}`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${await adminToken(tenant)}` },
    }),
  );
  return stream;
}

/** Returns the verified tokens by subject, in order of receipt, without repetitions. */
async function receivedBySubject(tokens: readonly string[], tenant: DemoTenant, audience: string) {
  const { issuer, jwks_uri: keys } = await transmitterOf(tenant);
  const jwks = createRemoteJWKSet(new URL(keys));
  const seen = new Map<unknown, JWTPayload>();
  for (const token of tokens) {
    const { payload } = await jwtVerify(token, jwks, { issuer, audience, typ: 'secevent+jwt' });
    // A repeated token has the same content.
    if (seen.has(payload.jti)) expect(payload).toEqual(seen.get(payload.jti));
    else seen.set(payload.jti, payload);
  }
  const notified = new Map<string, string[]>();
  for (const { sub_id, events: said } of seen.values()) {
    const { sub } = sub_id as { sub: string };
    notified.set(sub, [...(notified.get(sub) ?? []), ...Object.keys(said as object)]);
  }
  return notified;
}

async function poll(tenant: DemoTenant, url: string, ack: string[]): Promise<Record<string, string>> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${await adminToken(tenant)}`, 'content-type': 'application/json' },
    body: JSON.stringify({ maxEvents: 25, returnImmediately: true, ack }),
  });
  return ((await response.json()) as { sets: Record<string, string> }).sets;
}

/** Polls a stream until it is empty, and acknowledges each batch. */
async function pollAll(tenant: DemoTenant, url: string): Promise<string[]> {
  const fetched: string[] = [];
  for (let ack: string[] = []; ; ) {
    const sets = await poll(tenant, url, ack);
    ack = Object.keys(sets);
    if (ack.length === 0) return fetched;
    fetched.push(...Object.values(sets));
  }
}

test('With kill -9 of the authorization server no security event is lost, order is kept, and repeated events are identical.', async () => {
  const { demo, rival } = own.demo.tenants;
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/events`;
  const pushed = await streamOf(demo, { method: 'urn:ietf:rfc:8935', endpoint_url: url });
  const polled = await streamOf(demo, { method: 'urn:ietf:rfc:8936' });
  const theirs = await streamOf(rival, { method: 'urn:ietf:rfc:8936' });
  const client = new ScimClient(demo, demo.clients.scim.token);

  const ids: string[] = [];
  for (let n = 0; n < people; n += 1) {
    const made = await client.call('POST', '/Users', { schemas: [userSchema], userName: unique('told') });
    ids.push(String(made.body.id));
  }
  const setActive = async (id: string, value: boolean): Promise<void> => {
    const Operations = [{ op: 'replace', path: 'active', value }];
    await eventually(
      () => client.call('PATCH', `/Users/${id}`, { schemas: [patch], Operations }).catch(() => undefined),
      (answer) => answer?.status === 200,
    );
  };
  const working = (async () => {
    for (const value of [false, true, false]) for (const id of ids) await setActive(id, value);
  })();
  for (let kill = 0; kill < 2; kill += 1) {
    const before = taken.length;
    await eventually(
      async () => taken.length,
      (count) => count > before + 10,
    );
    await own.system.kill('auth', 'SIGKILL');
    await own.system.restart('auth');
  }
  await working;

  const [disabled, enabled] = events;
  const expected = new Map(ids.map((id) => [id, [disabled, enabled, disabled]]));
  await eventually(
    async () => [...(await receivedBySubject(taken, demo, pushed.aud)).values()].flat().length,
    (count) => count === 3 * people,
  );
  expect(await receivedBySubject(taken, demo, pushed.aud)).toEqual(expected);

  const fetched = await pollAll(demo, polled.delivery.endpoint_url);
  expect(fetched).toHaveLength(3 * people);
  expect(await receivedBySubject(fetched, demo, polled.aud)).toEqual(expected);
  expect(await poll(rival, theirs.delivery.endpoint_url, [])).toEqual({});
});
