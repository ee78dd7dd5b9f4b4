import {
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLFormattedError,
  Kind,
  type OperationDefinitionNode,
  parse,
  type SelectionSetNode,
} from 'graphql';

/** Maximum number of errors with a path. Further ones are reported by one error without a path. */
const maxErrors = 500;

interface FailedRequest {
  query: string;
  variables?: Record<string, unknown>;
}

const messages: Record<string, string> = {
  SERVICE_UNAVAILABLE: 'This part of the service is not available right now.',
};

/**
 * Returns one error for each field of a failed subgraph request, with its path in that request. The gateway
 * translates it to the path in the client's operation.
 * @param details message for codes without a message of their own, and the unavailable service
 */
export function failedFields(
  request: FailedRequest,
  code: string,
  details: { message?: string; service?: string } = {},
): GraphQLFormattedError[] {
  const { message, service } = details;
  const error = {
    message: messages[code] ?? message ?? 'This field could not be resolved.',
    extensions: { code, ...(service === undefined ? {} : { service }) },
  };
  const paths = pathsOf(request);
  const located = paths.slice(0, maxErrors).map((path) => ({ ...error, path }));
  // Without a path: otherwise the null of a remaining field would read as a valid value.
  return located.length < Math.max(1, paths.length) ? [...located, error] : located;
}

function pathsOf({ query, variables }: FailedRequest): (string | number)[][] {
  const document = parse(query, { noLocation: true });
  const operation = document.definitions.find((node) => node.kind === Kind.OPERATION_DEFINITION);
  if (!operation) return [];
  const representations = variables?.representations;
  const entities = entitiesSelection(operation);
  if (!entities || !Array.isArray(representations)) {
    return keysOf(operation.selectionSet, document, undefined).map((key) => [key]);
  }
  return representations.flatMap((representation, index) => {
    const type = (representation as { __typename?: string } | null)?.__typename;
    return keysOf(entities, document, type).map((key) => ['_entities', index, key]);
  });
}

function entitiesSelection(operation: OperationDefinitionNode): SelectionSetNode | undefined {
  for (const node of operation.selectionSet.selections) {
    if (node.kind === Kind.FIELD && node.name.value === '_entities') return node.selectionSet;
  }
  return undefined;
}

/** Returns the response keys directly below a selection that apply to an object of `type`. */
function keysOf(set: SelectionSetNode, document: DocumentNode, type: string | undefined): string[] {
  const keys = new Set<string>();
  const collect = (selections: SelectionSetNode): void => {
    for (const node of selections.selections) {
      if (node.kind === Kind.FIELD) {
        if (node.name.value !== '__typename') keys.add(node.alias?.value ?? node.name.value);
        continue;
      }
      const fragment = node.kind === Kind.FRAGMENT_SPREAD ? fragmentOf(document, node.name.value) : node;
      const condition = fragment?.typeCondition?.name.value;
      if (fragment && (condition === undefined || type === undefined || condition === type)) {
        collect(fragment.selectionSet);
      }
    }
  };
  collect(set);
  return [...keys];
}

function fragmentOf(document: DocumentNode, name: string): FragmentDefinitionNode | undefined {
  return document.definitions.find(
    (node): node is FragmentDefinitionNode =>
      node.kind === Kind.FRAGMENT_DEFINITION && node.name.value === name,
  );
}
