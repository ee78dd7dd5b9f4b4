import { expect, test } from '@jest/globals';
import { parseEnv } from '@ostiary/service';
import { readTenantPolicy, standardTenantPolicy, tenantPolicyEnv, tenantPolicyOf } from '../src/index.ts';

test('what a tenant said holds, then what the installation says, then the standard', () => {
  const defaults = { requireSecondFactorForAdministrators: true, uniqueGroupNames: true };
  expect(tenantPolicyOf({ uniqueGroupNames: false }, defaults)).toEqual({
    ...standardTenantPolicy,
    requireSecondFactorForAdministrators: true,
  });
});

test('settings and values of a newer release are passed over', () => {
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
])('what is no setting is refused: %j', (given) => {
  expect(() => readTenantPolicy(given)).toThrow();
});

test('TENANT_POLICY_DEFAULTS says what is wrong with it', () => {
  const read = (text: string) => parseEnv(tenantPolicyEnv, { TENANT_POLICY_DEFAULTS: text });
  expect(read('{"uniqueGroupNames":true}').TENANT_POLICY_DEFAULTS).toEqual({ uniqueGroupNames: true });
  expect(parseEnv(tenantPolicyEnv, {}).TENANT_POLICY_DEFAULTS).toEqual({});
  expect(() => read('yes')).toThrow('TENANT_POLICY_DEFAULTS must be a JSON object');
  expect(() => read('{"unique":true}')).toThrow('"unique" is no setting');
  expect(() => read('{"ownedCredentialsOnOffboarding":"handOver"}')).toThrow(
    'must not hand credentials over',
  );
});
