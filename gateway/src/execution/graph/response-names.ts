import {
  type DocumentNode,
  type FragmentDefinitionNode,
  getOperationAST,
  Kind,
  parse,
  type SelectionSetNode,
  valueFromASTUntyped,
  visit,
} from 'graphql';

type Path = readonly (string | number)[];

/** The parts of a result that contain names of fields. */
interface Result {
  readonly data?: Record<string, unknown> | null | undefined;
  readonly errors?: readonly { readonly path?: Path | undefined }[] | undefined;
  readonly extensions?: Record<string, unknown> | undefined;
}

/**
 * Renames fields for the planner. To the planner, `id` is always the key, and the fields that it fetches for itself
 * are merged into the objects of the client's selection. A field with an alias that the planner may need (`id:
 * userName`) therefore has another name during planning and execution, and the client's name in the response.
 *
 * The needed names come from the supergraph: the fields in any `@key`, `@requires` or `@provides`, and `__typename`.
 * Names of `Object.prototype` are kept out of the planner's objects in the same way.
 */
export class ResponseNames {
  readonly #needed: ReadonlySet<string>;
  readonly #known = new WeakMap<DocumentNode, Renamed | undefined>();

  constructor(supergraphSdl: string) {
    this.#needed = neededByPlanner(supergraphSdl);
  }

  /** @returns undefined where no field is renamed, which is decided once for a document */
  of(document: DocumentNode): Renamed | undefined {
    const known = this.#known.get(document);
    if (known !== undefined || this.#known.has(document)) return known;
    const renamed = renamedIn(document, this.#needed);
    this.#known.set(document, renamed);
    // The planner's document also leads to the renaming.
    if (renamed) this.#known.set(renamed.document, renamed);
    return renamed;
  }
}

/** A document with renamed fields, and the reverse mapping. */
export class Renamed {
  /** The document for the planner, which caches by identity: one object for each document. */
  readonly document: DocumentNode;
  readonly #names: ReadonlyMap<string, string>;
  readonly #fragments: Fragments;
  readonly #operations = new Map<string, Level>();

  /** @param names the client's names, by the names in the document */
  constructor(document: DocumentNode, names: ReadonlyMap<string, string>) {
    this.document = document;
    this.#names = names;
    this.#fragments = new Map(
      document.definitions
        .filter((node): node is FragmentDefinitionNode => node.kind === Kind.FRAGMENT_DEFINITION)
        .map((node) => [node.name.value, node]),
    );
  }

  /** Returns a result with the client's names, in its data and in the paths of its errors. */
  result<R extends Result>(result: R, operationName: string | undefined): R {
    const level = this.#levelOf(operationName);
    const { data, errors, extensions } = result;
    const incomplete = extensions?.valueCompletion as NonNullable<Result['errors']> | undefined;
    return {
      ...result,
      ...(data ? { data: this.#value(data, level) } : {}),
      ...(errors ? { errors: errors.map((error) => this.#located(error, level)) } : {}),
      ...(incomplete
        ? {
            extensions: {
              ...extensions,
              valueCompletion: incomplete.map((error) => this.#located(error, level)),
            },
          }
        : {}),
    };
  }

  /** Returns a path with the client's names. `@` stands for the entries of a list. */
  path<P extends Path>(path: P, operationName: string | undefined): P {
    return this.#path(path, this.#levelOf(operationName)) as unknown as P;
  }

  #levelOf(operationName: string | undefined): Level {
    const name = operationName ?? '';
    let level = this.#operations.get(name);
    if (!level) {
      const operation = getOperationAST(this.document, operationName);
      level = new Level(operation ? [operation.selectionSet] : [], this.#fragments);
      this.#operations.set(name, level);
    }
    return level;
  }

  /** A place without a selection is a scalar: its keys are not renamed. */
  #value(value: unknown, level: Level): unknown {
    if (typeof value !== 'object' || value === null || level.isValue) return value;
    if (Array.isArray(value)) return value.map((entry) => this.#value(entry, level));
    const named: Record<string, unknown> = Object.create(null);
    for (const [name, below] of Object.entries(value)) {
      named[this.#names.get(name) ?? name] = this.#value(below, level.below(name));
    }
    return named;
  }

  #located<E extends { readonly path?: Path | undefined }>(error: E, level: Level): E {
    if (!error.path) return error;
    const path = this.#path(error.path, level);
    // Some own properties of an error are not enumerable.
    return Object.create(Object.getPrototypeOf(error) as object, {
      ...Object.getOwnPropertyDescriptors(error),
      path: { value: path, enumerable: true, writable: true, configurable: true },
    }) as E;
  }

  #path(path: Path, level: Level): Path {
    let current = level;
    return path.map((step) => {
      if (typeof step === 'number' || step === '@') return step;
      current = current.below(step);
      return this.#names.get(step) ?? step;
    });
  }
}

type Fragments = ReadonlyMap<string, FragmentDefinitionNode>;

/**
 * The selections of an operation at one path, for objects of any type. A name is a selection for all types or for
 * none.
 */
class Level {
  readonly #sets: readonly SelectionSetNode[];
  readonly #fragments: Fragments;
  #fields: Map<string, SelectionSetNode[]> | undefined;
  readonly #below = new Map<string, Level>();

  constructor(sets: readonly SelectionSetNode[], fragments: Fragments) {
    this.#sets = sets;
    this.#fragments = fragments;
  }

  get isValue(): boolean {
    return this.#sets.length === 0;
  }

  /** Computed on first use, so the work is bounded by the response for any nesting of fragments. */
  below(name: string): Level {
    let level = this.#below.get(name);
    if (!level) {
      this.#fields ??= this.#collected();
      level = new Level(this.#fields.get(name) ?? [], this.#fragments);
      this.#below.set(name, level);
    }
    return level;
  }

  #collected(): Map<string, SelectionSetNode[]> {
    const fields = new Map<string, SelectionSetNode[]>();
    const opened = new Set<string>();
    const collect = ({ selections }: SelectionSetNode): void => {
      for (const node of selections) {
        if (node.kind === Kind.FIELD) {
          if (!node.selectionSet) continue;
          const name = node.alias?.value ?? node.name.value;
          const sets = fields.get(name);
          if (sets) sets.push(node.selectionSet);
          else fields.set(name, [node.selectionSet]);
        } else if (node.kind === Kind.INLINE_FRAGMENT) collect(node.selectionSet);
        else if (!opened.has(node.name.value)) {
          opened.add(node.name.value);
          const fragment = this.#fragments.get(node.name.value);
          if (fragment) collect(fragment.selectionSet);
        }
      }
    };
    for (const set of this.#sets) collect(set);
    return fields;
  }
}

function renamedIn(document: DocumentNode, needed: ReadonlySet<string>): Renamed | undefined {
  const renamed = new Map<string, string>();
  const used = new Set(needed);
  visit(document, {
    Field(node) {
      used.add(node.alias?.value ?? node.name.value);
    },
  });
  const other = (name: string): string => {
    const known = renamed.get(name);
    if (known !== undefined) return known;
    let chosen = `as_${name}`;
    while (used.has(chosen)) chosen += '_';
    used.add(chosen);
    renamed.set(name, chosen);
    return chosen;
  };
  const changed = visit(document, {
    Field(node) {
      const name = node.alias?.value ?? node.name.value;
      if (!needed.has(name) && !(name in Object.prototype)) return undefined;
      // A field with arguments may have another value than the planner's own request.
      const isItself = node.name.value === name && (node.arguments ?? []).length === 0;
      if (isItself) return undefined;
      return { ...node, alias: { kind: Kind.NAME, value: other(name) } };
    },
  });
  if (renamed.size === 0) return undefined;
  return new Renamed(changed, new Map([...renamed].map(([name, chosen]) => [chosen, name])));
}

/** Arguments of the supergraph's directives that contain field sets (federation's join specification, 0.5). */
const fieldSets: Readonly<Record<string, readonly string[]>> = {
  join__type: ['key'],
  join__field: ['requires', 'provides'],
};

/** Returns the names of the fields that query plans may add to the client's selection. */
function neededByPlanner(supergraphSdl: string): ReadonlySet<string> {
  const needed = new Set(['__typename']);
  const note = (fieldSet: string): void => {
    visit(parse(`{${fieldSet}}`, { noLocation: true }), {
      Field({ name }) {
        needed.add(name.value);
      },
    });
  };
  visit(parse(supergraphSdl, { noLocation: true }), {
    Directive({ name, arguments: given = [] }) {
      for (const { name: argument, value } of given) {
        if (!fieldSets[name.value]?.includes(argument.value)) continue;
        const fieldSet: unknown = valueFromASTUntyped(value);
        if (typeof fieldSet === 'string') note(fieldSet);
      }
    },
  });
  return needed;
}
