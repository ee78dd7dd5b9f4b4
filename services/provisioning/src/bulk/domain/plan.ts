import {
  groupNameKey,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  PATCH_OP,
  ScimError,
  userNameKey,
} from '@ostiary/scim';
import { isUuid } from '@ostiary/service';
import { member } from '../../compatibility/index.ts';
import type { ResourceType } from '../../protocol/index.ts';
import { deferAttributes, referencesIn } from './references.ts';
import type { BulkEntry, BulkOperation, Target } from './request.ts';

/** One operation, ready to be executed. */
export interface Step {
  /** Position of the operation in the request. */
  position: number;
  entry: BulkEntry;
  /** The operation, or the error with which it is rejected. */
  task: BulkOperation | ScimError;
  /** bulkIds of resources that must be created before. */
  needs: string[];
  /**
   * A creation in two parts: first without the attributes that refer to resources created later, then those
   * attributes.
   */
  part: 'whole' | 'first' | 'second';
  /** Steps with a common key keep the order of the request. */
  keys: string[];
  /** Successive steps of one type with the same run can be executed in any order; undefined: alone. */
  run: string | undefined;
}

/**
 * Orders the operations of a Bulk (RFC 7644 §3.7): as given, with the creation of referenced resources before. A
 * circular reference is resolved where an attribute can be added afterwards (§3.7.1). Groups that contain each other
 * are rejected.
 */
export function planBulk(entries: readonly BulkEntry[], { uniqueGroupNames = false } = {}): Step[] {
  const creations = new Map<string, number>();
  for (const [position, { task, bulkId, method }] of entries.entries()) {
    const creates = task instanceof ScimError ? method?.toUpperCase() === 'POST' : task.method === 'POST';
    if (creates && bulkId !== undefined) creations.set(bulkId, position);
  }
  const references = entries.map(({ task }) => referencesOf(task, creations));
  const { order, deferred, circles } = arrange(entries, references, creations);
  const targets = new Set(entries.flatMap(({ task }) => targetIdOf(task) ?? []));
  const steps: Step[] = [];
  /** Second parts, with the bulkIds for which they still wait. */
  const waiting: { step: Step; missing: Set<string> }[] = [];
  for (const position of order) {
    const entry = entries[position] as BulkEntry;
    const { known, refusal } = references[position] as Found;
    const circle = circles.get(position);
    const task = refusal ?? (circle ? circleError(circle, entries) : entry.task);
    const common = { position, entry, keys: ownKeys(entry) };
    if (task instanceof ScimError) steps.push({ ...common, task, needs: [], part: 'whole', run: 'refused' });
    else {
      const later = deferred.get(position) ?? new Set<string>();
      const needs = [...known].filter((bulkId) => !later.has(bulkId));
      const keys = [...common.keys, ...keysOf(task, targets)];
      const parts = later.size > 0 ? inTwoParts(task, later, entry.bulkId as string) : undefined;
      const first = {
        ...common,
        task: parts?.first ?? task,
        needs,
        keys,
        run: runOf(task, uniqueGroupNames),
      };
      steps.push({ ...first, part: parts ? 'first' : 'whole' });
      if (parts) {
        const second: Step = {
          ...common,
          task: parts.second,
          needs: [...later],
          // Later operations on the resources that it names wait for it.
          keys: [...common.keys, ...[...later].map((needed) => `bulk:${needed}`)],
          part: 'second',
          run: undefined,
        };
        waiting.push({ step: second, missing: new Set(later) });
      }
    }
    if (entry.bulkId === undefined) continue;
    for (const { step, missing } of waiting) {
      if (missing.delete(entry.bulkId) && missing.size === 0) steps.push(step);
    }
  }
  return steps;
}

/** Returns the creation without the attributes that refer to the bulkIds, and the PATCH that adds them. */
function inTwoParts(
  task: BulkOperation,
  later: ReadonlySet<string>,
  bulkId: string,
): { first: BulkOperation; second: BulkOperation } {
  const { rest, deferred } = deferAttributes(task.data ?? {}, later);
  const Operations = deferred.map(({ path, value }) => ({ op: 'add', path, value }));
  return {
    first: { ...task, data: rest },
    second: {
      method: 'PATCH',
      type: task.type,
      target: { bulkId },
      data: { schemas: [PATCH_OP], Operations },
    },
  };
}

interface Found {
  known: Set<string>;
  refusal?: ScimError;
}

function referencesOf(task: BulkOperation | ScimError, creations: ReadonlyMap<string, number>): Found {
  if (task instanceof ScimError) return { known: new Set() };
  const { known, unknown } = referencesIn(task.data ?? {}, (bulkId) => creations.has(bulkId));
  if (task.target && 'bulkId' in task.target) {
    if (creations.has(task.target.bulkId)) known.add(task.target.bulkId);
    else unknown.push(task.target.bulkId);
  }
  if (unknown.length === 0) return { known };
  return {
    known,
    refusal: ScimError.invalidValue('It refers to a bulkId that no POST of this request defines.'),
  };
}

interface Arrangement {
  order: number[];
  /** By position: bulkIds whose resources are created later. */
  deferred: Map<number, Set<string>>;
  /** By position: the groups that would contain each other. */
  circles: Map<number, number[]>;
}

/**
 * Orders depth first along the references, in the order of the request. It uses a stack of its own, as chains may be
 * long.
 */
function arrange(
  entries: readonly BulkEntry[],
  references: readonly Found[],
  creations: ReadonlyMap<string, number>,
): Arrangement {
  const arrangement: Arrangement = { order: [], deferred: new Map(), circles: new Map() };
  const state = new Map<number, 'open' | 'placed'>();
  const path: { position: number; left: string[] }[] = [];
  const enter = (position: number): void => {
    state.set(position, 'open');
    path.push({ position, left: [...(references[position]?.known ?? [])] });
  };
  for (const start of entries.keys()) {
    if (!state.has(start)) enter(start);
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const bulkId = top.left.shift();
      if (bulkId === undefined) {
        state.set(top.position, 'placed');
        arrangement.order.push(top.position);
        path.pop();
        continue;
      }
      const wanted = creations.get(bulkId) as number;
      if (!state.has(wanted) && isTooLong(path.length, entries[top.position]))
        defer(arrangement, top.position, bulkId);
      else if (!state.has(wanted)) enter(wanted);
      else if (state.get(wanted) === 'open') {
        const from = path.findIndex(({ position }) => position === wanted);
        closeCircle(
          arrangement,
          entries,
          path.slice(from).map(({ position }) => position),
          bulkId,
        );
      }
    }
  }
  return arrangement;
}

/** The last operation of the circle refers to the first one, which has the bulkId. */
function closeCircle(
  arrangement: Arrangement,
  entries: readonly BulkEntry[],
  circle: number[],
  bulkId: string,
): void {
  if (circle.every((position) => typeOf(entries[position]) === 'Group')) {
    for (const position of circle) arrangement.circles.set(position, circle);
    return;
  }
  defer(arrangement, circle.at(-1) as number, bulkId);
}

/** Defers the references to the bulkId until its resource exists. */
function defer({ deferred }: Arrangement, position: number, bulkId: string): void {
  const later = deferred.get(position) ?? new Set();
  deferred.set(position, later.add(bulkId));
}

/** Maximum length of a chain of users that wait for each other, such as a chain of managers. */
const maxChainLength = 32;

/**
 * Reports whether a user is created in two steps instead of waiting for a long chain. A chain of a thousand users
 * would be created one by one; several shorter chains are created in parallel.
 */
const isTooLong = (length: number, entry: BulkEntry | undefined): boolean =>
  length >= maxChainLength &&
  typeOf(entry) === 'User' &&
  entry?.bulkId !== undefined &&
  !(entry.task instanceof ScimError) &&
  entry.task.method === 'POST';

const typeOf = (entry: BulkEntry | undefined): ResourceType | undefined =>
  entry && !(entry.task instanceof ScimError) ? entry.task.type : undefined;

function circleError(circle: readonly number[], entries: readonly BulkEntry[]): ScimError {
  const names = circle.slice(0, 5).map((position) => JSON.stringify(entries[position]?.bulkId));
  const more = circle.length > 5 ? ' and others' : '';
  // RFC 7644 §3.7.1: an unresolvable reference is a conflict.
  return ScimError.conflict(
    circle.length === 1
      ? 'A group cannot be a member of itself.'
      : `Groups cannot contain each other: those with the bulkIds ${names.join(', ')}${more} form a cycle.`,
  );
}

function targetIdOf(task: BulkOperation | ScimError): string | undefined {
  const target: Target | undefined = task instanceof ScimError ? undefined : task.target;
  return target && 'id' in target ? target.id : undefined;
}

const ownKeys = ({ bulkId }: BulkEntry): string[] => (bulkId === undefined ? [] : [`bulk:${bulkId}`]);

/** Returns the resources of an operation: its own, others of this Bulk that it names, and the name that it takes. */
function keysOf(task: BulkOperation, targets: ReadonlySet<string>): string[] {
  const keys: string[] = [];
  if (task.target) keys.push('id' in task.target ? `id:${task.target.id}` : `bulk:${task.target.bulkId}`);
  if (targets.size > 0) {
    for (const text of textsIn(task.data ?? {}))
      if (isUuid(text) && targets.has(text)) keys.push(`id:${text}`);
  }
  if (task.method === 'POST') keys.push(...nameKeys(task));
  return keys;
}

/** Of creations with the same name, the first one gets it. */
function nameKeys({ type, data = {} }: BulkOperation): string[] {
  const name = member(data, type === 'User' ? 'username' : 'displayname');
  if (typeof name !== 'string') return [];
  return [type === 'User' ? `name:${userNameKey(name)}` : `group name:${groupNameKey(name)}`];
}

/**
 * Creations are independent of each other, and so are deletions and PATCHes of different resources. Operations that
 * may release or take a unique value keep their position.
 */
function runOf({ method, type, data }: BulkOperation, uniqueGroupNames: boolean): string | undefined {
  if (method === 'POST' || method === 'DELETE') return `${method} ${type}`;
  const isNamed = type === 'User' || uniqueGroupNames;
  if (method === 'PUT') return isNamed ? undefined : `PUT ${type}`;
  return namesUnique(data ?? {}, type === 'Group' && uniqueGroupNames) ? undefined : `PATCH ${type}`;
}

const plainSchema = /urn:ietf:params:scim:(?:schemas|api)[\w.:]*/g;

function namesUnique(data: JsonObject, displayName: boolean): boolean {
  const text = namesIn(data).join('\n').toLowerCase();
  if (displayName && text.includes('displayname')) return true;
  return /username|externalid/.test(text) || text.replace(plainSchema, '').includes('urn:');
}

function namesIn(value: JsonValue): string[] {
  if (Array.isArray(value)) return value.flatMap(namesIn);
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, item]) => [
    key,
    ...(key.toLowerCase() === 'path' && typeof item === 'string' ? [item] : namesIn(item)),
  ]);
}

function textsIn(value: JsonValue): string[] {
  if (typeof value === 'string') return value.match(/[0-9a-f]{8}-[0-9a-f-]{27}/g) ?? [];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return isJsonObject(value) ? Object.values(value).flatMap(textsIn) : [];
}
