import { quote, ScimError } from '@ostiary/scim';
import { isUuid } from '@ostiary/service';

/** The one answer about a member that does not exist in the tenant. It names nothing but the id that the request named. */
export const unknownMember = (id?: string): ScimError =>
  ScimError.invalidValue(
    id === undefined
      ? 'A member must be the id of an existing user or group.'
      : `Member ${quote(id)} is not the id of an existing user or group.`,
  );

/** One step of a change to a group's members, as a PATCH or PUT says it. */
export type MemberStep =
  | { op: 'add' | 'remove' | 'replace'; ids: readonly string[] }
  | { op: 'clear'; ids?: readonly string[] };

/** What a sequence of steps comes to. The two sets never overlap. */
export interface MemberPlan {
  /** Every member that isn't added is removed. */
  exclusive: boolean;
  add: ReadonlySet<string>;
  remove: ReadonlySet<string>;
  /** Every member a step wanted to add, even if a later one removes them again: all of them have to exist. */
  mentioned: ReadonlySet<string>;
}

/** Most members one request may name. */
const mostMembers = 100_000;

/**
 * Folds steps, in their order, into one set operation: whatever the group holds now, applying the plan gives what
 * applying the steps one by one would.
 * @throws ScimError invalidValue for ids that can't exist
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
        // An id of another form belongs to no resource, and removing none changes nothing.
        if (!exclusive && isUuid(id)) remove.add(id);
      } else if (step.op !== 'clear') {
        if (!isUuid(id)) throw unknownMember(id);
        remove.delete(id);
        add.add(id);
        mentioned.add(id);
      }
    }
    if (mentioned.size > mostMembers) {
      throw ScimError.invalidValue(`A request must not name more than ${mostMembers} members.`);
    }
  }
  return { exclusive, add, remove, mentioned };
}

/** Whether the plan can change anything at all. */
export const isIdle = (plan: MemberPlan): boolean =>
  !plan.exclusive && plan.add.size === 0 && plan.remove.size === 0;
