import { quote, ScimError } from '@ostiary/scim';
import { isUuid } from '@ostiary/service';

/** The only error about a member that does not exist in the tenant. It reveals nothing but the id in the request. */
export const unknownMember = (id?: string): ScimError =>
  ScimError.invalidValue(
    id === undefined
      ? 'A member must be the id of an existing user or group.'
      : `Member ${quote(id)} is not the id of an existing user or group.`,
  );

/** One step of a change to a group's members, from a PATCH or PUT. */
export type MemberStep =
  | { op: 'add' | 'remove' | 'replace'; ids: readonly string[] }
  | { op: 'clear'; ids?: readonly string[] };

/** The combined effect of a sequence of steps. The two sets never overlap. */
export interface MemberPlan {
  /** Whether every member that is not added is removed. */
  exclusive: boolean;
  add: ReadonlySet<string>;
  remove: ReadonlySet<string>;
  /** Every member that a step adds, even if a later one removes it: all of them must exist. */
  mentioned: ReadonlySet<string>;
}

/** Maximum number of members in one request. */
const maxMembers = 100_000;

/**
 * Combines steps, in their order, into one set operation. For any group, applying the plan has the same result as
 * applying the steps one by one.
 * @throws ScimError invalidValue for ids that cannot exist
 */
export function planMembers(steps: readonly MemberStep[]): MemberPlan {
  let exclusive = false;
  let add = new Set<string>();
  let remove = new Set<string>();
  const mentioned = new Set<string>();

  for (const step of steps) {
    if (step.op === 'clear' || step.op === 'replace') {
      exclusive = true;
      add = new Set();
      remove = new Set();
    }
    for (const id of step.ids ?? []) {
      if (step.op === 'remove') {
        add.delete(id);
        // An id of another form belongs to no resource, so its removal has no effect.
        if (!exclusive && isUuid(id)) remove.add(id);
      } else if (step.op !== 'clear') {
        if (!isUuid(id)) throw unknownMember(id);
        remove.delete(id);
        add.add(id);
        mentioned.add(id);
      }
    }
    if (mentioned.size > maxMembers) {
      throw ScimError.invalidValue(`A request must not name more than ${maxMembers} members.`);
    }
  }
  return { exclusive, add, remove, mentioned };
}

/** Reports whether the plan has no effect on any group. */
export const isIdle = (plan: MemberPlan): boolean =>
  !plan.exclusive && plan.add.size === 0 && plan.remove.size === 0;
