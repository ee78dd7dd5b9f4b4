import type { SubgraphResponse } from '../../subgraphs/graph/subgraph-source.ts';
import { Fallback } from '../fallback.ts';
import type { Fetch, Step } from './plan-steps.ts';

type ObjectLike = Record<string, unknown>;
type Variables = Readonly<Record<string, unknown>>;

/** Sends the request of a step. Never rejects. */
type SendFetch = (fetch: Fetch, variables: Record<string, unknown>) => Promise<SubgraphResponse>;

/**
 * Executes the steps of a plan.
 * @returns the collected data, including values that were only needed to collect it
 * @throws Fallback when a response has errors or an unexpected form; no request is then pending
 */
export async function collect(
  step: Step,
  variables: Variables | undefined,
  send: SendFetch,
): Promise<ObjectLike> {
  const data: ObjectLike = {};
  await new Collection(data, variables ?? {}, send).carryOut(step);
  return data;
}

class Collection {
  readonly #data: ObjectLike;
  readonly #variables: Variables;
  readonly #send: SendFetch;

  constructor(data: ObjectLike, variables: Variables, send: SendFetch) {
    this.#data = data;
    this.#variables = variables;
    this.#send = send;
  }

  async carryOut(step: Step): Promise<void> {
    if (step.kind === 'fetch') return this.#fetch(step);
    if (step.kind === 'sequence') {
      for (const one of step.steps) await this.carryOut(one);
      return;
    }
    const outcomes = await Promise.allSettled(step.steps.map((one) => this.carryOut(one)));
    for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
  }

  async #fetch(fetch: Fetch): Promise<void> {
    const variables: ObjectLike = Object.create(null);
    for (const name of fetch.variables) {
      if (Object.hasOwn(this.#variables, name) && this.#variables[name] !== undefined)
        variables[name] = this.#variables[name];
    }
    const { entities } = fetch;
    if (!entities) {
      merge(this.#data, answered(await this.#send(fetch, variables)));
      return;
    }
    const found: ObjectLike[] = [];
    objectsAt(this.#data, entities.path, 0, found);
    const asked: ObjectLike[] = [];
    const representations: ObjectLike[] = [];
    for (const entity of found) {
      const representation = identified(entity, entities.keys);
      if (!representation) continue;
      asked.push(entity);
      representations.push(representation);
    }
    if (representations.length === 0) return;
    variables.representations = representations;
    const { _entities: received } = answered(await this.#send(fetch, variables));
    if (!Array.isArray(received) || received.length !== asked.length) throw new Fallback('entities');
    for (const [index, entity] of asked.entries()) {
      const more: unknown = received[index];
      // Also for null: the planner's execution determines whether the entity was deleted.
      if (!isObject(more)) throw new Fallback('entities');
      if (more.__typename !== undefined && more.__typename !== entity.__typename)
        throw new Fallback('other type');
      merge(entity, more);
    }
  }
}

function answered({ data, errors }: SubgraphResponse): ObjectLike {
  if (errors || !data) throw new Fallback('errors');
  return data;
}

function objectsAt(value: unknown, path: readonly string[], from: number, into: ObjectLike[]): void {
  let current = value;
  for (let index = from; index < path.length; index += 1) {
    if (current === null || current === undefined) return;
    const step = path[index] as string;
    if (step === '@') {
      if (!Array.isArray(current)) throw new Fallback('shape');
      for (const entry of current) objectsAt(entry, path, index + 1, into);
      return;
    }
    if (!isObject(current)) throw new Fallback('shape');
    current = current[step];
  }
  if (current === null || current === undefined) return;
  if (!isObject(current)) throw new Fallback('shape');
  into.push(current);
}

/**
 * Returns the key of an entity for the requested subgraph; undefined when a value is missing or the entity has
 * another type.
 */
function identified(
  entity: ObjectLike,
  keys: ReadonlyMap<string, readonly string[]>,
): ObjectLike | undefined {
  const names = keys.get(entity.__typename as string);
  if (!names) throw new Fallback('other type');
  const representation: ObjectLike = {};
  for (const name of names) {
    const value = entity[name];
    if (value === undefined) return undefined;
    // Possibly only parts of it are required.
    if (typeof value === 'object' && value !== null) throw new Fallback('representation');
    representation[name] = value;
  }
  return representation;
}

const isObject = (value: unknown): value is ObjectLike =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Merges another subgraph's fields into the same object. */
function merge(target: ObjectLike, source: ObjectLike): void {
  for (const key of Object.keys(source)) {
    if (key in Object.prototype) throw new Fallback('name');
    const known = target[key];
    const value = source[key];
    if (known === undefined || known === value) target[key] = value;
    else if (isObject(known) && isObject(value)) merge(known, value);
    // The two sources contradict each other.
    else throw new Fallback('conflict');
  }
}
