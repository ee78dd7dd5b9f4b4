import { describe, expect, test } from '@jest/globals';
import {
  AccessError,
  type Principal,
  requireRecentSignIn,
  requireSecondFactorOfAdministrator,
  type SignInPolicy,
  signInForRoles,
  twoFactorAcrValues,
} from '../src/index.ts';

const now = 1_800_000_000_000;
const acrValues = [...twoFactorAcrValues];
const required: SignInPolicy = { requireSecondFactorForAdministrators: true };
const free: SignInPolicy = { requireSecondFactorForAdministrators: false };

type Person = Pick<Principal, 'kind' | 'home' | 'scopes' | 'acr' | 'authTime' | 'actors' | 'ancestors'>;
const person = (scopes: string[], more: Partial<Person> = {}): Person => ({
  kind: 'user',
  scopes: new Set(scopes),
  acr: 'urn:ostiary:acr:1fa',
  authTime: now / 1000 - 10,
  ...more,
});
const administrator = (more: Partial<Person> = {}) => person(['openid', 'connectors:write'], more);

/** Returns the required authentication; undefined when the sign-in suffices. */
function wanted(check: () => void): unknown {
  try {
    check();
    return 'will do';
  } catch (error) {
    if (error instanceof AccessError) return { [String(error.error)]: error.authentication };
    throw error;
  }
}
const recent = (who: Person, policy: SignInPolicy | undefined, hasSecondFactor = false) =>
  wanted(() => requireRecentSignIn(who, { policy, hasSecondFactor, now }));

describe('a recent sign-in', () => {
  const strongly = { insufficient_user_authentication: { maxAge: 900, acrValues } };

  test('A recent sign-in needs two factors where the tenant requires them of administrators, and for users who have two.', () => {
    expect(recent(administrator(), free)).toBe('will do');
    expect(recent(administrator(), required)).toEqual(strongly);
    expect(recent(administrator(), free, true)).toEqual(strongly);
    for (const acr of twoFactorAcrValues)
      expect(recent(administrator({ acr }), required, true)).toBe('will do');
  });

  test('A sign-in of an unknown class counts as one factor, and an unknown policy counts as the stricter one.', () => {
    const { acr: _, ...unknown } = administrator();
    expect(recent(unknown, required)).toEqual(strongly);
    expect(recent(administrator(), undefined)).toEqual(strongly);
  });

  test('A sign-in that is too old is requested again with its maximum age.', () => {
    const old = { authTime: now / 1000 - 901 };
    expect(recent(administrator(old), free)).toEqual({ insufficient_user_authentication: { maxAge: 900 } });
    expect(recent(administrator({ ...old, acr: 'phr' }), required)).toEqual(strongly);
  });

  test('A sign-in of one factor suffices for a user without a role and the operator; clients need none.', () => {
    expect(recent(person(['openid', 'self:tokens']), required)).toBe('will do');
    expect(recent(administrator({ home: 'platform' }), required)).toBe('will do');
    const { acr: _, authTime: __, ...app } = administrator({ kind: 'client' });
    expect(recent(app, required)).toBe('will do');
  });
});

test('An exchanged token is never a recent sign-in, but keeps the class of the original sign-in.', () => {
  const ancestors = [{ jti: 'subject-token', subject: 'alice', clientId: 'app' }];
  const actors = [{ subject: 'app', clientId: 'app' }];
  for (const exchanged of [{ ancestors }, { actors }, { ancestors, actors }]) {
    const who = administrator({ acr: 'phr', ...exchanged });
    expect(recent(who, free)).toEqual({ insufficient_user_authentication: { maxAge: 900 } });
    expect(wanted(() => requireSecondFactorOfAdministrator(who, required))).toBe('will do');
    const app = { ...who, kind: 'client' as const };
    expect(recent(app, required)).toBe('will do');
  }
});

test('A token that brings a role needs two factors where the tenant requires them, with any age of the sign-in.', () => {
  const outcome = (who: Person, policy: SignInPolicy | undefined) =>
    wanted(() => requireSecondFactorOfAdministrator(who, policy));
  const challenge = { insufficient_user_authentication: { acrValues } };
  expect(outcome(administrator(), required)).toEqual(challenge);
  expect(outcome(administrator(), undefined)).toEqual(challenge);
  expect(outcome(administrator(), free)).toBe('will do');
  expect(outcome(administrator({ acr: 'phr', authTime: 0 }), required)).toBe('will do');
  expect(outcome(person(['openid', 'self:profile']), required)).toBe('will do');
  expect(outcome(administrator({ kind: 'client' }), required)).toBe('will do');
});

test('A caller without a scope is notified how to sign in only where that sign-in may bring the scope.', () => {
  expect(signInForRoles(person(['openid']), required)).toEqual({ maxAge: 900, acrValues });
  expect(signInForRoles(person(['openid']), free)).toBeUndefined();
  expect(signInForRoles(person(['openid'], { acr: 'phr' }), required)).toBeUndefined();
  expect(signInForRoles({ ...person(['openid']), apiToken: 'personal' }, required)).toBeUndefined();
  expect(signInForRoles(person(['openid'], { kind: 'client' }), required)).toBeUndefined();
});
