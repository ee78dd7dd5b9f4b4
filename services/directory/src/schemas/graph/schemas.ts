import { notFound, type PagingArguments, pageOfList, requirePrincipal } from '@ostiary/graph';
import type { AttributeDefinition } from '@ostiary/scim';
import { actorOf } from '../../audit/graph/actor.ts';
import type { StoredSchema } from '../domain/stored-schema.ts';
import type { SchemaResolvers } from './loaders.ts';

interface Input<T> {
  input: T;
}

interface AttributeInput {
  name: string;
  type: string;
  description?: string | null;
  multiValued?: boolean | null;
  required?: boolean | null;
  caseExact?: boolean | null;
  canonicalValues?: string[] | null;
  restrictToCanonicalValues?: boolean | null;
  mutability: string;
  returned?: string | null;
  uniqueness: string;
  referenceTypes?: string[] | null;
  subAttributes?: AttributeInput[] | null;
}

interface CreateInput {
  id: string;
  name: string;
  description?: string | null;
  resourceType: string;
  required?: boolean | null;
  attributes: AttributeInput[];
}

interface UpdateInput {
  id: string;
  version?: number | null;
  name?: string | null;
  description?: string | null;
  required?: boolean | null;
  setAttributes?: AttributeInput[] | null;
  removeAttributes?: string[] | null;
}

/** READ_WRITE → readWrite */
const fromEnum = (value: string): string =>
  value.toLowerCase().replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());

/** readWrite → READ_WRITE */
const toEnum = (value: string): string => value.replace(/[A-Z]/g, '_$&').toUpperCase();

/** Returns the given fields: null equals an omitted field. */
const given = <T extends object>(fields: T): { [K in keyof T]?: NonNullable<T[K]> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined)) as {
    [K in keyof T]?: NonNullable<T[K]>;
  };

function definitionOf(input: AttributeInput): AttributeDefinition {
  const { type, mutability, returned, uniqueness, restrictToCanonicalValues, subAttributes, ...rest } = input;
  return {
    ...given(rest),
    name: input.name,
    type: fromEnum(type),
    mutability: fromEnum(mutability),
    uniqueness: fromEnum(uniqueness),
    ...given({ returned: returned && fromEnum(returned), restricted: restrictToCanonicalValues }),
    ...(subAttributes && { subAttributes: subAttributes.map(definitionOf) }),
  } as AttributeDefinition;
}

export const schemaQueries: SchemaResolvers = {
  schemas: async (_root, _args, { loaders }) => (await loaders.directory()).schemas.list(),

  schemasConnection: async (_root, input: PagingArguments, { loaders }) =>
    pageOfList(input, {
      kind: 'schema',
      list: await (await loaders.directory()).schemas.list(),
      keyOf: ({ urn }) => urn,
    }),

  schema: async (_root, { id }: { id: string }, { loaders }) => {
    const schemas = await (await loaders.directory()).schemas.list();
    return schemas.find(({ urn }) => urn.toLowerCase() === id.toLowerCase()) ?? null;
  },
};

export const schemaMutations: SchemaResolvers = {
  createSchema: async (_root, { input }: Input<CreateInput>, context) => {
    const { schemas } = await context.loaders.directory();
    const schema = await schemas.create({
      urn: input.id,
      name: input.name,
      description: input.description ?? '',
      resourceType: input.resourceType === 'GROUP' ? 'Group' : 'User',
      required: input.required ?? false,
      attributes: input.attributes.map(definitionOf),
      actor: actorOf(requirePrincipal(context)),
    });
    return { schema };
  },

  updateSchema: async (_root, { input }: Input<UpdateInput>, context) => {
    const { id, setAttributes, ...rest } = input;
    const { schemas } = await context.loaders.directory();
    const schema = await schemas.update({
      ...given(rest),
      urn: id,
      ...(setAttributes && { setAttributes: setAttributes.map(definitionOf) }),
      actor: actorOf(requirePrincipal(context)),
    });
    return { schema };
  },

  deleteSchema: async (_root, { input }: Input<{ id: string; version?: number | null }>, context) => {
    const { schemas } = await context.loaders.directory();
    const { id, ...rest } = input;
    if (id.length > 300) throw notFound('The schema');
    await schemas.remove({ ...given(rest), urn: id, actor: actorOf(requirePrincipal(context)) });
    return { id };
  },
};

export const schemaResolvers: SchemaResolvers = {
  id: (schema: StoredSchema) => schema.urn,
  resourceType: (schema: StoredSchema) => toEnum(schema.resourceType).replace(/^_/, ''),
};

const exactTypes = new Set(['binary', 'reference']);

/** Omitted characteristics have the defaults of RFC 7643 §2.2. */
export const schemaAttributeResolvers: SchemaResolvers = {
  type: ({ type = 'string' }: AttributeDefinition) => toEnum(type),
  description: ({ description = '' }: AttributeDefinition) => description,
  multiValued: ({ multiValued = false }: AttributeDefinition) => multiValued,
  required: ({ required = false }: AttributeDefinition) => required,
  caseExact: ({ caseExact, type = 'string' }: AttributeDefinition) => caseExact ?? exactTypes.has(type),
  canonicalValues: ({ canonicalValues = [] }: AttributeDefinition) => canonicalValues,
  restrictToCanonicalValues: ({ restricted, canonicalValues }: AttributeDefinition) =>
    restricted ?? canonicalValues !== undefined,
  mutability: ({ mutability = 'readWrite' }: AttributeDefinition) => toEnum(mutability),
  returned: ({ returned, mutability }: AttributeDefinition) =>
    toEnum(returned ?? (mutability === 'writeOnly' ? 'never' : 'default')),
  uniqueness: ({ uniqueness = 'none' }: AttributeDefinition) => toEnum(uniqueness),
  referenceTypes: ({ referenceTypes = [] }: AttributeDefinition) => referenceTypes,
  subAttributes: ({ subAttributes = [] }: AttributeDefinition) => subAttributes,
};
