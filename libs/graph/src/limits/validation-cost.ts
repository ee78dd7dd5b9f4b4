import {
  type DocumentNode,
  type FragmentDefinitionNode,
  GraphQLError,
  Kind,
  type SelectionSetNode,
} from 'graphql';

/**
 * Maximum number of comparisons of GraphQL's rule that fields of one name must agree (§5.3.2). It compares
 * each field with every other of the same name and place, so a document of nine kilobytes that repeats `id`
 * three thousand times costs millions of comparisons.
 */
export const maxComparisons = 20_000;
/** Selections that are looked at, fragments each time they are spread. */
const maxSelections = 50_000;

interface Place {
  fields: number;
  below: Map<string, Place> | undefined;
}

/**
 * Returns the number of comparisons that a document needs, `Infinity` if counting itself takes too long.
 * Linear in the visited selections: fields of one name and place are counted together across selection sets
 * and fragments.
 */
export function comparisonsIn(document: DocumentNode): number {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
  }
  let looked = 0;
  let comparisons = 0;
  const open = new Set<string>();

  const look = (place: Place, set: SelectionSetNode): void => {
    for (const selection of set.selections) {
      looked += 1;
      if (looked > maxSelections || comparisons > maxComparisons) return;
      if (selection.kind === Kind.FIELD) {
        const name = (selection.alias ?? selection.name).value;
        place.below ??= new Map();
        let there = place.below.get(name);
        if (there === undefined) {
          there = { fields: 0, below: undefined };
          place.below.set(name, there);
        }
        comparisons += there.fields;
        there.fields += 1;
        if (selection.selectionSet) look(there, selection.selectionSet);
      } else if (selection.kind === Kind.INLINE_FRAGMENT) {
        look(place, selection.selectionSet);
      } else {
        const name = selection.name.value;
        const fragment = fragments.get(name);
        // Another rule reports cycles.
        if (fragment === undefined || open.has(name)) continue;
        open.add(name);
        look(place, fragment.selectionSet);
        open.delete(name);
      }
    }
  };

  for (const definition of document.definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION && definition.kind !== Kind.FRAGMENT_DEFINITION)
      continue;
    look({ fields: 0, below: undefined }, definition.selectionSet);
  }
  return looked > maxSelections ? Number.POSITIVE_INFINITY : comparisons;
}

/** Reports whether validating a document would exceed the limits. */
export const costlyToValidate = (document: DocumentNode): boolean => comparisonsIn(document) > maxComparisons;

export const tooCostlyToValidate = (): GraphQLError =>
  new GraphQLError('The operation selects the same fields too often. Select each field once.', {
    extensions: { code: 'GRAPHQL_VALIDATION_FAILED', http: { status: 400 } },
  });
