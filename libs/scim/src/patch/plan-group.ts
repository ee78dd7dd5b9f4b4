import { ScimError } from '../errors.ts';
import { isJsonObject, type JsonValue } from '../json.ts';
import type { BoundFilter } from '../matching/bind.ts';
import { readElements } from '../resource/values.ts';
import type { SchemaRegistry } from '../schema/registry.ts';
import { type BoundOperation, bindOperation } from './bind.ts';
import type { PatchOperation } from './parse.ts';

/**
 * A change of the member set that does not need the member list. The order matters. `ids` has no duplicates.
 */
export interface MemberChange {
  readonly op: 'add' | 'remove' | 'replace' | 'clear';
  /** Member ids as sent; empty for `clear`. */
  readonly ids: readonly string[];
}

export interface GroupPatchPlan {
  /** Operations on other attributes for `applyPatch`, possibly none. */
  readonly attributes: PatchOperation[];
  readonly members: MemberChange[];
}

/**
 * Splits a PATCH on a Group into changes of `members` and the rest, so that members are never loaded to
 * change one. Adjacent adds, and adjacent removes, are combined. Removing a missing member is not an error.
 * @throws ScimError as applyPatch does, and invalidFilter if members are selected by an attribute other than
 * `value`.
 */
export function planGroupPatch(
  operations: readonly PatchOperation[],
  registry: SchemaRegistry,
  type = 'Group',
): GroupPatchPlan {
  const { selected, rest } = partitionPatch(operations, registry, type, 'members');
  const members: MemberChange[] = [];
  for (const operation of selected) {
    const change = memberChange(operation);
    if (change !== undefined) append(members, change);
  }
  return { attributes: rest, members };
}

/** Operations on one attribute, and the operations that remain without it. */
export interface PatchPartition {
  readonly selected: BoundOperation[];
  readonly rest: PatchOperation[];
}

/**
 * Extracts the operations on one core attribute from a PATCH in any form: by path, after the core URN, or as
 * a member of a pathless value in any case. The rest is unchanged.
 * @throws ScimError as applyPatch does, for errors that do not depend on the resource.
 */
export function partitionPatch(
  operations: readonly PatchOperation[],
  registry: SchemaRegistry,
  type: string,
  name: string,
): PatchPartition {
  const selected: BoundOperation[] = [];
  const rest: PatchOperation[] = [];
  for (const operation of operations) {
    const bound = bindOperation(operation, registry, type);
    const matching = bound.filter(
      ({ target }) => target.extension === undefined && target.attribute.name === name,
    );
    if (matching.length === 0) {
      rest.push(operation);
      continue;
    }
    selected.push(...matching);
    if (operation.path === undefined) rest.push(...withoutMember(operation, registry, type, name));
  }
  return { selected, rest };
}

/** A pathless operation without the members of its value that are about the attribute. */
function withoutMember(
  operation: PatchOperation,
  registry: SchemaRegistry,
  type: string,
  name: string,
): PatchOperation[] {
  if (!isJsonObject(operation.value)) return [];
  const others = Object.entries(operation.value).filter(([key, member]) => {
    const bound = bindOperation({ op: operation.op, value: { [key]: member } }, registry, type);
    return (
      bound.length > 0 &&
      bound.every(({ target }) => target.extension !== undefined || target.attribute.name !== name)
    );
  });
  return others.length === 0 ? [] : [{ ...operation, value: Object.fromEntries(others) }];
}

function memberChange(operation: BoundOperation): MemberChange | undefined {
  const { op, target, filter } = operation;
  const value = operation.value ?? null;
  if (target.subAttribute !== undefined) {
    // The parts of a member are immutable.
    throw ScimError.mutability(`${target.canonical} is immutable: add or remove members instead.`);
  }
  if (filter !== undefined) return selectedChange(op, filter, value);
  if (op === 'remove') return { op: 'clear', ids: [] };
  if (value === null) return op === 'add' ? undefined : { op: 'clear', ids: [] };
  const ids = memberIds(
    readElements(target.attribute, Array.isArray(value) ? value : [value], 'members') ?? [],
  );
  if (op === 'add') return ids.length === 0 ? undefined : { op, ids };
  return ids.length === 0 ? { op: 'clear', ids } : { op, ids };
}

/** `members[value eq "…"]`: by id, so that it needs no list. */
function selectedChange(op: BoundOperation['op'], filter: BoundFilter, value: JsonValue): MemberChange {
  const ids = selectedIds(filter);
  if (ids === undefined)
    throw ScimError.invalidFilter('Members can be selected by value only: members[value eq "…"].');
  if (op === 'remove') return { op, ids };
  const sent = isJsonObject(value) ? value.value : undefined;
  const [id] = ids;
  if (ids.length !== 1 || id === undefined || (sent !== undefined && sent !== id) || op === 'replace') {
    throw ScimError.mutability('A member is immutable: add or remove members instead.');
  }
  return { op: 'add', ids: [id] };
}

function selectedIds(filter: BoundFilter): string[] | undefined {
  const alternatives = filter.kind === 'or' ? filter.operands : [filter];
  // An impossible id selects no member.
  const possible = alternatives.filter(({ kind }) => kind !== 'never');
  const ids = possible.map((alternative) =>
    alternative.kind === 'compare' &&
    alternative.operator === 'eq' &&
    alternative.target.definition.name === 'value' &&
    typeof alternative.literal === 'string'
      ? alternative.literal
      : undefined,
  );
  return ids.every((id) => id !== undefined) ? [...new Set(ids)] : undefined;
}

function memberIds(elements: readonly JsonValue[]): string[] {
  const ids = elements.map((element) => (isJsonObject(element) ? element.value : undefined));
  return [...new Set(ids.filter((id) => typeof id === 'string'))];
}

/** Combines a change with the last one if the meaning stays the same. */
function append(changes: MemberChange[], change: MemberChange): void {
  const last = changes.at(-1);
  const joins =
    last !== undefined && last.op === change.op && (change.op === 'add' || change.op === 'remove');
  if (change.op === 'replace' || change.op === 'clear') changes.length = 0;
  if (joins) changes[changes.length - 1] = { op: change.op, ids: [...new Set([...last.ids, ...change.ids])] };
  else changes.push(change);
}
