import { beforeAll, describe, expect, test } from '@jest/globals';
import { ServiceTokens, serviceAudience } from '@ostiary/access';
import { HttpPeer } from '@ostiary/service';
import { eventually } from '@ostiary/service/testing';
import { createLocalJWKSet, decodeProtectedHeader, type JSONWebKeySet, jwtVerify } from 'jose';
import { rotateDueKeys } from '../../../src/tenancy/keys/key-rotation.jobs.ts';
import {
  issueCode,
  publicClient,
  type RunningAuth,
  register,
  secrets,
  startAuth,
} from '../../support/running-auth.ts';
import { auth, backend, setUpTwoProcesses, twin } from '../../support/two-processes.ts';

setUpTwoProcesses();

beforeAll(async () => {
  for (const tenant of ['demo', 'rival']) await auth.get(`/t/${tenant}/jwks`);
});

const sql = (statement: string, ...values: unknown[]) => auth.database.sql.query(statement, values);
const states = async (tenant: string, alg: string) =>
  (await auth.deps.signingKeys.list(tenant)).filter((key) => key.alg === alg).map((key) => key.state);
const jwks = async (at = auth, tenant = 'demo') =>
  (await at.get(`/t/${tenant}/jwks`)).body as unknown as JSONWebKeySet;

/** Registers a client_credentials client of a tenant that gets tokens from either process. */
async function machine(tenant = 'demo', scope = '') {
  const { client, clientSecret = '' } = await register(
    auth,
    { grant_types: ['client_credentials'], redirect_uris: [], ...(scope ? { scope } : {}) },
    tenant,
  );
  return async (at: RunningAuth = auth) =>
    String(
      (
        await at.post(
          `/t/${tenant}/token`,
          { grant_type: 'client_credentials' },
          { basic: [client.clientId, clientSecret] },
        )
      ).body.access_token,
    );
}
const kidOf = (token: string) => decodeProtectedHeader(token).kid;

describe('rotation on schedule', () => {
  const schedule = { rotationSeconds: 30 * 86_400, leadSeconds: 3_600 };
  const bothRun = () =>
    Promise.all([
      rotateDueKeys(auth.deps.signingKeys, schedule),
      rotateDueKeys(twin.deps.signingKeys, schedule),
      rotateDueKeys(auth.deps.signingKeys, schedule),
    ]);

  test('The schedule does not rotate young keys.', async () => {
    await bothRun();
    for (const alg of ['ES256', 'RS256']) expect(await states('demo', alg)).toEqual(['current']);
  });

  test('The schedule publishes one successor of an ageing key, activates it after the lead time, in that tenant only.', async () => {
    await sql(
      `UPDATE auth.signing_keys SET active_at = now() - interval '30 days' WHERE tenant = 'demo' AND alg = 'ES256'`,
    );
    const token = await machine();
    const before = kidOf(await token());
    await bothRun();
    expect((await states('demo', 'ES256')).sort()).toEqual(['current', 'next']);
    await bothRun();
    expect(kidOf(await token())).toBe(before);

    await sql("UPDATE auth.signing_keys SET created_at = now() - interval '59 minutes' WHERE state = 'next'");
    await bothRun();
    expect(kidOf(await token())).toBe(before);

    await sql("UPDATE auth.signing_keys SET created_at = now() - interval '61 minutes' WHERE state = 'next'");
    await bothRun();
    expect((await states('demo', 'ES256')).sort()).toEqual(['current', 'retired']);
    await eventually(async () => kidOf(await token(twin)) !== before);
    expect(await states('demo', 'RS256')).toEqual(['current']);
    expect(await states('rival', 'ES256')).toEqual(['current']);
  });

  test('Keys rotate automatically in every process without one token that fails to verify.', async () => {
    const env = { SIGNING_KEY_ROTATION_SECONDS: '2', SIGNING_KEY_LEAD_SECONDS: '1' };
    const quick = await startAuth(backend, { publicOrigin: auth.origin, env });
    const second = await startAuth(backend, { publicOrigin: auth.origin, env });
    const token = await machine('rival');
    const kids = new Set<unknown>();
    let verified = 0;
    let loading = true;
    const load = async (issuer: RunningAuth, verifiers: RunningAuth[]) => {
      while (loading) {
        const issued = await token(issuer);
        kids.add(kidOf(issued));
        for (const at of verifiers)
          await at.deps.verifier.verify(issued, { audience: auth.issuer('rival'), tenant: 'rival' });
        await jwtVerify(issued, createLocalJWKSet(await jwks(verifiers[0], 'rival')));
        verified += 1;
      }
    };
    try {
      const loads = Promise.all([load(quick, [second, auth]), load(second, [quick, twin])]);
      await eventually(async () => kids.size >= 3 && verified >= 10);
      loading = false;
      await loads;
    } finally {
      loading = false;
      await quick.stop();
      await second.stop();
    }
  });
});

describe('rotation by command', () => {
  const mutation = `mutation ($input: RotateSigningKeysInput!) {
    rotateSigningKeys(input: $input) { signingKeys { id algorithm state createdAt activeAt retiredAt } } }`;
  const ask = async (bearer: string, query: string, variables: object = {}) => {
    const response = await fetch(`${auth.origin}/graphql`, {
      method: 'POST',
      headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query, variables }),
    });
    return (await response.json()) as {
      // biome-ignore lint/suspicious/noExplicitAny: arbitrary JSON
      data: any;
      errors?: { extensions: { code: string } }[];
    };
  };

  test('The rotation command publishes successors, changes nothing when repeated, and needs tenants:write.', async () => {
    const admin = await (await machine('demo', 'tenants:write'))();
    const reader = await (await machine('demo', 'tenants:read users:write'))();
    const refused = await ask(reader, mutation, { input: {} });
    expect(refused.errors?.[0]?.extensions.code).toBe('FORBIDDEN');
    expect(await states('demo', 'EdDSA')).not.toContain('next');

    for (let again = 0; again < 2; again += 1) {
      const answer = await ask(admin, mutation, { input: { algorithms: ['EDDSA'] } });
      expect(answer.errors).toBeUndefined();
      const eddsa = answer.data.rotateSigningKeys.signingKeys.filter(
        (key: { algorithm: string }) => key.algorithm === 'EDDSA',
      );
      const alive = eddsa.filter((key: { state: string }) => key.state !== 'RETIRED');
      expect(alive.map((key: { state: string }) => key.state).sort()).toEqual(['CURRENT', 'NEXT']);
    }
    expect((await states('demo', 'RS256')).includes('next')).toBe(false);
    const list = await ask(reader, '{ signingKeys { id algorithm state } }');
    expect(list.data.signingKeys.length).toBeGreaterThan(3);
    expect(JSON.stringify(list)).not.toMatch(/"(d|p|q)"/);
  });

  test('The rotation of a stolen key ends it immediately with everything it signed, in that tenant only.', async () => {
    const admin = await machine('rival', 'tenants:write');
    const [victim, bystander] = [await admin(), await (await machine('demo'))()];
    expect((await ask(victim, mutation, { input: { compromised: true } })).errors).toBeUndefined();
    await eventually(async () => (await jwks(twin, 'rival')).keys.every((key) => key.kid !== kidOf(victim)));
    for (const at of [auth, twin]) {
      await eventually(() =>
        at.deps.verifier.verify(victim, { audience: auth.issuer('rival') }).then(
          () => false,
          (error: { error?: string }) => error.error === 'invalid_token',
        ),
      );
      expect(await at.deps.introspection.liveAccessToken('rival', victim)).toBeNull();
      await at.deps.verifier.verify(bystander, { audience: auth.issuer('demo') });
    }
    const fresh = await admin(twin);
    await auth.deps.verifier.verify(fresh, { audience: auth.issuer('rival') });
  });

  test('The operator may rotate keys over the internal route, and no other service may.', async () => {
    const peer = new HttpPeer({ name: 'auth', origin: auth.origin });
    const as = async (clientId: keyof typeof secrets) =>
      new ServiceTokens({
        auth: peer,
        clientId,
        clientSecret: secrets[clientId],
        audience: serviceAudience('auth'),
      }).supply();
    const rotate = async (tenant: string, body: unknown, bearer?: string) =>
      fetch(`${auth.origin}/internal/v1/tenants/${tenant}/signing-keys/rotate`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(bearer ? { authorization: `Bearer ${bearer}` } : {}),
        },
        body: JSON.stringify(body),
      });
    const operator = await as('operator');
    expect((await rotate('platform', {})).status).toBe(401);
    expect((await rotate('platform', {}, await as('gateway'))).status).toBe(403);
    expect((await rotate('nobody', {}, operator)).status).toBe(404);
    expect((await rotate('platform', { algorithms: ['HS256'] }, operator)).status).toBe(400);
    expect((await rotate('platform', { compromised: 'yes' }, operator)).status).toBe(400);
    const answer = await rotate('platform', { algorithms: ['ES256'] }, operator);
    expect(answer.status).toBe(200);
    expect(await states('platform', 'ES256')).toContain('next');
    await peer.close();
  });
});

test.each(['ES256', 'RS256', 'EdDSA'] as const)(
  'An ID token signed with %s verifies against the JWKS.',
  async (alg) => {
    const { client } = await register(auth, { ...publicClient, id_token_signed_response_alg: alg });
    const { form } = await issueCode(auth, client.clientId);
    const { body } = await auth.post('/t/demo/token', form);
    expect(decodeProtectedHeader(String(body.id_token)).alg).toBe(alg);
    const { payload } = await jwtVerify(String(body.id_token), createLocalJWKSet(await jwks()), {
      issuer: auth.issuer('demo'),
      audience: client.clientId,
      algorithms: [alg],
    });
    expect(payload.at_hash).toEqual(expect.any(String));
  },
);
