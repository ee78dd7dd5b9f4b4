import { ScimError } from '../errors.ts';
import {
  type Attribute,
  defineSchema,
  findSubAttribute,
  type Schema,
  type SchemaDefinition,
} from './attribute.ts';
import { type AttributeRule, withheldBy } from './attribute-rule.ts';
import { commonAttributes } from './common.ts';
import { enterpriseUserSchema } from './enterprise-user.ts';
import { groupSchema } from './group.ts';
import { userSchema } from './user.ts';

/** A resource type (RFC 7643 §6). `endpoint` is relative to the SCIM base, e.g. `/Users`. */
export interface ResourceType {
  readonly name: string;
  readonly description: string;
  readonly endpoint: string;
  readonly schema: string;
  readonly schemaExtensions: readonly { readonly schema: string; readonly required: boolean }[];
}

/** A known attribute, or a sub-attribute of one, of a resource type. */
export interface AttributeReference {
  /** The extension's URN, when the attribute lives in an extension: its key in the resource. */
  readonly extension?: string;
  readonly attribute: Attribute;
  readonly subAttribute?: Attribute;
  /** Target of a comparison or assignment: the sub-attribute if there is one, else the attribute. */
  readonly definition: Attribute;
  /** Canonical JSON keys from the resource's root down to the value, through arrays. */
  readonly keys: readonly string[];
  /** Canonical spelling: `userName`, `name.givenName`, `urn:…:User:employeeNumber`. */
  readonly canonical: string;
}

/** A path that names an extension as a whole, e.g. `urn:ietf:params:scim:schemas:extension:enterprise:2.0:User`. */
export interface ExtensionReference {
  readonly extension: string;
  readonly attribute?: undefined;
}

interface IndexedExtension {
  readonly schema: Schema;
  readonly required: boolean;
  readonly attributes: ReadonlyMap<string, Attribute>;
}

interface IndexedType {
  readonly type: ResourceType;
  readonly schema: Schema;
  /** Common and core attributes by lower-cased name. */
  readonly attributes: ReadonlyMap<string, Attribute>;
  /** By lower-cased URN. */
  readonly extensions: ReadonlyMap<string, IndexedExtension>;
}

/** Parts of a path (RFC 7644 §3.10) that identify the attribute. */
export interface NamedAttribute {
  readonly urn?: string;
  readonly name: string;
  /** Filter of a valuePath; only its presence matters here. */
  readonly filter?: unknown;
  readonly subAttribute?: string;
}

/** Schemas and resource types of one tenant. Immutable: extending creates another registry. */
export class SchemaRegistry {
  readonly #schemas: ReadonlyMap<string, Schema>;
  readonly #types: ReadonlyMap<string, IndexedType>;
  #forOwner: SchemaRegistry | undefined;
  /** Keyed by the rule as text. */
  readonly #restricted = new Map<string, SchemaRegistry>();

  constructor(schemas: readonly Schema[], types: readonly ResourceType[]) {
    this.#schemas = new Map(schemas.map((schema) => [schema.id.toLowerCase(), schema]));
    this.#types = new Map(types.map((type) => [type.name, this.#index(type)]));
  }

  /**
   * Returns the registry with an additional extension schema on a resource type.
   * @throws ScimError invalidValue if the schema is malformed or its URN is in use.
   */
  withExtension(
    definition: SchemaDefinition,
    o: { resourceType: string; required?: boolean },
  ): SchemaRegistry {
    return this.withSchema(defineSchema(definition), o);
  }

  /**
   * Returns the registry with a complete additional schema. @throws ScimError invalidValue if its URN is in
   * use
   */
  withSchema(schema: Schema, o: { resourceType: string; required?: boolean }): SchemaRegistry {
    if (this.schema(schema.id) !== undefined)
      throw ScimError.invalidValue(`Schema ${schema.id} exists already.`);
    this.#refuseConfusable(schema.id);
    const extended = this.#indexed(o.resourceType).type;
    const types = this.resourceTypes().map((type) =>
      type === extended
        ? {
            ...type,
            schemaExtensions: [
              ...type.schemaExtensions,
              { schema: schema.id, required: o.required === true },
            ],
          }
        : type,
    );
    return new SchemaRegistry([...this.schemas(), schema], types);
  }

  /**
   * Returns the registry for the maintainer of the tenant's own data, which can modify the attributes of
   * tenant extensions that clients cannot.
   */
  forOwner(): SchemaRegistry {
    if (this.#forOwner === undefined) {
      const known = core.schemas();
      const schemas = this.schemas().map((schema) => (known.includes(schema) ? schema : writable(schema)));
      this.#forOwner = new SchemaRegistry(schemas, this.resourceTypes());
    }
    return this.#forOwner;
  }

  /** Returns the registry for a client that may not write every attribute. */
  restrictedTo(rule: AttributeRule): SchemaRegistry {
    const key = JSON.stringify([rule.mode, ...rule.paths]);
    const known = this.#restricted.get(key);
    if (known) return known;
    const coreSchemas = new Set(this.resourceTypes().map(({ schema }) => schema));
    const schemas = this.schemas().map((schema) => withheldBy(rule, schema, coreSchemas.has(schema.id)));
    const restricted = new SchemaRegistry(schemas, this.resourceTypes());
    const [oldest] = this.#restricted.keys();
    if (this.#restricted.size >= maxRestricted && oldest !== undefined) this.#restricted.delete(oldest);
    this.#restricted.set(key, restricted);
    return restricted;
  }

  schemas(): readonly Schema[] {
    return [...this.#schemas.values()];
  }

  /** The schema with that URN, in any case. */
  schema(urn: string): Schema | undefined {
    return this.#schemas.get(urn.toLowerCase());
  }

  resourceTypes(): readonly ResourceType[] {
    return [...this.#types.values()].map((entry) => entry.type);
  }

  resourceType(name: string): ResourceType | undefined {
    return this.#types.get(name)?.type;
  }

  /** The resource type's own schema, in canonical spelling of its URN. */
  coreSchema(type: string): Schema {
    return this.#indexed(type).schema;
  }

  /** The resource type's extensions, in the order they are announced. */
  extensions(type: string): readonly { readonly schema: Schema; readonly required: boolean }[] {
    return [...this.#indexed(type).extensions.values()];
  }

  /** The canonical URN of the type's core or extension schema, given in any case; undefined for another URN. */
  schemaOf(type: string, urn: string): string | undefined {
    const entry = this.#indexed(type);
    const key = urn.toLowerCase();
    if (key === entry.schema.id.toLowerCase()) return entry.schema.id;
    return entry.extensions.get(key)?.schema.id;
  }

  /** Common and core attributes of a type, in schema order. */
  attributes(type: string): readonly Attribute[] {
    return [...this.#indexed(type).attributes.values()];
  }

  /** A common or core attribute by its unqualified name, in any case. */
  attribute(type: string, name: string): Attribute | undefined {
    return this.#indexed(type).attributes.get(name.toLowerCase());
  }

  /** An attribute of one of the type's extensions, names in any case. */
  extensionAttribute(type: string, urn: string, name: string): Attribute | undefined {
    return this.#indexed(type).extensions.get(urn.toLowerCase())?.attributes.get(name.toLowerCase());
  }

  /**
   * Resolves a path to an attribute, a sub-attribute, or a whole extension; undefined if unknown. Extension
   * attributes need their URN (RFC 7644 §3.10); core and common ones may have the core URN.
   */
  resolve(type: string, path: NamedAttribute): AttributeReference | ExtensionReference | undefined {
    const entry = this.#indexed(type);
    if (path.urn === undefined)
      return reference(undefined, entry.attributes.get(path.name.toLowerCase()), path);
    const urn = path.urn.toLowerCase();
    if (urn === entry.schema.id.toLowerCase()) {
      return reference(undefined, entry.attributes.get(path.name.toLowerCase()), path);
    }
    const extension = entry.extensions.get(urn);
    if (extension !== undefined) {
      return reference(extension.schema.id, extension.attributes.get(path.name.toLowerCase()), path);
    }
    // The last part of a URN reads like an attribute name, and "ext.v2" like a sub-attribute.
    const whole = `${urn}:${path.name}${path.subAttribute === undefined ? '' : `.${path.subAttribute}`}`;
    const named = entry.extensions.get(whole.toLowerCase());
    return named === undefined || path.filter !== undefined ? undefined : { extension: named.schema.id };
  }

  /**
   * An attribute's full name is the URN, a colon and the name: no URN may look like an attribute of another.
   */
  #refuseConfusable(urn: string): void {
    const key = `${urn.toLowerCase()}:`;
    const confusable = this.schemas().find(({ id }) => {
      const other = `${id.toLowerCase()}:`;
      return key.startsWith(other) || other.startsWith(key);
    });
    if (confusable === undefined) return;
    throw ScimError.invalidValue(`Schema ${urn} reads like a part of schema ${confusable.id}.`);
  }

  #indexed(type: string): IndexedType {
    const entry = this.#types.get(type);
    if (entry === undefined) throw new Error(`Unknown resource type ${type}`);
    return entry;
  }

  #known(urn: string): Schema {
    const schema = this.schema(urn);
    if (schema === undefined) throw new Error(`Unknown schema ${urn}`);
    return schema;
  }

  #index(type: ResourceType): IndexedType {
    const schema = this.#known(type.schema);
    return {
      type,
      schema,
      attributes: byName([...commonAttributes, ...schema.attributes]),
      extensions: new Map(
        type.schemaExtensions.map((extension) => {
          const known = this.#known(extension.schema);
          return [
            known.id.toLowerCase(),
            { schema: known, required: extension.required, attributes: byName(known.attributes) },
          ];
        }),
      ),
    };
  }
}

/** Maximum number of cached views; creating one takes some microseconds. */
const maxRestricted = 200;

function writable(schema: Schema): Schema {
  const open = (attribute: Attribute): Attribute => ({
    ...attribute,
    ...(attribute.mutability === 'readOnly' ? { mutability: 'readWrite' } : {}),
    ...(attribute.subAttributes ? { subAttributes: attribute.subAttributes.map(open) } : {}),
  });
  return { ...schema, attributes: schema.attributes.map(open) };
}

function byName(attributes: readonly Attribute[]): ReadonlyMap<string, Attribute> {
  return new Map(attributes.map((attribute) => [attribute.name.toLowerCase(), attribute]));
}

function reference(
  extension: string | undefined,
  attribute: Attribute | undefined,
  path: NamedAttribute,
): AttributeReference | undefined {
  if (attribute === undefined) return undefined;
  if (path.subAttribute === undefined) return attributeReference(extension, attribute);
  const subAttribute = findSubAttribute(attribute, path.subAttribute);
  return subAttribute === undefined ? undefined : attributeReference(extension, attribute, subAttribute);
}

/** Creates a reference from its parts. */
export function attributeReference(
  extension: string | undefined,
  attribute: Attribute,
  subAttribute?: Attribute,
): AttributeReference {
  const local = subAttribute === undefined ? attribute.name : `${attribute.name}.${subAttribute.name}`;
  return {
    attribute,
    definition: subAttribute ?? attribute,
    keys: [
      ...(extension === undefined ? [] : [extension]),
      attribute.name,
      ...(subAttribute === undefined ? [] : [subAttribute.name]),
    ],
    canonical: extension === undefined ? local : `${extension}:${local}`,
    ...(extension === undefined ? {} : { extension }),
    ...(subAttribute === undefined ? {} : { subAttribute }),
  };
}

const core = new SchemaRegistry(
  [userSchema, groupSchema, enterpriseUserSchema],
  [
    {
      name: 'User',
      description: 'User Account',
      endpoint: '/Users',
      schema: userSchema.id,
      schemaExtensions: [{ schema: enterpriseUserSchema.id, required: false }],
    },
    {
      name: 'Group',
      description: 'Group',
      endpoint: '/Groups',
      schema: groupSchema.id,
      schemaExtensions: [],
    },
  ],
);

/** Returns User with EnterpriseUser, and Group, as RFC 7643 defines them. */
export function coreRegistry(): SchemaRegistry {
  return core;
}
