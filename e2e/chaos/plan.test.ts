import { describe, expect, test } from '@jest/globals';
import { moments } from './moments.ts';
import { type Fault, measures, Plan, pairs } from './plan.ts';
import { Deck, Random } from './random.ts';

describe('a plan', () => {
  const faults = (plan: Plan) => Array.from({ length: 40 }, () => plan.nextFault());
  const departures = (plan: Plan) => Array.from({ length: 40 }, () => plan.nextOffboarding());
  const rounds = (plan: Plan, count: number) => {
    const all = [plan.nextFault()];
    while (plan.rounds < count) all.push(plan.nextFault());
    return all;
  };
  const ofKind = <K extends Fault['kind']>(all: readonly Fault[], kind: K) =>
    all.filter((fault): fault is Extract<Fault, { kind: K }> => fault.kind === kind);

  test('A plan is the same for the same seed and different for another seed.', () => {
    expect(faults(new Plan(7, measures.full))).toEqual(faults(new Plan(7, measures.full)));
    expect(departures(new Plan(7, measures.full))).toEqual(departures(new Plan(7, measures.full)));
    expect(faults(new Plan(7, measures.full))).not.toEqual(faults(new Plan(8, measures.full)));
  });

  test('The faults of a plan depend only on the seed, however many users are offboarded in between.', () => {
    const [one, other] = [new Plan(7, measures.full), new Plan(7, measures.full)];
    departures(other);
    other.scenes.next();
    expect(faults(one)).toEqual(faults(other));
  });

  test('A plan has every kind of fault in its first round, even in the short run.', () => {
    const kinds = new Set(rounds(new Plan(7, measures.minute), 1).map(({ kind }) => kind));
    expect([...kinds].sort()).toEqual([
      'duplicated',
      'flush',
      'full queue',
      'hang',
      'kill',
      'kill at any time',
      'partition',
      'postgres restarted',
      'redis away',
      'reordered',
      'skew',
      'slow',
    ]);
  });

  test.each([1, 7, 605_296])('A whole run cuts every pair and kills at every moment (seed %i).', (seed) => {
    const all = rounds(new Plan(seed, measures.full), measures.full.minRounds);
    const cut = [...ofKind(all, 'partition'), ...ofKind(all, 'partitions').flatMap((one) => one.pairs)];
    const named = ({ one, other }: { one: string; other: string }) => `${one} ${other}`;
    expect(new Set(cut.map(named))).toEqual(new Set(pairs.map(named)));
    expect(new Set(ofKind(all, 'kill').map(({ moment }) => moment))).toEqual(new Set(Object.keys(moments)));
  });

  test('A plan has a pair for every two processes that communicate, including the load balancer.', () => {
    expect(pairs).toContainEqual({ one: 'world', other: 'gateway-2' });
    expect(pairs).toContainEqual({ one: 'auth-2', other: 'postgres' });
    expect(pairs).toContainEqual({ one: 'auth', other: 'directory-2' });
    expect(pairs).toContainEqual({ one: 'gateway', other: 'valkey' });
    // 2 × 2 for each two of four services, eight at Valkey, six at PostgreSQL, two at the load balancer.
    expect(pairs).toHaveLength(6 * 4 + 8 + 6 + 2);
  });

  test.each([1, 7, 605_296])(
    'Each round has one clock ahead, one clock behind and a worker that hangs (seed %i).',
    (seed) => {
      for (const given of [measures.minute, measures.full]) {
        const all = rounds(new Plan(seed, given), 1);
        const skews = ofKind(all, 'skew');
        expect(skews.map(({ offsetMs }) => offsetMs).sort()).toEqual([-60_000, 60_000]);
        for (const { instances } of skews) {
          expect(instances.some((instance) => instance.startsWith('auth'))).toBe(true);
          expect(new Set(instances).size).toBe(instances.length);
        }
        expect(ofKind(all, 'hang').some(({ instance }) => instance.startsWith('auth'))).toBe(true);
      }
    },
  );
});

test('The random source draws evenly.', () => {
  const random = new Random(1);
  const drawn = Array.from({ length: 10_000 }, () => random.between(1, 10));
  for (let number = 1; number <= 10; number += 1) {
    const times = drawn.filter((one) => one === number).length;
    expect(times).toBeGreaterThan(850);
    expect(times).toBeLessThan(1_150);
  }
});

test('A deck gives every card once before any card comes again, even across several draws.', () => {
  const deck = new Deck([1, 2, 3, 4, 5], new Random(3));
  const drawn = [...deck.draw(3), ...deck.draw(3), ...deck.draw(4)];
  expect(drawn.slice(0, 5).sort()).toEqual([1, 2, 3, 4, 5]);
  expect(drawn.slice(5).sort()).toEqual([1, 2, 3, 4, 5]);
});
