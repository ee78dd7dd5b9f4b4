import { afterAll, beforeAll, beforeEach, expect } from '@jest/globals';
import { type Harness, type Json, startDirectory, type TenantClient, tenantClient } from './harness.ts';
import { hr, type SchemaApp, schemaApp } from './schemas.ts';

export let harness: Harness;
export let acme: TenantClient;
export let rival: TenantClient;
export let app: SchemaApp;
export let rivalApp: SchemaApp;

/**
 * Starts a directory, and creates for each test two tenants without schemas, each with a client that may define some.
 */
export function setUpSchemas(): void {
  beforeAll(async () => {
    harness = await startDirectory();
  });
  afterAll(() => harness.stop());
  beforeEach(async () => {
    acme = tenantClient(harness, await harness.tenant());
    rival = tenantClient(harness, await harness.tenant());
    app = schemaApp(harness, acme.tenant);
    rivalApp = schemaApp(harness, rival.tenant);
  });
}

let counter = 0;
export const userName = () => `schema-user-${++counter}`;
export const create = (extension: object, client = acme) =>
  client.create('Users', { userName: userName(), [hr]: extension });
export const made = async (extension: object, client = acme): Promise<Json> => {
  const answer = await create(extension, client);
  expect(answer.body).toMatchObject({ id: expect.any(String) });
  return answer.body;
};
export const refusal = ({ status, body }: Json) => ({ status, scimType: body?.scimType });
export const invalidValue = { status: 400, scimType: 'invalidValue' };
export const taken = { status: 409, scimType: 'uniqueness' };
