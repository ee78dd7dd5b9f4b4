import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { eventually } from '@ostiary/service/testing';
import {
  admin,
  ask,
  codesOf,
  type GraphAnswer,
  machineToken,
  rivalAdmin,
  service,
  setUpApiTokens,
} from '../../support/sign-in/api-tokens.ts';
import { rival, tenant, userinfoStatus } from '../../support/sign-in/service.ts';

setUpApiTokens();

describe('a service account', () => {
  const createAccount = `mutation ($input: CreateServiceAccountInput!) {
    createServiceAccount(input: $input) { serviceAccount { id name description scopes disabled } } }`;
  const updateAccount = `mutation ($input: UpdateServiceAccountInput!) {
    updateServiceAccount(input: $input) { serviceAccount { id name description scopes disabled } } }`;
  const createKey = `mutation ($input: CreateApiKeyInput!) {
    createApiKey(input: $input) { token apiKey { id name hint scopes lastUsedAt } } }`;
  const revokeKey =
    'mutation ($id: ID!) { revokeApiKey(input: { id: $id }) { id serviceAccount { id apiKeys { id } } } }';
  const remove = 'mutation ($id: ID!) { deleteServiceAccount(input: { id: $id }) { id } }';
  const read = `query ($id: ID!) { serviceAccount(id: $id) {
    id name apiKeys { id lastUsedAt } publicKeys { id kid alg expiresAt } } }`;

  const account = async (scopes = ['clients:read', 'users:read'], by = admin): Promise<string> => {
    const answer = await ask(createAccount, { input: { name: 'Backup', scopes } }, by);
    if (answer.errors) throw new Error(JSON.stringify(answer.errors));
    return answer.data.createServiceAccount.serviceAccount.id;
  };
  const key = async (serviceAccountId: string, input: Record<string, unknown> = {}) => {
    const answer = await ask(createKey, { input: { serviceAccountId, name: 'cron', ...input } }, admin);
    if (answer.errors) throw new Error(JSON.stringify(answer.errors));
    return { ...answer.data.createApiKey.apiKey, token: answer.data.createApiKey.token } as {
      id: string;
      scopes: string[];
      token: string;
    };
  };
  const clients = '{ clients { totalCount } }';
  const opens = async (secret: string) => codesOf(await ask(clients, {}, secret)) ?? 'open';

  test('A service account authenticates with an API key, within its own scopes and those of the key.', async () => {
    const id = await account();
    const all = await key(id);
    expect(all.token).toMatch(/^ost_key_[0-9A-Za-z]{46}$/);
    expect(all.scopes).toEqual(['clients:read', 'users:read']);
    expect(await opens(all.token)).toBe('open');
    const little = await key(id, { scopes: ['users:read'] });
    expect(await opens(little.token)).toEqual(['FORBIDDEN']);
    await eventually(async () =>
      (await ask(read, { id }, admin)).data.serviceAccount.apiKeys.every(
        (one: { lastUsedAt: string | null }) => one.lastUsedAt !== null,
      ),
    );
    // The key does not represent a user.
    expect(await userinfoStatus(service, all.token)).toBe(403);
    const beyond = await ask(
      createKey,
      { input: { serviceAccountId: id, name: 'x', scopes: ['roles:write'] } },
      admin,
    );
    expect(codesOf(beyond)).toEqual(['BAD_USER_INPUT']);
  });

  test('A caller cannot grant a service account scopes that the caller does not have.', async () => {
    const weak = await machineToken(tenant, 'clients:read clients:write');
    const strong = await account(['users:write']);
    for (const [document, variables] of [
      [createAccount, { input: { name: 'x', scopes: ['users:write'] } }],
      [createKey, { input: { serviceAccountId: strong, name: 'x' } }],
      [updateAccount, { input: { id: strong, scopes: ['users:write', 'clients:read'] } }],
      [updateAccount, { input: { id: strong, disabled: false } }],
      [addKey, { input: { serviceAccountId: strong, jwk: JSON.stringify(publicJwk()) } }],
    ] as const) {
      expect(codesOf(await ask(document, variables, weak))).toEqual(['FORBIDDEN']);
    }
    // Disabling needs only the permission to write.
    expect(
      (await ask(updateAccount, { input: { id: strong, disabled: true } }, weak)).errors,
    ).toBeUndefined();
    const own = await account(['clients:read'], weak);
    expect((await ask(read, { id: own }, weak)).data.serviceAccount.id).toBe(own);
    for (const scope of ['openid', 'offline_access', 'nonsense']) {
      const answer = await ask(createAccount, { input: { name: 'x', scopes: [scope] } }, admin);
      expect(['BAD_USER_INPUT', 'FORBIDDEN']).toContain(codesOf(answer)?.[0]);
    }
  });

  test('A service account is neither visible to nor changeable by another tenant.', async () => {
    const id = await account();
    const { id: keyId, token: secret } = await key(id);
    expect((await ask(read, { id }, rivalAdmin)).data.serviceAccount).toBeNull();
    for (const [document, variables] of [
      [updateAccount, { input: { id, disabled: true } }],
      [createKey, { input: { serviceAccountId: id, name: 'x' } }],
      [revokeKey, { id: keyId }],
      [remove, { id }],
      [addKey, { input: { serviceAccountId: id, jwk: JSON.stringify(publicJwk()) } }],
    ] as const) {
      expect(codesOf(await ask(document, variables, rivalAdmin))).toEqual(['NOT_FOUND']);
    }
    expect(await opens(secret)).toBe('open');
    const list = '{ serviceAccounts(first: 100) { totalCount edges { node { id } } } }';
    expect((await ask(list, {}, rivalAdmin)).data.serviceAccounts).toEqual({ totalCount: 0, edges: [] });
  });

  test('A service account loses its keys one by one, or all of them for as long as it is disabled.', async () => {
    const id = await account();
    const [one, two] = [await key(id), await key(id)];
    expect(await opens(one.token)).toBe('open');
    expect((await ask(revokeKey, { id: one.id }, admin)).data.revokeApiKey).toEqual({
      id: one.id,
      serviceAccount: { id, apiKeys: [{ id: two.id }] },
    });
    expect(await opens(one.token)).toEqual(['UNAUTHENTICATED']);
    expect(codesOf(await ask(revokeKey, { id: one.id }, admin))).toEqual(['NOT_FOUND']);

    expect(await opens(two.token)).toBe('open');
    await ask(updateAccount, { input: { id, disabled: true } }, admin);
    expect(await opens(two.token)).toEqual(['UNAUTHENTICATED']);
    const enabled = await ask(updateAccount, { input: { id, disabled: false } }, admin);
    expect(enabled.data.updateServiceAccount.serviceAccount.disabled).toBe(false);
    expect(await opens(two.token)).toBe('open');
    expect(await opens(one.token)).toEqual(['UNAUTHENTICATED']);
  });

  test('A service account that loses a scope loses it in its API keys immediately.', async () => {
    const id = await account();
    const { token: secret } = await key(id);
    expect(await opens(secret)).toBe('open');
    await ask(updateAccount, { input: { id, scopes: ['users:read'] } }, admin);
    expect(await opens(secret)).toEqual(['FORBIDDEN']);
    const kept = await ask(updateAccount, { input: { id, name: 'New name', description: 'why' } }, admin);
    expect(kept.data.updateServiceAccount.serviceAccount).toEqual({
      id,
      name: 'New name',
      description: 'why',
      scopes: ['users:read'],
      disabled: false,
    });
  });

  test('A service account is deleted with its API keys.', async () => {
    const id = await account();
    const { token: secret } = await key(id);
    expect(await opens(secret)).toBe('open');
    expect((await ask(remove, { id }, admin)).data.deleteServiceAccount.id).toBe(id);
    expect(await opens(secret)).toEqual(['UNAUTHENTICATED']);
    expect(codesOf(await ask(remove, { id }, admin))).toEqual(['NOT_FOUND']);
    const { rowCount } = await service.deps.database.sql.query(
      'SELECT 1 FROM auth.api_tokens WHERE service_account_id = $1',
      [id],
    );
    expect(rowCount).toBe(0);
  });

  test('Service accounts are listed in pages that neither skip nor repeat an account.', async () => {
    for (let round = 0; round < 3; round += 1) await account();
    const list = `query ($after: String) { serviceAccounts(first: 2, after: $after) {
      totalCount pageInfo { hasNextPage endCursor } edges { node { id } } } }`;
    const seen: string[] = [];
    let after: string | null = null;
    let total = 0;
    do {
      const answer: GraphAnswer = await ask(list, { after }, admin);
      const { edges, pageInfo, totalCount } = answer.data.serviceAccounts;
      seen.push(...edges.map((edge: { node: { id: string } }) => edge.node.id));
      total = totalCount;
      after = pageInfo.hasNextPage ? pageInfo.endCursor : null;
    } while (after !== null);
    expect(new Set(seen).size).toBe(total);
    expect(seen).toHaveLength(total);
    expect(codesOf(await ask(list, { after: 'nonsense' }, admin))).toEqual(['BAD_USER_INPUT']);
  });

  const addKey = `mutation ($input: AddServiceAccountKeyInput!) {
    addServiceAccountKey(input: $input) { publicKey { id kid alg } } }`;
  const removeKey = `mutation ($id: ID!) { removeServiceAccountKey(input: { id: $id }) { id } }`;
  const jwkOf = (publicKey: KeyObject): Record<string, unknown> => ({
    ...publicKey.export({ format: 'jwk' }),
  });
  const publicJwk = () => jwkOf(generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey);

  test('A service account has public keys that verify its assertions.', async () => {
    const id = await account();
    const { serviceAccounts } = service.deps;
    for (const [alg, jwk] of [
      ['ES256', { ...publicJwk(), kid: 'chosen', use: 'sig', x5u: 'https://evil.example' }],
      ['EdDSA', jwkOf(generateKeyPairSync('ed25519').publicKey)],
      ['RS256', jwkOf(generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey)],
    ] as const) {
      const answer = await ask(addKey, { input: { serviceAccountId: id, jwk: JSON.stringify(jwk) } }, admin);
      const { kid, alg: used } = answer.data.addServiceAccountKey.publicKey;
      expect(used).toBe(alg.toUpperCase());
      const found = await serviceAccounts.assertionKey(tenant, id, kid);
      expect(found).toMatchObject({ alg, scopes: ['clients:read', 'users:read'] });
      expect(found?.publicJwk).not.toHaveProperty('x5u');
      expect(await serviceAccounts.assertionKey(rival, id, kid)).toBeUndefined();
    }
    const twice = { input: { serviceAccountId: id, jwk: JSON.stringify({ ...publicJwk(), kid: 'chosen' }) } };
    expect(codesOf(await ask(addKey, twice, admin))).toEqual(['CONFLICT']);

    const keys = (await ask(read, { id }, admin)).data.serviceAccount.publicKeys;
    expect(keys).toHaveLength(3);
    const before = await serviceAccounts.find(tenant, id);
    const chosen = keys.find((one: { kid: string }) => one.kid === 'chosen');
    expect((await ask(removeKey, { id: chosen.id }, rivalAdmin)).errors?.[0]?.extensions.code).toBe(
      'NOT_FOUND',
    );
    expect((await ask(removeKey, { id: chosen.id }, admin)).errors).toBeUndefined();
    expect(await serviceAccounts.assertionKey(tenant, id, 'chosen')).toBeUndefined();
    // Tokens obtained with the key end too.
    expect((await serviceAccounts.find(tenant, id))?.epoch).toBe((before?.epoch ?? 0) + 1);

    await ask(updateAccount, { input: { id, disabled: true } }, admin);
    expect(await serviceAccounts.assertionKey(tenant, id, keys[0].kid)).toBeUndefined();
    for (const odd of ['', '\u0000', 'x'.repeat(10_000)]) {
      expect(await serviceAccounts.assertionKey(tenant, odd, odd)).toBeUndefined();
    }
  });

  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  test.each([
    ['no JSON', 'nonsense'],
    ['not an object', '[1]'],
    ['no key', '{}'],
    ['a private key', JSON.stringify(privateKey.export({ format: 'jwk' }))],
    ['a secret', JSON.stringify({ kty: 'oct', k: 'AAAA' })],
    ['a point that is not on the curve', JSON.stringify({ ...publicJwk(), x: 'A'.repeat(43) })],
    ['a short RSA key', JSON.stringify(jwkOf(generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey))],
    ['another curve', JSON.stringify(jwkOf(generateKeyPairSync('ec', { namedCurve: 'P-384' }).publicKey))],
    ['another alg than its own', JSON.stringify({ ...publicJwk(), alg: 'RS256' })],
    ['a key for encryption', JSON.stringify({ ...publicJwk(), use: 'enc' })],
    ['an odd kid', JSON.stringify({ ...publicJwk(), kid: 'a b' })],
    ['a kid that is no text', JSON.stringify({ ...publicJwk(), kid: 7 })],
    ['too much', JSON.stringify({ ...publicJwk(), junk: 'x'.repeat(9_000) })],
  ])('A public key of a service account is rejected when it is %s.', async (_name, jwk) => {
    const id = await account();
    const answer = await ask(addKey, { input: { serviceAccountId: id, jwk } }, admin);
    expect(codesOf(answer)).toEqual(['BAD_USER_INPUT']);
  });
});
