import {
  type ConstDirectiveNode,
  type FieldDefinitionNode,
  Kind,
  parse,
  type TypeNode,
  type ValueNode,
} from 'graphql';

export const subgraphs = ['auth', 'directory', 'provisioning'] as const;
export type Subgraph = (typeof subgraphs)[number];

export interface Argument {
  name: string;
  type: TypeNode;
  required: boolean;
}

export interface Field {
  coordinate: string;
  /** Type without lists and non-null. */
  type: string;
  nonNull: boolean;
  arguments: readonly Argument[];
  /** Rights that a mutation confers; undefined for other fields. */
  confers?: string | undefined;
  /** Rule as text: alternatives joined by `|`, rules of interfaces by `&`. */
  rule: string;
}

export interface ObjectType {
  name: string;
  fields: ReadonlyMap<string, Field>;
  isEntity: boolean;
}

/** The parts of a schema that the matrix needs. */
export interface Model {
  objects: ReadonlyMap<string, ObjectType>;
  /** Interfaces and unions with their possible object types. */
  abstract: ReadonlyMap<string, { possible: readonly string[]; fields: readonly string[] }>;
  inputs: ReadonlyMap<string, readonly Argument[]>;
  /** The first value of each enum. */
  enums: ReadonlyMap<string, string>;
}

export const named = (type: TypeNode): string =>
  type.kind === Kind.NAMED_TYPE ? type.name.value : named(type.type);

/** Reads the schemas of subgraphs; several together form the schema of the gateway. */
export function readModel(schemas: readonly string[]): Model {
  const definitions = schemas.flatMap((sdl) => parse(sdl, { noLocation: true }).definitions);
  const types = new Map<string, { directives: ConstDirectiveNode[]; interfaces: string[] }>();
  for (const node of definitions) {
    if (!('interfaces' in node) || !('name' in node)) continue;
    const type = types.get(node.name.value) ?? { directives: [], interfaces: [] };
    type.directives.push(...(node.directives ?? []));
    type.interfaces.push(...(node.interfaces ?? []).map((parent) => parent.name.value));
    types.set(node.name.value, type);
  }
  const interfaceFields = new Map<string, Map<string, readonly ConstDirectiveNode[]>>();
  const objects = new Map<string, { name: string; fields: Map<string, Field>; isEntity: boolean }>();
  const abstract = new Map<string, { possible: string[]; fields: string[] }>();
  const inputs = new Map<string, readonly Argument[]>();
  const enums = new Map<string, string>();

  for (const node of definitions) {
    if (node.kind === Kind.INTERFACE_TYPE_DEFINITION) {
      const fields = new Map((node.fields ?? []).map((field) => [field.name.value, field.directives ?? []]));
      interfaceFields.set(node.name.value, fields);
      abstract.set(node.name.value, { possible: [], fields: [...fields.keys()] });
    } else if (node.kind === Kind.UNION_TYPE_DEFINITION) {
      abstract.set(node.name.value, {
        possible: (node.types ?? []).map((type) => type.name.value),
        fields: [],
      });
    } else if (node.kind === Kind.INPUT_OBJECT_TYPE_DEFINITION) {
      inputs.set(node.name.value, (node.fields ?? []).map(argumentOf));
    } else if (node.kind === Kind.ENUM_TYPE_DEFINITION) {
      enums.set(node.name.value, node.values?.[0]?.name.value ?? '');
    }
  }
  for (const node of definitions) {
    if (node.kind !== Kind.OBJECT_TYPE_DEFINITION && node.kind !== Kind.OBJECT_TYPE_EXTENSION) continue;
    const name = node.name.value;
    const said = types.get(name) ?? { directives: [], interfaces: [] };
    const object = objects.get(name) ?? { name, fields: new Map<string, Field>(), isEntity: false };
    objects.set(name, object);
    object.isEntity ||= said.directives.some(isResolvableKey);
    const ofObject = { node, said, ofInterface: (parent: string) => interfaceFields.get(parent), types };
    for (const field of node.fields ?? []) {
      const read = readField(ofObject, field, object.fields.get(field.name.value));
      object.fields.set(field.name.value, read);
    }
  }
  for (const [name, type] of types) {
    if (!objects.has(name)) continue;
    for (const parent of new Set(type.interfaces)) abstract.get(parent)?.possible.push(name);
  }
  return { objects, abstract, inputs, enums };
}

interface TypeDeclarations {
  readonly directives: readonly ConstDirectiveNode[];
  readonly interfaces: readonly string[];
}

/** @param earlier the field as another subgraph declares it */
function readField(
  o: {
    node: {
      readonly directives?: readonly ConstDirectiveNode[] | undefined;
      readonly name: { value: string };
    };
    said: TypeDeclarations;
    ofInterface: (parent: string) => ReadonlyMap<string, readonly ConstDirectiveNode[]> | undefined;
    types: ReadonlyMap<string, TypeDeclarations>;
  },
  field: FieldDefinitionNode,
  earlier: Field | undefined,
): Field {
  const own = ruleIn(field.directives ?? []) ?? ruleIn(o.node.directives ?? []) ?? ruleIn(o.said.directives);
  const ofInterfaces = o.said.interfaces.flatMap((parent) => {
    const written = o.ofInterface(parent)?.get(field.name.value);
    if (!written) return [];
    return ruleIn(written) ?? ruleIn(o.types.get(parent)?.directives ?? []) ?? [];
  });
  const rule = [...new Set([own, ...ofInterfaces].filter((each) => each !== undefined))].join(' & ');
  return {
    coordinate: `${o.node.name.value}.${field.name.value}`,
    type: named(field.type),
    nonNull: field.type.kind === Kind.NON_NULL_TYPE,
    arguments: (field.arguments ?? []).map(argumentOf),
    confers: conferredBy(field.directives ?? []),
    // A shared field has one rule per subgraph.
    rule: earlier && earlier.rule !== rule ? `${earlier.rule} / ${rule}` : rule,
  };
}

/** Stubs of types of another subgraph cannot be resolved by their key. */
const isResolvableKey = ({ name, arguments: list }: ConstDirectiveNode): boolean =>
  /^(federation__)?key$/.test(name.value) &&
  !list?.some(
    (each) => each.name.value === 'resolvable' && each.value.kind === Kind.BOOLEAN && !each.value.value,
  );

const argumentOf = (node: {
  name: { value: string };
  type: TypeNode;
  defaultValue?: ValueNode | undefined;
}): Argument => ({
  name: node.name.value,
  type: node.type,
  required: node.type.kind === Kind.NON_NULL_TYPE && node.defaultValue === undefined,
});

function conferredBy(directives: readonly ConstDirectiveNode[]): string | undefined {
  const confers = directives.find((directive) => directive.name.value === 'confers');
  if (!confers) return undefined;
  const words = (confers.arguments ?? []).flatMap(({ name, value }) => {
    if (name.value === 'rights' && value.kind === Kind.LIST)
      return value.values.map((right) => (right.kind === Kind.STRING ? right.value : ''));
    if (name.value === 'nothing') return ['nothing'];
    return name.value === 'recentSignIn' ? ['recent sign-in'] : [];
  });
  return words.join(', ');
}

function ruleIn(directives: readonly ConstDirectiveNode[]): string | undefined {
  const scopes = directives.find((directive) => directive.name.value === 'scopes');
  if (!scopes) return undefined;
  const alternatives = (scopes.arguments ?? []).flatMap(({ name, value }) => {
    if (name.value === 'any' && value.kind === Kind.LIST)
      return value.values.map((scope) => (scope.kind === Kind.STRING ? scope.value : ''));
    if (name.value === 'self' && value.kind === Kind.LIST)
      return value.values.map((scope) => `${scope.kind === Kind.STRING ? scope.value : ''} of one's own`);
    if (name.value === 'owner' && value.kind === Kind.STRING) return [`owner ${value.value}`];
    if (value.kind === Kind.BOOLEAN && value.value) return [name.value];
    return [];
  });
  return alternatives.join(' | ');
}
