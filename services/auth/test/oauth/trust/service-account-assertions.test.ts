import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@ostiary/service/testing';
import type { JWTPayload } from 'jose';
import { Signatory } from '../../support/assertions.ts';
import { type Partnership, refused, startPartnership } from '../../support/partnership.ts';
import { claimsOf, type RunningAuth } from '../../support/running-auth.ts';

let partnership: Partnership;
let auth: RunningAuth;
let other: RunningAuth;
let app: Partnership['app'];
let alice: string;
let present: Partnership['present'];

beforeAll(async () => {
  partnership = await startPartnership();
  ({ auth, other, app, alice, present } = partnership);
});

afterAll(() => partnership?.stop());

describe("an assertion signed with a service account's key", () => {
  let robot: Signatory;
  let accountId: string;

  beforeAll(async () => {
    const account = await auth.deps.serviceAccounts.create('demo', {
      name: 'Robot',
      scopes: ['users:read', 'groups:read'],
    });
    accountId = account.id;
    robot = await Signatory.create(account.id);
    await auth.deps.serviceAccounts.addKey('demo', account.id, { jwk: robot.jwk });
  });

  const about = (changes: JWTPayload = {}): JWTPayload => ({
    aud: auth.issuer('demo'),
    sub: accountId,
    ...changes,
  });

  test('The key of a service account is sufficient: no other client is needed, and the account is the client.', async () => {
    const { status, body } = await present(await robot.assertion(about()), {}, { as: null });
    expect(status).toBe(200);
    expect(body.scope).toBe('users:read groups:read');
    expect(claimsOf(body.access_token)).toMatchObject({ sub: accountId, client_id: accountId });
    const principal = await other.deps.verifier.verify(String(body.access_token), {
      audience: auth.issuer('demo'),
    });
    expect(principal).toMatchObject({ kind: 'client', clientId: accountId });
    expect(await auth.deps.introspection.liveAccessToken('demo', String(body.access_token))).not.toBeNull();
  });

  test('The client_id may repeat the service account, and scope limits the token.', async () => {
    const answer = await present(
      await robot.assertion(about()),
      { client_id: accountId, scope: 'users:read' },
      { as: null },
    );
    expect(answer).toMatchObject({ status: 200, body: { scope: 'users:read' } });
    const wide = await present(await robot.assertion(about()), { scope: 'users:write' }, { as: null });
    expect(wide).toMatchObject({
      status: 400,
      body: {
        error: 'invalid_scope',
        error_description: expect.stringContaining('users:write'),
      },
    });
  });

  test('Of 20 concurrent requests with one assertion in two processes, one succeeds.', async () => {
    const assertion = await robot.assertion(about());
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        present(assertion, {}, { as: null, at: index % 2 ? auth : other }),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test('A service account can assert only itself.', async () => {
    for (const changes of [{ sub: alice }, { sub: 'alice@partner.example' }, { iss: randomUUID() }]) {
      expect(await present(await robot.assertion(about(changes)), {}, { as: null })).toMatchObject(refused);
    }
    expect(await present(await robot.assertion(about()), {}, { as: app })).toMatchObject(refused);
    expect(
      await present(
        await robot.assertion(about({ aud: auth.issuer('rival') })),
        {},
        { as: null, tenant: 'rival' },
      ),
    ).toMatchObject(refused);
    const impostor = await Signatory.create(accountId);
    expect(
      await present(await impostor.assertion(about(), { kid: robot.jwk.kid }), {}, { as: null }),
    ).toMatchObject(refused);
    expect(await present(await impostor.assertion(about()), {}, { as: null })).toMatchObject(refused);
  });

  test('A service account cannot use other grants.', async () => {
    const answer = await auth.post('/t/demo/token', {
      grant_type: 'client_credentials',
      client_id: accountId,
    });
    expect(answer).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
  });

  test('A disabled service account gets no token, and its existing tokens are revoked.', async () => {
    const { body } = await present(await robot.assertion(about()), {}, { as: null });
    await auth.deps.serviceAccounts.update('demo', accountId, { disabled: true });
    expect(await present(await robot.assertion(about()), {}, { as: null })).toMatchObject(refused);
    await eventually(async () =>
      other.deps.verifier.verify(String(body.access_token), { audience: auth.issuer('demo') }).then(
        () => false,
        () => true,
      ),
    );
  });
});
