import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '@ostiary/service/testing';
import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from 'jose';
import type { DemoTenant } from '../support/demo.ts';
import { graph, usersQuery } from '../support/graph.ts';
import { type OwnSystem, ownSystem } from '../support/own-system.ts';
import { adminToken } from '../support/sign-in.ts';

let own: OwnSystem;

beforeAll(async () => {
  own = await ownSystem({ of: { auth: { SIGNING_KEY_LEAD_SECONDS: '7' } } });
});

afterAll(() => own?.stop());

async function freshToken({ clients }: DemoTenant, authUrl: string): Promise<string> {
  const { client_id, client_secret } = clients.admin;
  const response = await fetch(`${authUrl}/t/demo/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
    headers: { authorization: `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString('base64')}` },
  });
  return ((await response.json()) as { access_token: string }).access_token;
}

const rotate =
  'mutation { rotateSigningKeys(input: { algorithms: [ES256] }) { signingKeys { id algorithm state } } }';

test('During a key rotation by command under load in every process, no token fails at any resource.', async () => {
  const tenant = own.demo.tenants.demo;
  const second = await own.system.spawnExtra('auth');
  const jwks = createRemoteJWKSet(new URL(`${tenant.issuer}/jwks`), { cooldownDuration: 5_000 });
  const kids = new Set<string>();
  const failures: string[] = [];
  let requests = 0;
  let loading = true;

  const fresh = (index: number) => freshToken(tenant, index % 2 ? second.url : own.system.urls.auth);
  const check = async (name: string, outcome: Promise<boolean>) => {
    requests += 1;
    if (!(await outcome.catch(() => false))) failures.push(name);
  };
  const load = async (index: number) => {
    let kept = await fresh(index);
    for (let round = 0; loading; round += 1) {
      const token = round % 20 ? await fresh(round) : kept;
      if (round % 20 === 0) kept = await fresh(round);
      kids.add(decodeProtectedHeader(token).kid ?? '');
      await Promise.all([
        check(
          'graph',
          graph(own.demo, token, usersQuery, { first: 1 }).then(
            (answer) => answer.status === 200 && answer.errors.length === 0,
          ),
        ),
        check(
          'SCIM',
          fetch(`${tenant.scim}/Users?count=1`, { headers: { authorization: `Bearer ${token}` } }).then(
            async (answer) => (await answer.text()) !== '' && answer.status !== 401,
          ),
        ),
        check(
          'a resource of somebody else',
          jwtVerify(token, jwks, { issuer: tenant.issuer }).then(() => true),
        ),
      ]);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };

  const loads = Promise.all([load(0), load(1)]);
  const rotated = await graph(own.demo, await adminToken(tenant), rotate);
  expect(rotated.errors).toEqual([]);
  const next = rotated.data.rotateSigningKeys.signingKeys.find(
    (key: { algorithm: string; state: string }) => key.algorithm === 'ES256' && key.state === 'NEXT',
  );
  await eventually(
    async () => [...kids],
    (seen) => seen.includes(next.id),
  );
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  loading = false;
  await loads;
  expect(failures).toEqual([]);
  expect(requests).toBeGreaterThan(30);
});
