import { expect, test } from '@jest/globals';
import { coreRegistry, ScimError } from '@ostiary/scim';
import { OutdatedSchemas, SchemasInUse } from '../../src/schemas/domain/schemas-in-use.ts';

const registry = coreRegistry();
const outdated = () => Promise.reject(new OutdatedSchemas());

test('Continually changing schemas lead to 503, which the client may repeat, and not to a client error.', async () => {
  let version = 1;
  const schemas = new SchemasInUse({ registry, version }, async () => ({ registry, version: ++version }));
  let attempts = 0;
  const work = () => {
    attempts += 1;
    return outdated();
  };
  await expect(schemas.during(work)).rejects.toMatchObject({ statusCode: 503 });
  expect(attempts).toBe(5);
  const refused = () => Promise.reject(ScimError.invalidPath('unknown'));
  await expect(schemas.during(refused)).rejects.toMatchObject({ statusCode: 503 });
});

test('A rejection by the current schemas stands, and other errors do not read the schemas again.', async () => {
  let asked = 0;
  const schemas = new SchemasInUse({ registry, version: 1 }, async () => {
    asked += 1;
    return { registry, version: 1 };
  });
  await expect(schemas.during(() => Promise.reject(ScimError.invalidPath('unknown')))).rejects.toMatchObject({
    scimType: 'invalidPath',
  });
  expect(asked).toBe(1);
  await expect(schemas.during(() => Promise.reject(ScimError.uniqueness('taken')))).rejects.toMatchObject({
    status: 409,
  });
  expect(asked).toBe(1);
});
