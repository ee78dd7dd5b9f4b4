import { type GraphQLSchema, isObjectType } from 'graphql';
import { Fallback } from '../fallback.ts';
import type { SubgraphOperation } from './strategy.ts';

// The parts of @apollo/query-planner's plans that are read here. No file imports that package.
interface SelectionNode {
  kind: string;
  name?: string;
  alias?: string;
  typeCondition?: string;
  selections?: readonly SelectionNode[];
}

export interface PlanNode {
  kind: string;
  nodes?: readonly PlanNode[];
  node?: PlanNode;
  path?: readonly (string | number)[];
  serviceName?: string;
  operation?: string;
  operationName?: string | undefined;
  variableUsages?: readonly string[];
  requires?: readonly SelectionNode[];
  inputRewrites?: readonly unknown[];
  outputRewrites?: readonly unknown[];
  contextRewrites?: readonly unknown[];
}

/** One request to a subgraph. */
export interface Fetch extends SubgraphOperation {
  readonly kind: 'fetch';
  /** Names of the variables that it passes. */
  readonly variables: readonly string[];
  /** For entities: their path, with `@` for the entries of a list, and the key fields by type. */
  readonly entities?: {
    readonly path: readonly string[];
    readonly keys: ReadonlyMap<string, readonly string[]>;
  };
}

export type Step = Fetch | { readonly kind: 'sequence' | 'parallel'; readonly steps: readonly Step[] };

/**
 * Returns the steps of a query plan that the fast path supports: requests for root fields and for entities, in
 * sequence or in parallel. Conditions, rewrites and requirements within requirements are left to the planner's
 * execution.
 * @throws Fallback
 */
export function stepsOf(node: PlanNode | undefined, schema: GraphQLSchema): Step {
  switch (node?.kind) {
    case 'Sequence':
      return { kind: 'sequence', steps: (node.nodes ?? []).map((one) => stepsOf(one, schema)) };
    case 'Parallel':
      return { kind: 'parallel', steps: (node.nodes ?? []).map((one) => stepsOf(one, schema)) };
    case 'Fetch':
      return fetchOf(node, undefined, schema);
    case 'Flatten':
      return fetchOf(node.node, node.path, schema);
    default:
      throw new Fallback('plan node');
  }
}

function fetchOf(node: PlanNode | undefined, path: PlanNode['path'], schema: GraphQLSchema): Fetch {
  if (node?.kind !== 'Fetch' || node.serviceName === undefined || node.operation === undefined) {
    throw new Fallback('plan node');
  }
  if (![node.inputRewrites, node.outputRewrites, node.contextRewrites].every(isEmpty))
    throw new Fallback('rewrite');
  // Entities have both a path and keys, root fields neither.
  if ((path === undefined) !== (node.requires === undefined)) throw new Fallback('representation');
  const variables = node.variableUsages ?? [];
  if (path !== undefined && variables.includes('representations')) throw new Fallback('representation');
  const fetch: Fetch = {
    kind: 'fetch',
    subgraph: node.serviceName,
    query: node.operation,
    operationName: node.operationName,
    variables,
  };
  if (path === undefined) return fetch;
  if (!path.every((step) => typeof step === 'string' && !(step in Object.prototype)))
    throw new Fallback('name');
  return {
    ...fetch,
    entities: { path: path as readonly string[], keys: keysOf(node.requires ?? [], schema) },
  };
}

const isEmpty = (rewrites: readonly unknown[] | undefined): boolean => (rewrites ?? []).length === 0;

function keysOf(
  requires: readonly SelectionNode[],
  schema: GraphQLSchema,
): ReadonlyMap<string, readonly string[]> {
  const keys = new Map<string, readonly string[]>();
  for (const { kind, typeCondition, selections = [] } of requires) {
    if (kind !== 'InlineFragment' || typeCondition === undefined || keys.has(typeCondition)) {
      throw new Fallback('representation');
    }
    // An object of an interface could match several of these types.
    if (!isObjectType(schema.getType(typeCondition))) throw new Fallback('representation');
    const names = selections.map((field) => {
      const { name, alias } = field;
      if (field.kind !== 'Field' || field.selections || name === undefined || alias !== undefined) {
        throw new Fallback('representation');
      }
      if (name in Object.prototype) throw new Fallback('name');
      return name;
    });
    if (!names.includes('__typename')) throw new Fallback('representation');
    keys.set(typeCondition, names);
  }
  return keys;
}
