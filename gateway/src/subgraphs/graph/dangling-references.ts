import type { SubgraphResponse } from './subgraph-source.ts';

type Path = readonly (string | number)[];

/**
 * References to deleted objects: an operation refers to an entity, and the service that owns its type returns null
 * among the `_entities`, without an error. An entity that was deleted, or belongs to another tenant, is null to the
 * client and not an error. Only the owning service returns null; the others resolve any id.
 */
export class DanglingReferences {
  /** Paths in each operation, by its context. */
  readonly #places = new WeakMap<object, Path[]>();

  /**
   * Records a response of a service. @param place path of its entities in the operation, with `@` for the entries of
   * a list
   */
  note(operation: object, place: Path | undefined, { data, errors }: SubgraphResponse): void {
    const entities = data?._entities;
    if (!place || !Array.isArray(entities)) return;
    const isGone = (entity: unknown, index: number): boolean =>
      entity === null && !errors?.some(({ path }) => path === undefined || path[1] === index);
    if (!entities.some(isGone)) return;
    const places = this.#places.get(operation) ?? [];
    places.push(place);
    this.#places.set(operation, places);
  }

  /**
   * Reports whether a value is missing only because its object was deleted. It is false where the reference itself is
   * non-null: null then extends beyond the reference.
   * @param path of the missing value in the response's `data`
   */
  explain(operation: object, data: unknown, path: Path | undefined): boolean {
    return (
      path !== undefined &&
      (this.#places.get(operation) ?? []).some(
        (place) => leadsBelow(place, path) && isNullAt(data, path.slice(0, place.length)),
      )
    );
  }
}

const leadsBelow = (place: Path, path: Path): boolean =>
  path.length > place.length &&
  place.every((step, index) => (step === '@' ? typeof path[index] === 'number' : step === path[index]));

/** Reports whether the value at the path is null inside an existing parent. */
function isNullAt(data: unknown, path: Path): boolean {
  let value = data;
  for (const step of path) {
    if (typeof value !== 'object' || value === null) return false;
    value = (value as Record<string | number, unknown>)[step];
  }
  return value === null;
}
