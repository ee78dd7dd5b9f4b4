import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { actor, type Harness, startDirectory } from '../support/harness.ts';

let harness: Harness;
let operator: string;

beforeAll(async () => {
  harness = await startDirectory();
  operator = harness.issuer.serviceToken('operator');
});
afterAll(() => harness.stop());

const create = (body: object, token = operator) =>
  harness.call('POST', '/internal/v1/tenants', { name: 'Acme', actor, ...body }, token);

describe('POST /internal/v1/tenants', () => {
  test('POST creates a tenant once, and records it in an event and in the audit log.', async () => {
    expect(await create({ id: 'acme' })).toMatchObject({
      status: 201,
      body: { id: 'acme', name: 'Acme', status: 'active' },
    });
    expect(await create({ id: 'acme' })).toMatchObject({ status: 409, body: { scimType: 'uniqueness' } });
    const events = await harness.sql(
      `SELECT type, subject, payload FROM directory.outbox_events WHERE tenant = 'acme'`,
    );
    expect(events).toEqual([
      { type: 'tenant.created', subject: 'acme', payload: { id: 'acme', name: 'Acme', status: 'active' } },
    ]);
    const audit = await harness.sql(`SELECT action, actor_id FROM directory.audit_log WHERE tenant = 'acme'`);
    expect(audit).toEqual([{ action: 'tenant.created', actor_id: 'scim' }]);
  });

  test.each(['platform', 'internal', 'Acme', 'a_b', '-a', 'a-', '', 'ä', 'x'.repeat(64), '../x'])(
    'POST rejects the tenant id %j.',
    async (id) => {
      expect(await create({ id })).toMatchObject({ status: 400, body: { scimType: 'invalidValue' } });
    },
  );

  test('POST rejects a missing name, a missing actor and a body that is not an object.', async () => {
    expect((await create({ id: 'noname', name: ' ' })).status).toBe(400);
    expect((await create({ id: 'noactor', actor: undefined })).status).toBe(400);
    expect((await harness.call('POST', '/internal/v1/tenants', '[]', operator)).status).toBe(400);
  });

  test('POST is for the operator only.', async () => {
    expect((await create({ id: 'sneaky' }, harness.issuer.serviceToken('provisioning'))).status).toBe(403);
  });
});

describe('GET /internal/v1/tenants', () => {
  test('GET reads one tenant and all tenants.', async () => {
    const id = await harness.tenant();
    expect(await harness.call('GET', `/internal/v1/tenants/${id}`)).toMatchObject({
      status: 200,
      body: { id },
    });
    const { body } = await harness.call('GET', '/internal/v1/tenants');
    expect(body.tenants.map((tenant: { id: string }) => tenant.id)).toContain(id);
  });

  test('GET returns 404 for a tenant that does not exist.', async () => {
    expect(await harness.call('GET', '/internal/v1/tenants/nobody')).toMatchObject({
      status: 404,
      body: { schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'], status: '404' },
    });
    expect((await harness.call('GET', '/internal/v1/tenants/nobody/Users/x')).status).toBe(404);
    expect((await harness.call('POST', '/internal/v1/tenants/nobody/Users/search', {})).status).toBe(404);
  });
});

describe('Access to the internal surface', () => {
  test('Access to the internal surface requires a service token for this service.', async () => {
    const path = '/internal/v1/tenants';
    const ask = async (token?: string) =>
      (await fetch(`${harness.url}${path}`, token ? { headers: { authorization: `Bearer ${token}` } } : {}))
        .status;
    expect(await ask()).toBe(401);
    expect(await ask('nonsense')).toBe(401);
    expect(await ask(harness.issuer.token('acme', { scopes: ['tenants:read'] }))).toBe(401);
    expect(await ask(harness.issuer.serviceToken('auth', 'provisioning'))).toBe(401);
    expect(await ask(harness.issuer.serviceToken('auth'))).toBe(200);
  });
});
