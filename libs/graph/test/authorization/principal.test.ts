import { describe, expect, test } from '@jest/globals';
import type { Principal } from '@ostiary/access';
import { isPlatform, platformPrincipal } from '../../src/authorization/principal.ts';
import { permits } from '../../src/authorization/rule.ts';

const origin = 'https://id.test';
const token = (...audience: string[]): Principal => ({
  tenant: 'platform',
  kind: 'service',
  subject: 'operator',
  clientId: 'operator',
  scopes: new Set(['tenants:read']),
  issuer: `${origin}/t/platform`,
  audience,
  jti: 'j',
  expiresAt: 0,
});
const whole = `${origin}/graphql`;
const graphOf = (tenant: string) => `${origin}/t/${tenant}/graphql`;

describe('a token of the platform', () => {
  test('A platform token for the whole graph has no tenant, and one for a tenant is in that tenant.', () => {
    expect(platformPrincipal(token(whole), origin)).toMatchObject({ tenant: 'platform', kind: 'service' });
    const acting = platformPrincipal(token(graphOf('acme')), origin);
    expect(acting).toMatchObject({ tenant: 'acme', kind: 'service' });
    expect([isPlatform(token(whole)), isPlatform(acting)]).toEqual([true, false]);
  });

  test.each([
    ['names two tenants', [graphOf('acme'), graphOf('rival')], undefined],
    ['names a tenant and the whole', [graphOf('acme'), whole], undefined],
    ['names none', [`${origin}/t/acme`], undefined],
    ['names the graph of another installation', ['https://other.test/t/acme/graphql'], undefined],
    ["comes to another tenant's address", [graphOf('acme')], 'rival'],
    ["is for the whole and comes to a tenant's address", [whole], 'acme'],
  ])('A platform token that %s is rejected.', (_name, audience, addressed) => {
    expect(() => platformPrincipal(token(...audience), origin, addressed)).toThrow();
  });

  test('A rule for the platform requires a platform token in addition to a scope.', () => {
    const rule = {
      any: ['tenants:read'],
      owner: undefined,
      user: false,
      platform: true,
      self: [],
      inherit: false,
    };
    expect(permits(rule, token(whole), {})).toBe(true);
    expect(permits(rule, { ...token(whole), scopes: new Set() }, {})).toBe(false);
    expect(permits(rule, platformPrincipal(token(graphOf('acme')), origin), {})).toBe(false);
    expect(permits(rule, { ...token(whole), tenant: 'acme', kind: 'client' }, {})).toBe(false);
  });
});
