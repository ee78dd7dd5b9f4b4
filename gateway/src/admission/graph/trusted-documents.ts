import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { isNestedTooDeeply, nestedTooDeeply } from '@ostiary/graph';
import { type GraphQLSchema, parse, specifiedRules, validate } from 'graphql';

type Entries = readonly (readonly [id: string, text: string])[];

const hexDigest = /^[0-9a-f]{64}$/;

/**
 * Reads manifests, which count together. Each is Apollo's (`{ format: "apollo-persisted-query-manifest", version: 1,
 * operations: [{ id, body }] }`) or the plain `{ id: document }` that Relay and GraphQL Code Generator write.
 * @param optional manifests whose documents may not match the schema; such a document is rejected when it is
 * requested
 * @throws Error in one sentence when a file is not a manifest, a document does not parse, an id that looks like a
 * SHA-256 digest is not its document's, or two documents have one id
 */
export async function readTrustedDocuments(
  paths: readonly string[],
  optional: readonly string[] = [],
): Promise<TrustedDocuments> {
  const [entries, others] = await Promise.all(
    [paths, optional].map(async (some) => (await Promise.all(some.map(entriesIn))).flat()),
  );
  return new TrustedDocuments(entries ?? [], others);
}

async function entriesIn(path: string): Promise<Entries> {
  let content: unknown;
  try {
    content = JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    throw new Error(
      `The manifest of trusted documents cannot be read: ${error instanceof Error ? error.message : error}`,
    );
  }
  return entriesOf(content);
}

function entriesOf(content: unknown): [id: string, text: string][] {
  const wrong = new Error(
    'The manifest of trusted documents is neither an Apollo manifest nor an object of documents by id.',
  );
  if (typeof content !== 'object' || content === null || Array.isArray(content)) throw wrong;
  const { operations, format, version } = content as Record<string, unknown>;
  const entries: [unknown, unknown][] = Array.isArray(operations)
    ? operations.map((entry: { id?: unknown; body?: unknown } | null) => [entry?.id, entry?.body])
    : Object.entries(content);
  if (Array.isArray(operations) && (format !== 'apollo-persisted-query-manifest' || version !== 1))
    throw wrong;
  return entries.map(([id, text]) => {
    if (typeof id !== 'string' || id === '' || typeof text !== 'string') throw wrong;
    return [id, text];
  });
}

const misfits = (entries: Entries, schema: GraphQLSchema): string[] =>
  entries.flatMap(([id, text]) => {
    const [problem] = validate(schema, parse(text, { noLocation: true }), specifiedRules);
    return problem ? [`${id}: ${problem.message}`] : [];
  });

/** Operations that were known when their app was built, by id. */
export class TrustedDocuments {
  readonly #entries: Entries;
  readonly #optional: Entries;
  readonly #byId = new Map<string, string>();
  readonly #texts = new Set<string>();

  constructor(entries: Entries, optional: Entries = []) {
    this.#entries = entries;
    this.#optional = optional;
    for (const [id, text] of [...entries, ...optional]) this.#add(id, text);
  }

  /** Returns the text of a document. An id is either the manifest's own or `sha256:` with the digest of the text. */
  textOf(id: string): string | undefined {
    return this.#byId.get(id);
  }

  has(text: string): boolean {
    return this.#texts.has(text);
  }

  get size(): number {
    return this.#texts.size;
  }

  /** Returns one sentence for each required document that does not match the schema. */
  problemsWith(schema: GraphQLSchema): string[] {
    return misfits(this.#entries, schema);
  }

  /** Returns one sentence for each optional document that does not match the schema. */
  optionalProblemsWith(schema: GraphQLSchema): string[] {
    return misfits(this.#optional, schema);
  }

  #add(id: string, text: string): void {
    const digest = createHash('sha256').update(text).digest('hex');
    const named = id.replace(/^sha256:/, '');
    if (hexDigest.test(named) && named !== digest) {
      throw new Error(`The trusted document ${id} does not match its digest.`);
    }
    try {
      if (isNestedTooDeeply(text)) throw nestedTooDeeply();
      parse(text, { noLocation: true });
    } catch (error) {
      throw new Error(`The trusted document ${id} cannot be read: ${(error as Error).message}`);
    }
    if ((this.#byId.get(id) ?? text) !== text) {
      throw new Error(`The id ${id} is of two trusted documents.`);
    }
    this.#byId.set(id, text);
    this.#byId.set(digest, text);
    this.#byId.set(`sha256:${digest}`, text);
    this.#texts.add(text);
  }
}
