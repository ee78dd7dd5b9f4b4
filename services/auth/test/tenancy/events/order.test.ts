import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { nextPause } from '../../../src/signals/domain/backoff.ts';
import { decisionOn } from '../../../src/signals/domain/engine.ts';
import { type Cursor, gate, giveWay } from '../../../src/tenancy/events/domain/order.ts';

describe('order of versions', () => {
  test('The versions of a subject are sent in order and once each, however they are mixed and batched.', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 12 }).chain((count) =>
          fc.shuffledSubarray(
            Array.from({ length: count }, (_, i) => BigInt(i + 1)),
            { minLength: count },
          ),
        ),
        fc.infiniteStream(fc.integer({ min: 1, max: 4 })),
        (arrivals, sizes) => {
          let cursor: Cursor = { version: null, early: [] };
          const notified: bigint[] = [];
          for (const rest = [...arrivals]; rest.length > 0; ) {
            const batch = rest.splice(0, sizes.next().value as number);
            const gating = gate(cursor, batch);
            expect([...gating.passed, ...gating.held].sort()).toEqual([...batch].sort());
            notified.push(...[...gating.passed, ...gating.released].sort((a, b) => (a < b ? -1 : 1)));
            cursor = gating.cursor;
          }
          expect(notified).toEqual([...arrivals].sort((a, b) => (a < b ? -1 : 1)));
          expect(cursor).toEqual({ version: BigInt(arrivals.length), early: [] });
        },
      ),
    );
  });

  test('A version waits for its predecessor.', () => {
    expect(gate({ version: null, early: [] }, [7n])).toMatchObject({ passed: [], held: [7n] });
    expect(gate({ version: 6n, early: [] }, [7n, 8n])).toEqual({
      cursor: { version: 8n, early: [] },
      passed: [7n, 8n],
      released: [],
      held: [],
    });
    expect(gate({ version: 4n, early: [6n] }, [5n, 7n, 9n])).toEqual({
      cursor: { version: 7n, early: [9n] },
      passed: [5n, 7n],
      released: [6n],
      held: [9n],
    });
  });

  test('Versions whose waiting time has ended are sent in order, and a version that arrives later is sent late.', () => {
    expect(giveWay({ version: 4n, early: [6n, 7n, 9n] })).toMatchObject({
      cursor: { version: 7n, early: [9n] },
      released: [6n, 7n],
    });
    expect(gate({ version: 7n, early: [9n] }, [5n])).toEqual({
      cursor: { version: 7n, early: [9n] },
      passed: [5n],
      released: [],
      held: [],
    });
    expect(giveWay({ version: 4n, early: [] }).released).toEqual([]);
  });
});

describe('pauses between attempts', () => {
  const policy = { firstSeconds: 5, maxSeconds: 21_600, giveUpSeconds: 259_200 };

  test('The pause doubles from the first to the maximum, plus or minus 20 %, until the time limit.', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 10_000 }),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        (failed, random) => {
          const pause = nextPause(policy, { failed, ageSeconds: 0, random }) as number;
          const middle = Math.min(21_600, 5 * 2 ** Math.min(failed - 1, 40));
          expect(pause).toBeGreaterThanOrEqual(0.8 * middle);
          expect(pause).toBeLessThanOrEqual(1.2 * middle);
        },
      ),
    );
  });

  test('The pause varies, so that deliveries that failed together are not retried together.', () => {
    const drawn = (random: number) => nextPause(policy, { failed: 3, ageSeconds: 0, random }) as number;
    expect(drawn(0)).toBeCloseTo(0.8 * 20, 6);
    expect(drawn(0.5)).toBeCloseTo(20, 6);
    expect(drawn(0.999)).toBeGreaterThan(1.19 * 20);
    // The engine's random numbers differ too.
    const delivery = { attempt: 3, ageSeconds: 0 };
    const pauses = Array.from({ length: 8 }, () =>
      decisionOn(delivery, { kind: 'failed', reason: 'no answer' }, policy),
    );
    expect(pauses).toEqual(
      pauses.map(() => ({ state: 'pending', pauseSeconds: expect.any(Number), error: 'no answer' })),
    );
    expect(new Set(pauses.map((pause) => JSON.stringify(pause))).size).toBeGreaterThan(1);
  });

  test('The pauses permit about 25 attempts in three days, the last one at the end.', () => {
    let age = 0;
    let failed = 0;
    for (let pause: number | undefined = 0; pause !== undefined; ) {
      age += pause;
      failed += 1;
      pause = nextPause(policy, { failed, ageSeconds: age, random: 0.5 });
    }
    expect(age).toBe(policy.giveUpSeconds);
    expect(failed).toBeGreaterThan(20);
    expect(failed).toBeLessThan(30);
  });

  test('The pause follows the request of the receiver, between the first and the maximum pause of the policy.', () => {
    const asked = (retryAfterSeconds: number) =>
      nextPause(policy, { failed: 1, ageSeconds: 0, retryAfterSeconds, random: 0.5 });
    expect([asked(120), asked(1), asked(999_999)]).toEqual([120, 5, 21_600]);
  });
});
