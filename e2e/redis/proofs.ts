import { createHash } from 'node:crypto';
import { expect } from '@jest/globals';
import { Prover } from '@ostiary/access/testing';
import { type KeyFamilyName, keyStem } from '@ostiary/service';
import { eventually } from '@ostiary/service/testing';
import { unique } from '../support/demo.ts';
import { graph } from '../support/graph.ts';
import { authorize } from '../support/sign-in.ts';
import { prefix } from './attacker.ts';
import type { World } from './world.ts';

/** Shows that no right depends on a family of keys, by deleting or forging its values. */
type Proof = (world: World) => Promise<unknown>;

async function takeAway({ attacker }: World, family: KeyFamilyName): Promise<void> {
  const keys = (await attacker.byFamily()).get(family) ?? [];
  if (keys.length > 0) await attacker.redis.del(...keys);
}

const form = (body: Record<string, string>) => ({ method: 'POST', body: new URLSearchParams(body) });

/** Deleted or forged waiting entries have no effect: the user still decides on the device. */
const devicesWaiting: Proof = async (world) => {
  const { tenant, attacker } = world;
  const client_id = tenant.clients.device.client_id;
  const begun = await fetch(`${tenant.issuer}/device_authorization`, form({ client_id, scope: 'openid' }));
  const { device_code = '' } = (await begun.json()) as Record<string, string>;
  const poll = async () => {
    const grant_type = 'urn:ietf:params:oauth:grant-type:device_code';
    const answer = await fetch(`${tenant.issuer}/token`, form({ grant_type, device_code, client_id }));
    return ((await answer.json()) as { error?: string }).error;
  };
  const key = `${keyStem(prefix, 'devices_waiting')}demo:${client_id}`;
  expect(await attacker.redis.zcard(key)).toBeGreaterThan(0);
  const [id = ''] = await attacker.redis.zrangebyscore(key, '-inf', '+inf');
  await attacker.redis.zadd(key, '0', id, '1', device_code);
  expect(await poll()).toBe('authorization_pending');
  await takeAway(world, 'devices_waiting');
  expect(['authorization_pending', 'slow_down']).toContain(await poll());
};

/**
 * The throttling of passwords also counts outside Redis: an attacker who deletes the counters before each guess is
 * still stopped, and so is the correct password.
 */
const attempts: Proof = async (world) => {
  const { own, tenant, guessed: user } = world;
  const guess = (password: string) =>
    authorize(own.demo, tenant, { ...user, password }).then(
      () => 'in',
      (error: Error) => error.message,
    );
  for (let count = 0; count < 10; count += 1) {
    await takeAway(world, 'attempts');
    expect(await guess(`wrong ${count}`)).toContain('the sign-in ended');
  }
  await takeAway(world, 'attempts');
  expect(await guess(user.password)).toContain(': 429');
};

/** A proof whose jti was deleted is accepted once more, for the same request and token, while that token is valid. */
const dpopProofs: Proof = async (world) => {
  const { tenant } = world;
  const { client_id, client_secret } = tenant.clients.admin;
  const basic = `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString('base64')}`;
  const prover = await Prover.create();
  const issue = async () => {
    const made = await prover.fetch(`${tenant.issuer}/token`, {
      ...form({ grant_type: 'client_credentials' }),
      headers: { authorization: basic },
    });
    return ((await made.json()) as { access_token: string }).access_token;
  };
  const [token, other] = [await issue(), await issue()];
  const address = `${tenant.scim}/Users?count=1`;
  // Gets the nonce of this process.
  expect((await prover.fetch(address, {}, token)).status).toBe(200);
  const headers = await prover.headers('GET', address, token);
  const show = async (url = address, init: RequestInit = {}, given = token) =>
    (await fetch(url, { ...init, headers: { ...headers, authorization: `DPoP ${given}` } })).status;
  expect([await show(), await show()]).toEqual([200, 401]);
  await takeAway(world, 'dpop_proof');
  expect([await show(), await show()]).toEqual([200, 401]);
  for (const elsewhere of [
    () => show(address, {}, other),
    () => show(`${tenant.scim}/Groups?count=1`),
    () => show(address, { method: 'POST' }),
  ]) {
    await takeAway(world, 'dpop_proof');
    expect(await elsewhere()).toBe(401);
  }
  await fetch(`${tenant.issuer}/revoke`, { ...form({ token }), headers: { authorization: basic } });
  await eventually(async () => {
    await takeAway(world, 'dpop_proof');
    return (await show()) === 401;
  });
};

/** A forged rate counter permits more requests; each is still authenticated. */
const rates =
  (family: KeyFamilyName, ask: (world: World, token: string) => Promise<number>): Proof =>
  async (world) => {
    const { attacker } = world;
    await ask(world, world.admin);
    for (const key of (await attacker.byFamily()).get(family) ?? [])
      await attacker.redis.set(key, '-1000000000', 'EX', 60);
    expect(await ask(world, world.admin)).toBe(200);
    expect(await ask(world, 'ost_pat_nobody')).toBe(401);
    await takeAway(world, family);
    expect(await ask(world, 'ost_pat_nobody')).toBe(401);
  };

const overScim = async ({ tenant }: World, token: string) =>
  (await fetch(`${tenant.scim}/Users?count=1`, { headers: { authorization: `Bearer ${token}` } })).status;
const atTheGraph = async ({ own }: World, token: string) =>
  (await graph(own.demo, token, '{ users(first: 1) { totalCount } }')).status;

/** A query stored under the digest of another is not executed. */
const persistedQueries: Proof = async ({ own, admin, attacker }) => {
  const asked = `query ${unique('asked').replaceAll('-', '_')} { __typename }`;
  const sha256Hash = createHash('sha256').update(asked).digest('hex');
  const put = 'mutation { deactivateUser(input: { id: "alice" }) { user { id } } }';
  for (const text of [put, '', 'A'.repeat(1_000_000)]) {
    await attacker.redis.set(`${keyStem(prefix, 'persisted_query')}${sha256Hash}`, text);
    const response = await fetch(own.demo.graphql, {
      method: 'POST',
      headers: { authorization: `Bearer ${admin}`, 'content-type': 'application/json' },
      body: JSON.stringify({ extensions: { persistedQuery: { version: 1, sha256Hash } } }),
    });
    const { errors } = (await response.json()) as { errors: { extensions: { code: string } }[] };
    expect(errors.map(({ extensions }) => extensions.code)).toEqual(['PERSISTED_QUERY_NOT_FOUND']);
  }
};

/** The order of live events discloses nothing: a subscriber always authenticates with a token. */
const liveOrder: Proof = async ({ attacker }) => {
  const { redis } = attacker;
  await redis.set('{ostiary}:live:run', 'another');
  await redis.set('{ostiary}:live:n', '-5');
};

/** Families that are sealed or signed, with the test that attacks them. */
const elsewhere = {
  sealed:
    'services/auth/test/tenancy/keys/redis-attacker.test.ts edits, moves, swaps and puts back each kind that there is',
  known:
    'services/auth/test/tenancy/keys/redis-contents.test.ts: that a network is known opens nothing by itself',
  signed: 'the other tests of e2e/system/redis-attacker.test.ts',
};

/** Each family of keys with a proof that it gives no access. A new family without one does not compile. */
export const proofs: Record<KeyFamilyName, Proof | string> = {
  authorization_code: elsewhere.sealed,
  device_code: elsewhere.sealed,
  user_code: elsewhere.sealed,
  pushed_request: elsewhere.sealed,
  interaction: elsewhere.sealed,
  shown_once: elsewhere.sealed,
  known_network: elsewhere.known,
  jobs_auth: elsewhere.signed,
  jobs_provisioning: elsewhere.signed,
  revocations: elsewhere.signed,
  live: elsewhere.signed,
  live_order: liveOrder,
  devices_waiting: devicesWaiting,
  attempts,
  dpop_proof: dpopProofs,
  dpop_rate: rates('dpop_rate', atTheGraph),
  scim_rate: rates('scim_rate', overScim),
  graph_rate: rates('graph_rate', atTheGraph),
  persisted_query: persistedQueries,
};
