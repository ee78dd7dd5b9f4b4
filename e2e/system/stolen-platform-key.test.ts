import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Prover } from '@ostiary/access/testing';
import { eventually } from '@ostiary/service/testing';
import { unique } from '../support/demo.ts';
import { graph, usersQuery } from '../support/graph.ts';
import { type OwnSystem, ownSystem } from '../support/own-system.ts';
import { ScimClient } from '../support/scim.ts';
import { adminToken, signIn } from '../support/sign-in.ts';

const services = ['auth', 'directory', 'provisioning', 'gateway'] as const;

let own: OwnSystem;

beforeAll(async () => {
  own = await ownSystem();
});

afterAll(() => own?.stop());

/**
 * Requests a service token for the internal routes of another service, as a thief of the platform's key could sign it.
 */
async function serviceToken(id: string, secret: string, audience: string): Promise<string> {
  const response = await fetch(`${own.system.urls.auth}/t/platform/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials', resource: audience }),
  });
  return ((await response.json()) as { access_token: string }).access_token;
}

/** Requests a token bound to a key. With it, the gateway uses signed tokens of its own at the subgraphs. */
async function boundToken(prover: Prover): Promise<string> {
  const { client_id, client_secret } = own.demo.tenants.demo.clients.admin;
  const response = await prover.fetch(`${own.demo.tenants.demo.issuer}/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  });
  return ((await response.json()) as { access_token: string }).access_token;
}

const demoTenant = () => own.demo.tenants.demo;
const source = () => new ScimClient(demoTenant(), demoTenant().clients.scim.token);
const newUser = (name: string) => ({ userName: unique(name), password: 'a long enough password' });

/** Creates a user over SCIM: requests from provisioning to directory and auth, and an event to auth. */
async function userArrives(): Promise<void> {
  const user = newUser('arriving');
  await source().createUser({ ...user, active: true });
  await eventually(
    () =>
      signIn(own.demo, demoTenant(), user).then(
        () => true,
        () => false,
      ),
    (arrived) => arrived,
  );
}

/** Offboards a user. The revocation feed is also read with a service token. */
async function userLeaves(): Promise<void> {
  const user = newUser('leaving');
  const { id } = await source().createUser({ ...user, active: true });
  const person = await eventually(
    () => signIn(own.demo, demoTenant(), user).catch(() => undefined),
    (signedIn) => signedIn !== undefined,
  );
  await source().patch(`/Users/${id}`, [{ op: 'replace', path: 'active', value: false }]);
  await eventually(
    async () => (await graph(own.demo, person?.tokens.access_token, '{ me { id } }')).status,
    (status) => status === 401,
  );
}

/** Sends requests on each path between processes and returns the failures. */
async function failures(admin: string, prover: Prover, bound: string): Promise<string[]> {
  const bearer = await graph(own.demo, admin, usersQuery, { first: 1 });
  const response = await prover.fetch(
    own.demo.graphql,
    {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: usersQuery, variables: { first: 1 } }),
    },
    bound,
  );
  const vouched = (await response.json()) as { errors?: unknown[] };
  const { status } = await source().call('GET', '/Users?count=1');
  return [
    ...(bearer.errors.length === 0 ? [] : [`bearer: ${JSON.stringify(bearer.errors)}`]),
    ...(vouched.errors === undefined ? [] : [`vouched: ${JSON.stringify(vouched.errors)}`]),
    ...(status === 200 ? [] : [`SCIM: ${status}`]),
  ];
}

async function rotateStolenKey(): Promise<void> {
  const operator = await serviceToken(
    'operator',
    own.system.secrets.OPERATOR_CLIENT_SECRET,
    'urn:ostiary:service:auth',
  );
  const rotated = await fetch(`${own.system.urls.auth}/internal/v1/tenants/platform/signing-keys/rotate`, {
    method: 'POST',
    headers: { authorization: `Bearer ${operator}`, 'content-type': 'application/json' },
    body: JSON.stringify({ compromised: true }),
  });
  expect(rotated.status).toBe(200);
}

test('The stolen key of the platform is rejected immediately, and every process uses the new key without a restart.', async () => {
  const { secrets, urls } = own.system;
  const pids = await Promise.all(services.map((name) => own.system.pid(name)));
  const admin = await adminToken(demoTenant());
  const prover = await Prover.create();
  const bound = await boundToken(prover);

  const everythingAnswers = () => failures(admin, prover, bound);
  // Now every process has tokens for the other services, and the keys to verify theirs.
  expect(await everythingAnswers()).toEqual([]);
  await userArrives();

  const stolen = await serviceToken(
    'provisioning',
    secrets.SERVICE_CLIENT_SECRET_PROVISIONING,
    'urn:ostiary:service:directory',
  );
  const withStolen = async (): Promise<number> =>
    (
      await fetch(`${urls.directory}/internal/v1/tenants/demo`, {
        headers: { authorization: `Bearer ${stolen}` },
      })
    ).status;
  expect(await withStolen()).not.toBe(401);

  await rotateStolenKey();

  await eventually(withStolen, (status) => status === 401);
  // A verifier looks up unknown keys at most every five seconds, and immediately after the revocation of a key.
  await eventually(everythingAnswers, (failed) => failed.length === 0);
  await userArrives();
  expect(await withStolen()).toBe(401);
  await userLeaves();
  expect(await Promise.all(services.map((name) => own.system.pid(name)))).toEqual(pids);
});
