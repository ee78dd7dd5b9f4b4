import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { DatabaseUnavailable } from '@ostiary/database';
import { statementsDuring } from '@ostiary/database/testing';
import { currentRequestId } from '@ostiary/service';
import { eventually } from '@ostiary/service/testing';
import { type Answer, type RunningAuth, register, secrets } from '../../support/running-auth.ts';
import { auth, setUpTwoProcesses, twin } from '../../support/two-processes.ts';

// Changes of one process without a notification to another, as after a lost listener or a crash after the commit.

setUpTwoProcesses();
afterEach(() => {
  jest.restoreAllMocks();
});

/** Maximum time for which a process may use outdated values. */
const boundMs = 1_000;

interface Machine {
  tenant: string;
  id: string;
  secret: string;
}

async function machine(tenant = 'demo'): Promise<Machine> {
  const { client, clientSecret } = await register(
    auth,
    { grant_types: ['client_credentials'], redirect_uris: [], scope: 'users:read users:write' },
    tenant,
  );
  return { tenant, id: client.clientId, secret: clientSecret ?? '' };
}

const ask = (at: RunningAuth, { tenant, id, secret }: Machine): Promise<Answer> =>
  at.post(`/t/${tenant}/token`, { grant_type: 'client_credentials' }, { basic: [id, secret] });

const change = (statement: string, values: readonly string[] = []) =>
  auth.database.sql.query(statement, [...values]);

/**
 * Requests tokens from the second process continuously, several at a time, while `work` changes something without a
 * notification. @returns the responses to requests after the bound
 */
async function askedThroughout(of: Machine, work: () => Promise<unknown>): Promise<Answer[]> {
  const late: Answer[] = [];
  let changedAt = Number.POSITIVE_INFINITY;
  let isOver = false;
  const asking = Array.from({ length: 6 }, async () => {
    while (!isOver) {
      const isLate = performance.now() > changedAt + boundMs;
      const answer = await ask(twin, of);
      if (isLate) late.push(answer);
    }
  });
  expect((await ask(twin, of)).status).toBe(200);
  // All values are cached and confirmed.
  await new Promise((resolve) => setTimeout(resolve, boundMs + 200));
  await work();
  changedAt = performance.now();
  await new Promise((resolve) => setTimeout(resolve, boundMs + 500));
  isOver = true;
  await Promise.all(asking);
  expect(late.length).toBeGreaterThan(0);
  return late;
}

const outcomes = (answers: readonly Answer[]): string[] => [
  ...new Set(answers.map(({ status, body }) => `${status} ${String(body.error ?? body.scope)}`)),
];

describe('a change without a notification', () => {
  test.each<[string, string, string]>([
    [
      'a disabled client',
      'UPDATE auth.clients SET disabled_at = now(), epoch = epoch + 1 WHERE tenant = $1 AND client_id = $2',
      '401 invalid_client',
    ],
    [
      'a deleted client',
      'DELETE FROM auth.clients WHERE tenant = $1 AND client_id = $2',
      '401 invalid_client',
    ],
    [
      'a secret that was taken away',
      'DELETE FROM auth.client_secrets WHERE tenant = $1 AND client_id = $2',
      '401 invalid_client',
    ],
    [
      'a secret that has ended',
      `UPDATE auth.client_secrets SET expires_at = now() - interval '1 second' WHERE tenant = $1 AND client_id = $2`,
      '401 invalid_client',
    ],
    [
      'a scope that was taken away',
      `UPDATE auth.clients SET scopes = '{users:read}' WHERE tenant = $1 AND client_id = $2`,
      '200 users:read',
    ],
    [
      'a grant type that was taken away',
      `UPDATE auth.clients SET grant_types = '{}' WHERE tenant = $1 AND client_id = $2`,
      '400 unauthorized_client',
    ],
    [
      'a policy that demands more of clients',
      `UPDATE auth.tenants SET policy = '{"requiredClientProfile":"fapi2"}' WHERE id = $1 AND $2 <> ''`,
      '400 unauthorized_client',
    ],
    [
      'a suspended tenant',
      `UPDATE auth.tenants SET status = 'suspended' WHERE id = $1 AND $2 <> ''`,
      '403 access_denied',
    ],
  ])(
    '%s counts at the other process within a second and has no effect in the rival tenant.',
    async (_what, statement, expected) => {
      const [own, rival] = [await machine(), await machine('rival')];
      expect((await ask(twin, rival)).status).toBe(200);
      const late = await askedThroughout(own, () => change(statement, [own.tenant, own.id]));
      expect(outcomes(late)).toEqual([expected]);
      expect((await ask(twin, rival)).status).toBe(200);
      // The reverse also applies: a rejection is cached no longer than its cause.
      await change(`UPDATE auth.tenants SET status = 'active', policy = '{}' WHERE id = 'demo'`);
      const other = await machine();
      await eventually(async () => (await ask(twin, other)).status === 200);
    },
  );

  test('A deleted key no longer signs or verifies in the other process, and is not published.', async () => {
    const [own, rival] = [await machine(), await machine('rival')];
    const kidOf = ({ body }: Answer) =>
      JSON.parse(Buffer.from(String(body.access_token).split('.')[0] ?? '', 'base64url').toString())
        .kid as string;
    const [before, theirs] = [kidOf(await ask(twin, own)), kidOf(await ask(twin, rival))];
    await change(`DELETE FROM auth.signing_keys WHERE tenant = 'demo'`);
    await eventually(async () => kidOf(await ask(twin, own)) !== before);
    const published = (await twin.get('/t/demo/jwks')).body.keys as { kid: string }[];
    expect(published.map(({ kid }) => kid)).not.toContain(before);
    expect(await twin.deps.signingKeys.verifier('demo', before)).toBeUndefined();
    expect(kidOf(await ask(twin, rival))).toBe(theirs);
  });
});

describe('a database in which changes cannot be queried', () => {
  test('No request is accepted on cached values, and changes made in the meantime count as soon as they can be queried.', async () => {
    const own = await machine();
    expect((await ask(twin, own)).status).toBe(200);
    const { sql } = twin.database;
    const away = jest.spyOn(sql, 'query').mockRejectedValue(new DatabaseUnavailable());
    await new Promise((resolve) => setTimeout(resolve, boundMs + 100));
    await change('UPDATE auth.clients SET disabled_at = now(), epoch = epoch + 1 WHERE client_id = $1', [
      own.id,
    ]);
    const refused = await Promise.all(Array.from({ length: 20 }, () => ask(twin, own)));
    expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([503]));
    expect(away).toHaveBeenCalled();
    away.mockRestore();
    expect((await ask(twin, own)).body.error).toBe('invalid_client');
  });

  test('Keys that were read before continue to verify and to be published.', async () => {
    const own = await machine();
    const { body } = await ask(twin, own);
    const token = String(body.access_token);
    jest.spyOn(twin.database.sql, 'query').mockRejectedValue(new DatabaseUnavailable());
    await new Promise((resolve) => setTimeout(resolve, boundMs + 100));
    expect((await twin.deps.accessTokens.read('demo', token))?.claims.client_id).toBe(own.id);
  });
});

test('While keys cannot be read, known ones continue to sign and verify regardless of known changes: the operator gets a token.', async () => {
  const { accessTokens, tenantChanges } = twin.deps;
  const operator = () =>
    twin.post(
      '/t/platform/token',
      { grant_type: 'client_credentials' },
      { basic: ['operator', secrets.operator] },
    );
  const own = await machine();
  const { body } = await ask(twin, own);
  expect((await operator()).status).toBe(200);
  const { position } = tenantChanges;
  await auth.database.transaction(async (tx) => {
    await tx.query('LOCK TABLE auth.signing_keys IN ACCESS EXCLUSIVE MODE');
    // As after a truncated table: for every tenant.
    await change(`INSERT INTO auth.tenant_changes (tenant) VALUES ('')`);
    await tenantChanges.hear();
    expect(tenantChanges.hasChanged('platform', position)).toBe(true);
    const soon = <T>(answer: Promise<T>) =>
      Promise.race([answer, new Promise<'waits'>((resolve) => setTimeout(resolve, boundMs, 'waits'))]);
    for (let time = 0; time < 2; time += 1) {
      expect(await soon(operator())).toMatchObject({ status: 200 });
      expect(await soon(accessTokens.read('demo', String(body.access_token)))).toMatchObject({
        claims: { client_id: own.id },
      });
    }
  });
});

test('Requests of many tenants in turn cause one statement a second, for any number of tenants.', async () => {
  const tenants = Array.from({ length: 60 }, (_, n) => `turn-${n}`);
  await change(
    `INSERT INTO auth.tenants (id, name, status) SELECT id, id, 'active' FROM unnest($1::text[]) AS id`,
    [`{${tenants.join(',')}}`],
  );
  const machines: Machine[] = [];
  for (const tenant of tenants) machines.push(await machine(tenant));
  const all = async () => {
    for (const own of machines) expect((await ask(twin, own)).status).toBe(200);
  };
  // Read once, and confirmed once after other changes of these tests.
  for (let turn = 0; turn < 2; turn += 1) {
    await all();
    await new Promise((resolve) => setTimeout(resolve, boundMs + 100));
  }
  await all();
  await new Promise((resolve) => setTimeout(resolve, boundMs + 100));
  const begun = performance.now();
  const statements = await statementsDuring(
    async () => {
      for (let turn = 0; turn < 5; turn += 1) await all();
    },
    () => currentRequestId() !== undefined,
  );
  const seconds = Math.ceil((performance.now() - begun) / 1_000);
  expect(statements.filter((text) => !text.includes('FROM auth.tenant_changes'))).toEqual([]);
  expect(statements.length).toBeLessThanOrEqual(seconds + 1);
  expect(statements.length).toBeGreaterThan(0);
});
