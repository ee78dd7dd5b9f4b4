import {
  type AttributePath,
  compareCodePoints,
  foldCase,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  parsePath,
  userNameKey,
} from '@ostiary/scim';
import type { Projection, ScimResource } from '../../protocol/index.ts';
import type { Selection } from '../../resources/index.ts';

/** The order of resources of different types (RFC 7644 §3.4.2.3); within one type the directory has ordered them. */
export class SortOrder {
  readonly #path: AttributePath;
  readonly #descending: boolean;

  /** @throws ScimError invalidPath when `sortBy` is no attribute path */
  constructor({ sortBy, sortOrder }: Selection & { sortBy: string }) {
    this.#path = parsePath(sortBy);
    this.#descending = sortOrder === 'descending';
  }

  /** Returns a negative number when `a` comes first. Resources without a value come last, in descending order first. */
  compare(a: JsonObject, b: JsonObject): number {
    const [left, right] = [this.#key(a), this.#key(b)];
    const order =
      left === undefined || right === undefined
        ? Number(left === undefined) - Number(right === undefined)
        : compareKeys(left, right, this.#names.has('username') ? userNameKey : foldCase);
    return this.#descending ? -order : order;
  }

  /** Returns a projection that includes the sort attribute. `trim` removes it again. */
  including(projection: Projection): Projection {
    const { attributes, excludedAttributes } = projection;
    if (attributes) return { attributes: [...attributes, this.#fullName()] };
    const kept = excludedAttributes?.filter((name) => !this.#names.has(withoutUrn(name)));
    return kept && kept.length > 0 ? { excludedAttributes: kept } : {};
  }

  /** Removes an attribute that was only needed for sorting. */
  trim(resource: ScimResource, { attributes, excludedAttributes }: Projection): ScimResource {
    const top = this.#path.name.toLowerCase();
    const unasked = attributes
      ? !attributes.some((name) => withoutUrn(name).split('.')[0] === top)
      : excludedAttributes?.some((name) => this.#names.has(withoutUrn(name)));
    if (!unasked) return resource;
    const { urn } = this.#path;
    const without = (object: JsonObject): JsonObject =>
      Object.fromEntries(
        Object.entries(object).flatMap(([key, value]): [string, JsonValue][] => {
          if (key.toLowerCase() === top) return [];
          if (urn === undefined || key.toLowerCase() !== urn.toLowerCase() || !isJsonObject(value))
            return [[key, value]];
          const rest = without(value);
          return Object.keys(rest).length > 0 ? [[key, rest]] : [];
        }),
      );
    return without(resource);
  }

  /** Names of the sort attribute in a list of attributes. */
  get #names(): ReadonlySet<string> {
    const { name, subAttribute } = this.#path;
    return new Set([name, `${name}.${subAttribute ?? 'value'}`].map((text) => text.toLowerCase()));
  }

  #fullName(): string {
    const { urn, name } = this.#path;
    return urn === undefined ? name : `${urn}:${name}`;
  }

  #key(resource: JsonObject): string | number | boolean | undefined {
    const { urn, name, subAttribute } = this.#path;
    const extension = urn === undefined ? undefined : memberOf(resource, urn);
    const value = preferred(memberOf(isJsonObject(extension) ? extension : resource, name));
    const leaf = isJsonObject(value) ? memberOf(value, subAttribute ?? 'value') : value;
    return typeof leaf === 'object' || leaf === undefined ? undefined : leaf;
  }
}

/** Returns the primary value of several, or else the first. */
function preferred(value: JsonValue | undefined): JsonValue | undefined {
  if (!Array.isArray(value)) return value;
  return value.find((item) => isJsonObject(item) && item.primary === true) ?? value[0];
}

function memberOf(object: JsonObject, name: string): JsonValue | undefined {
  const lower = name.toLowerCase();
  const key = Object.keys(object).find((candidate) => candidate.toLowerCase() === lower);
  return key === undefined ? undefined : object[key];
}

function compareKeys(
  a: string | number | boolean,
  b: string | number | boolean,
  fold: (text: string) => string,
): number {
  if (typeof a === 'string' || typeof b === 'string') {
    return compareCodePoints(fold(String(a)), fold(String(b)));
  }
  return Number(a) - Number(b);
}

const withoutUrn = (name: string): string => name.slice(name.lastIndexOf(':') + 1).toLowerCase();
