import { createHash } from 'node:crypto';
import { expect } from '@jest/globals';
import { Prover } from '@ostiary/access/testing';
import type { KeyFamilyName, Redis } from '@ostiary/service';
import { eventually } from '@ostiary/service/testing';
import type { Browser } from '../support/browser.ts';
import { unique } from '../support/demo.ts';
import { graph } from '../support/graph.ts';
import { listen } from '../support/live.ts';
import { authorize, signIn } from '../support/sign-in.ts';
import { statusesOf, type World } from './world.ts';

/** Parts of the world that the uses need. */
export interface UsedWorld extends Pick<World, 'tenant' | 'scim' | 'admin'> {
  own: Pick<World['own'], 'demo'>;
  database: Pick<World['database'], 'query'>;
  attacker: { redis: Pick<Redis, 'xrevrange'> };
}

/** Uses a family of keys from start to end. @throws Error if it fails */
type Use = (world: UsedWorld) => Promise<void>;

/** Browser of Alice with an earlier session. */
const browsers = new WeakMap<UsedWorld, Promise<Browser>>();
function browserOf(world: UsedWorld): Promise<Browser> {
  const { own, tenant } = world;
  const known = browsers.get(world);
  if (known) return known;
  const made = authorize(own.demo, tenant, tenant.users.alice).then(({ browser }) => browser);
  browsers.set(world, made);
  return made;
}

const post = async (url: string, form: Record<string, string>) => {
  const response = await fetch(url, { method: 'POST', body: new URLSearchParams(form) });
  return { status: response.status, body: (await response.json()) as Record<string, string> };
};

const signsIn: Use = async ({ own, tenant }) => {
  const { tokens } = await signIn(own.demo, tenant, tenant.users.bob);
  expect(await statusesOf(own, tenant, tokens.access_token)).toEqual([200, 200, 200]);
};

const connectsADevice: Use = async (world) => {
  const { tenant } = world;
  const client_id = tenant.clients.device.client_id;
  const begin = () => post(`${tenant.issuer}/device_authorization`, { client_id, scope: 'openid profile' });
  const { status, body: codes } = await begin();
  // A second request that stays pending.
  await begin();
  expect(status).toBe(200);
  const browser = await browserOf(world);
  const question = await browser.open(codes.verification_uri_complete ?? '');
  const asked = await browser.submit(question);
  if (asked.root.querySelector('form')) await browser.submit(asked, {}, /allow/i);
  const { status: polled } = await post(`${tenant.issuer}/token`, {
    grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
    device_code: codes.device_code ?? '',
    client_id,
  });
  expect(polled).toBe(200);
};

const pushesARequest: Use = async (world) => {
  const { tenant } = world;
  const { client_id } = tenant.clients.web;
  const push = () =>
    post(`${tenant.issuer}/par`, {
      client_id,
      response_type: 'code',
      redirect_uri: 'http://127.0.0.1:53123/callback',
      scope: 'openid',
      state: 'x',
      code_challenge: createHash('sha256').update('v'.repeat(43)).digest('base64url'),
      code_challenge_method: 'S256',
    });
  const { status, body } = await push();
  // A second request that is never used.
  await push();
  expect(status).toBe(201);
  const browser = await browserOf(world);
  const asked = new URLSearchParams({ client_id, request_uri: body.request_uri ?? '' });
  let page = await browser.open(`${tenant.issuer}/authorize?${asked}`);
  if (page.root.querySelector('form')) page = await browser.submit(page, {}, /allow|continue/i);
  expect(page.url.searchParams.get('code')).not.toBeNull();
};

const isShownAToken: Use = async (world) => {
  const { own, tenant } = world;
  const browser = await browserOf(world);
  const address = `${tenant.issuer}/account/tokens`;
  const page = await browser.open(address);
  const csrf = page.root.querySelector('input[name=csrf]')?.getAttribute('value') ?? '';
  const shown = await browser.open(address, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin: own.demo.origin },
    body: new URLSearchParams({ csrf, name: unique('mine'), scope: 'openid', days: '7' }).toString(),
  });
  expect(shown.html).toMatch(/ost_pat_\w+/);
};

const provesPossession: Use = async ({ own, tenant }) => {
  const { client_id, client_secret } = tenant.clients.admin;
  const prover = await Prover.create();
  const response = await prover.fetch(`${tenant.issuer}/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  });
  const { access_token: token } = (await response.json()) as { access_token: string };
  const asked = await prover.fetch(
    own.demo.graphql,
    { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"query":"{ __typename }"}' },
    token,
  );
  expect(asked.status).toBe(200);
  expect((await prover.fetch(`${tenant.scim}/Users?count=1`, {}, token)).status).toBe(200);
};

const changesArrive: Use = async ({ scim, database }) => {
  const { id } = await scim.createUser({ userName: unique('arrives') });
  // Delivered through the queue: events other than offboardings do not bypass it.
  await eventually(async () => {
    const { rows } = await database.query(
      `SELECT count(*)::int AS arrived FROM directory.outbox_events e
         JOIN (SELECT event_id FROM auth.inbox_entries UNION ALL SELECT event_id FROM provisioning.inbox_entries) i
           ON i.event_id = e.id
        WHERE e.subject = $1`,
      [id],
    );
    return rows[0].arrived === 2;
  });
};

const revokesAToken: Use = async ({ own, tenant, attacker }) => {
  const { client_id, client_secret } = tenant.clients.admin;
  const basic = `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString('base64')}`;
  const send = (endpoint: string, form: Record<string, string>) =>
    fetch(`${tenant.issuer}/${endpoint}`, {
      method: 'POST',
      headers: { authorization: basic },
      body: new URLSearchParams(form),
    });
  const made = await send('token', { grant_type: 'client_credentials' });
  const { access_token: token } = (await made.json()) as { access_token: string };
  const ask = async () =>
    Promise.all([
      graph(own.demo, token, '{ __typename }').then(({ status }) => status),
      fetch(`${tenant.scim}/Users?count=1`, { headers: { authorization: `Bearer ${token}` } }).then(
        ({ status }) => status,
      ),
    ]);
  expect(await ask()).toEqual([200, 200]);
  expect((await send('revoke', { token })).status).toBe(200);
  // Within the bound, for any state of the stream: the feed is read every second.
  await eventually(async () => (await ask()).every((status) => status === 401));
  // The stream is intact again and has signed entries.
  await eventually(async () => {
    const [last] = await attacker.redis.xrevrange('{ostiary}:revocations', '+', '-', 'COUNT', 1);
    return last?.[1].includes('mac') === true;
  });
};

/** Events may be lost while keys are damaged, so the subscription is reopened if it misses one. */
const isPublished: Use = async ({ own, admin, scim }) => {
  const live = await listen(own.demo.graphql, admin, { query: 'subscription { userChanged { userId } }' });
  try {
    const { id } = await scim.createUser({ userName: unique('told') });
    await live.find(({ data }) => data?.userChanged?.userId === id, 3_000);
  } finally {
    live.stop();
  }
};

const asksOverScim: Use = async ({ scim }) => {
  expect((await scim.call('GET', '/Users?count=1')).status).toBe(200);
};

const asksTheGraph: Use = async ({ own, admin }) => {
  expect((await graph(own.demo, admin, '{ users(first: 1) { totalCount } }')).status).toBe(200);
};

const sendsOnlyTheDigest: Use = async ({ own, admin }) => {
  const query = `query ${unique('q').replaceAll('-', '_')} { __typename }`;
  const sha256Hash = createHash('sha256').update(query).digest('hex');
  const send = async (body: object) => {
    const response = await fetch(own.demo.graphql, {
      method: 'POST',
      headers: { authorization: `Bearer ${admin}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...body, extensions: { persistedQuery: { version: 1, sha256Hash } } }),
    });
    return response.json() as Promise<{ data?: unknown }>;
  };
  await send({ query });
  expect((await send({})).data).toEqual({ __typename: 'Query' });
};

/** Each family of keys with a function that uses it. A new family without one does not compile. */
export const uses: Record<KeyFamilyName, Use> = {
  authorization_code: signsIn,
  interaction: signsIn,
  known_network: signsIn,
  attempts: signsIn,
  device_code: connectsADevice,
  user_code: connectsADevice,
  devices_waiting: connectsADevice,
  pushed_request: pushesARequest,
  shown_once: isShownAToken,
  dpop_proof: provesPossession,
  dpop_rate: provesPossession,
  jobs_auth: changesArrive,
  jobs_provisioning: changesArrive,
  revocations: revokesAToken,
  live: isPublished,
  live_order: isPublished,
  scim_rate: asksOverScim,
  graph_rate: asksTheGraph,
  persisted_query: sendsOnlyTheDigest,
};

/** Repeats each use until it succeeds. @throws Error if it does not recover automatically */
export async function everythingWorks(world: World): Promise<void> {
  await Promise.all(
    [...new Set(Object.values(uses))].map(async (use) => {
      let last: unknown;
      await eventually(() =>
        use(world).then(
          () => true,
          (error: unknown) => {
            last = error;
            return false;
          },
        ),
      ).catch((error) => {
        throw new Error(`${use.name} does not work any more`, { cause: last ?? error });
      });
    }),
  );
}
