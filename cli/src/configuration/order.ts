import type { Described } from './document.ts';
import type { Difference } from './plan.ts';
import { clientsIn } from './references.ts';

/** Orders differences so that each can be applied after the ones before it. */
export const inOrder = (differences: readonly Difference[]): Difference[] =>
  removalsLast(clientsInOrder(differences));

/** Orders clients that refer to each other: a client comes after those that it refers to, if there is such an order. */
function clientsInOrder(differences: readonly Difference[]): Difference[] {
  const waiting = [...differences];
  const ordered: Difference[] = [];
  const unmade = (): Set<string> =>
    new Set(
      waiting.flatMap((each) => (each.action === 'create' && each.section === 'clients' ? [each.key] : [])),
    );
  while (waiting.length > 0) {
    const missing = unmade();
    const at = waiting.findIndex((each) => each.action === 'delete' || !refersTo(each, missing));
    const [next] = waiting.splice(Math.max(0, at), 1);
    if (next !== undefined) ordered.push(next);
  }
  return ordered;
}

function refersTo(difference: Difference, missing: ReadonlySet<string>): boolean {
  if (difference.action === 'delete' || difference.section !== 'clients') return false;
  return clientsIn(difference.item).some((key) => key !== difference.key && missing.has(key));
}

export type Change = Extract<Difference, { action: 'change'; present: unknown }>;

export const described = ['scopes', 'roles'] as const;

/**
 * Moves the removal of scopes and roles of APIs, and changes of their claims, behind all changes of lists: the server
 * removes them from clients and groups, and ends tokens of clients, whose versions change. An API that gets others
 * before is changed twice, because clients and groups need the new ones.
 */
function removalsLast(differences: readonly Difference[]): Difference[] {
  const removals = differences.filter((each): each is Change => removes(each));
  const before = differences.flatMap((each) => (removes(each) ? additionOf(each) : [each]));
  const settings = before.filter((each) => each.action === 'change' && !('present' in each));
  return [...before.filter((each) => !settings.includes(each)), ...removals, ...settings];
}

const named = (value: unknown): readonly Described[] => (value ?? []) as readonly Described[];

const namesIn = (value: unknown): Set<string> => new Set(named(value).map(({ name }) => name));

/** Returns the entries that only the first list has. */
export const onlyIn = (list: unknown, other: unknown): Described[] => {
  const names = namesIn(other);
  return named(list).filter(({ name }) => !names.has(name));
};

const removes = (each: Difference): each is Change =>
  each.section === 'apis' &&
  each.action === 'change' &&
  (each.fields.includes('claims') ||
    described.some(
      (field) => each.fields.includes(field) && onlyIn(each.present.item[field], each.item[field]).length > 0,
    ));

/** Returns the part of a change that adds scopes and roles, if it does. */
function additionOf(change: Change): Difference[] {
  const { fields, item, present } = change;
  const added = described.filter(
    (field) => fields.includes(field) && onlyIn(item[field], present.item[field]).length > 0,
  );
  if (added.length === 0) return [];
  const all = added.map((field) => [
    field,
    [...named(item[field]), ...onlyIn(present.item[field], item[field])],
  ]);
  return [{ ...change, fields: added, item: { ...item, ...Object.fromEntries(all) } }];
}
