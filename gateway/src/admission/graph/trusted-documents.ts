import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { type GraphQLSchema, parse, specifiedRules, validate } from 'graphql';

type Entries = readonly (readonly [id: string, text: string])[];

const hexDigest = /^[0-9a-f]{64}$/;

/**
 * Reads a manifest: Apollo's (`{ format: "apollo-persisted-query-manifest", version: 1, operations: [{ id, body }] }`) or the
 * plain `{ id: document }` that Relay and GraphQL Code Generator write.
 * @throws Error in one sentence when the file isn't one, a document doesn't parse, or an id that looks like a SHA-256
 * digest isn't its document's
 */
export async function readTrustedDocuments(path: string): Promise<TrustedDocuments> {
  let content: unknown;
  try {
    content = JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    throw new Error(
      `The manifest of trusted documents can't be read: ${error instanceof Error ? error.message : error}`,
    );
  }
  return new TrustedDocuments(entriesOf(content));
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

/** Operations that were known when their app was built, by id. */
export class TrustedDocuments {
  readonly #entries: Entries;
  readonly #byId = new Map<string, string>();
  readonly #texts = new Set<string>();

  /** @throws Error as `readTrustedDocuments` does */
  constructor(entries: Entries) {
    this.#entries = entries;
    for (const [id, text] of entries) this.#add(id, text);
  }

  /** The document's text; an id is either the manifest's own or `sha256:` with the digest of the text. */
  textOf(id: string): string | undefined {
    return this.#byId.get(id);
  }

  /** Whether exactly this text is in the manifest. */
  has(text: string): boolean {
    return this.#texts.has(text);
  }

  get size(): number {
    return this.#texts.size;
  }

  /** One sentence for each document that doesn't fit the schema. */
  problemsWith(schema: GraphQLSchema): string[] {
    return this.#entries.flatMap(([id, text]) => {
      const [problem] = validate(schema, parse(text, { noLocation: true }), specifiedRules);
      return problem ? [`${id}: ${problem.message}`] : [];
    });
  }

  #add(id: string, text: string): void {
    const digest = createHash('sha256').update(text).digest('hex');
    const named = id.replace(/^sha256:/, '');
    if (hexDigest.test(named) && named !== digest) {
      throw new Error(`The trusted document ${id} is not the one its digest says.`);
    }
    try {
      parse(text, { noLocation: true });
    } catch (error) {
      throw new Error(`The trusted document ${id} can't be read: ${(error as Error).message}`);
    }
    this.#byId.set(id, text);
    this.#byId.set(digest, text);
    this.#byId.set(`sha256:${digest}`, text);
    this.#texts.add(text);
  }
}
