import { describe, expect, test } from '@jest/globals';
import { eventually } from '@ostiary/service/testing';
import { pruneExpired } from '../../src/maintenance.ts';
import { initialToken, itself, metadata, post, send } from '../support/registering.ts';
import { basicHeader, register } from '../support/running-auth.ts';
import { auth, setUpTwoProcesses, twin } from '../support/two-processes.ts';

setUpTwoProcesses();

/** Locks in a transaction of the other process; returns a function that ends it. */
async function holding(lock: string): Promise<() => Promise<void>> {
  const [held, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const transaction = twin.database.transaction(async (tx) => {
    await tx.query('SET LOCAL idle_in_transaction_session_timeout = 0');
    await tx.query(lock);
    held.resolve();
    await released.promise;
  });
  await held.promise;
  return () => {
    released.resolve();
    return transaction;
  };
}

describe('the initial access token', () => {
  const unauthorized = { status: 401, body: { error: 'invalid_token' } };

  test('A registration without an initial access token is rejected.', async () => {
    const answer = await send('POST', '/t/demo/register', undefined, metadata);
    expect(answer).toMatchObject(unauthorized);
    expect(answer.headers.get('www-authenticate')).toBe(`Bearer realm="${auth.issuer('demo')}"`);
  });

  test.each([
    ['unknown', async () => 'oit_unknown'],
    ['truncated', async () => (await initialToken()).slice(0, -1)],
    ['another tenant’s', async () => initialToken({ tenant: 'rival' })],
    ['expired', async () => initialToken({ lifetimeSeconds: -1 })],
    [
      'an access token of the tenant',
      async () => {
        const { client, clientSecret } = await register(auth, {
          grant_types: ['client_credentials'],
          redirect_uris: [],
          scope: 'clients:write',
        });
        const { body } = await auth.post(
          '/t/demo/token',
          { grant_type: 'client_credentials' },
          { basic: [client.clientId, clientSecret ?? ''] },
        );
        return String(body.access_token);
      },
    ],
    ['a registration access token', async () => (await itself()).token],
    [
      'revoked',
      async () => {
        const { token, initialAccessToken } = await auth.deps.registrations.createToken('demo', {
          name: 'x',
          scopes: [],
          uses: 1,
          lifetimeSeconds: 60,
        });
        expect(await auth.deps.registrations.revokeToken('rival', initialAccessToken.id)).toBe(false);
        expect(await auth.deps.registrations.revokeToken('demo', initialAccessToken.id)).toBe(true);
        return token;
      },
    ],
  ])('An initial access token that is %s is rejected.', async (_, make) => {
    const answer = await post(metadata, await make());
    expect(answer).toMatchObject(unauthorized);
    expect(answer.headers.get('www-authenticate')).toContain('error="invalid_token"');
  });

  test('An initial access token in the query, in two headers or in another scheme is rejected.', async () => {
    const token = await initialToken();
    expect(await send('POST', `/t/demo/register?access_token=${token}`, undefined, metadata)).toMatchObject({
      status: 400,
      body: { error: 'invalid_request' },
    });
    const basic = { authorization: basicHeader('a', token) };
    expect(await send('POST', '/t/demo/register', undefined, metadata, basic)).toMatchObject(unauthorized);
    expect((await post(metadata, token)).status).toBe(201);
  });

  test('Of 20 concurrent registrations at two processes, as many succeed as the token has uses.', async () => {
    const token = await initialToken({ uses: 3 });
    const answers = await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        const response = await fetch(`${(index % 2 ? auth : twin).origin}/t/demo/register`, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          body: JSON.stringify(metadata),
        });
        await response.text();
        return response.status;
      }),
    );
    expect(answers.filter((status) => status === 201)).toHaveLength(3);
    expect(answers.filter((status) => status === 401)).toHaveLength(17);
  });

  test('A registration that was committed is answered, even if the process then has no free connection.', async () => {
    const token = await initialToken();
    const { sql } = twin.database;
    const row = await holding('SELECT FROM auth.initial_access_tokens FOR UPDATE');
    const pool = await holding('SELECT pg_advisory_xact_lock(7591)');
    const waiting = async (type: string) =>
      (
        await sql.query(
          `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND wait_event = $1`,
          [type],
        )
      ).rowCount;
    const occupy = () =>
      auth.database.transaction((tx) => tx.query('SELECT pg_advisory_xact_lock_shared(7591)'));
    const occupied = Array.from({ length: 4 }, occupy);
    await eventually(async () => (await waiting('advisory')) === 4);
    const registered = post(metadata, token);
    await eventually(async () => (await waiting('transactionid')) === 1);
    // Waits for the connection of the registration.
    occupied.push(occupy());
    await row();
    expect((await registered).status).toBe(201);
    await pool();
    await Promise.all(occupied);
  });

  test('A client may register for the scopes that the initial access token was created with.', async () => {
    const machine = { grant_types: ['client_credentials'], redirect_uris: [] };
    const { body } = await itself({ ...machine, scope: 'users:read' }, { scopes: ['users:read'] });
    expect(body.scope).toBe('users:read');
    const none = await itself(machine, { scopes: ['users:read'] });
    expect(none.body.scope).toBe('');
  });

  test('The initial access token is stored as a digest and deleted once it has expired.', async () => {
    const token = await initialToken({ lifetimeSeconds: -1 });
    const { rows } = await auth.database.sql.query<{ row: string }>(
      'SELECT t::text AS row FROM auth.initial_access_tokens t',
    );
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toContain(token.slice(4));
    await pruneExpired(auth.database.sql);
    const left = await auth.database.sql.query(
      'SELECT 1 FROM auth.initial_access_tokens WHERE expires_at < now()',
    );
    expect(left.rows).toHaveLength(0);
  });
});
