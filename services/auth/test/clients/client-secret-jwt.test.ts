import { describe, expect, test } from '@jest/globals';
import * as oauth from 'openid-client';
import { secretAlgorithms } from '../../src/clients/domain/assertions/assertion-algorithms.ts';
import {
  asserting,
  claimsFor,
  keyed,
  newKey,
  refused,
  setUpAssertions,
  signed,
  token,
  withSecret,
} from '../support/asserting.ts';
import { auth } from '../support/two-processes.ts';

setUpAssertions();

describe('client_secret_jwt', () => {
  const secretKey = (secret: string, alg = 'HS256') => ({ alg, privateKey: Buffer.from(secret) });

  test.each(secretAlgorithms)('A client assertion signed with %s is accepted.', async (alg) => {
    const { id, secret } = await withSecret();
    expect((await token(asserting(await signed(claimsFor(id), secretKey(secret, alg))))).status).toBe(200);
  });

  test('openid-client authenticates with client_secret_jwt.', async () => {
    const { id, secret } = await withSecret();
    const config = await oauth.discovery(
      new URL(auth.issuer('demo')),
      id,
      {},
      oauth.ClientSecretJwt(secret),
      { execute: [oauth.allowInsecureRequests] },
    );
    expect((await oauth.clientCredentialsGrant(config, {})).access_token).toEqual(expect.any(String));
  });

  test('The secret of a client is stored encrypted, and only for client_secret_jwt.', async () => {
    const { id, secret } = await withSecret();
    const other = await withSecret('client_secret_basic');
    const sealedOf = async (clientId: string) => {
      const { rows } = await auth.database.sql.query<{ sealed: Buffer | null; digest: Buffer }>(
        'SELECT sealed, digest FROM auth.client_secrets WHERE client_id = $1',
        [clientId],
      );
      return rows[0]?.sealed;
    };
    const sealed = await sealedOf(id);
    expect(sealed).toBeInstanceOf(Buffer);
    expect(sealed?.includes(secret)).toBe(false);
    expect(sealed?.includes(secret.slice(4, 20))).toBe(false);
    expect(await sealedOf(other.id)).toBeNull();
  });

  test('A sealed secret that is copied to another client does not authenticate as that client.', async () => {
    const [thief, victim] = [await withSecret(), await withSecret()];
    await auth.database.sql.query(
      `UPDATE auth.client_secrets s SET sealed = o.sealed FROM auth.client_secrets o
       WHERE s.client_id = $1 AND o.client_id = $2`,
      [victim.id, thief.id],
    );
    auth.deps.clients.changed('demo', victim.id);
    const answer = await token(asserting(await signed(claimsFor(victim.id), secretKey(thief.secret))));
    expect(answer.status).not.toBe(200);
  });

  test('Two secrets are valid during a rotation and one is valid after it.', async () => {
    const { id, secret } = await withSecret();
    const use = async (key: string) =>
      (await token(asserting(await signed(claimsFor(id), secretKey(key))))).status;
    const next = await auth.deps.clientRegistry.rotateSecret('demo', id);
    expect([await use(secret), await use(next?.clientSecret ?? '')]).toEqual([200, 200]);
    const last = await auth.deps.clientRegistry.rotateSecret('demo', id, { overlapSeconds: 0 });
    expect([
      await use(secret),
      await use(next?.clientSecret ?? ''),
      await use(last?.clientSecret ?? ''),
    ]).toEqual([401, 401, 200]);
  });

  test('An assertion signed with the secret of another client, or for a client with only a private key, is rejected.', async () => {
    const [mine, other] = [await withSecret(), await withSecret()];
    expect(await token(asserting(await signed(claimsFor(mine.id), secretKey(other.secret))))).toMatchObject(
      refused,
    );
    const id = await keyed([await newKey('ES256')]);
    expect(await token(asserting(await signed(claimsFor(id), secretKey(mine.secret))))).toMatchObject(
      refused,
    );
  });

  test('A client with a private key has no secret to rotate.', async () => {
    const id = await keyed([await newKey('ES256')]);
    await expect(auth.deps.clientRegistry.rotateSecret('demo', id)).rejects.toMatchObject({
      code: 'invalid_client_metadata',
    });
  });
});
