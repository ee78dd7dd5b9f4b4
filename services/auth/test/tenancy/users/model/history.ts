import type { UserChange } from '../../../../src/tenancy/users/domain/user-change.ts';

/**
 * Changes of one user in the directory. Each produces a version: the first is 1 when the user is created in the history, and 2 when it
 * exists before. `deleted` can be undone by `restored`; `purged` follows `deleted`.
 */
export type Change =
  | 'created'
  | 'created inactive'
  | 'updated'
  | 'deactivated'
  | 'reactivated'
  | 'deleted'
  | 'restored'
  | 'purged';

export const firstVersion = 1;

/** Reports whether the history begins with the creation of the user. */
export const isCreatedIn = ([first]: readonly Change[]): boolean =>
  first === 'created' || first === 'created inactive';

/** Version that an event of this history reports. */
export const versionOf = (history: readonly Change[], event: number): number =>
  firstVersion + (isCreatedIn(history) ? 0 : 1) + event;

const leaves: readonly Change[] = ['deactivated', 'deleted'];
const inactive: readonly Change[] = [...leaves, 'created inactive'];

/** Reports whether the user is active after the first changes of a history. */
export function isActive(history: readonly Change[], count: number): boolean {
  const last = history.slice(0, count).findLast((change) => change !== 'updated' && change !== 'purged');
  return last === undefined || !inactive.includes(last);
}

/** Indexes of the changes that make an active user inactive. */
export const departuresOf = (history: readonly Change[]): number[] =>
  [...history.keys()].filter(
    (event) => leaves.includes(history[event] as Change) && isActive(history, event),
  );

/** Returns the event of a change, as the directory sends it. An update of an inactive user leaves it inactive. */
export function eventsOf(history: readonly Change[], event: number): UserChange {
  const change = history[event] as Change;
  const version = versionOf(history, event);
  const returned = change === 'reactivated' || change === 'restored';
  const active = isActive(history, event + 1);
  const departure = departuresOf(history).findLast((one) => one <= event);
  return {
    id: 'person',
    version: BigInt(version),
    active,
    deleted: change === 'deleted' || change === 'purged',
    restorable: change === 'deleted',
    reactivated: returned,
    profile: { userName: 'person', emails: [] },
    departure:
      departure !== undefined && (!active || returned)
        ? {
            version: versionOf(history, departure),
            type: `user.${history[departure] as 'deactivated' | 'deleted'}`,
            eventId: String(departure),
            occurredAt: '',
            actor: { kind: 'system', id: 'directory' },
          }
        : null,
  };
}
