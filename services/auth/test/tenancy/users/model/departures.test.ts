import { describe, expect, test } from '@jest/globals';
import { departures } from './departures.ts';
import { explore } from './explore.ts';
import type { Mistake, Plan } from './plan.ts';

const leaves: Plan = { history: ['deactivated'], tokens: 2, faults: 4 };
const leavesAndReturns: Plan = { history: ['deactivated', 'reactivated'], tokens: 2, faults: 2 };
const leavesTwice: Plan = { history: ['deactivated', 'reactivated', 'deactivated'], tokens: 1, faults: 0 };

describe('delivery of an offboarding in every order', () => {
  test.each([
    ['somebody leaves', leaves],
    ['somebody leaves and comes back', leavesAndReturns],
    ['somebody leaves, comes back and leaves again', leavesTwice],
    [
      'somebody is changed while they leave',
      { history: ['updated', 'deactivated', 'updated'], tokens: 1, faults: 1 },
    ],
    [
      'a user is created, changed and deactivated at once',
      { history: ['created', 'updated', 'deactivated'], tokens: 0, faults: 1 },
    ],
    [
      'a user is created and leaves twice',
      { history: ['created', 'deactivated', 'reactivated', 'deactivated'], tokens: 0, faults: 0 },
    ],
    [
      'a user is created, deactivated, deleted and purged',
      { history: ['created', 'deactivated', 'deleted', 'purged'], tokens: 0, faults: 0 },
    ],
    [
      'a user is changed while inactive and after the return',
      { history: ['deactivated', 'updated', 'reactivated', 'updated'], tokens: 1, faults: 0 },
    ],
    [
      'a user is created inactive, changed, activated and changed',
      { history: ['created inactive', 'updated', 'reactivated', 'updated'], tokens: 1, faults: 0 },
    ],
    [
      'a user is deleted, restored and deactivated',
      { history: ['deleted', 'restored', 'deactivated'], tokens: 1, faults: 0 },
    ],
  ] satisfies [string, Plan][])(
    'Every access path of an offboarded user closes once, and none of an active user closes, in this order: %s.',
    (_what, plan) => {
      const { problem, states, settled } = explore(departures(plan));
      expect(problem).toBeUndefined();
      // A model without any steps would also have no violations.
      expect(states).toBeGreaterThan(1_000);
      expect(settled).toBeGreaterThan(1);
    },
  );
});

describe('effect of mistakes', () => {
  const doors = 'a door of somebody who left is open';
  const reports = 'the reports are not the departures';
  const createdAndLeaves: Plan = { history: ['created', 'deactivated'], tokens: 0, faults: 0 };
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
    [['first event not reported'], createdAndLeaves, reports],
    [['nothing to revoke, nothing to report'], createdAndLeaves, reports],
    [
      ['reported by the event at hand'],
      { history: ['deactivated', 'deleted'], tokens: 0, faults: 0 },
      reports,
    ],
    [['reported without looking'], leavesTwice, reports],
    [
      ['a return follows its departure'],
      { history: ['deactivated', 'updated', 'reactivated', 'updated'], tokens: 1, faults: 0 },
      reports,
    ],
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
