import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { OutgoingFetchError, TooManyRequests } from '@ostiary/service';
import { eventually } from '@ostiary/service/testing';
import { exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';
import { FetchedDocuments } from '../../../src/clients/documents/data/fetched-documents.ts';
import { UnusableDocument } from '../../../src/clients/documents/domain/document.ts';
import { DocumentClients } from '../../../src/clients/documents/domain/document-clients.ts';
import {
  allowOn,
  asking,
  documents,
  fetchedElsewhere,
  newPath,
  open,
  redeemed,
  refreshed,
  service,
  setUpDocuments,
  signedIn,
  stored,
  tokensOf,
} from '../../support/document-client.ts';
import { signIn, tenant, token } from '../../support/sign-in/service.ts';

setUpDocuments();

let admin: string;
beforeAll(async () => {
  admin = await asking.machine('clients:write clients:read');
});

const run = async (name: string, input: object, type = 'ClientInput') => {
  const result = name === 'deleteClient' ? 'id' : 'client { id name disabled }';
  const { data } = await asking.ask(
    `mutation ($input: ${type}!) { ${name}(input: $input) { ${result} problems { code message } } }`,
    { input },
    admin,
  );
  return data?.[name];
};
const isLive = async (of: unknown): Promise<boolean> =>
  (await service.deps.introspection.liveAccessToken(tenant, String(of))) !== null;

describe('a document that changes', () => {
  test('New redirect URIs replace the stored ones and end consents, but not the grants.', async () => {
    const path = newPath();
    const atHost = { redirect_uri: `${documents.origin}/callback` };
    const clientId = documents.publish(path);
    const browser = await signedIn();
    const answer = await allowOn(browser, await open(browser, clientId, atHost));
    const { body } = await redeemed(clientId, answer, {}, atHost.redirect_uri);
    const changes = {
      client_name: 'Renamed',
      redirect_uris: [atHost.redirect_uri, `${documents.origin}/new`],
    };
    documents.publish(path, changes);
    await fetchedElsewhere(clientId, changes);
    expect((await open(browser, clientId, atHost)).text).toContain('Renamed');
    expect(await stored(clientId)).toMatchObject({ name: 'Renamed', redirectUris: changes.redirect_uris });
    expect((await open(browser, clientId)).text).toContain('return address of the app is not registered');
    expect((await refreshed(clientId, body.refresh_token)).status).toBe(200);
  });

  test('A process with an older document in its cache does not undo the change of another process.', async () => {
    const path = newPath();
    const clientId = documents.publish(path, {}, 'max-age=3600');
    await tokensOf(clientId);
    documents.publish(path, { client_name: 'Newer' }, 'max-age=3600');
    await fetchedElsewhere(clientId, { client_name: 'Newer' });
    const { version } = (await stored(clientId)) ?? {};
    expect((await open(await signedIn(), clientId)).text).toContain('Newer');
    expect(await stored(clientId)).toMatchObject({ name: 'Newer', version });
  });

  test.each([
    ['the document is missing', new OutgoingFetchError('failed', 'status 404'), UnusableDocument],
    ['too many documents are being fetched', new TooManyRequests(1), TooManyRequests],
  ])('While %s, no user signs in, and existing grants continue.', async (_when, problem, Rejection) => {
    const clientId = documents.publish(newPath());
    await tokensOf(clientId);
    const { clients, documentClientStore } = service.deps;
    const unlimited = async () => {};
    // The view of a process without a cached document.
    const elsewhere = new DocumentClients({
      clients,
      documentClientStore,
      documents: new FetchedDocuments({
        fetch: () => Promise.reject(problem),
        limit: unlimited,
        clock: Date.now,
      }),
      limit: unlimited,
      newClientLimit: unlimited,
    });
    await expect(elsewhere.find(tenant, clientId, '192.0.2.1')).rejects.toThrow(Rejection);
    expect((await elsewhere.record(tenant, clientId, '192.0.2.1'))?.client).toMatchObject({ clientId });
    const unknown = elsewhere.record(tenant, documents.publish(newPath()), '192.0.2.1');
    if (Rejection === TooManyRequests) await expect(unknown).rejects.toThrow(TooManyRequests);
    else expect(await unknown).toBeNull();
  });
});

describe('a client with a metadata document, for administrators', () => {
  test('It is listed with its URL, disabled with everything issued to it, and enabled again.', async () => {
    const clientId = documents.publish(newPath(), { client_name: 'Listed' });
    const tokens = await tokensOf(clientId);
    const { data } = await asking.ask(
      '{ clients(first: 1, filter: { name: "Listed" }) { edges { cursor node { id name clientUri redirectUris } } } }',
      {},
      admin,
    );
    expect(data?.clients.edges[0].node).toMatchObject({
      id: clientId,
      name: 'Listed',
      clientUri: documents.origin,
    });
    const after = await asking.ask(
      `{ clients(first: 1, after: "${data?.clients.edges[0].cursor}") { edges { node { id } } } }`,
      {},
      admin,
    );
    expect(after.errors).toBeUndefined();
    expect((await run('disableClient', { id: clientId })).client).toMatchObject({ disabled: true });
    expect(await isLive(tokens.access_token)).toBe(false);
    expect((await open(await signedIn(), clientId)).text).toContain('Unknown app');
    expect((await refreshed(clientId, tokens.refresh_token)).status).toBe(401);
    expect((await run('enableClient', { id: clientId })).client).toMatchObject({ disabled: false });
    expect((await refreshed(clientId, tokens.refresh_token)).status).toBe(400);
    expect(await tokensOf(clientId)).toMatchObject({ token_type: 'Bearer' });
  });

  test('Its registration is not editable, and it gets no secret.', async () => {
    const clientId = documents.publish(newPath());
    await tokensOf(clientId);
    const input = { id: clientId, redirectUris: ['https://attacker.example/'] };
    expect((await run('updateClient', input, 'UpdateClientInput')).problems).toMatchObject([
      { message: expect.stringContaining('is its metadata document') },
    ]);
    expect(
      (await run('rotateClientSecret', { id: clientId }, 'RotateClientSecretInput')).problems,
    ).toMatchObject([{ message: expect.stringContaining('is its metadata document') }]);
    await expect(
      service.deps.clientRegistry.register(
        tenant,
        { client_name: 'x', redirect_uris: ['https://app.example/cb'] },
        { clientId: 'https://app.example/client' },
      ),
    ).rejects.toThrow('characters that are not allowed');
  });

  test('After its deletion its tokens are revoked for ever, and users are asked again.', async () => {
    const clientId = documents.publish(newPath());
    const atHost = { redirect_uri: `${documents.origin}/callback` };
    const browser = await signedIn();
    await allowOn(browser, await open(browser, clientId, atHost));
    const tokens = await tokensOf(clientId);
    expect(await run('deleteClient', { id: clientId })).toMatchObject({ id: clientId });
    expect(await stored(clientId)).toBeNull();
    expect((await open(browser, clientId, atHost)).text).toContain('action="/t/demo/consent"');
    const again = await tokensOf(clientId);
    expect([await isLive(tokens.access_token), await isLive(again.access_token)]).toEqual([false, true]);
    expect((await refreshed(clientId, tokens.refresh_token)).status).toBe(400);
  });

  test('The offboarding of a user ends the user’s tokens of the client, but not those of others.', async () => {
    const clientId = documents.publish(newPath());
    const eve = await service.person('eve');
    const app = await service.client({ require_consent: false });
    await signIn(service.browser(), app, 'eve');
    const browser = await signedIn(eve);
    const { body } = await redeemed(clientId, await allowOn(browser, await open(browser, clientId)));
    const others = await tokensOf(clientId);
    await service.directory.change(tenant, eve.id, 'user.deactivated');
    await eventually(async () => !(await isLive(body.access_token)));
    expect((await refreshed(clientId, body.refresh_token)).status).toBe(400);
    expect(await isLive(others.access_token)).toBe(true);
  });
});

describe('a client with a metadata document and a key', () => {
  const newKey = async () => {
    const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true });
    return {
      privateKey,
      jwk: { ...(await exportJWK(publicKey)), kid: randomUUID(), alg: 'ES256', use: 'sig' },
    };
  };
  type Key = Awaited<ReturnType<typeof newKey>>;
  const withKeys = (keys: JWK[]) => ({ token_endpoint_auth_method: 'private_key_jwt', jwks: { keys } });
  const assertion = async (clientId: string, { privateKey, jwk }: Key): Promise<Record<string, string>> => ({
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: await new SignJWT({ jti: randomUUID() })
      .setProtectedHeader({ alg: 'ES256', kid: jwk.kid ?? '' })
      .setIssuer(clientId)
      .setSubject(clientId)
      .setAudience(service.deps.issuer(tenant))
      .setIssuedAt()
      .setExpirationTime('1m')
      .sign(privateKey),
  });
  const push = async (fields: Record<string, string>) => {
    const response = await fetch(`${service.origin}/t/${tenant}/par`, {
      method: 'POST',
      body: new URLSearchParams(fields),
    });
    return { status: response.status, body: (await response.json()) as Record<string, string> };
  };

  test('It pushes its request, redeems the code and refreshes with its key; other keys are rejected.', async () => {
    const [key, wrong] = [await newKey(), await newKey()];
    const clientId = documents.publish(newPath(), withKeys([key.jwk]));
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: clientId,
      redirect_uri: `${documents.origin}/callback`,
      scope: 'openid offline_access',
      code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
      code_challenge_method: 'S256',
    });
    const request = Object.fromEntries(query);
    expect((await push(request)).status).toBe(401);
    expect((await push({ ...request, ...(await assertion(clientId, wrong)) })).status).toBe(401);
    const pushed = await push({ ...request, ...(await assertion(clientId, key)) });
    expect(pushed.status).toBe(201);
    const browser = await signedIn();
    const page = await browser.follow(
      await browser.get(
        `/t/${tenant}/authorize?${new URLSearchParams({ client_id: clientId, request_uri: pushed.body.request_uri ?? '' })}`,
      ),
    );
    const answer = await allowOn(browser, page);
    const code = {
      grant_type: 'authorization_code',
      code: answer.searchParams.get('code') ?? '',
      redirect_uri: `${documents.origin}/callback`,
      code_verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
    };
    const as = { clientId, tenant };
    expect((await token(service, as, code)).status).toBe(401);
    expect((await token(service, as, { ...code, ...(await assertion(clientId, wrong)) })).status).toBe(401);
    const { status, body } = await token(service, as, { ...code, ...(await assertion(clientId, key)) });
    expect(status).toBe(200);
    expect((await refreshed(clientId, body.refresh_token)).status).toBe(401);
    expect((await refreshed(clientId, body.refresh_token, await assertion(clientId, key))).status).toBe(200);
  });

  test('A key that the document no longer contains is rejected, and the new one is accepted.', async () => {
    const [first, second] = [await newKey(), await newKey()];
    const path = newPath();
    const clientId = documents.publish(path, withKeys([first.jwk]));
    const browser = await signedIn();
    const page = await open(browser, clientId, { redirect_uri: `${documents.origin}/callback` });
    const answer = await allowOn(browser, page);
    const { body } = await redeemed(
      clientId,
      answer,
      await assertion(clientId, first),
      `${documents.origin}/callback`,
    );
    documents.publish(path, withKeys([second.jwk]));
    await fetchedElsewhere(clientId, withKeys([second.jwk]));
    const refresh = async (key: Key) =>
      (await refreshed(clientId, body.refresh_token, await assertion(clientId, key))).status;
    expect(await refresh(first)).toBe(401);
    expect(await refresh(second)).toBe(200);
  });
});

test('A tenant stores a limited number of these clients: a new one replaces an unused one, or is rejected.', async () => {
  const { sql } = service.deps.database;
  const count = async () =>
    (
      await sql.query<{ n: number }>(
        "SELECT count(*)::int AS n FROM auth.clients WHERE tenant = $1 AND client_id LIKE 'https://%'",
        [tenant],
      )
    ).rows[0]?.n;
  const used = documents.publish(newPath());
  const tokens = await tokensOf(used);
  await sql.query(
    `INSERT INTO auth.clients (tenant, client_id, name, type, token_endpoint_auth_method, updated_at)
     SELECT $1, 'https://${documents.host}/unused/' || n, 'Unused', 'public', 'none', '2020-01-01'
       FROM generate_series(1, 1000 - $2::int) n`,
    [tenant, await count()],
  );
  expect(await count()).toBe(1_000);
  const replacing = documents.publish(newPath());
  await tokensOf(replacing);
  expect(await count()).toBe(1_000);
  expect(await stored(replacing)).not.toBeNull();
  expect((await refreshed(used, tokens.refresh_token)).status).toBe(200);

  await sql.query(
    `UPDATE auth.clients SET updated_at = now() WHERE tenant = $1 AND client_id LIKE 'https://%'`,
    [tenant],
  );
  const add = async () => {
    const browser = await signedIn();
    const page = await open(browser, documents.publish(newPath()));
    return (await browser.submit(page, { action: 'allow' })).location;
  };
  // The users of new clients may not have signed in yet.
  expect(await add()).toContain('error=access_denied');
  expect(await count()).toBe(1_000);
  await run('disableClient', { id: used });
  expect(await add()).toContain('code=');
  expect(await count()).toBe(1_001);
});
