import {
  type DocumentNode,
  type FragmentDefinitionNode,
  getOperationAST,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  type SelectionNode,
  type SelectionSetNode,
  separateOperations,
} from 'graphql';

/** An operation divided into the fields that the schema answers and those that the services answer. */
export interface DividedOperation {
  introspection: DocumentNode;
  /** Undefined when the operation selects nothing else. */
  rest: DocumentNode | undefined;
}

/**
 * Divides a query that selects `__schema` or `__type`. The planner implements introspection only in part: it lacks
 * `isOneOf`.
 * @param document a valid document
 * @returns undefined for any other operation
 */
export function withoutIntrospection(
  document: DocumentNode,
  operationName: string | null | undefined,
): DividedOperation | undefined {
  const operation = getOperationAST(document, operationName);
  if (operation?.operation !== OperationTypeNode.QUERY) return undefined;
  const root = new RootSelections(document);
  if (!root.some(operation.selectionSet, introspects)) return undefined;
  const only = (keep: (name: string) => boolean): DocumentNode | undefined => {
    const selections = root.only(operation.selectionSet, keep);
    if (selections.length === 0) return undefined;
    return closed(document, { ...operation, selectionSet: { ...operation.selectionSet, selections } });
  };
  const introspection = only(isMeta);
  return introspection && { introspection, rest: only((name) => !isMeta(name)) };
}

const introspects = (name: string): boolean => name === '__schema' || name === '__type';
const isMeta = (name: string): boolean => name.startsWith('__');

/** Returns a document of this operation and the fragments that it uses. */
function closed(document: DocumentNode, operation: OperationDefinitionNode): DocumentNode {
  const fragments = document.definitions.filter(({ kind }) => kind === Kind.FRAGMENT_DEFINITION);
  const [only] = Object.values(separateOperations({ ...document, definitions: [operation, ...fragments] }));
  return only ?? document;
}

/**
 * Root fields of an operation, with its fragments expanded. Each type condition there is the query type or one of its
 * interfaces.
 */
class RootSelections {
  readonly #fragments = new Map<string, FragmentDefinitionNode>();

  constructor(document: DocumentNode) {
    for (const node of document.definitions) {
      if (node.kind === Kind.FRAGMENT_DEFINITION) this.#fragments.set(node.name.value, node);
    }
  }

  some(set: SelectionSetNode, test: (name: string) => boolean): boolean {
    return set.selections.some((node) => {
      if (node.kind === Kind.FIELD) return test(node.name.value);
      const inner = this.#fragment(node);
      return inner !== undefined && this.some(inner.selectionSet, test);
    });
  }

  only({ selections }: SelectionSetNode, keep: (name: string) => boolean): SelectionNode[] {
    return selections.flatMap((node): SelectionNode[] => {
      if (node.kind === Kind.FIELD) return keep(node.name.value) ? [node] : [];
      const inner = this.#fragment(node);
      const kept = inner ? this.only(inner.selectionSet, keep) : [];
      if (!inner || kept.length === 0) return [];
      const { typeCondition, selectionSet } = inner;
      return [
        {
          kind: Kind.INLINE_FRAGMENT,
          ...(typeCondition ? { typeCondition } : {}),
          ...(node.directives ? { directives: node.directives } : {}),
          selectionSet: { ...selectionSet, selections: kept },
        },
      ];
    });
  }

  #fragment(node: Exclude<SelectionNode, { kind: Kind.FIELD }>) {
    return node.kind === Kind.FRAGMENT_SPREAD ? this.#fragments.get(node.name.value) : node;
  }
}
