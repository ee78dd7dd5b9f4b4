import { badUserInput, type GraphContext, type Resolver } from '@ostiary/graph';
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  Projection,
  parsePath,
  type SchemaRegistry,
  ScimError,
} from '@ostiary/scim';
import type { ResourceType, SchemasInUse } from '../../schemas/index.ts';
import { represent } from '../domain/representation.ts';
import type { StoredResource } from '../domain/stored-resource.ts';

/** Loads the schemas of the caller's tenant. */
export interface ExtensionLoaders {
  directory(): Promise<{ readonly schemasInUse: SchemasInUse }>;
}

/** `extensions` and `attribute` of a User or Group: the values that SCIM returns, by the same rules. */
export const extensionResolvers = (type: ResourceType): Record<string, Resolver<ExtensionLoaders>> => ({
  extensions: async (resource: StoredResource, _args, context) => {
    const registry = await registryOf(context);
    const returned = new Projection({}, registry, type).apply(resource.data);
    const urns = registry.extensions(type).map(({ schema }) => schema.id);
    return Object.fromEntries(Object.entries(returned).filter(([name]) => urns.includes(name)));
  },

  attribute: async (resource: StoredResource, { path }: { path: string }, context) => {
    const registry = await registryOf(context);
    const keys = keysOf(path, registry, type);
    const returned = new Projection({ attributes: [path] }, registry, type).apply(represent(resource, type));
    return keys.reduce<JsonValue | undefined>(at, returned) ?? null;
  },
});

/** Returns the schemas of the caller's tenant. */
export const registryOf = async ({ loaders }: GraphContext<ExtensionLoaders>): Promise<SchemaRegistry> =>
  (await loaders.directory()).schemasInUse.registry;

/** Returns the keys of a path in a resource. @throws BAD_USER_INPUT for a path without a returned attribute */
function keysOf(path: string, registry: SchemaRegistry, type: ResourceType): readonly string[] {
  const reference = resolved(path, registry, type);
  if (!reference?.attribute) throw badUserInput('"path" is not an attribute.', { argument: 'path' });
  const { attribute, definition, keys } = reference;
  if (attribute.returned === 'never' || definition.returned === 'never') {
    throw badUserInput('"path" is an attribute that is never returned.', { argument: 'path' });
  }
  return keys;
}

function resolved(path: string, registry: SchemaRegistry, type: ResourceType) {
  try {
    const parsed = parsePath(path);
    return parsed.filter === undefined ? registry.resolve(type, parsed) : undefined;
  } catch (error) {
    if (error instanceof ScimError) return undefined;
    throw error;
  }
}

/** Returns the value at a key; for a list, those of its elements. */
function at(value: JsonValue | undefined, key: string): JsonValue | undefined {
  if (Array.isArray(value)) return value.flatMap((element) => at(element, key) ?? []);
  return isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/**
 * Returns the extensions to be written, by canonical URN. @throws BAD_USER_INPUT for a schema that the type does not
 * have
 */
export function extensionsInput(
  input: unknown,
  registry: SchemaRegistry,
  type: ResourceType,
): [string, JsonObject | null][] {
  if (input === undefined || input === null) return [];
  return Object.entries(jsonObject(input, 'extensions')).map(([name, value]) => {
    const extension = registry.extensions(type).find(({ schema }) => sameUrn(schema.id, name));
    if (!extension)
      throw badUserInput('"extensions" contains a schema that is not defined.', { argument: 'extensions' });
    if (value === null) return [extension.schema.id, null];
    const attributes = jsonObject(value, 'extensions');
    const known = new Set(extension.schema.attributes.map((attribute) => attribute.name.toLowerCase()));
    const unknown = Object.keys(attributes).find((attribute) => !known.has(attribute.toLowerCase()));
    if (unknown !== undefined) {
      throw badUserInput('"extensions" contains an attribute that is not defined.', {
        argument: `${extension.schema.id}:${unknown}`,
      });
    }
    return [extension.schema.id, attributes];
  });
}

/** @throws BAD_USER_INPUT */
function jsonObject(value: unknown, argument: string): JsonObject {
  if (!isJsonObject(value)) throw badUserInput(`"${argument}" must be an object.`, { argument });
  return value;
}

const sameUrn = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();
