import {
  type DocumentNode,
  type FragmentDefinitionNode,
  GraphQLError,
  Kind,
  type SelectionSetNode,
} from 'graphql';

/**
 * What GraphQL's rule that fields of one name must agree (§5.3.2) may compare. It compares each field with every other of the same
 * name at the same place, so a document of nine kilobytes that says `id` three thousand times costs it millions of comparisons.
 */
export const mostComparisons = 20_000;
/** Selections that are looked at, fragments each time they are spread. */
const mostSelections = 50_000;

interface Place {
  fields: number;
  below: Map<string, Place> | undefined;
}

/**
 * How many comparisons a document asks for, at least `Infinity` when even counting them goes on for too long. Linear in what it
 * looks at: all fields of one name at one place are counted together, whichever selection sets and fragments they come from.
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
      if (looked > mostSelections || comparisons > mostComparisons) return;
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
        // A cycle is another rule's to report.
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
  return looked > mostSelections ? Number.POSITIVE_INFINITY : comparisons;
}

/** Whether validating a document would cost more than it may. */
export const costlyToValidate = (document: DocumentNode): boolean =>
  comparisonsIn(document) > mostComparisons;

export const tooCostlyToValidate = (): GraphQLError =>
  new GraphQLError('The operation selects the same fields again and again; select each of them once.', {
    extensions: { code: 'GRAPHQL_VALIDATION_FAILED', http: { status: 400 } },
  });
