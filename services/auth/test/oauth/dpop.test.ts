import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type ProofChanges, Prover } from '@ostiary/access/testing';
import {
  type Answer,
  type Backend,
  claimsOf,
  createBackend,
  type Fields,
  issueCode,
  publicClient,
  type RunningAuth,
  register,
  signedIn,
  startAuth,
} from '../support/running-auth.ts';

const publicOrigin = 'https://id.example.test';
const token = '/t/demo/token';
const address = `${publicOrigin}${token}`;

let backend: Backend;
/** Two processes with one origin. */
let auth: RunningAuth;
let twin: RunningAuth;
let web: string;
let prover: Prover;

beforeAll(async () => {
  backend = await createBackend();
  auth = await startAuth(backend, { publicOrigin });
  twin = await startAuth(backend, { publicOrigin });
  web = (await register(auth, publicClient)).client.clientId;
});
beforeEach(async () => {
  prover = await Prover.create();
  prover.nonce = await auth.deps.proofs.nonce();
});
afterAll(async () => {
  await auth?.stop();
  await twin?.stop();
  await backend?.drop();
});

interface Sending {
  basic?: readonly [string, string];
  by?: Prover;
  at?: RunningAuth;
  changes?: ProofChanges;
}

const send = async (fields: Fields, o: Sending = {}): Promise<Answer> =>
  (o.at ?? auth).post(token, fields, {
    ...(o.basic ? { basic: o.basic } : {}),
    headers: { dpop: await (o.by ?? prover).proof('POST', address, undefined, o.changes) },
  });

const machine = async (metadata = {}) => {
  const { client, clientSecret } = await register(auth, {
    grant_types: ['client_credentials'],
    redirect_uris: [],
    scope: 'users:read',
    ...metadata,
  });
  return [client.clientId, clientSecret ?? ''] as const;
};
const confidential = async () => {
  const { client, clientSecret } = await register(auth, {
    grant_types: ['authorization_code', 'refresh_token'],
    redirect_uris: ['http://127.0.0.1:8123/callback'],
    scope: 'openid profile email offline_access',
  });
  return [client.clientId, clientSecret ?? ''] as const;
};
const refresh = (refreshToken: unknown, clientId = web): Fields => ({
  grant_type: 'refresh_token',
  refresh_token: String(refreshToken),
  client_id: clientId,
});

describe('the token endpoint (RFC 9449 §5)', () => {
  test('A client_credentials token is bound to the key of the proof and names it.', async () => {
    const answer = await send({ grant_type: 'client_credentials' }, { basic: await machine() });
    expect(answer).toMatchObject({ status: 200, body: { token_type: 'DPoP' } });
    expect(claimsOf(answer.body.access_token).cnf).toEqual({ jkt: prover.jkt });
    expect(answer.headers.get('dpop-nonce')).toBe(prover.nonce);
  });

  test('A request without a proof receives a bearer token as before.', async () => {
    const answer = await auth.post(token, { grant_type: 'client_credentials' }, { basic: await machine() });
    expect(answer.body.token_type).toBe('Bearer');
    expect(claimsOf(answer.body.access_token)).not.toHaveProperty('cnf');
    expect(answer.headers.get('dpop-nonce')).toBeNull();
  });

  test('A client without a nonce receives one, and the code is not consumed by that request.', async () => {
    const { form } = await issueCode(auth, web);
    const first = await send(form, { changes: { claims: { nonce: undefined } } });
    expect(first).toMatchObject({ status: 400, body: { error: 'use_dpop_nonce' } });
    const nonce = first.headers.get('dpop-nonce') ?? undefined;
    const second = await send(form, { changes: { claims: { nonce } }, at: twin });
    expect(second).toMatchObject({ status: 200, body: { token_type: 'DPoP' } });
    expect(claimsOf(second.body.access_token).cnf).toEqual({ jkt: prover.jkt });
  });

  test.each<[string, ProofChanges]>([
    ['for another address', { claims: { htu: `${publicOrigin}/t/rival/token` } }],
    ['for our address behind the proxy', { claims: { htu: 'http://127.0.0.1:4001/t/demo/token' } }],
    ['for another method', { claims: { htm: 'GET' } }],
    ['from an hour ago', { claims: { iat: Math.floor(Date.now() / 1000) - 3_600 } }],
    ['of the wrong type', { header: { typ: 'at+jwt' } }],
  ])('A proof %s receives 400 invalid_dpop_proof, and the code stays valid.', async (_name, changes) => {
    const { form } = await issueCode(auth, web);
    expect(await send(form, { changes })).toMatchObject({
      status: 400,
      body: { error: 'invalid_dpop_proof' },
    });
    expect(await send(form)).toMatchObject({ status: 200 });
  });

  test('Of 50 parallel requests at two processes with one proof, one gets a token.', async () => {
    const basic = await machine();
    const dpop = await prover.proof('POST', address);
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        (index % 2 ? auth : twin).post(
          token,
          { grant_type: 'client_credentials' },
          { basic, headers: { dpop } },
        ),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const { status, body } of answers)
      if (status !== 200) expect([status, body.error]).toEqual([400, 'invalid_dpop_proof']);
  });

  test('A client registered with dpop_bound_access_tokens never gets a bearer token.', async () => {
    const basic = await machine({ dpop_bound_access_tokens: true });
    const bare = await auth.post(token, { grant_type: 'client_credentials' }, { basic });
    expect(bare).toMatchObject({ status: 400, body: { error: 'invalid_dpop_proof' } });
    expect((await send({ grant_type: 'client_credentials' }, { basic })).status).toBe(200);
  });

  test('An administrator registers a DPoP-bound client in the graph and can undo it.', async () => {
    const basic = await machine({ scope: 'clients:read clients:write' });
    const admin = await auth.post(token, { grant_type: 'client_credentials' }, { basic });
    const mutate = async (query: string) => {
      const response = await fetch(`${auth.origin}/graphql`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          authorization: `Bearer ${admin.body.access_token}`,
        },
        body: JSON.stringify({ query: `mutation { ${query} { client { id dpopBoundAccessTokens } } }` }),
      });
      const { data } = (await response.json()) as {
        data: Record<string, { client: { id: string; dpopBoundAccessTokens: boolean } }>;
      };
      return Object.values(data)[0]?.client;
    };
    const made = await mutate(
      'registerClient(input: { name: "Job", grantTypes: ["client_credentials"], dpopBoundAccessTokens: true })',
    );
    expect(made?.dpopBoundAccessTokens).toBe(true);
    const kept = await mutate(`updateClient(input: { id: "${made?.id}", name: "Other" })`);
    expect(kept?.dpopBoundAccessTokens).toBe(true);
    const changed = await mutate(`updateClient(input: { id: "${made?.id}", dpopBoundAccessTokens: false })`);
    expect(changed?.dpopBoundAccessTokens).toBe(false);
  });

  test('A proof is not recorded as used when client authentication fails.', async () => {
    const [clientId] = await machine();
    const dpop = await prover.proof('POST', address);
    const basic = [clientId, 'wrong'] as const;
    const refused = await auth.post(
      token,
      { grant_type: 'client_credentials' },
      { basic, headers: { dpop } },
    );
    expect(refused.body.error).toBe('invalid_client');
    const { form } = await issueCode(auth, web);
    expect((await auth.post(token, form, { headers: { dpop } })).status).toBe(200);
  });
});

describe('a code bound to a key by dpop_jkt (RFC 9449 §10)', () => {
  test('A code bound by dpop_jkt is redeemed with that key only, and other attempts do not consume it.', async () => {
    const { form } = await issueCode(auth, web, { dpopJkt: prover.jkt });
    const thief = await Prover.create();
    thief.nonce = prover.nonce;
    expect((await auth.post(token, form)).body.error).toBe('invalid_grant');
    expect((await send(form, { by: thief })).body.error).toBe('invalid_grant');
    expect((await send(form)).status).toBe(200);
  });
});

describe('refresh tokens of public clients', () => {
  const start = async () => (await send((await issueCode(auth, web)).form)).body;

  test('A bound refresh token is rejected without a proof or with another key, and the grant stays valid.', async () => {
    const first = await start();
    const thief = await Prover.create();
    thief.nonce = prover.nonce;
    expect((await auth.post(token, refresh(first.refresh_token))).body.error).toBe('invalid_grant');
    expect((await send(refresh(first.refresh_token), { by: thief })).body.error).toBe('invalid_grant');
    const second = await send(refresh(first.refresh_token), { at: twin });
    expect(second).toMatchObject({ status: 200, body: { token_type: 'DPoP' } });
    expect(claimsOf(second.body.access_token).cnf).toEqual({ jkt: prover.jkt });
    expect((await send(refresh(second.body.refresh_token))).status).toBe(200);
  });

  test('A stolen old refresh token ends the grant only when it is replayed with the bound key.', async () => {
    const first = await start();
    const second = (await send(refresh(first.refresh_token))).body;
    const third = (await send(refresh(second.refresh_token))).body;
    expect((await auth.post(token, refresh(first.refresh_token))).body.error).toBe('invalid_grant');
    const fourth = await send(refresh(third.refresh_token));
    expect(fourth.status).toBe(200);
    expect((await send(refresh(first.refresh_token))).body.error).toBe('invalid_grant');
    expect((await send(refresh(fourth.body.refresh_token))).body.error).toBe('invalid_grant');
  });

  test('A retry with the same key returns the same successor.', async () => {
    const first = await start();
    const [one, two] = await Promise.all([
      send(refresh(first.refresh_token)),
      send(refresh(first.refresh_token), { at: twin }),
    ]);
    expect(one.status).toBe(200);
    expect(two.body.refresh_token).toBe(one.body.refresh_token);
  });

  test('A refresh token issued without a key is bound to the first key that is proven.', async () => {
    const { form } = await issueCode(auth, web);
    const first = (await auth.post(token, form)).body;
    expect(first.token_type).toBe('Bearer');
    const second = (await send(refresh(first.refresh_token))).body;
    expect((await auth.post(token, refresh(second.refresh_token))).body.error).toBe('invalid_grant');
    expect((await send(refresh(second.refresh_token))).status).toBe(200);
  });
});

test('The tokens of a device are bound to the key that it proves at redemption.', async () => {
  const grantType = 'urn:ietf:params:oauth:grant-type:device_code';
  const scope = 'openid offline_access';
  const { client } = await register(auth, {
    token_endpoint_auth_method: 'none',
    grant_types: [grantType, 'refresh_token'],
    redirect_uris: [],
    scope,
  });
  const { body } = await auth.post('/t/demo/device_authorization', { client_id: client.clientId, scope });
  const device = await auth.deps.deviceCodes.find('demo', String(body.user_code));
  if (!device) throw new Error('no device waits with this code');
  await auth.deps.deviceCodes.approve(device, {
    ...(await signedIn(auth)),
    clientId: client.clientId,
    clientEpoch: 0,
    subjectEpoch: 0,
    withdrawals: 0,
    scopes: scope.split(' '),
    resources: [],
    authTime: Math.floor(Date.now() / 1000),
    amr: ['pwd'],
  });
  const form = { grant_type: grantType, device_code: String(body.device_code), client_id: client.clientId };
  const tokens = await send(form);
  expect(tokens).toMatchObject({ status: 200, body: { token_type: 'DPoP' } });
  expect(claimsOf(tokens.body.access_token).cnf).toEqual({ jkt: prover.jkt });
  const next = refresh(tokens.body.refresh_token, client.clientId);
  expect((await auth.post(token, next)).body.error).toBe('invalid_grant');
  expect((await send(next)).status).toBe(200);
});

test('A refresh token of a confidential client is bound to the client, which may change its key.', async () => {
  const basic = await confidential();
  const { form } = await issueCode(auth, basic[0]);
  const first = (await send(form, { basic })).body;
  const next = await Prover.create();
  next.nonce = prover.nonce;
  const second = await send(refresh(first.refresh_token, basic[0]), { basic, by: next });
  expect(claimsOf(second.body.access_token).cnf).toEqual({ jkt: next.jkt });
});

describe('userinfo with a bound token', () => {
  const path = '/t/demo/userinfo';
  const userinfo = `${publicOrigin}${path}`;
  const bound = async () => String((await send((await issueCode(auth, web)).form)).body.access_token);

  test('A bound token is accepted by GET and by POST with a proof for the public address.', async () => {
    const accessToken = await bound();
    const get = await auth.get(path, await prover.headers('GET', userinfo, accessToken));
    expect([get.status, get.body.preferred_username]).toEqual([200, 'alice']);
    const post = await auth.post(path, '', { headers: await prover.headers('POST', userinfo, accessToken) });
    expect(post.status).toBe(200);
    expect(post.headers.get('dpop-nonce')).toBe(prover.nonce);
  });

  test('A second use of the same proof is rejected, also at another process.', async () => {
    const headers = await prover.headers('GET', userinfo, await bound());
    expect((await auth.get(path, headers)).status).toBe(200);
    const again = await twin.get(path, headers);
    expect([again.status, again.body.error]).toEqual([401, 'invalid_dpop_proof']);
  });

  test('A bound token is invalid as Bearer, in a form, or with the proof of another key.', async () => {
    const accessToken = await bound();
    const thief = await Prover.create();
    thief.nonce = prover.nonce;
    const answers = [
      await auth.get(path, { authorization: `Bearer ${accessToken}` }),
      await auth.post(path, { access_token: accessToken }),
      await auth.get(path, await thief.headers('GET', userinfo, accessToken)),
    ];
    for (const answer of answers) expect([answer.status, answer.body.error]).toEqual([401, 'invalid_token']);
    expect(answers[0]?.headers.get('www-authenticate')).toMatch(/^Bearer .*, DPoP .*algs="ES256 /);
    expect(answers[2]?.headers.get('www-authenticate')).toMatch(/^DPoP .*error="invalid_token"/);
  });

  test('The proof of a token request is rejected at userinfo, and a bound token at another tenant.', async () => {
    const accessToken = await bound();
    const dpop = await prover.proof('POST', address, accessToken);
    const wrong = await auth.post(path, '', { headers: { authorization: `DPoP ${accessToken}`, dpop } });
    expect([wrong.status, wrong.body.error]).toEqual([401, 'invalid_dpop_proof']);
    const rival = `${publicOrigin}/t/rival/userinfo`;
    const foreign = await auth.get('/t/rival/userinfo', await prover.headers('GET', rival, accessToken));
    expect([foreign.status, foreign.body.error]).toEqual([401, 'invalid_token']);
  });
});

describe('introspection', () => {
  test('Introspection returns the key that a token is bound to (RFC 9449 §6.2).', async () => {
    const basic = await machine();
    const { body } = await send({ grant_type: 'client_credentials' }, { basic });
    const introspected = await auth.post(
      '/t/demo/introspect',
      { token: String(body.access_token) },
      { basic },
    );
    expect(introspected.body).toMatchObject({ active: true, token_type: 'DPoP', cnf: { jkt: prover.jkt } });
  });
});

test('The verifier of this process accepts a bound token only with its proof.', async () => {
  const { body } = await send({ grant_type: 'client_credentials' }, { basic: await machine() });
  const verdict = auth.deps.verifier.verify(String(body.access_token), { audience: auth.issuer('demo') });
  await expect(verdict).rejects.toMatchObject({ error: 'invalid_token' });
});

test('Any client may request tokens for a resource of its own tenant, and not for one of another tenant.', async () => {
  const basic = await machine();
  for (const resource of [`${auth.issuer('demo')}/scim/v2`, `${publicOrigin}/graphql`]) {
    const { body } = await auth.post(token, { grant_type: 'client_credentials', resource }, { basic });
    expect(claimsOf(body.access_token).aud).toBe(resource);
  }
  const foreign = { grant_type: 'client_credentials', resource: `${auth.issuer('rival')}/scim/v2` };
  expect((await auth.post(token, foreign, { basic })).body.error).toBe('invalid_target');
});

test('Both metadata documents announce the DPoP algorithms.', async () => {
  const algorithms = ['ES256', 'ES384', 'PS256', 'EdDSA', 'Ed25519'];
  for (const path of [
    '/t/demo/.well-known/openid-configuration',
    '/.well-known/oauth-authorization-server/t/demo',
  ]) {
    expect((await auth.get(path)).body.dpop_signing_alg_values_supported).toEqual(algorithms);
  }
});
