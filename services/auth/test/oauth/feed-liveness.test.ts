import { expect, test } from '@jest/globals';
import { type RevocationKind, RevocationList } from '@ostiary/access';
import type { SignedClaims } from '../../src/oauth/domain/access-token.ts';
import { FeedLiveness } from '../../src/oauth/domain/feed-liveness.ts';
import type { LivenessStore, TokenHolder, TokenLiveness } from '../../src/oauth/domain/liveness.ts';
import { double } from '../support/double.ts';

const tenant = 'demo';
const person = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

/** Identifier of the first user for a pairwise client. */
const pairwise = 'Zm9yIHRoaXMgY2xpZW50IG9ubHk';

/** Store that answers as a database without revocations and records its queries. */
class Store {
  readonly asked: string[] = [];
  names = new Map<string, string>();
  /** Delays an answer after it was read. */
  hold: Promise<void> = Promise.resolve();

  async accessToken(_tenant: string, claims: SignedClaims['claims']): Promise<TokenLiveness> {
    this.asked.push(`token ${claims.grant_id}`);
    const holder = this.#holder(claims.sub === pairwise ? person(1) : claims.sub);
    await this.hold;
    return { live: true, holder };
  }

  async holder(_tenant: string, id: string): Promise<TokenHolder> {
    this.asked.push(`holder ${id}`);
    const holder = this.#holder(id);
    await this.hold;
    return holder;
  }

  #holder(id: string): TokenHolder {
    const userName = this.names.get(id) ?? 'ann';
    return { tenant, id, userName, epoch: 0, version: 1n, profile: { userName, emails: [] } };
  }
}

function setUp(o: { room?: number } = {}) {
  const store = new Store();
  const list = new RevocationList();
  list.touch(0);
  let now = 0;
  const liveness = new FeedLiveness({
    store: double<LivenessStore>(store),
    list,
    maxStalenessMs: 1_000,
    clock: () => now,
    ...o,
  });
  const ask = (number: number) => liveness.accessToken(tenant, token(number), { registeredClient: true });
  const at = (ms: number) => {
    now = ms;
  };
  return { store, list, liveness, ask, at };
}

const token = (number: number): SignedClaims => ({
  keyId: 'key',
  claims: {
    iss: 'https://id.example/t/demo',
    sub: person(number),
    aud: 'https://id.example/t/demo',
    exp: 4_000_000_000,
    iat: 1,
    jti: `jti-${number}`,
    client_id: 'app',
    client_epoch: 0,
    sub_epoch: 0,
    grant_id: `grant-${number}`,
  },
});

const revocation = (kind: RevocationKind, key: string, epoch?: number) => ({
  seq: '1',
  tenant,
  kind,
  key,
  expiresAt: 4_000_000_000,
  ...(epoch !== undefined && { epoch }),
});

test('The database is queried once about a grant, and periodically about its user.', async () => {
  const { store, list, ask, at } = setUp();
  for (let turn = 0; turn < 5; turn += 1) expect((await ask(1)).live).toBe(true);
  expect(store.asked).toEqual(['token grant-1']);
  at(1_500);
  list.touch(1_500);
  for (let turn = 0; turn < 5; turn += 1) expect((await ask(1)).live).toBe(true);
  expect(store.asked).toEqual(['token grant-1', `holder ${person(1)}`]);
});

test('While the list is not fresh each query goes to the database, and known revocations still count.', async () => {
  const { store, list, ask, at } = setUp();
  await ask(1);
  at(1_001);
  await ask(1);
  await ask(1);
  expect(store.asked).toEqual(['token grant-1', 'token grant-1', 'token grant-1']);
  list.apply([revocation('grant', 'grant-1')]);
  expect(await ask(1)).toEqual({ live: false });
  expect(store.asked).toHaveLength(3);
});

test('A revocation that arrives while the database answers counts.', async () => {
  for (const entry of [
    revocation('grant', 'grant-1'),
    revocation('subject', person(1), 1),
    revocation('client', 'app', 1),
    revocation('key', 'key'),
  ]) {
    const { store, list, ask } = setUp();
    const { promise, resolve } = Promise.withResolvers<void>();
    store.hold = promise;
    const asked = ask(1);
    list.apply([entry]);
    resolve();
    expect(await asked).toEqual({ live: false });
  }
});

test('A token without the user id ends with its user, regardless of the database.', async () => {
  const { list, liveness } = setUp();
  const { claims, keyId } = token(1);
  const ask = () =>
    liveness.accessToken(tenant, { keyId, claims: { ...claims, sub: pairwise } }, { registeredClient: true });
  for (let turn = 0; turn < 2; turn += 1) expect((await ask()).live).toBe(true);
  list.apply([revocation('subject', person(1), 1)]);
  expect(await ask()).toEqual({ live: false });
});

test('A user who changes during a read is read again by the next request.', async () => {
  const { store, liveness, ask } = setUp();
  const { promise, resolve } = Promise.withResolvers<void>();
  store.hold = promise;
  const asked = ask(1);
  store.names.set(person(1), 'ann-with-a-new-name');
  liveness.forget({ tenant, id: person(1) });
  resolve();
  expect((await asked).holder?.userName).toBe('ann');
  expect((await ask(1)).holder?.userName).toBe('ann-with-a-new-name');
  store.names.set(person(1), 'anna');
  // An announcement may have been missed.
  liveness.forget();
  expect((await ask(1)).holder?.userName).toBe('anna');
});

test('A token with another epoch of its user is not answered from the cache.', async () => {
  const { store, ask, liveness } = setUp();
  await ask(1);
  const later = token(1);
  later.claims.sub_epoch = 3;
  await liveness.accessToken(tenant, later, { registeredClient: true });
  expect(store.asked).toEqual(['token grant-1', 'token grant-1']);
});

test('A cached grant does not make a token of another client, user or tenant active.', async () => {
  const { store, ask, liveness } = setUp();
  await ask(1);
  for (const stolen of [{ client_id: 'other' }, { sub: person(2) }]) {
    const { claims, keyId } = token(1);
    const forged = { keyId, claims: { ...claims, ...stolen } };
    expect(await liveness.accessToken(tenant, forged, { registeredClient: true })).toEqual({ live: false });
  }
  await liveness.accessToken('rival', token(1), { registeredClient: true });
  expect(store.asked).toEqual(['token grant-1', 'token grant-1']);
});

test('The cache stays within its size for any number of tokens.', async () => {
  const { store, ask } = setUp({ room: 10_000 });
  for (let number = 0; number < 500; number += 1) await ask(number);
  store.asked.length = 0;
  // The last ones are cached, the first ones were evicted.
  for (let number = 495; number < 500; number += 1) await ask(number);
  expect(store.asked).toEqual([]);
  for (let number = 0; number < 100; number += 1) await ask(number);
  expect(store.asked).toHaveLength(100);
});
