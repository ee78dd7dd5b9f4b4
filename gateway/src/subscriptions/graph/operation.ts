import type { LiveEvent } from '@ostiary/events/live';
import {
  costlyToValidate,
  costOf,
  type DocumentLimits,
  type ListSizes,
  limitDocument,
  tooCostlyToValidate,
  variableValues,
} from '@ostiary/graph';
import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLError,
  type GraphQLFormattedError,
  GraphQLIncludeDirective,
  type GraphQLObjectType,
  type GraphQLSchema,
  GraphQLSkipDirective,
  getArgumentValues,
  getDirectiveValues,
  getNamedType,
  getOperationAST,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  parse,
  print,
  type SelectionSetNode,
  specifiedRules,
  validate,
  visit,
} from 'graphql';
import { type EntitySource, type Topic, type TopicArguments, topics } from '../domain/topics.ts';
import { failure } from './ending.ts';

/** A subscription as a client sends it. */
export interface SubscriptionRequest {
  query?: unknown;
  operationName?: unknown;
  variables?: unknown;
}

/** What is asked of the services for each event, in one operation. */
export interface Hydration {
  query: string;
  variables: Readonly<Record<string, unknown>>;
}

export interface HydrationResult {
  data?: Record<string, unknown> | null | undefined;
  errors?: readonly GraphQLFormattedError[] | undefined;
}

export interface LiveResult {
  data?: Record<string, unknown> | null;
  errors?: readonly GraphQLFormattedError[];
  extensions?: Record<string, unknown>;
}

interface Shown {
  key: string;
  field: string;
  entity?: EntitySource;
  idVariable?: string;
  ifVariable?: string;
}

export interface OperationSchema {
  schema: GraphQLSchema;
  listSizes: ListSizes;
  limits: DocumentLimits;
  /** Whether messages may name what is in the schema. */
  introspection: boolean;
}

/** Tells one operation from another: what it asks, and with which values. */
export class LiveOperation {
  /** Name of the field of Subscription. */
  readonly field: string;
  readonly topic: Topic;
  readonly document: DocumentNode;
  readonly args: TopicArguments;
  readonly #key: string;
  readonly #typeName: string;
  readonly #shown: readonly Shown[];
  readonly #queries: Readonly<Record<'all' | 'own', string>> | undefined;
  readonly #variables: Readonly<Record<string, unknown>>;

  /** @throws GraphQLError, or several in an `InvalidOperation`, when it can't be subscribed to */
  constructor(request: SubscriptionRequest, { schema, listSizes, limits, introspection }: OperationSchema) {
    const document = parsed(request.query, limits);
    const operation = chosen(document, request.operationName);
    if (costlyToValidate(document)) throw new InvalidOperation([tooCostlyToValidate()], introspection);
    const problems = validate(schema, document, [...specifiedRules, limitDocument(limits)], {
      maxErrors: 20,
    });
    if (problems.length > 0) throw new InvalidOperation(problems, introspection);
    const checked = variableValues(schema, operation.variableDefinitions ?? [], inputsOf(request.variables), {
      suggest: introspection,
    });
    if ('mistakes' in checked) throw new InvalidOperation(checked.mistakes, true, 'BAD_USER_INPUT');
    const { values } = checked;
    if (costOf({ schema, listSizes, document, operation, variables: values }) > limits.cost) {
      throw failure('GRAPHQL_VALIDATION_FAILED', 'The operation asks for too much at once.');
    }
    const collector = new Collector(document, values);
    const root = schema.getSubscriptionType();
    const [first] = root ? collector.fields([operation.selectionSet], root.name) : [];
    const definition = root?.getFields()[first?.[1][0]?.name.value ?? ''];
    const node = first?.[1][0];
    const topic = topics[definition?.name ?? ''];
    const type = definition && getNamedType(definition.type);
    if (!first || !node || !definition || !topic || !isObjectType(type)) {
      throw failure('BAD_REQUEST', 'The operation subscribes to nothing.');
    }
    this.field = definition.name;
    this.topic = topic;
    this.document = document;
    this.args = argumentsOf(getArgumentValues(definition, node, values));
    this.#key = first[0];
    this.#typeName = type.name;
    const plan = planOf(collector, topic, type, first[1], operation);
    this.#shown = plan.shown;
    this.#variables = plan.hydrated ? pick(inputsOf(request.variables), plan.hydrated.variables) : {};
    this.#queries = plan.hydrated && { all: plan.hydrated.print(false), own: plan.hydrated.print(true) };
  }

  /**
   * What has to be asked to show an event; undefined when the event says it all.
   * @param own the event is the subscriber's own, who may read nothing of others
   */
  hydration(event: LiveEvent, own: boolean): Hydration | undefined {
    if (!this.#queries) return undefined;
    const variables: Record<string, unknown> = { ...this.#variables };
    let any = false;
    for (const { entity, idVariable, ifVariable } of this.#shown) {
      if (!entity || !idVariable || !ifVariable) continue;
      const id = entity.id(event);
      variables[idVariable] = id ?? '';
      variables[ifVariable] = id !== undefined;
      any ||= id !== undefined;
    }
    return any ? { query: own ? this.#queries.own : this.#queries.all, variables } : undefined;
  }

  /** The result a subscriber gets: what the event says and what the services said. */
  result(event: LiveEvent, hydrated: HydrationResult | undefined): LiveResult {
    // A client may give a field any name, those included that every object has.
    const shown: Record<string, unknown> = Object.create(null);
    for (const { key, field, entity } of this.#shown) {
      if (entity) shown[key] = hydrated?.data?.[key] ?? null;
      else if (field === '__typename') shown[key] = this.#typeName;
      else shown[key] = this.topic.fields[field]?.(event) ?? null;
    }
    const errors = hydrated?.errors?.map(({ message, path, extensions }) => ({
      message,
      path: [this.#key, ...(path ?? [])],
      ...(extensions ? { extensions } : {}),
    }));
    return { data: { [this.#key]: shown }, ...(errors && errors.length > 0 ? { errors } : {}) };
  }
}

/** Why an operation can't be subscribed to. */
export class InvalidOperation extends Error {
  readonly errors: readonly GraphQLError[];

  constructor(errors: readonly GraphQLError[], suggest: boolean, code = 'GRAPHQL_VALIDATION_FAILED') {
    super('The operation is not valid.');
    this.errors = errors.map(
      ({ message, nodes, source, positions }) =>
        new GraphQLError(suggest ? message : message.replace(/ ?Did you mean.*\?$/, ''), {
          ...(nodes ? { nodes } : {}),
          ...(source ? { source } : {}),
          ...(positions ? { positions } : {}),
          extensions: { code },
        }),
    );
  }
}

function parsed(query: unknown, limits: DocumentLimits): DocumentNode {
  if (typeof query !== 'string') throw failure('BAD_REQUEST', 'The operation has no "query".');
  try {
    return parse(query, { maxTokens: limits.tokens });
  } catch (error) {
    if (error instanceof GraphQLError) throw new InvalidOperation([error], true, 'GRAPHQL_PARSE_FAILED');
    throw error;
  }
}

function chosen(document: DocumentNode, name: unknown): OperationDefinitionNode {
  if (name !== undefined && name !== null && typeof name !== 'string') {
    throw failure('BAD_REQUEST', '"operationName" is a string.');
  }
  const operation = getOperationAST(document, name);
  if (!operation) throw failure('OPERATION_RESOLUTION_FAILURE', 'Say which operation is meant.');
  if (operation.operation !== 'subscription') {
    throw failure(
      'BAD_REQUEST',
      'Only subscriptions are answered here; send queries and mutations with POST.',
    );
  }
  return operation;
}

function inputsOf(variables: unknown): Readonly<Record<string, unknown>> {
  if (variables === undefined || variables === null) return {};
  if (typeof variables !== 'object' || Array.isArray(variables)) {
    throw failure('BAD_REQUEST', '"variables" is an object.');
  }
  return variables as Record<string, unknown>;
}

const longestList = 100;

function argumentsOf(args: TopicArguments): TopicArguments {
  for (const [name, value] of Object.entries(args)) {
    if (Array.isArray(value) && value.length > longestList) {
      throw failure('BAD_USER_INPUT', `"${name}" has more than ${longestList} entries.`);
    }
  }
  return args;
}

const pick = (from: Readonly<Record<string, unknown>>, names: ReadonlySet<string>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(from).filter(([name]) => names.has(name)));

/** Fields of selections on a known object type, fragments opened and `@skip` and `@include` decided. */
class Collector {
  readonly fragments = new Map<string, FragmentDefinitionNode>();
  readonly #values: Record<string, unknown>;

  constructor(document: DocumentNode, values: Record<string, unknown>) {
    this.#values = values;
    for (const node of document.definitions) {
      if (node.kind === Kind.FRAGMENT_DEFINITION) this.fragments.set(node.name.value, node);
    }
  }

  /** By response key, in the order of the document. */
  fields(sets: readonly SelectionSetNode[], typeName: string): [string, FieldNode[]][] {
    const found = new Map<string, FieldNode[]>();
    const opened = new Set<string>();
    const collect = (set: SelectionSetNode): void => {
      for (const node of set.selections) {
        if (getDirectiveValues(GraphQLSkipDirective, node, this.#values)?.if === true) continue;
        if (getDirectiveValues(GraphQLIncludeDirective, node, this.#values)?.if === false) continue;
        if (node.kind === Kind.FIELD) {
          const key = node.alias?.value ?? node.name.value;
          const nodes = found.get(key);
          if (nodes) nodes.push(node);
          else found.set(key, [node]);
          continue;
        }
        if (node.kind === Kind.FRAGMENT_SPREAD) {
          if (opened.has(node.name.value)) continue;
          opened.add(node.name.value);
        }
        const fragment = node.kind === Kind.FRAGMENT_SPREAD ? this.fragments.get(node.name.value) : node;
        const condition = fragment?.typeCondition?.name.value;
        if (fragment && (condition === undefined || condition === typeName)) collect(fragment.selectionSet);
      }
    };
    for (const set of sets) collect(set);
    return [...found];
  }
}

interface Plan {
  shown: Shown[];
  hydrated: { print: (own: boolean) => string; variables: ReadonlySet<string> } | undefined;
}

function planOf(
  collector: Collector,
  topic: Topic,
  type: GraphQLObjectType,
  nodes: readonly FieldNode[],
  operation: OperationDefinitionNode,
): Plan {
  const taken = new Set((operation.variableDefinitions ?? []).map((node) => node.variable.name.value));
  const free = (name: string): string => {
    let chosenName = name;
    while (taken.has(chosenName)) chosenName += '_';
    taken.add(chosenName);
    return chosenName;
  };
  const sets = nodes.flatMap((node) => (node.selectionSet ? [node.selectionSet] : []));
  const entities: { shown: Shown; entity: EntitySource; selections: string; nodes: FieldNode[] }[] = [];
  const shown = collector.fields(sets, type.name).map(([key, fieldNodes], index): Shown => {
    const field = fieldNodes[0]?.name.value ?? '';
    const entity = topic.entities[field];
    if (!entity) {
      if (field !== '__typename' && !topic.fields[field])
        throw new Error(`${type.name}.${field} is not known here`);
      return { key, field };
    }
    const entry: Shown = {
      key,
      field,
      entity,
      idVariable: free(`id${index}`),
      ifVariable: free(`if${index}`),
    };
    const selections = fieldNodes.flatMap((node) =>
      (node.selectionSet?.selections ?? []).map((each) => print(each)),
    );
    entities.push({ shown: entry, entity, selections: selections.join('\n'), nodes: fieldNodes });
    return entry;
  });
  if (entities.length === 0) return { shown, hydrated: undefined };

  const { variables, fragments } = usedBy(
    entities.flatMap((each) => each.nodes),
    collector.fragments,
  );
  const definitions = (operation.variableDefinitions ?? [])
    .filter((node) => variables.has(node.variable.name.value))
    .map((node) => print(node));
  const rest = fragments.map((node) => print(node)).join('\n');
  return {
    shown,
    hydrated: {
      variables,
      print(own) {
        const fields: string[] = [];
        const parameters = [...definitions];
        for (const { shown: entry, entity, selections } of entities) {
          const self = own && entity.own !== undefined;
          const call = self ? entity.own : `${entity.query}(id: $${entry.idVariable})`;
          // Given with every operation, so that the variables are the same; who reads themselves needs no id.
          if (!self) parameters.push(`$${entry.idVariable}: ID!`);
          parameters.push(`$${entry.ifVariable}: Boolean!`);
          fields.push(`${entry.key}: ${call} @include(if: $${entry.ifVariable}) {\n${selections}\n}`);
        }
        return `query LiveEvent(${parameters.join(', ')}) {\n${fields.join('\n')}\n}\n${rest}`;
      },
    },
  };
}

/** Variables and fragments that fields need, however deep. */
function usedBy(
  nodes: readonly FieldNode[],
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
): { variables: ReadonlySet<string>; fragments: FragmentDefinitionNode[] } {
  const variables = new Set<string>();
  const used = new Map<string, FragmentDefinitionNode>();
  const look = (root: SelectionSetNode | FragmentDefinitionNode): void => {
    visit(root, {
      enter(node) {
        if (node.kind === Kind.VARIABLE) variables.add(node.name.value);
        if (node.kind !== Kind.FRAGMENT_SPREAD) return;
        const fragment = fragments.get(node.name.value);
        if (!fragment || used.has(node.name.value)) return;
        used.set(node.name.value, fragment);
        look(fragment);
      },
    });
  };
  for (const node of nodes) if (node.selectionSet) look(node.selectionSet);
  return { variables, fragments: [...used.values()] };
}
