import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { type GraphQLSchema, parse, specifiedRules, validate } from 'graphql';

/** Operations that were known when their app was built, by id. */
export interface TrustedDocuments {
  /** The document's text; an id is either the manifest's own or `sha256:` with the digest of the text. */
  textOf(id: string): string | undefined;
  /** Whether exactly this text is in the manifest. */
  has(text: string): boolean;
  readonly size: number;
  /** One sentence for each document that doesn't fit the schema. */
  problemsWith(schema: GraphQLSchema): string[];
}

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
  return trustedDocuments(entriesOf(content));
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

/** @throws Error as `readTrustedDocuments` does */
export function trustedDocuments(
  entries: readonly (readonly [id: string, text: string])[],
): TrustedDocuments {
  const byId = new Map<string, string>();
  const texts = new Set<string>();
  for (const [id, text] of entries) {
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
    byId.set(id, text);
    byId.set(digest, text);
    byId.set(`sha256:${digest}`, text);
    texts.add(text);
  }
  return {
    textOf: (id) => byId.get(id),
    has: (text) => texts.has(text),
    size: texts.size,
    problemsWith: (schema) =>
      entries.flatMap(([id, text]) => {
        const [problem] = validate(schema, parse(text, { noLocation: true }), specifiedRules);
        return problem ? [`${id}: ${problem.message}`] : [];
      }),
  };
}
