import { describe, expect, test } from '@jest/globals';
import { initialToken, itself, metadata, send } from '../support/registering.ts';
import { register } from '../support/running-auth.ts';
import { auth, setUpTwoProcesses } from '../support/two-processes.ts';

setUpTwoProcesses();

describe('/register/{client_id} (RFC 7592)', () => {
  const unauthorized = { status: 401, body: { error: 'invalid_token' } };

  test('GET reads the registration without the client secret.', async () => {
    const { uri, token, body } = await itself();
    const { client_secret: _, client_secret_expires_at: __, ...rest } = body;
    const answer = await send('GET', uri, token);
    expect(answer).toMatchObject({ status: 200, body: rest });
    expect(answer.body).not.toHaveProperty('client_secret');
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  test('PUT replaces the registration, and an omitted member returns to its default.', async () => {
    const { id, uri, token, secret } = await itself({
      client_uri: 'https://notes.example',
      scope: 'openid email',
    });
    const answer = await send('PUT', uri, token, {
      client_id: id,
      client_secret: secret,
      client_name: 'Better Notes',
      redirect_uris: ['https://better.example/cb'],
    });
    expect(answer).toMatchObject({
      status: 200,
      body: {
        client_id: id,
        client_name: 'Better Notes',
        redirect_uris: ['https://better.example/cb'],
        scope: 'openid profile email address phone',
        registration_access_token: token,
      },
    });
    expect(answer.body).not.toHaveProperty('client_uri');
    const { rows } = await auth.database.sql.query(
      'SELECT name, version FROM auth.clients WHERE client_id = $1',
      [id],
    );
    // The version changed, so an administrator with the previous version gets a conflict.
    expect(rows).toEqual([{ name: 'Better Notes', version: 2 }]);
  });

  test('PUT neither exceeds the limits of the initial access token nor overrides members set by an administrator.', async () => {
    const { id, uri, token } = await itself();
    await auth.deps.clientRegistry.update('demo', id, (current) => ({
      ...current,
      require_pkce: false,
      resources: ['https://api.example'],
    }));
    const refused = await send('PUT', uri, token, {
      ...metadata,
      client_id: id,
      scope: 'openid clients:write',
    });
    expect(refused).toMatchObject({ status: 400, body: { error: 'invalid_client_metadata' } });
    const answer = await send('PUT', uri, token, {
      ...metadata,
      client_id: id,
      resources: [],
      require_consent: false,
    });
    expect(answer).toMatchObject({
      status: 200,
      body: { resources: ['https://api.example'], require_consent: true, require_pkce: false },
    });
  });

  test.each([
    ['no client_id', { client_id: undefined }],
    ['another client_id', { client_id: 'another' }],
    ['a wrong secret', { client_secret: 'ocs_wrong' }],
    ['a secret of its choosing', { client_secret: 7 }],
    ['a software statement', { software_statement: 'a.b.c' }],
    ['a wrong redirect URI', { redirect_uris: ['http://evil.example'] }],
  ])('PUT with %s is rejected and changes nothing.', async (_, change) => {
    const { id, uri, token } = await itself();
    const answer = await send('PUT', uri, token, { ...metadata, client_name: 'X', client_id: id, ...change });
    expect(answer.status).toBe(400);
    expect((await send('GET', uri, token)).body.client_name).toBe('Notes');
  });

  test('A change to an authentication method that needs a new secret issues one and ends the old secret.', async () => {
    const { id, uri, token, secret } = await itself({
      grant_types: ['client_credentials'],
      redirect_uris: [],
    });
    const put = (method: string, more: object = {}) =>
      send('PUT', uri, token, {
        client_id: id,
        client_name: 'Machine',
        grant_types: ['client_credentials'],
        redirect_uris: [],
        token_endpoint_auth_method: method,
        ...more,
      });
    const use = async (clientSecret: string, method = 'basic') =>
      (
        await auth.post(
          '/t/demo/token',
          method === 'basic'
            ? { grant_type: 'client_credentials' }
            : { grant_type: 'client_credentials', client_id: id, client_secret: clientSecret },
          method === 'basic' ? { basic: [id, clientSecret] } : {},
        )
      ).status;
    expect(await use(secret)).toBe(200);
    // The same secret, sent in the form.
    const posted = await put('client_secret_post');
    expect(posted.body).not.toHaveProperty('client_secret');
    expect([await use(secret), await use(secret, 'post')]).toEqual([401, 200]);
    const hmac = await put('client_secret_jwt');
    expect(hmac.body.client_secret).toEqual(expect.any(String));
    const back = await put('client_secret_basic');
    expect(back.body).not.toHaveProperty('client_secret');
    expect([await use(secret), await use(String(hmac.body.client_secret))]).toEqual([401, 200]);
    const { rows } = await auth.database.sql.query(
      'SELECT sealed FROM auth.client_secrets WHERE client_id = $1',
      [id],
    );
    expect(rows).toEqual([{ sealed: null }]);
  });

  test('DELETE removes the client and revokes its tokens.', async () => {
    const { id, uri, token, secret } = await itself({
      grant_types: ['client_credentials'],
      redirect_uris: [],
    });
    const { body } = await auth.post(
      '/t/demo/token',
      { grant_type: 'client_credentials' },
      { basic: [id, secret] },
    );
    const introspect = await register(auth, { protected_resources: ['urn:ostiary:tenant-api'] });
    const active = async () =>
      (
        await auth.post(
          '/t/demo/introspect',
          { token: String(body.access_token) },
          { basic: [introspect.client.clientId, introspect.clientSecret ?? ''] },
        )
      ).body.active;
    expect(await active()).toBe(true);
    expect((await send('DELETE', uri, token)).status).toBe(204);
    expect(await active()).toBe(false);
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const answer = await send(
        method,
        uri,
        token,
        method === 'PUT' ? { ...metadata, client_id: id } : undefined,
      );
      expect(answer).toMatchObject(unauthorized);
    }
    const again = await auth.post(
      '/t/demo/token',
      { grant_type: 'client_credentials' },
      { basic: [id, secret] },
    );
    expect(again.body.error).toBe('invalid_client');
  });

  test('Every token but the registration access token of the client is rejected for every method.', async () => {
    const [mine, other] = [await itself(), await itself()];
    const admin = await register(auth);
    for (const token of [other.token, await initialToken(), mine.secret, 'nonsense', undefined]) {
      for (const method of ['GET', 'PUT', 'DELETE']) {
        const answer = await send(
          method,
          mine.uri,
          token,
          method === 'PUT' ? { ...metadata, client_id: mine.id } : undefined,
        );
        expect(answer).toMatchObject(unauthorized);
      }
    }
    // In another tenant, for a client registered by an administrator, and for invalid ids.
    for (const path of [
      `/t/rival/register/${mine.id}`,
      `/t/demo/register/${admin.client.clientId}`,
      '/t/demo/register/nobody',
      '/t/demo/register/%00',
      `/t/demo/register/${'a'.repeat(90)}`,
    ]) {
      expect((await send('GET', path, mine.token)).status).toBe(401);
    }
    expect((await send('GET', mine.uri, mine.token)).status).toBe(200);
  });

  test('A client cannot regain a scope that an administrator removed, even by a concurrent update.', async () => {
    const scopes = ['openid', 'profile', 'users:read'];
    const { id, uri, token } = await itself({ scope: scopes.join(' ') }, { scopes });
    const update = (scope: string) => send('PUT', uri, token, { ...metadata, client_id: id, scope });
    // A client may regain a scope that it removed itself.
    expect((await update('openid')).status).toBe(200);
    expect((await update('openid users:read')).status).toBe(200);
    const narrow = auth.deps.clientRegistry.update('demo', id, (current) => ({
      ...current,
      scope: 'openid',
    }));
    const [, ...updates] = await Promise.all([
      narrow,
      ...Array.from({ length: 5 }, () => update('openid users:read')),
    ]);
    for (const { status } of updates) expect([200, 400]).toContain(status);
    expect((await auth.deps.clients.find('demo', id))?.scopes).toEqual(['openid']);
    expect(await update('openid users:read')).toMatchObject({
      status: 400,
      body: { error: 'invalid_client_metadata' },
    });
    expect((await update('openid profile')).body.scope).toBe('openid profile');
  });

  test('A client with a grant type added by an administrator may send it back unchanged or omit it.', async () => {
    const exchange = 'urn:ietf:params:oauth:grant-type:token-exchange';
    const { id, uri, token } = await itself();
    await auth.deps.clientRegistry.update('demo', id, (current) => ({
      ...current,
      grant_types: ['authorization_code', exchange],
      token_exchange_subject_clients: ['other'],
    }));
    const { body } = await send('GET', uri, token);
    for (const issued of ['registration_access_token', 'registration_client_uri', 'client_id_issued_at']) {
      delete body[issued];
    }
    const same = await send('PUT', uri, token, body);
    expect(same).toMatchObject({ status: 200, body: { grant_types: ['authorization_code', exchange] } });
    const without = await send('PUT', uri, token, { ...metadata, client_id: id });
    expect(without).toMatchObject({ status: 200, body: { grant_types: ['authorization_code'] } });
    const again = await send('PUT', uri, token, body);
    expect(again).toMatchObject({ status: 400, body: { error: 'invalid_client_metadata' } });
  });

  test('A disabled client cannot use its registration access token.', async () => {
    const { id, uri, token } = await itself();
    await auth.deps.clientRegistry.disable('demo', id);
    expect(await send('GET', uri, token)).toMatchObject(unauthorized);
  });

  test('Other methods of the registration endpoints are rejected with 405.', async () => {
    const { uri, token } = await itself();
    expect((await send('PATCH', uri, token, {})).status).toBe(405);
    expect((await send('GET', '/t/demo/register', token)).status).toBe(405);
  });
});
