import type { SubgraphResponse } from './subgraph-source.ts';

type Path = readonly (string | number)[];

/**
 * References that led nowhere: an operation refers to an entity, and the service that is asked for it says that there is none
 * (a null among the `_entities`, without an error). An entity that was deleted, or is another tenant's, is null to the client and no
 * failure. Only the service that owns a type says so; the others answer for any id.
 */
export class DanglingReferences {
  /** Where in each operation, by its context. */
  readonly #places = new WeakMap<object, Path[]>();

  /** Notes what a service said. @param place where it was asked in the operation, with `@` for the entries of a list */
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
   * Whether a value is missing only because what it would be of is no more. Not so where the reference itself is promised:
   * then more than the reference is null.
   * @param path where the value is missing in the answer's `data`
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

/** Whether there is null at the place, and something around it. */
function isNullAt(data: unknown, path: Path): boolean {
  let value = data;
  for (const step of path) {
    if (typeof value !== 'object' || value === null) return false;
    value = (value as Record<string | number, unknown>)[step];
  }
  return value === null;
}
