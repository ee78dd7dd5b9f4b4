import type { Actor } from '@ostiary/events';
import {
  type AttributeDefinition,
  defineTenantSchema,
  evolveAttribute,
  ScimError,
  tenantSchemaLimits,
} from '@ostiary/scim';
import { type AuditAction, auditContext, type Changes } from '../../audit/index.ts';
import { NotUniqueValue, VersionMismatch } from '../../errors/index.ts';
import type { SchemaChange, SchemaStore } from './ports.ts';
import { type Registries, registryOf } from './registries.ts';
import type { ResourceType, StoredSchema } from './stored-schema.ts';

export interface CreateSchema {
  urn: string;
  name: string;
  description: string;
  resourceType: ResourceType;
  required: boolean;
  attributes: AttributeDefinition[];
  actor: Actor;
}

/** An omitted field stays unchanged. */
export interface UpdateSchema {
  urn: string;
  /** Expected version, if any. */
  version?: number;
  name?: string;
  description?: string;
  required?: boolean;
  /** Attributes to add, or to replace where the name exists. */
  setAttributes?: AttributeDefinition[];
  /** Names of attributes to remove, with their values. */
  removeAttributes?: readonly string[];
  actor: Actor;
}

export interface DeleteSchema {
  urn: string;
  version?: number;
  actor: Actor;
}

export interface SchemasOptions {
  store: SchemaStore;
  registries: Registries;
  clock: () => number;
  /** Called when values are to be removed. */
  onRemoval: (tenant: string) => Promise<void>;
}

const sameName = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();
const notFound = (): ScimError => ScimError.notFound('There is no such schema.');

/** The extension schemas of one tenant. */
export class Schemas {
  readonly #tenant: string;
  readonly #options: SchemasOptions;

  constructor(tenant: string, options: SchemasOptions) {
    this.#tenant = tenant;
    this.#options = options;
  }

  /** Returns the schemas in the order of their definition. */
  async list(): Promise<StoredSchema[]> {
    return (await this.#options.store.read(this.#tenant)).schemas;
  }

  /** Returns the schemas with their common version. */
  listed(): Promise<{ version: number; schemas: StoredSchema[] }> {
    return this.#options.store.read(this.#tenant);
  }

  /** @throws ScimError invalidValue for an invalid definition, 409 when the URN is taken or is being removed */
  create(command: CreateSchema): Promise<StoredSchema> {
    const { actor, ...definition } = command;
    const now = this.#now();
    const schema: StoredSchema = { ...definition, version: 1, createdAt: now, updatedAt: now };
    return this.#change(async (tables) => {
      const others = await tables.all();
      if (others.some(({ urn }) => sameName(urn, schema.urn))) {
        throw new NotUniqueValue('This URN is taken.', 'id');
      }
      if (others.length >= tenantSchemaLimits.schemas) {
        throw ScimError.invalidValue(`A tenant has at most ${tenantSchemaLimits.schemas} schemas.`);
      }
      registryOf([...others, schema]);
      await mustBeRemoved(tables, schema.urn);
      if (schema.required && (await tables.someLackExtension(schema.resourceType, schema.urn))) {
        throw ScimError.conflict(
          `The schema cannot be required: resources of type ${schema.resourceType} lack it.`,
        );
      }
      await tables.save(schema);
      await tables.record(this.#entry('schema.created', schema, actor, definitionChange(undefined, schema)));
      return schema;
    });
  }

  /**
   * Changes a schema so that existing values stay valid.
   * @throws ScimError 404, 409 for an incompatible change and for another version, invalidValue
   */
  async update(command: UpdateSchema): Promise<StoredSchema> {
    const removed = command.removeAttributes ?? [];
    const updated = await this.#change(async (tables) => {
      const others = await tables.all();
      const before = others.find(({ urn }) => sameName(urn, command.urn));
      if (!before) throw notFound();
      mustBeVersion(before, command.version);
      const after: StoredSchema = {
        ...before,
        name: command.name ?? before.name,
        description: command.description ?? before.description,
        required: command.required ?? before.required,
        attributes: revised(before, command),
        version: before.version + 1,
        updatedAt: this.#now(),
      };
      const changes = definitionChange(before, after);
      // Without a change, nothing is written.
      if (Object.keys(changes).length === 0) return before;
      registryOf(others.map((schema) => (schema === before ? after : schema)));
      await this.#evolve(tables, before, after);
      for (const name of removed) await tables.remove(after, attributeOf(before, name).name);
      await tables.save(after);
      await tables.record(this.#entry('schema.updated', after, command.actor, changes));
      return after;
    });
    if (removed.length > 0) await this.#options.onRemoval(this.#tenant);
    return updated;
  }

  /** Removes a schema with all values of its attributes. @throws ScimError 404, 409 for another version */
  async remove(command: DeleteSchema): Promise<void> {
    await this.#change(async (tables) => {
      const schema = (await tables.all()).find(({ urn }) => sameName(urn, command.urn));
      if (!schema) throw notFound();
      mustBeVersion(schema, command.version);
      await tables.delete(schema.urn);
      await tables.remove(schema);
      const gone = { ...schema, version: schema.version + 1, updatedAt: this.#now() };
      const changes = definitionChange(schema, undefined);
      await tables.record(this.#entry('schema.deleted', gone, command.actor, changes));
    });
    await this.#options.onRemoval(this.#tenant);
  }

  /** Applies the requirements of the new definition to the existing values. */
  async #evolve(tables: SchemaChange, before: StoredSchema, after: StoredSchema): Promise<void> {
    const { urn, resourceType } = after;
    const old = new Map(defined(before).map((attribute) => [attribute.name.toLowerCase(), attribute]));
    for (const attribute of defined(after)) {
      const was = old.get(attribute.name.toLowerCase());
      const path = `${urn}:${attribute.name}`;
      if (!was) await mustBeRemoved(tables, urn, attribute.name);
      const demands = was
        ? evolveAttribute(was, attribute, path)
        : { required: attribute.required ? [path] : [], released: [] };
      for (const released of demands.released) await tables.release(released);
      if (demands.required.length === 0) continue;
      if (await tables.someLackAttribute(resourceType, urn, attribute.name)) {
        throw ScimError.conflict(`${path} cannot be required: there are resources without it.`);
      }
    }
    if (after.required && !before.required && (await tables.someLackExtension(resourceType, urn))) {
      throw ScimError.conflict(`The schema cannot be required: resources of type ${resourceType} lack it.`);
    }
  }

  async #change<T>(work: (tables: SchemaChange) => Promise<T>): Promise<T> {
    const { store, registries } = this.#options;
    const result = await store.change(this.#tenant, work);
    registries.forget(this.#tenant);
    return result;
  }

  #entry(action: AuditAction, schema: StoredSchema, actor: Actor, changes: Changes) {
    return {
      occurredAt: schema.updatedAt,
      actor,
      action,
      resourceType: 'Schema',
      resourceId: schema.urn,
      resourceVersion: schema.version,
      changes,
      ...auditContext(),
    };
  }

  #now(): Date {
    return new Date(this.#options.clock());
  }
}

const defined = ({ urn, name, description, attributes }: StoredSchema) =>
  defineTenantSchema({ id: urn, name, description, attributes }).attributes;

/** Returns the attributes after a change, in their order; new ones come last. */
function revised(before: StoredSchema, command: UpdateSchema): AttributeDefinition[] {
  const removed = (command.removeAttributes ?? []).map((name) => attributeOf(before, name));
  const set = [...(command.setAttributes ?? [])];
  if (set.some(({ name }) => removed.some((attribute) => sameName(attribute.name, String(name))))) {
    throw ScimError.invalidValue('An attribute cannot be removed and set in the same request.');
  }
  const kept = before.attributes
    .filter((attribute) => !removed.includes(attribute))
    .map((attribute) => {
      const index = set.findIndex(({ name }) => sameName(attribute.name, String(name)));
      return index < 0 ? attribute : (set.splice(index, 1)[0] ?? attribute);
    });
  return [...kept, ...set];
}

function attributeOf(schema: StoredSchema, name: string): AttributeDefinition {
  const attribute = schema.attributes.find((attribute) => sameName(attribute.name, name));
  if (!attribute) throw ScimError.invalidValue(`${schema.urn} has no attribute ${name} to remove.`);
  return attribute;
}

/**
 * Rejects a name whose former values are still being removed: they would become values of the new attribute. @throws
 * ScimError 409
 */
async function mustBeRemoved(tables: SchemaChange, urn: string, attribute?: string): Promise<void> {
  const pending = await tables.removals(urn);
  const conflicts = pending.some(
    (removal) =>
      attribute === undefined || removal.attribute === null || sameName(removal.attribute, attribute),
  );
  if (conflicts)
    throw ScimError.conflict('Values of this attribute are still being removed. Try again later.');
}

function mustBeVersion(schema: StoredSchema, version: number | undefined): void {
  if (version !== undefined && version !== schema.version) {
    throw new VersionMismatch(schema.version);
  }
}

/** Returns the differences between two definitions, attributes by name. */
function definitionChange(before: StoredSchema | undefined, after: StoredSchema | undefined): Changes {
  const changes: Changes = {};
  const then = described(before);
  const now = described(after);
  for (const name of new Set([...Object.keys(then), ...Object.keys(now)])) {
    if (JSON.stringify(then[name]) === JSON.stringify(now[name])) continue;
    changes[name] = {
      ...(then[name] !== undefined && { before: then[name] }),
      ...(now[name] !== undefined && { after: now[name] }),
    };
  }
  return changes;
}

function described(schema: StoredSchema | undefined): Record<string, unknown> {
  if (!schema) return {};
  const { name, description, required, resourceType, attributes } = schema;
  const byName = attributes.map((attribute): [string, unknown] => [
    `attributes.${attribute.name}`,
    attribute,
  ]);
  return { name, description, required, resourceType, ...Object.fromEntries(byName) };
}
