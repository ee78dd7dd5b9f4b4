import { describe, expect, test } from '@jest/globals';
import {
  AccessError,
  type ActingParty,
  actClaim,
  derivedFromClaim,
  type Principal,
  type Revocation,
  RevocationList,
  readActors,
  readAncestors,
  type TokenAncestor,
  whoActs,
} from '../src/index.ts';

const principal: Principal = {
  tenant: 'demo',
  kind: 'user',
  subject: 'alice',
  clientId: 'service',
  scopes: new Set(),
  issuer: 'http://id.test/t/demo',
  audience: [],
  jti: 'own',
  expiresAt: 0,
  subjectEpoch: 3,
  clientEpoch: 1,
};

const subjectToken: TokenAncestor = {
  jti: 'subject-token',
  subject: 'alice',
  subjectEpoch: 3,
  clientId: 'web',
  clientEpoch: 5,
  grantId: 'grant-1',
  sessionId: 'session-1',
};
const actorToken: TokenAncestor = { jti: 'actor-token', subject: 'robot', clientId: 'robot', clientEpoch: 2 };

describe('act', () => {
  const chain: ActingParty[] = [
    { subject: 'c', clientId: 'c' },
    { subject: 'b', clientId: 'web' },
    { subject: 'a' },
  ];

  test('The act claim is read as it is written, the current actor first.', () => {
    expect(actClaim(chain)).toEqual({
      sub: 'c',
      client_id: 'c',
      act: { sub: 'b', client_id: 'web', act: { sub: 'a' } },
    });
    expect(readActors(actClaim(chain))).toEqual(chain);
    expect(actClaim([])).toBeUndefined();
    expect(readActors(undefined)).toEqual([]);
  });

  test.each([
    ['null', null],
    ['a name', 'alice'],
    ['a list', [{ sub: 'a' }]],
    ['no subject', { client_id: 'a' }],
    ['an inner one without subject', { sub: 'a', act: {} }],
    ['a chain beyond reason', actClaim(Array.from({ length: 6 }, () => ({ subject: 'a' })))],
  ])('A token with a malformed act claim is rejected as invalid: %s.', (_, claim) => {
    expect(() => readActors(claim)).toThrow(AccessError);
  });

  test('Changes are recorded under the actor, on behalf of the subject.', () => {
    expect(whoActs(principal)).toEqual({ kind: 'user', id: 'alice' });
    expect(whoActs({ ...principal, actors: [{ subject: 'svc', clientId: 'svc' }] })).toEqual({
      kind: 'client',
      id: 'svc',
      onBehalfOf: 'alice',
    });
    expect(whoActs({ ...principal, actors: [{ subject: 'bob', clientId: 'desk' }] })).toEqual({
      kind: 'user',
      id: 'bob',
      onBehalfOf: 'alice',
    });
  });
});

describe('derived_from', () => {
  test('The derived_from claim is read as it is written.', () => {
    const ancestors = [
      subjectToken,
      actorToken,
      { ...actorToken, jti: 'pat', apiToken: 'personal' as const },
    ];
    expect(readAncestors(JSON.parse(JSON.stringify(derivedFromClaim(ancestors))))).toEqual(ancestors);
  });

  test.each([
    ['null', null],
    ['no list', {}],
    ['an empty list', []],
    ['too many', Array(13).fill({ jti: 'a', sub: 'a', client_id: 'a' })],
    ['no jti', [{ sub: 'a', client_id: 'a' }]],
    ['no client', [{ jti: 'a', sub: 'a' }]],
  ])(
    'A token with a malformed derived_from claim is rejected, because it could not be revoked: %s.',
    (_, claim) => {
      expect(() => readAncestors(claim)).toThrow(AccessError);
    },
  );
});

describe('a token exchanged for others', () => {
  const exchanged: Principal = { ...principal, ancestors: [subjectToken, actorToken] };
  const entry = (kind: Revocation['kind'], key: string, epoch?: number): Revocation => ({
    seq: '1',
    tenant: 'demo',
    kind,
    key,
    expiresAt: 9_999_999_999,
    ...(epoch === undefined ? {} : { epoch }),
  });

  test.each([
    ['itself', entry('jti', 'own')],
    ['the subject token', entry('jti', 'subject-token')],
    ['the grant of the subject token', entry('grant', 'grant-1')],
    ['its session', entry('session', 'session-1')],
    ['its person', entry('subject', 'alice', 4)],
    ['its client', entry('client', 'web', 6)],
    ['the actor token', entry('jti', 'actor-token')],
    ['the actor', entry('client', 'robot', 3)],
    ['the client it was issued to', entry('client', 'service', 2)],
    ['the tenant', entry('tenant', 'demo')],
  ])('An exchanged token ends with the revocation of %s.', (_, revocation) => {
    const list = new RevocationList();
    expect(list.revoked(exchanged)).toBe(false);
    list.apply([revocation]);
    expect(list.revoked(exchanged)).toBe(true);
  });

  test.each([
    ['what was revoked before it', entry('subject', 'alice', 3)],
    ['the same key of another kind', entry('session', 'subject-token')],
    ['another tenant', { ...entry('jti', 'subject-token'), tenant: 'rival' }],
    ['a person called like the actor', entry('subject', 'robot', 9)],
  ])('An exchanged token is not ended by a revocation of %s.', (_, revocation) => {
    const list = new RevocationList();
    list.apply([revocation]);
    expect(list.revoked(exchanged)).toBe(false);
  });
});
