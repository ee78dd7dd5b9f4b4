import { describe, expect, test } from '@jest/globals';
import { ScimError } from '@ostiary/scim';
import { uuidv7 } from '@ostiary/service';
import fc from 'fast-check';
import { isIdle, type MemberPlan, type MemberStep, planMembers } from './member-plan.ts';

const ids = Array.from({ length: 6 }, () => uuidv7());

function stepByStep(members: Iterable<string>, steps: readonly MemberStep[]): Set<string> {
  let set = new Set(members);
  for (const step of steps) {
    if (step.op === 'clear' || step.op === 'replace') set = new Set();
    for (const id of step.op === 'clear' ? [] : (step.ids ?? [])) {
      if (step.op === 'remove') set.delete(id);
      else set.add(id);
    }
  }
  return set;
}

function allAtOnce(members: Iterable<string>, plan: MemberPlan): Set<string> {
  const kept = [...members].filter((id) => (plan.exclusive ? plan.add.has(id) : !plan.remove.has(id)));
  return new Set([...kept, ...plan.add]);
}

const someIds = fc.subarray(ids);
const step: fc.Arbitrary<MemberStep> = fc.oneof(
  fc.record({ op: fc.constantFrom('add' as const, 'remove' as const, 'replace' as const), ids: someIds }),
  fc.constant<MemberStep>({ op: 'clear' }),
);

describe('planMembers', () => {
  test('The plan for the members has the same result as applying the steps one by one.', () => {
    fc.assert(
      fc.property(someIds, fc.array(step, { maxLength: 8 }), (members, steps) => {
        const plan = planMembers(steps);
        expect(allAtOnce(members, plan)).toEqual(stepByStep(members, steps));
        for (const id of plan.add) expect(plan.remove.has(id)).toBe(false);
      }),
    );
  });

  test('The plan remembers every member that was to be added, so that made-up members are rejected.', () => {
    const [id] = ids as [string];
    const plan = planMembers([
      { op: 'add', ids: [id] },
      { op: 'remove', ids: [id] },
    ]);
    expect([...plan.mentioned]).toEqual([id]);
  });

  test('The plan rejects an addition of an invalid id, and ignores an invalid id in a removal.', () => {
    expect(() => planMembers([{ op: 'add', ids: ['7'] }])).toThrow(ScimError);
    expect(isIdle(planMembers([{ op: 'remove', ids: ['7'] }]))).toBe(true);
  });
});
