import {
  type ASTVisitor,
  type FragmentDefinitionNode,
  GraphQLError,
  Kind,
  type SelectionNode,
  type SelectionSetNode,
  type ValidationContext,
  type ValidationRule,
} from 'graphql';

/** Maximum size of a GraphQL document. */
export interface DocumentLimits {
  /** Fields within fields. */
  depth: number;
  /** Aliased fields, fragments counted each time they are spread. */
  aliases: number;
  /** Root fields, fragments counted likewise. */
  rootFields: number;
  /** Directives anywhere in the document. */
  directives: number;
  /** Lexical tokens, counted during parsing. */
  tokens: number;
  /** Maximum number of values in the response, by the requested page sizes (see `costOf`). */
  cost: number;
}

/** Sufficient for documents of users and the gateway's query plans. */
export const documentLimits: DocumentLimits = {
  depth: 15,
  aliases: 50,
  rootFields: 30,
  directives: 50,
  tokens: 5_000,
  cost: 100_000,
};

interface Size {
  depth: number;
  aliases: number;
  /** Fields of the outermost level. */
  fields: number;
}

const nothing = (): Size => ({ depth: 0, aliases: 0, fields: 0 });

/**
 * Refuses documents beyond the limits before they are executed, and those that give `__typename` another meaning. Each fragment is
 * measured once, so that the check itself is linear however fragments are nested. Introspection is exempt from the depth: its standard
 * query is deep, and it is bounded by the schema and switched off separately.
 */
export function limitDocument(limits: DocumentLimits): ValidationRule {
  return (context: ValidationContext): ASTVisitor => {
    const document = new DocumentSize(context);
    let directives = 0;
    const report = (message: string): void =>
      context.reportError(new GraphQLError(message, { extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }));
    const refuse = (what: string, limit: number): void =>
      report(`The operation has ${what}; at most ${limit} are allowed.`);

    return {
      OperationDefinition(node) {
        const size = document.measure(node.selectionSet);
        if (size.depth > limits.depth) refuse('too many levels', limits.depth);
        if (size.aliases > limits.aliases) refuse('too many aliases', limits.aliases);
        if (size.fields > limits.rootFields) refuse('too many root fields', limits.rootFields);
      },
      Field({ alias, name }) {
        // The gateway relies on the `__typename` of an object, so clients must not choose its value.
        if (alias?.value === '__typename' && name.value !== '__typename')
          report('No other field can have the response name "__typename".');
      },
      Directive() {
        directives += 1;
        if (directives === limits.directives + 1) refuse('too many directives', limits.directives);
      },
    };
  };
}

/** Measures the selections of one document, its fragments once each. */
class DocumentSize {
  readonly #context: ValidationContext;
  readonly #fragments = new Map<string, Size>();

  constructor(context: ValidationContext) {
    this.#context = context;
  }

  measure(set: SelectionSetNode): Size {
    const total = nothing();
    for (const selection of set.selections) {
      const size = this.#sizeOf(selection);
      total.depth = Math.max(total.depth, size.depth);
      total.aliases += size.aliases;
      total.fields += size.fields;
    }
    return total;
  }

  #sizeOf(selection: SelectionNode): Size {
    if (selection.kind === Kind.INLINE_FRAGMENT) return this.measure(selection.selectionSet);
    if (selection.kind === Kind.FRAGMENT_SPREAD) {
      const fragment = this.#context.getFragment(selection.name.value);
      return fragment ? this.#fragment(fragment) : nothing();
    }
    const below = selection.selectionSet ? this.measure(selection.selectionSet) : nothing();
    const introspects = selection.name.value.startsWith('__');
    return {
      depth: introspects ? 1 : below.depth + 1,
      aliases: below.aliases + (selection.alias ? 1 : 0),
      fields: 1,
    };
  }

  #fragment({ name, selectionSet }: FragmentDefinitionNode): Size {
    const known = this.#fragments.get(name.value);
    if (known) return known;
    // Another rule reports cycles; here the measurement must only terminate.
    this.#fragments.set(name.value, nothing());
    const size = this.measure(selectionSet);
    this.#fragments.set(name.value, size);
    return size;
  }
}
