import { expect, test } from '@jest/globals';
import { parseEnv } from '@ostiary/service';
import { readTenantPolicy, standardTenantPolicy, tenantPolicyEnv, tenantPolicyOf } from '../src/index.ts';

test('A setting of the tenant precedes that of the installation, which precedes the default.', () => {
  const defaults = { requireSecondFactorForAdministrators: true, uniqueGroupNames: true };
  expect(tenantPolicyOf({ uniqueGroupNames: false }, defaults)).toEqual({
    ...standardTenantPolicy,
    requireSecondFactorForAdministrators: true,
  });
});

test('Settings and values of a newer release are ignored.', () => {
  expect(tenantPolicyOf({ ofTomorrow: 1, requiredClientProfile: 'fapi3', scimSecurityEvents: true })).toEqual(
    {
      ...standardTenantPolicy,
      scimSecurityEvents: true,
    },
  );
  expect(tenantPolicyOf(null)).toEqual(standardTenantPolicy);
});

test.each([
  [{ __proto__x: true }],
  [{ constructor: true }],
  [JSON.parse('{"__proto__": {"uniqueGroupNames": true}}')],
  [{ uniqueGroupNames: 'yes' }],
  [[]],
  [null],
])('An invalid tenant policy is rejected: %j.', (given) => {
  expect(() => readTenantPolicy(given)).toThrow();
});

test('An invalid TENANT_POLICY_DEFAULTS is rejected with the reason.', () => {
  const read = (text: string) => parseEnv(tenantPolicyEnv, { TENANT_POLICY_DEFAULTS: text });
  expect(read('{"uniqueGroupNames":true}').TENANT_POLICY_DEFAULTS).toEqual({ uniqueGroupNames: true });
  expect(parseEnv(tenantPolicyEnv, {}).TENANT_POLICY_DEFAULTS).toEqual({});
  expect(() => read('yes')).toThrow('TENANT_POLICY_DEFAULTS must be a JSON object');
  expect(() => read('{"unique":true}')).toThrow('"unique" is not a setting. Default');
  expect(() => read('{"ownedCredentialsOnOffboarding":"handOver"}')).toThrow('must not contain handOver');
});
