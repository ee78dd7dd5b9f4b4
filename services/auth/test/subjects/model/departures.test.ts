import { describe, expect, test } from '@jest/globals';
import { departures, type Mistake, type Plan } from './departures.ts';
import { explore } from './explore.ts';

const leaves: Plan = { history: ['deactivated'], tokens: 2, faults: 4 };
const leavesAndReturns: Plan = { history: ['deactivated', 'reactivated'], tokens: 2, faults: 2 };
const leavesTwice: Plan = { history: ['deactivated', 'reactivated', 'deactivated'], tokens: 1, faults: 0 };

describe('every order in which a departure can travel', () => {
  test.each([
    ['somebody leaves', leaves],
    ['somebody leaves and comes back', leavesAndReturns],
    ['somebody leaves, comes back and leaves again', leavesTwice],
    [
      'somebody is changed while they leave',
      { history: ['updated', 'deactivated', 'updated'], tokens: 1, faults: 1 },
    ],
  ] satisfies [string, Plan][])(
    'Every door closes once, and none of an active user closes, in this order: %s.',
    (_what, plan) => {
      const { problem, states, settled } = explore(departures(plan));
      expect(problem).toBeUndefined();
      // A model in which nothing can happen would also be free of faults.
      expect(states).toBeGreaterThan(1_000);
      expect(settled).toBeGreaterThan(1);
    },
  );
});

describe('what would go wrong otherwise', () => {
  const doors = 'a door of somebody who left is open';
  test.each([
    [['outbox beside the transaction'], leaves, 'an event never had its effect'],
    [['no reconciliation'], leaves, 'nothing more happens, and it is not done'],
    [['marked before sent', 'no reconciliation'], leaves, 'nothing more happens, and it is not done'],
    [['inbox after the effect'], leaves, 'an event had its effect twice'],
    [['no inbox'], leaves, 'an event had its effect twice'],
    [['last arrival wins'], leavesAndReturns, 'auth believes something else than the directory'],
    [
      ['late departures dropped'],
      { history: ['deactivated', 'reactivated', 'updated'], tokens: 1, faults: 0 },
      doors,
    ],
    [['no pull'], leaves, doors],
  ] satisfies [Mistake[], Plan, string][])(
    'The model finds a problem with these mistakes: %j.',
    (mistakes, plan, what) => {
      const { problem } = explore(departures({ ...plan, mistakes }));
      expect(problem).toMatchObject({ what });
      expect(problem?.trace.length).toBeGreaterThan(0);
    },
  );

  test('Marking before sending alone is repaired by the reconciliation.', () => {
    expect(explore(departures({ ...leaves, mistakes: ['marked before sent'] })).problem).toBeUndefined();
  });
});
