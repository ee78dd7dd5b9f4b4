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

/** What an operation is answered with, as far as names of its fields are in it. */
interface Result {
  readonly data?: Record<string, unknown> | null | undefined;
  readonly errors?: readonly { readonly path?: Path | undefined }[] | undefined;
  readonly extensions?: Record<string, unknown> | undefined;
}

/**
 * Fields of the same object by different names: to the planner `id` is always the key, and what it fetches for itself comes into the
 * same object as what the client asked for. So a field that the client gives a name which the planner may need (`id: userName`) goes by
 * another name while the operation is planned and executed, and by the client's in the answer.
 *
 * Which names those are, the supergraph says: those of all fields in a `@key`, `@requires` or `@provides`, of whatever type, and
 * `__typename`. Names that every JavaScript object has by itself are kept out of the planner's objects likewise.
 */
export class ResponseNames {
  readonly #needed: ReadonlySet<string>;
  readonly #known = new WeakMap<DocumentNode, Renamed | undefined>();

  constructor(supergraphSdl: string) {
    this.#needed = neededByPlanner(supergraphSdl);
  }

  /** @returns undefined where all names can stay, which is decided once for a document */
  of(document: DocumentNode): Renamed | undefined {
    const known = this.#known.get(document);
    if (known !== undefined || this.#known.has(document)) return known;
    const renamed = renamedIn(document, this.#needed);
    this.#known.set(document, renamed);
    // From the planner's document the way back is found as well.
    if (renamed) this.#known.set(renamed.document, renamed);
    return renamed;
  }
}

/** A document in which fields have other names, and the way back. */
export class Renamed {
  /** As the planner is given it: one object for each document, as it goes by that what it knows of it. */
  readonly document: DocumentNode;
  readonly #names: ReadonlyMap<string, string>;
  readonly #fragments: Fragments;
  readonly #operations = new Map<string, Level>();

  /** @param names the client's, by those in the document */
  constructor(document: DocumentNode, names: ReadonlyMap<string, string>) {
    this.document = document;
    this.#names = names;
    this.#fragments = new Map(
      document.definitions
        .filter((node): node is FragmentDefinitionNode => node.kind === Kind.FRAGMENT_DEFINITION)
        .map((node) => [node.name.value, node]),
    );
  }

  /** A result with the client's names, in its data and in the paths of its errors. */
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

  /** A path, of a value or with `@` for the entries of lists, with the client's names. */
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

  /** What is no selection is a value, whatever the names in it. */
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
    // An error object's own properties aren't all enumerable.
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

/** What an operation selects at one place, of objects of any type: the same name is a selection for all of them or for none. */
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

  /** Found when it is first asked for: as much as there is in answers, however fragments are nested. */
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
      // With arguments it may be another value than the one that the planner asks for.
      const isItself = node.name.value === name && (node.arguments ?? []).length === 0;
      if (isItself) return undefined;
      return { ...node, alias: { kind: Kind.NAME, value: other(name) } };
    },
  });
  if (renamed.size === 0) return undefined;
  return new Renamed(changed, new Map([...renamed].map(([name, chosen]) => [chosen, name])));
}

/** Arguments of the supergraph's directives that hold fields (federation's join specification, 0.5). */
const fieldSets: Readonly<Record<string, readonly string[]>> = {
  join__type: ['key'],
  join__field: ['requires', 'provides'],
};

/** Names of the fields that query plans may ask for although the client doesn't. */
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
