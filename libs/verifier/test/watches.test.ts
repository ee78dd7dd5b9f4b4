import { beforeEach, describe, expect, test } from '@jest/globals';
import { eventually } from '@ostiary/service/testing';
import { Watches } from '../src/revocations/watches.ts';
import type { VerifiedToken } from '../src/tokens/verified-token.ts';

const maxStalenessMs = 100;
let now: number;
let freshAt: number;
let introspected: string[];
let answer: (jti: string) => Promise<boolean>;
let reasons: string[];
let watches: Watches<VerifiedToken>;

beforeEach(() => {
  [now, freshAt, introspected, reasons] = [0, 0, [], []];
  answer = async () => true;
  watches = new Watches({
    list: {
      get freshAt() {
        return freshAt;
      },
      revokes: () => false,
    },
    maxStalenessMs,
    async isActive({ jti }) {
      introspected.push(jti);
      return answer(jti);
    },
    elapsed: () => now,
    clock: Date.now,
    onProblem: (error) => reasons.push(error.message),
  });
});

const tokenOf = (jti: string): VerifiedToken => ({
  kind: 'user',
  subject: 'user-1',
  clientId: 'shop',
  scopes: new Set(),
  issuer: 'https://id.example/t/acme',
  audience: [],
  jti,
  expiresAt: Math.floor(Date.now() / 1_000) + 600,
});

const watch = (jti: string): (() => void) =>
  watches.add(tokenOf(jti), (reason) => reasons.push(`${jti} ${reason}`));
/** Waits until the age was checked several times. */
const checked = () => new Promise((resolve) => setTimeout(resolve, 50));

describe('a list that is no longer complete', () => {
  test('A token is introspected once per half of the maximum staleness, and is not ended while it is active.', async () => {
    watch('a');
    now = 49;
    await checked();
    expect(introspected).toEqual([]);
    now = 60;
    await eventually(() => introspected.length === 1);
    now = 109;
    await checked();
    expect(introspected).toEqual(['a']);
    now = 115;
    await eventually(() => introspected.length === 2);
    expect(reasons).toEqual([]);
    watches.clear();
  });

  test('The listener of a token that is no longer active is called with revoked.', async () => {
    answer = async (jti) => jti !== 'a';
    watch('a');
    watch('b');
    now = 60;
    await eventually(() => reasons.length > 0);
    await eventually(() => introspected.length === 2);
    expect(reasons).toEqual(['a revoked']);
    watches.clear();
  });

  test('The listener of a token whose introspection fails is called with unverifiable before the maximum staleness.', async () => {
    answer = () => Promise.reject(new Error('down'));
    watch('a');
    now = 60;
    await eventually(() => introspected.length > 2);
    expect(reasons).toEqual([]);
    now = 95;
    await eventually(() => reasons.length > 0);
    expect(reasons).toEqual(['a unverifiable']);
  });

  test('A token is not ended when the list is discarded and is complete again in time.', async () => {
    answer = () => Promise.reject(new Error('down'));
    now = 40;
    freshAt = 40;
    watch('a');
    await checked();
    freshAt = Number.NEGATIVE_INFINITY;
    now = 100;
    await eventually(() => introspected.length > 0);
    freshAt = now;
    await checked();
    now = 149;
    await checked();
    expect(reasons).toEqual([]);
    watches.clear();
  });

  test('At most 16 tokens are introspected in parallel, and all of them in the end.', async () => {
    let running = 0;
    let most = 0;
    answer = async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setTimeout(resolve, 1));
      running -= 1;
      return true;
    };
    for (let n = 0; n < 200; n += 1) watch(`token-${n}`);
    now = 60;
    await eventually(() => introspected.length === 200);
    expect(most).toBe(16);
    expect(new Set(introspected).size).toBe(200);
    expect(reasons).toEqual([]);
    watches.clear();
  });

  test('Two listeners of a token cause one introspection, and both are called.', async () => {
    answer = async () => false;
    const token = tokenOf('a');
    for (const name of ['first', 'second']) watches.add(token, (reason) => reasons.push(`${name} ${reason}`));
    now = 60;
    await eventually(() => reasons.length === 2);
    expect(introspected).toEqual(['a']);
    expect(reasons).toEqual(['first revoked', 'second revoked']);
  });
});
