import { ScimError } from '../errors.ts';
import { parsePath } from '../filter/parser.ts';
import { isJsonObject, type JsonObject, type JsonValue, ownValue, type Resource } from '../json.ts';
import type { Attribute } from '../schema/attribute.ts';
import type { AttributeReference, ExtensionReference, SchemaRegistry } from '../schema/registry.ts';
import { hasValue, isAssigned } from './assigned.ts';

/** The query parameters of RFC 7644 §3.9: comma-separated as in a URL, or an array as in a SearchRequest. */
export interface ProjectionParameters {
  attributes?: string | readonly string[] | undefined;
  excludedAttributes?: string | readonly string[] | undefined;
  /**
   * Attributes that the client wrote in the answered request; those returned on request are then included.
   */
  written?: readonly string[] | undefined;
}

const maxNames = 500;

/** The attributes of a response, determined once and applied to many resources. */
export class Projection {
  readonly #registry: SchemaRegistry;
  readonly #type: string;
  readonly #only: Selection | undefined;
  readonly #without: Selection;
  readonly #written: Selection;

  /** @throws ScimError invalidValue when both parameters are given, or too many names. */
  constructor(parameters: ProjectionParameters, registry: SchemaRegistry, type: string) {
    const attributes = names(parameters.attributes);
    const excluded = names(parameters.excludedAttributes);
    if (attributes.length > 0 && excluded.length > 0) {
      throw ScimError.invalidValue('"attributes" and "excludedAttributes" cannot be combined.');
    }
    this.#registry = registry;
    this.#type = type;
    this.#only = attributes.length > 0 ? new Selection(attributes, registry, type) : undefined;
    this.#without = new Selection(excluded, registry, type);
    this.#written = new Selection(parameters.written ?? [], registry, type);
  }

  /** Reports whether the core or common attribute of that name is returned; if not, it need not be loaded. */
  includes(name: string): boolean {
    const attribute = this.#registry.attribute(this.#type, name);
    return attribute !== undefined && this.#returned(attribute, attribute.name) !== 'no';
  }

  /** Returns a new resource with the returned attributes (RFC 7643 §2.2 `returned`, RFC 7644 §3.9). */
  apply(resource: Resource): Resource {
    const projected: Resource = {};
    this.#copy(this.#registry.attributes(this.#type), '', resource, projected);
    // A stored resource may still list a removed extension, as it may still have its values.
    if (Array.isArray(projected.schemas) && projected.schemas.length > 1) {
      projected.schemas = projected.schemas.filter((urn) => this.#isKnown(urn));
    }
    for (const { schema } of this.#registry.extensions(this.#type)) {
      const value = ownValue(resource, schema.id);
      if (!isJsonObject(value)) continue;
      const extension: JsonObject = {};
      this.#copy(schema.attributes, `${schema.id}:`, value, extension);
      if (Object.keys(extension).length > 0) projected[schema.id] = extension;
    }
    return projected;
  }

  #isKnown(urn: JsonValue): boolean {
    return typeof urn === 'string' && this.#registry.schemaOf(this.#type, urn) !== undefined;
  }

  #copy(attributes: readonly Attribute[], prefix: string, from: JsonObject, to: JsonObject): void {
    for (const attribute of attributes) {
      const value = ownValue(from, attribute.name);
      // A stored value may predate the rule against blank values.
      if (!isAssigned(attribute, value)) continue;
      const path = prefix + attribute.name;
      const returned = this.#returned(attribute, path);
      if (returned === 'no') continue;
      const kept =
        attribute.type === 'complex' ? this.#parts(attribute, value, path, returned === 'whole') : value;
      if (kept !== undefined) to[attribute.name] = kept;
    }
  }

  /**
   * Returns the included parts of a complex value; `whole` if it was selected by its own name, or by default.
   */
  #parts(attribute: Attribute, value: JsonValue, path: string, whole: boolean): JsonValue | undefined {
    if (Array.isArray(value)) {
      const elements = value
        .filter((element) => hasValue(attribute, element))
        .map((element) => this.#parts(attribute, element, path, whole));
      const kept = elements.filter((element) => element !== undefined);
      return kept.length === 0 ? undefined : kept;
    }
    if (!isJsonObject(value)) return value;
    const parts: JsonObject = {};
    for (const sub of attribute.subAttributes ?? []) {
      const part = ownValue(value, sub.name);
      if (isAssigned(sub, part) && this.#subReturned(sub, `${path}.${sub.name}`, whole))
        parts[sub.name] = part;
    }
    return Object.keys(parts).length === 0 ? undefined : parts;
  }

  #returned(attribute: Attribute, path: string): 'whole' | 'parts' | 'no' {
    if (attribute.returned === 'always') return 'whole';
    if (attribute.returned === 'never') return 'no';
    const only = this.#only;
    // RFC 7643 §2.2: "request" is also answered to the PUT, POST or PATCH that specified the attribute.
    const written = attribute.returned === 'request' && this.#written.touches(path);
    if (only !== undefined) {
      if (only.whole(path) || written) return 'whole';
      return only.partly(path) ? 'parts' : 'no';
    }
    if ((attribute.returned === 'request' && !written) || this.#without.whole(path)) return 'no';
    return this.#without.partly(path) ? 'parts' : 'whole';
  }

  #subReturned(sub: Attribute, path: string, whole: boolean): boolean {
    if (sub.returned === 'always') return true;
    if (sub.returned === 'never' || this.#without.whole(path)) return false;
    if (this.#only?.whole(path) === true) return true;
    if (sub.returned === 'request' && this.#written.touches(path)) return true;
    return sub.returned !== 'request' && (whole || this.#only === undefined);
  }
}

/** Applies `attributes` or `excludedAttributes` to one resource. @throws ScimError invalidValue, see Projection. */
export function project(
  resource: Resource,
  parameters: ProjectionParameters,
  registry: SchemaRegistry,
  type: string,
): Resource {
  return new Projection(parameters, registry, type).apply(resource);
}

/** A set of attributes, sub-attributes and whole extensions by canonical path. Unknown names select nothing. */
class Selection {
  readonly #paths = new Set<string>();
  readonly #parents = new Set<string>();

  constructor(requested: readonly string[], registry: SchemaRegistry, type: string) {
    for (const name of requested) {
      const reference = lookUp(name, registry, type);
      if (reference === undefined) continue;
      if (reference.attribute === undefined) {
        const schema = registry.schema(reference.extension);
        for (const attribute of schema?.attributes ?? [])
          this.#paths.add(`${reference.extension}:${attribute.name}`);
        continue;
      }
      this.#paths.add(reference.canonical);
      if (reference.subAttribute !== undefined) {
        this.#parents.add(reference.canonical.slice(0, -reference.subAttribute.name.length - 1));
      }
    }
  }

  /** Reports whether the path, its whole attribute, or a part of it is selected. */
  touches(path: string): boolean {
    return this.#paths.has(path) || this.#parents.has(path) || this.#paths.has(parentOf(path));
  }

  whole(path: string): boolean {
    return this.#paths.has(path);
  }

  partly(path: string): boolean {
    return this.#parents.has(path);
  }
}

/** Returns the attribute of a sub-attribute's path; dots of a URN precede its last colon. */
const parentOf = (path: string): string => path.slice(0, Math.max(path.lastIndexOf('.'), 0));

function lookUp(
  name: string,
  registry: SchemaRegistry,
  type: string,
): AttributeReference | ExtensionReference | undefined {
  try {
    const path = parsePath(name);
    return path.filter === undefined ? registry.resolve(type, path) : undefined;
  } catch (error) {
    if (error instanceof ScimError) return undefined;
    throw error;
  }
}

function names(parameter: string | readonly string[] | undefined): readonly string[] {
  const list = typeof parameter === 'string' ? parameter.split(',') : (parameter ?? []);
  const trimmed = list.map((name) => name.trim()).filter((name) => name !== '');
  if (trimmed.length > maxNames) throw ScimError.invalidValue(`More than ${maxNames} attribute names.`);
  return trimmed;
}
