import type { LiveEvent } from '@ostiary/events/live';
import {
  costlyToValidate,
  costOf,
  type DocumentLimits,
  type ListSizes,
  limitDocument,
  parseDocument,
  tooCostlyToValidate,
  variableValues,
} from '@ostiary/graph';
import {
  type DocumentNode,
  GraphQLError,
  type GraphQLFormattedError,
  type GraphQLSchema,
  getArgumentValues,
  getNamedType,
  getOperationAST,
  isObjectType,
  type OperationDefinitionNode,
  specifiedRules,
  validate,
} from 'graphql';
import { type Topic, type TopicArguments, topics } from '../domain/topics.ts';
import { failure } from './ending.ts';
import { Collector, planHydration, type Shown } from './hydration-plan.ts';

/** A subscription as a client sends it. */
export interface SubscriptionRequest {
  query?: unknown;
  operationName?: unknown;
  variables?: unknown;
}

/** The query to the services for one event. */
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

export interface OperationSchema {
  schema: GraphQLSchema;
  listSizes: ListSizes;
  limits: DocumentLimits;
  /** Whether messages may name parts of the schema. */
  introspection: boolean;
}

/** One subscription: its operation with the values of its variables. */
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

  /** @throws GraphQLError, or several in an `InvalidOperation`, when the operation cannot be subscribed to */
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
      throw failure(
        'GRAPHQL_VALIDATION_FAILED',
        'The operation requests too much: request smaller pages, or fewer fields.',
      );
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
    const plan = planHydration({ collector, topic, type, nodes: first[1], operation });
    this.#shown = plan.shown;
    const { query } = plan;
    this.#variables = query ? pick(inputsOf(request.variables), query.variables) : {};
    this.#queries = query && { all: query.text(false), own: query.text(true) };
  }

  /**
   * Returns the query for an event; undefined when the event contains all fields.
   * @param own whether the event is the subscriber's own and the subscriber may read no other user
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

  /** Merges the event's fields and the services' response into the result. */
  result(event: LiveEvent, hydrated: HydrationResult | undefined): LiveResult {
    // A response key may equal a name of `Object.prototype`.
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

/** Reasons why an operation cannot be subscribed to. */
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
    return parseDocument(query, limits);
  } catch (error) {
    if (error instanceof GraphQLError) throw new InvalidOperation([error], true, 'GRAPHQL_PARSE_FAILED');
    throw error;
  }
}

function chosen(document: DocumentNode, name: unknown): OperationDefinitionNode {
  if (name !== undefined && name !== null && typeof name !== 'string') {
    throw failure('BAD_REQUEST', '"operationName" must be a string.');
  }
  const operation = getOperationAST(document, name);
  if (!operation)
    throw failure('OPERATION_RESOLUTION_FAILURE', '"operationName" must name an operation of the document.');
  if (operation.operation !== 'subscription') {
    throw failure(
      'BAD_REQUEST',
      'Only subscriptions are accepted here. Send queries and mutations with POST.',
    );
  }
  return operation;
}

function inputsOf(variables: unknown): Readonly<Record<string, unknown>> {
  if (variables === undefined || variables === null) return {};
  if (typeof variables !== 'object' || Array.isArray(variables)) {
    throw failure('BAD_REQUEST', '"variables" must be an object.');
  }
  return variables as Record<string, unknown>;
}

const maxListLength = 100;

function argumentsOf(args: TopicArguments): TopicArguments {
  for (const [name, value] of Object.entries(args)) {
    if (Array.isArray(value) && value.length > maxListLength) {
      throw failure('BAD_USER_INPUT', `"${name}" has more than ${maxListLength} entries.`);
    }
  }
  return args;
}

const pick = (from: Readonly<Record<string, unknown>>, names: ReadonlySet<string>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(from).filter(([name]) => names.has(name)));
