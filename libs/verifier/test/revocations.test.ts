import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { eventually } from '@ostiary/service/testing';
import { VerificationError, type Verify } from '../src/index.ts';
import { audience, StubIssuer } from './support/stub-issuer.ts';

let issuer: StubIssuer;
let problems: Error[];
let verify: Verify;

const onProblem = (error: Error): void => void problems.push(error);

beforeEach(async () => {
  problems = [];
  issuer = await new StubIssuer().start();
  verify = issuer.verifier({ onProblem });
});

afterEach(() => issuer.stop());

const outcomeOf = (header: string): Promise<number> =>
  verify(header).then(
    () => 200,
    (error: unknown) => (error instanceof VerificationError ? error.status : 0),
  );

const isRejected = (header: string) => async (): Promise<boolean> => (await outcomeOf(header)) === 401;
const introspections = (): number => issuer.countOf('introspect');

describe('entries of the feed', () => {
  const ancestor = { jti: 'j0', sub: 'user-9', client_id: 'desk', sub_epoch: 1, sid: 's0', grant_id: 'g0' };
  const kinds: [kind: string, value: string | undefined, claims: object][] = [
    ['sub', 'user-2', { sub: 'user-2' }],
    ['sid', 's1', { sid: 's1' }],
    ['grant_id', 'g1', { grant_id: 'g1' }],
    ['jti', 'j1', { jti: 'j1' }],
    ['client_id', 'till', { client_id: 'till' }],
    ['kid', 'k1', {}],
    ['tenant', undefined, {}],
    ['jti', 'j0', { derived_from: [ancestor] }],
    ['sub', 'user-9', { derived_from: [ancestor] }],
    ['sid', 's0', { derived_from: [ancestor] }],
    ['grant_id', 'g0', { derived_from: [ancestor] }],
    ['client_id', 'desk', { derived_from: [ancestor] }],
  ];

  test.each(kinds)(
    'An entry of the kind %s for %s rejects its tokens and no others.',
    async (kind, value, claims) => {
      await verify.ready();
      const token = await issuer.bearer({ ...claims });
      const other = await issuer.bearer();
      expect([await outcomeOf(token), await outcomeOf(other)]).toEqual([200, 200]);
      const before = introspections();
      issuer.revoke(kind, kind === 'kid' ? issuer.kid : value);
      await eventually(isRejected(token));
      expect(await outcomeOf(other)).toBe(kind === 'kid' || kind === 'tenant' ? 401 : 200);
      expect(introspections()).toBe(before);
    },
  );

  test('An entry with an epoch rejects tokens of earlier epochs, and those without one.', async () => {
    await verify.ready();
    const [earlier, without, later] = await Promise.all(
      [1, undefined, 2].map((epoch) => issuer.bearer({ sub_epoch: epoch })),
    );
    issuer.revoke('sub', 'user-1', { epoch: 2 });
    await eventually(isRejected(earlier ?? ''));
    expect([await outcomeOf(without ?? ''), await outcomeOf(later ?? '')]).toEqual([401, 200]);
  });

  test('Revocations before the start of the verifier are found on all pages of the feed.', async () => {
    issuer.pageSize = 2;
    for (let index = 0; index < 7; index += 1) issuer.revoke('jti', `j${index}`);
    await verify.ready();
    expect(verify.state).toMatchObject({ fresh: true, entries: 7 });
    for (let index = 0; index < 7; index += 1)
      expect(await outcomeOf(await issuer.bearer({ jti: `j${index}` }))).toBe(401);
    expect(introspections()).toBe(0);
  });

  test('One request is held at the issuer, with the credentials of the client in its header.', async () => {
    await verify.ready();
    await eventually(() => issuer.held === 1);
    const { url, headers } = issuer.requests.findLast(({ endpoint }) => endpoint === 'revocations') ?? {};
    expect(headers?.prefer).toBe('wait=3');
    expect(headers?.authorization).toMatch(/^Basic /);
    expect([...(url?.searchParams.keys() ?? [])]).toEqual(['audience', 'after']);
  });
});

describe('a list that is not complete', () => {
  test('The first token is introspected before the list is complete.', async () => {
    issuer.failures.set('revocations', { status: 503 });
    const token = await issuer.bearer();
    expect(await outcomeOf(token)).toBe(200);
    issuer.active = false;
    expect(await outcomeOf(token)).toBe(401);
    expect([introspections(), verify.state.fresh]).toEqual([2, false]);
  });

  test('While the tenant is suspended, each token is rejected as invalid, and accepted again afterwards.', async () => {
    issuer.failures.set('revocations', { status: 503 });
    const token = await issuer.bearer();
    issuer.failures.set('introspect', { status: 403, body: { error: 'access_denied' } });
    expect(await outcomeOf(token)).toBe(401);
    issuer.failures.set('introspect', { status: 403, body: { error: 'unauthorized_client' } });
    expect(await outcomeOf(token)).toBe(503);
    issuer.failures.delete('introspect');
    expect(await outcomeOf(token)).toBe(200);
  });

  test('Each token is introspected when the list is too old, and rejected with 503 when the issuer is down.', async () => {
    verify = issuer.verifier({ maxStalenessSeconds: 3, onProblem });
    await verify.ready();
    const token = await issuer.bearer();
    expect(await outcomeOf(token)).toBe(200);
    issuer.failures.set('revocations', 'cut');
    issuer.cut();
    await eventually(() => !verify.state.fresh);
    expect(introspections()).toBe(0);
    expect(await outcomeOf(token)).toBe(200);
    expect(introspections()).toBe(1);
    issuer.failures.set('*', 'cut');
    const error: unknown = await verify(token).catch((reason: unknown) => reason);
    expect(error).toMatchObject({
      status: 503,
      retryAfter: 1,
      headers: { 'retry-after': '1' },
      challenge: undefined,
    });
    issuer.failures.clear();
    await eventually(() => verify.state.fresh);
    expect(await outcomeOf(token)).toBe(200);
  });

  test('A cursor that the issuer no longer accepts makes the list stale until it is read from the beginning.', async () => {
    await verify.ready();
    await eventually(() => issuer.held === 1);
    issuer.cursorPrefix = 'd';
    issuer.clear();
    issuer.revoke('jti', 'j1');
    const token = await issuer.bearer({ jti: 'j1' });
    await eventually(isRejected(token));
    await eventually(() => verify.state.fresh);
    expect(verify.state.entries).toBe(1);
    const restart = issuer.requests.filter(
      ({ endpoint, url }) => endpoint === 'revocations' && !url.searchParams.has('after'),
    );
    expect(restart).toHaveLength(2);
  });

  test('The list is read from the beginning when the digest key changes.', async () => {
    issuer.revoke('jti', 'j1');
    await verify.ready();
    await eventually(() => issuer.held === 1);
    issuer.digestKey = Buffer.alloc(32, 7);
    issuer.revoke('jti', 'j2');
    await eventually(() => problems.some(({ message }) => message.includes('digest key')));
    await eventually(isRejected(await issuer.bearer({ jti: 'j2' })));
    await eventually(() => verify.state.fresh);
    expect(verify.state.entries).toBe(2);
  });

  test('Tokens are introspected while the feed has entries of an unknown kind.', async () => {
    issuer.revoke('device', 'd1');
    const token = await issuer.bearer();
    expect(await outcomeOf(token)).toBe(200);
    await eventually(() => problems.length > 0);
    expect(problems[0]?.message).toContain('unknown kind: device');
    expect(await outcomeOf(token)).toBe(200);
    expect([introspections(), verify.state.fresh]).toEqual([2, false]);
  });

  test('Tokens are introspected at an issuer without a feed.', async () => {
    issuer.hasFeed = false;
    expect(await outcomeOf(await issuer.bearer())).toBe(200);
    expect(introspections()).toBe(1);
  });
});

describe('problems', () => {
  test('Rejected credentials are reported once, never count as fresh, and end the wait for the list.', async () => {
    verify = issuer.verifier({ clientSecret: 'another', onProblem });
    await expect(verify.ready()).rejects.toThrow('status 401');
    expect(problems.map(({ message }) => message)).toEqual([expect.stringContaining('revocation feed')]);
    expect(verify.state).toEqual({ fresh: false, ageMs: Number.POSITIVE_INFINITY, entries: 0 });
    expect(await outcomeOf(await issuer.bearer())).toBe(503);
  });

  test('A client that does not serve the audience cannot follow its feed.', async () => {
    verify = issuer.verifier({ audience: 'https://other.example' });
    await expect(verify.ready()).rejects.toThrow('status 400');
  });

  test('Metadata of another issuer is rejected.', async () => {
    issuer.failures.set('metadata', { status: 200, body: { issuer: 'https://id.example/t/rival' } });
    expect(await outcomeOf(await issuer.bearer())).toBe(503);
    expect(problems[0]?.message).toContain('another issuer');
  });

  test('The wait for the list ends after its timeout, and following continues.', async () => {
    issuer.failures.set('*', 'cut');
    await expect(verify.ready({ timeoutMs: 50 })).rejects.toThrow();
    issuer.failures.clear();
    await verify.ready();
  });

  test('A listener for problems that throws does not stop the follower.', async () => {
    issuer.failures.set('revocations', 'cut');
    verify = issuer.verifier({
      onProblem: () => {
        throw new Error('listener');
      },
    });
    await expect(verify.ready({ timeoutMs: 50 })).rejects.toThrow();
    issuer.failures.clear();
    await verify.ready();
  });

  test('Keys that cannot be fetched make a token unverifiable, not invalid.', async () => {
    issuer.failures.set('jwks', { status: 500 });
    expect(await outcomeOf(await issuer.bearer())).toBe(503);
  });
});

describe('listeners for the end of a token', () => {
  test('A listener is called once when the token is revoked.', async () => {
    await verify.ready();
    const reasons: string[] = [];
    const [principal, other] = await Promise.all([
      verify(await issuer.bearer({ sid: 's1' })),
      verify(await issuer.bearer()),
    ]);
    verify.onRevoked(principal, (reason) => reasons.push(reason));
    verify.onRevoked(other, () => reasons.push('other'));
    issuer.revoke('sid', 's1');
    await eventually(() => reasons.length > 0);
    issuer.revoke('sub', 'user-7');
    await eventually(() => verify.state.entries === 2);
    expect(reasons).toEqual(['revoked']);
  });

  test('A listener is called when the token expires, and immediately if it was revoked before.', async () => {
    await verify.ready();
    const reasons: string[] = [];
    const exp = Math.floor(Date.now() / 1_000) - 3;
    verify.onRevoked(await verify(await issuer.bearer({ exp })), (reason) => reasons.push(reason));
    await eventually(() => reasons.length === 1);
    const revoked = await verify(await issuer.bearer({ jti: 'j1' }));
    issuer.revoke('jti', 'j1');
    await eventually(() => verify.state.entries === 1);
    verify.onRevoked(revoked, (reason) => reasons.push(reason));
    expect(reasons).toEqual(['expired']);
    await eventually(() => reasons.length === 2);
    expect(reasons).toEqual(['expired', 'revoked']);
  });

  test('The revocation of a signing key calls the listeners of the opaque tokens that it signed.', async () => {
    await verify.ready();
    const exp = Math.floor(Date.now() / 1_000) + 600;
    const claims = { iss: issuer.issuer, aud: audience, sub: 'shop', client_id: 'shop', exp };
    const reasons: string[] = [];
    for (const kid of ['k1', 'k2']) {
      const token = `ost_at_${kid.padStart(128, 'a')}`;
      issuer.opaque.set(token, { ...claims, jti: kid, kid });
      verify.onRevoked(await verify(`Bearer ${token}`), (reason) => reasons.push(`${kid} ${reason}`));
    }
    issuer.revoke('kid', 'k1');
    await eventually(() => reasons.length > 0);
    expect(reasons).toEqual(['k1 revoked']);
  });

  test('While the list is too old, listeners are called for tokens that introspection rejects or cannot decide.', async () => {
    verify = issuer.verifier({ maxStalenessSeconds: 6, onProblem });
    await verify.ready();
    const reasons: string[] = [];
    const principal = await verify(await issuer.bearer());
    verify.onRevoked(principal, (reason) => reasons.push(reason));
    issuer.failures.set('revocations', 'cut');
    issuer.cut();
    await eventually(() => introspections() > 1);
    expect(reasons).toEqual([]);
    issuer.active = false;
    await eventually(() => reasons.length > 0);
    expect(reasons).toEqual(['revoked']);
    issuer.active = true;
    verify.onRevoked(await verify(await issuer.bearer()), (reason) => reasons.push(reason));
    issuer.failures.set('*', 'cut');
    await eventually(() => reasons.length > 1);
    expect(reasons).toEqual(['revoked', 'unverifiable']);
  });

  test('A removed listener is not called, and one that throws does not keep others from being called.', async () => {
    await verify.ready();
    const called: string[] = [];
    const principal = await verify(await issuer.bearer({ jti: 'j1' }));
    verify.onRevoked(principal, () => {
      throw new Error('listener');
    });
    verify.onRevoked(principal, () => called.push('removed'))();
    verify.onRevoked(principal, () => called.push('last'));
    issuer.revoke('jti', 'j1');
    await eventually(() => called.length > 0);
    expect(called).toEqual(['last']);
    expect(problems.map(({ message }) => message)).toEqual(['listener']);
  });

  test('A revocation that was missed while the issuer was down reaches the listener afterwards.', async () => {
    await verify.ready();
    let isCalled = false;
    verify.onRevoked(await verify(await issuer.bearer({ jti: 'j1' })), () => {
      isCalled = true;
    });
    issuer.failures.set('revocations', 'cut');
    issuer.cut();
    await eventually(() => problems.length > 0);
    issuer.cursorPrefix = 'd';
    issuer.revoke('jti', 'j1');
    issuer.failures.clear();
    await eventually(() => isCalled);
  });
});
