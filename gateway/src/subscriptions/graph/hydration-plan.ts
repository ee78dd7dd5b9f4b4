import type { DocumentNode } from 'graphql';
import {
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLIncludeDirective,
  type GraphQLObjectType,
  GraphQLSkipDirective,
  getDirectiveValues,
  Kind,
  type OperationDefinitionNode,
  print,
  type SelectionSetNode,
  visit,
} from 'graphql';
import type { EntitySource, Topic } from '../domain/topics.ts';

/** One field of an event's result. */
export interface Shown {
  key: string;
  field: string;
  entity?: EntitySource;
  idVariable?: string;
  ifVariable?: string;
}

/**
 * Collects the fields of selections on a known object type. Fragments are expanded, `@skip` and `@include` evaluated.
 */
export class Collector {
  readonly fragments = new Map<string, FragmentDefinitionNode>();
  readonly #values: Record<string, unknown>;

  constructor(document: DocumentNode, values: Record<string, unknown>) {
    this.#values = values;
    for (const node of document.definitions) {
      if (node.kind === Kind.FRAGMENT_DEFINITION) this.fragments.set(node.name.value, node);
    }
  }

  /** Returns the fields by response key, in the order of the document. */
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

/** The fields of an event's result, and the query for those that the event does not contain. */
export interface HydrationPlan {
  readonly shown: readonly Shown[];
  /** Undefined when the event contains all fields. */
  readonly query: HydrationQuery | undefined;
}

/** A field of the event that is read from the services. */
interface Entity {
  readonly shown: Shown;
  readonly source: EntitySource;
  readonly nodes: readonly FieldNode[];
}

export interface PlannedSubscription {
  collector: Collector;
  topic: Topic;
  /** Type of the event. */
  type: GraphQLObjectType;
  /** Selections of the field of Subscription. */
  nodes: readonly FieldNode[];
  operation: OperationDefinitionNode;
}

/** @throws Error when the schema has a field of an event that its topic does not define */
export function planHydration({
  collector,
  topic,
  type,
  nodes,
  operation,
}: PlannedSubscription): HydrationPlan {
  const names = new VariableNames(operation);
  const sets = nodes.flatMap((node) => (node.selectionSet ? [node.selectionSet] : []));
  const entities: Entity[] = [];
  const shown = collector.fields(sets, type.name).map(([key, fieldNodes], index): Shown => {
    const field = fieldNodes[0]?.name.value ?? '';
    const source = topic.entities[field];
    if (!source) {
      if (field !== '__typename' && !topic.fields[field])
        throw new Error(`${type.name}.${field} is not known here`);
      return { key, field };
    }
    const idVariable = names.free(`id${index}`);
    const entry: Shown = { key, field, entity: source, idVariable, ifVariable: names.free(`if${index}`) };
    entities.push({ shown: entry, source, nodes: fieldNodes });
    return entry;
  });
  const query =
    entities.length > 0 ? new HydrationQuery(entities, operation, collector.fragments) : undefined;
  return { shown, query };
}

/** Names of variables that do not occur in the operation. */
class VariableNames {
  readonly #taken: Set<string>;

  constructor({ variableDefinitions = [] }: OperationDefinitionNode) {
    this.#taken = new Set(variableDefinitions.map((node) => node.variable.name.value));
  }

  free(name: string): string {
    let chosen = name;
    while (this.#taken.has(chosen)) chosen += '_';
    this.#taken.add(chosen);
    return chosen;
  }
}

/** The query that is sent for each event. */
class HydrationQuery {
  /** Names of the client's variables that it uses. */
  readonly variables: ReadonlySet<string>;
  readonly #entities: readonly Entity[];
  readonly #definitions: readonly string[];
  readonly #fragments: string;

  constructor(
    entities: readonly Entity[],
    { variableDefinitions = [] }: OperationDefinitionNode,
    known: ReadonlyMap<string, FragmentDefinitionNode>,
  ) {
    this.#entities = entities;
    const { variables, fragments } = usedBy(
      entities.flatMap((each) => each.nodes),
      known,
    );
    this.variables = variables;
    this.#definitions = variableDefinitions
      .filter((node) => variables.has(node.variable.name.value))
      .map((node) => print(node));
    this.#fragments = fragments.map((node) => print(node)).join('\n');
  }

  /** @param own whether the event is the subscriber's own and the subscriber may read no other user */
  text(own: boolean): string {
    const fields: string[] = [];
    const parameters = [...this.#definitions];
    for (const { shown, source, nodes } of this.#entities) {
      const self = own && source.own !== undefined;
      const call = self ? source.own : `${source.query}(id: $${shown.idVariable})`;
      // Sent with every operation, so that the variables are the same. Users reading their own account need no id.
      if (!self) parameters.push(`$${shown.idVariable}: ID!`);
      parameters.push(`$${shown.ifVariable}: Boolean!`);
      const selections = nodes.flatMap((node) =>
        (node.selectionSet?.selections ?? []).map((each) => print(each)),
      );
      fields.push(`${shown.key}: ${call} @include(if: $${shown.ifVariable}) {\n${selections.join('\n')}\n}`);
    }
    return `query LiveEvent(${parameters.join(', ')}) {\n${fields.join('\n')}\n}\n${this.#fragments}`;
  }
}

/** Returns the variables and fragments that fields use, at any depth. */
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
