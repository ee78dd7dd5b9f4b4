import { Failure } from '../failure.ts';
import type { Current, Present } from './current.ts';
import {
  type ConfigurationDocument,
  fields,
  type Item,
  keysOf,
  type ListSection,
  listSections,
  type SettingSection,
  settingSections,
} from './document.ts';

/** One difference between a document and a tenant, and the step that removes it. */
export type Difference =
  | { action: 'change'; section: SettingSection; key: string; fields: string[]; item: Item; version: number }
  | { action: 'create'; section: ListSection; key: string; fields: string[]; item: Item }
  | { action: 'change'; section: ListSection; key: string; fields: string[]; item: Item; present: Present }
  | { action: 'delete'; section: ListSection; key: string; fields: string[]; present: Present };

/** Options that separate `apply` from `import`. */
export interface Manner {
  /** Existing objects are changed. */
  changes: boolean;
  /** Objects that the file does not name are deleted. */
  prune: boolean;
}

/**
 * Reports whether a command makes a change. An import updates settings, except the policy for client documents: a
 * narrower one deletes clients.
 */
export function isMade(each: Difference, { changes, prune }: Manner): boolean {
  if (each.action === 'create') return true;
  if (each.action === 'delete') return prune;
  return changes || (!('present' in each) && each.section !== 'clientDocumentPolicy');
}

/**
 * Reports whether a value matches the document. Objects are compared by the members that the document names, lists as a
 * whole.
 */
function covers(wanted: unknown, present: unknown): boolean {
  if (Array.isArray(wanted)) {
    if (!Array.isArray(present) || wanted.length !== present.length) return false;
    return wanted.every((each, at) => covers(each, named(each, present) ?? present[at]));
  }
  if (typeof wanted !== 'object' || wanted === null) return said(wanted) === said(present);
  if (typeof present !== 'object' || present === null) return false;
  const members = present as Record<string, unknown>;
  return Object.entries(wanted).every(([name, value]) => covers(value, members[name]));
}

/** The graph stores an absent text as `''` or `null`, depending on the field. */
const said = (value: unknown): unknown => (value === '' ? null : (value ?? null));

/** Attributes of schemas are matched by name, not by position. */
const named = (wanted: unknown, present: readonly unknown[]): unknown =>
  present.find((each) => nameOf(each) !== undefined && nameOf(each) === nameOf(wanted));

const nameOf = (value: unknown): unknown => (value as { name?: unknown } | null)?.name;

/** Returns the fields of the document that differ in the tenant. Absent fields are left unchanged. */
const differing = (section: SettingSection | ListSection, wanted: Item, present: Item): string[] =>
  Object.keys(wanted).filter((name) =>
    // The order of scopes is that of the consent page, and that of claims decides which ones fit in a token.
    ['described', 'mappings'].includes(fields[section][name] ?? '')
      ? JSON.stringify(wanted[name]) !== JSON.stringify(present[name])
      : !covers(wanted[name], present[name]),
  );

/** Returns the differences, in the order in which they can be applied. */
export function differencesOf(document: ConfigurationDocument, current: Current): Difference[] {
  const settings = settingSections.flatMap((section): Difference[] => {
    const item = document[section];
    const { item: present, version } = current.settings[section];
    const changed = item === undefined ? [] : differing(section, item, present);
    return item === undefined || changed.length === 0
      ? []
      : [{ action: 'change', section, key: section, fields: changed, item, version }];
  });
  const lists = listSections.map((section) => ofList(section, document[section], current.lists[section]));
  const deletions = lists.flat().filter(({ action }) => action === 'delete');
  const others = lists.flat().filter(({ action }) => action !== 'delete');
  // References are deleted before their targets. Policies come last: a stricter one may forbid objects that still
  // exist.
  return [...others, ...deletions.reverse(), ...settings];
}

function ofList(
  section: ListSection,
  items: readonly Item[] | undefined,
  present: readonly Present[],
): Difference[] {
  if (items === undefined) return [];
  const keys = keysOf(section, items);
  const there = new Map(present.map((each) => [each.key, each]));
  const wanted = items.flatMap((item, at): Difference[] => {
    const key = keys[at] ?? '';
    const found = there.get(key);
    if (found === undefined) return [{ action: 'create', section, key, fields: Object.keys(item), item }];
    const changed = differing(section, item, found.item);
    return changed.length === 0
      ? []
      : [{ action: 'change', section, key, fields: changed, item, present: found }];
  });
  const named = new Set(keys);
  const extra = present.filter(({ key }) => !named.has(key));
  return [
    ...wanted,
    ...extra.map(
      (each): Difference => ({ action: 'delete', section, key: each.key, fields: [], present: each }),
    ),
  ];
}

/** Fields that are fixed at creation. */
const unchangeable: Readonly<Partial<Record<string, readonly string[]>>> = {
  clients: ['subjectType'],
  schemas: ['resourceType'],
};

/** Runs before anything is changed. @throws Failure conflict */
export function refuseUnchangeable(differences: readonly Difference[]): void {
  for (const { action, section, key, fields } of differences) {
    const field = fields.find((name) => action === 'change' && unchangeable[section]?.includes(name));
    if (field === undefined) continue;
    throw new Failure('conflict', `${field} of ${key} (${section}) cannot be changed.`, [
      'Delete it, and apply the file again.',
    ]);
  }
}
