import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { HttpPeer, uuidv7 } from '@ostiary/service';
import { vouchingWithdrawals } from '../../src/connectors/data/vouching-withdrawals.ts';
import { withdrawVouching } from '../../src/connectors/domain/vouching.ts';
import { RemoteDirectory } from '../../src/resources/data/directory.ts';
import { type Source, startWithDirectory, type WithDirectory } from '../support/real-directory.ts';
import { anybodyMay, byTheTest, managingConnectors } from '../support/service.ts';

const userSchema = 'urn:ietf:params:scim:schemas:core:2.0:User';
const patchSchema = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
const bulkSchema = 'urn:ietf:params:scim:api:messages:2.0:BulkRequest';

let running: WithDirectory;
let directory: HttpPeer;
const vouching = { rules: { vouchesForEmails: true } };
let counter = 0;
const address = () => `vouched${++counter}@example.com`;

beforeAll(async () => {
  running = await startWithDirectory();
  directory = new HttpPeer({
    name: 'directory',
    origin: running.directoryUrl,
    token: async () => running.authorization.serviceToken('provisioning', 'directory'),
  });
});
afterAll(async () => {
  await directory?.close();
  await running?.close();
});

async function verified(id: string, tenant = 'demo'): Promise<string[]> {
  const { body } = await directory.request<{ emails?: { value: string; verified?: boolean }[] }>({
    method: 'GET',
    path: `/internal/v1/tenants/${tenant}/Users/${id}`,
    query: { verified: 'true' },
  });
  return (body.emails ?? []).filter((email) => email.verified).map(({ value }) => value);
}
async function made(source: Source, emails: object[] = []): Promise<string> {
  const body = { schemas: [userSchema], userName: `v-${uuidv7()}`, emails };
  const answer = await source.call('POST', '/Users', { body });
  expect(answer.status).toBe(201);
  expect(JSON.stringify(answer.body)).not.toContain('verified');
  return answer.body.id;
}
const patch = (source: Source, id: string, ...Operations: object[]) =>
  source.call('PATCH', `/Users/${id}`, { body: { schemas: [patchSchema], Operations } });

/** Runs the job once on the service's own data. */
async function notifyDirectory(): Promise<void> {
  const { sql } = running.service.database;
  await withdrawVouching({
    sql,
    withdrawals: vouchingWithdrawals,
    directory: new RemoteDirectory(directory),
  });
}

describe('Connectors that vouch for addresses', () => {
  test('The connector verifies addresses in the format of the RFC, over POST, PUT, PATCH and Bulk.', async () => {
    const hr = await running.source('rfc', 'demo', vouching);
    const [first, second, third, fourth] = [address(), address(), address(), address()];
    const id = await made(hr, [{ value: first }]);
    expect(await verified(id)).toEqual([first]);
    const { body } = await hr.call('GET', `/Users/${id}`);
    await hr.call('PUT', `/Users/${id}`, { body: { ...body, emails: [{ value: second }] } });
    expect(await verified(id)).toEqual([second]);
    await patch(hr, id, { op: 'replace', path: 'emails', value: [{ value: third }] });
    expect(await verified(id)).toEqual([third]);
    const bulk = await hr.call('POST', '/Bulk', {
      body: {
        schemas: [bulkSchema],
        Operations: [
          {
            method: 'PATCH',
            path: `/Users/${id}`,
            data: {
              schemas: [patchSchema],
              Operations: [{ op: 'add', path: 'emails', value: [{ value: fourth }] }],
            },
          },
        ],
      },
    });
    expect(bulk.body.Operations[0].status).toBe('200');
    expect((await verified(id)).toSorted()).toEqual([third, fourth].toSorted());
  });

  test.each<['entra' | 'okta' | 'onelogin' | 'auto', string, (value: string) => object]>([
    ['entra', 'a path', (value) => ({ op: 'Replace', path: 'emails[type eq "work"].value', value })],
    [
      'entra',
      'a path for what is not there',
      (value) => ({ op: 'Add', path: 'emails[type eq "work"].value', value }),
    ],
    ['entra', 'a key', (value) => ({ op: 'Replace', value: { 'emails[type eq "work"].value': value } })],
    [
      'entra',
      'a quoted boolean',
      (value) => ({ op: 'Replace', path: 'emails[primary eq "True"].value', value }),
    ],
    [
      'okta',
      'no path',
      (value) => ({ op: 'replace', value: { emails: [{ value, type: 'work', primary: true }] } }),
    ],
    ['onelogin', 'a path', (value) => ({ op: 'replace', path: 'emails[type eq "work"].value', value })],
    ['auto', 'a key', (value) => ({ op: 'add', value: { 'emails[type eq "work"].value': value } })],
  ])('The connector verifies an address as %s sends it, with %s.', async (profile, _how, operation) => {
    const plain = await running.source(profile);
    const hr = await running.source(profile, 'demo', vouching);
    const [old, value] = [address(), address()];
    const id = await made(plain, [{ value: old, type: 'work', primary: true }]);
    expect((await patch(hr, id, { op: 'replace', path: 'displayName', value: old })).status).toBeLessThan(
      300,
    );
    expect(await verified(id)).toEqual([]);
    expect((await patch(hr, id, operation(value))).status).toBeLessThan(300);
    expect(await verified(id)).toEqual([value]);
    expect((await patch(plain, id, operation(old))).status).toBeLessThan(300);
    expect(await verified(id)).toEqual([]);
  });

  test('The connector verifies an address when Okta takes over a user by PUT.', async () => {
    const hr = await running.source('okta', 'demo', vouching);
    const value = address();
    const id = await made(await running.source('okta'), [{ value, type: 'work' }]);
    const { body } = await hr.call('GET', `/Users/${id}`);
    await hr.call('PUT', `/Users/${id}`, { body: { ...body, groups: [] } });
    expect(await verified(id)).toEqual([value]);
  });

  test('The connector verifies addresses in its own tenant only.', async () => {
    const theirs = await running.source('rfc', 'rival', vouching);
    const hr = await running.source('rfc');
    const value = address();
    const id = await made(hr, [{ value }]);
    const stolen = await patch(theirs, id, { op: 'replace', path: 'emails', value: [{ value }] });
    expect(stolen.status).toBe(404);
    expect(await verified(id)).toEqual([]);
    const twin = await made(theirs, [{ value }]);
    expect([await verified(twin, 'rival'), await verified(id)]).toEqual([[value], []]);
  });
});

const update = (id: string, changes: Parameters<typeof running.service.app.administration.update>[2]) =>
  running.service.app.administration.update(byTheTest(), { id }, changes, anybodyMay);
const openWithdrawal = async (id: string) => {
  const { rows } = await running.service.database.sql.query<{ at: Date | null }>(
    'SELECT vouching_ended_at AS at FROM provisioning.connectors WHERE id = $1',
    [id],
  );
  return rows[0]?.at ?? null;
};

describe('The end of vouching', () => {
  test('An address loses its verification when vouching ends, also if written before the directory is notified.', async () => {
    const hr = await running.source('rfc', 'demo', vouching);
    const value = address();
    const id = await made(hr, [{ value }]);
    await update(hr.id, { rules: { vouchesForEmails: false } });
    await notifyDirectory();
    expect(await verified(id)).toEqual([]);
    // A request that began before.
    const late = await new RemoteDirectory(directory).patch({
      tenant: 'demo',
      type: 'User',
      id,
      actor: { kind: 'connector', id: hr.id },
      source: hr.id,
      vouchesForEmails: true,
      operations: [{ op: 'replace', path: 'emails', value: [{ value }] }],
    });
    expect(late.id).toBe(id);
    expect(await verified(id)).toEqual([value]);
    await notifyDirectory();
    expect(await verified(id)).toEqual([]);
    expect(await openWithdrawal(hr.id)).not.toBeNull();
    await running.service.database.sql.query(
      `UPDATE provisioning.connectors SET vouching_ended_at = now() - interval '3 minutes' WHERE id = $1`,
      [hr.id],
    );
    await notifyDirectory();
    expect(await openWithdrawal(hr.id)).toBeNull();
  });

  test('An address loses its verification when the connector is deleted.', async () => {
    const hr = await running.source('rfc', 'demo', vouching);
    const id = await made(hr, [{ value: address() }]);
    await running.service.app.administration.remove(byTheTest(), { id: hr.id });
    await notifyDirectory();
    expect(await verified(id)).toEqual([]);
  });

  test('An address stays verified while the connector is disabled or may only read.', async () => {
    const hr = await running.source('rfc', 'demo', vouching);
    const value = address();
    const id = await made(hr, [{ value }]);
    await running.service.app.administration.setStatus(byTheTest(), { id: hr.id }, 'disabled', anybodyMay);
    await update(hr.id, { rules: { access: 'read' } });
    await notifyDirectory();
    expect(await verified(id)).toEqual([value]);
    expect(
      (await patch(hr, id, { op: 'replace', path: 'emails', value: [{ value: address() }] })).status,
    ).toBe(401);
    expect(await verified(id)).toEqual([value]);
  });

  test('An address stays verified where vouching is restored before the directory was notified.', async () => {
    const hr = await running.source('rfc', 'demo', vouching);
    const value = address();
    const id = await made(hr, [{ value }]);
    await update(hr.id, { rules: { vouchesForEmails: false } });
    await update(hr.id, { rules: { vouchesForEmails: true } });
    expect(await openWithdrawal(hr.id)).toBeNull();
    await notifyDirectory();
    expect(await verified(id)).toEqual([value]);
  });
});

describe('Permission to enable vouching', () => {
  const mutation = `mutation ($input: UpdateConnectorInput!) { updateConnector(input: $input) { connector { vouchesForEmails } } }`;
  const say = async (id: string, vouchesForEmails: boolean | null, token: string) => {
    const { body } = await running.service.graph(mutation, {
      token,
      variables: { input: { id, vouchesForEmails } },
    });
    return body.errors?.[0].extensions.code ?? body.data.updateConnector.connector;
  };
  const app = (...scopes: string[]) => running.authorization.token({ subject: 'app', scopes });

  test('Enabling vouching requires the scopes of the connector and a recent sign-in of a user, and is logged.', async () => {
    const { id } = await running.source('rfc');
    expect(await say(id, true, app('connectors:read', 'connectors:write'))).toBe('FORBIDDEN');
    const stale = running.authorization.token({
      subject: 'alice',
      client: 'web',
      scopes: managingConnectors,
      authTime: Math.floor(Date.now() / 1000) - 7200,
    });
    expect(await say(id, true, stale)).toBe('INSUFFICIENT_USER_AUTHENTICATION');
    expect(await say(id, true, app(...managingConnectors))).toEqual({ vouchesForEmails: true });
    expect(await say(id, false, app('connectors:read', 'connectors:write'))).toEqual({
      vouchesForEmails: false,
    });
    expect(await say(id, null, app('connectors:read', 'connectors:write'))).toEqual({
      vouchesForEmails: false,
    });
    const { rows } = await running.service.database.sql.query<{ changes: object }>(
      `SELECT changes->'vouchesForEmails' AS changes FROM provisioning.connector_log
        WHERE connector_id = $1 AND action = 'connector.updated' ORDER BY id`,
      [id],
    );
    expect(rows.map(({ changes }) => changes)).toEqual([
      { before: false, after: true },
      { before: true, after: false },
    ]);
  });

  test('A tenant cannot enable vouching for the connector of another tenant.', async () => {
    const { id } = await running.source('rfc');
    const token = running.authorization.token({
      tenant: 'rival',
      subject: 'app',
      scopes: managingConnectors,
    });
    const { body } = await running.service.graph(
      `mutation ($input: UpdateConnectorInput!) { updateConnector(input: $input) { connector { id } problems { code } } }`,
      { token, variables: { input: { id, vouchesForEmails: true } } },
    );
    expect(body.data.updateConnector).toMatchObject({ connector: null });
    expect((await running.service.app.connectors.byIds('demo', [id]))[0]?.rules.vouchesForEmails).toBe(false);
  });
});
