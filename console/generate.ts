// Writes the operations of each src/<feature>/<name>.graphql, with their types from the released schema, to
// src/<feature>/generated/<name>.ts, and the ids of the operations (trusted documents).
//   npm run operations              (in console)
//   npm run operations -- --check   fails if a file is out of date or an operation does not match the schema
import { createHash } from 'node:crypto';
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { addTypenameToDocument } from '@apollo/client/utilities';
import { codegen } from '@graphql-codegen/core';
import * as types from '@graphql-codegen/typescript-operations';
import {
  buildASTSchema,
  type DocumentNode,
  Kind,
  type OperationDefinitionNode,
  parse,
  print,
  stripIgnoredCharacters,
  validate,
} from 'graphql';

type CodegenPlugin = Parameters<typeof codegen>[0]['pluginMap'][string];

const source = join(import.meta.dirname, 'src');
const schema = parse(readFileSync(join(import.meta.dirname, '../gateway/released-api.graphql'), 'utf8'));
const built = buildASTSchema(schema, { assumeValid: true });
const isCheck = process.argv.includes('--check');

const operationsOf = (document: DocumentNode): (OperationDefinitionNode & { name: { value: string } })[] =>
  document.definitions.flatMap((definition) => {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) return [];
    if (definition.kind !== Kind.OPERATION_DEFINITION || !definition.name)
      throw new Error('A document holds operations, each with a name, and their fragments.');
    return [definition as OperationDefinitionNode & { name: { value: string } }];
  });

/** Returns an operation as it is sent: with the fragments of its file that it uses. */
function documentOf(file: DocumentNode, operation: OperationDefinitionNode): DocumentNode {
  const fragments = new Map(
    file.definitions.flatMap((one) =>
      one.kind === Kind.FRAGMENT_DEFINITION ? [[one.name.value, one] as const] : [],
    ),
  );
  const used = new Set<string>();
  const look = (text: string) => {
    for (const [, name = ''] of text.matchAll(/\.\.\.\s*(?!on\b)(\w+)/g)) {
      const fragment = fragments.get(name);
      if (!fragment || used.has(name)) continue;
      used.add(name);
      look(print(fragment));
    }
  };
  look(print(operation));
  return addTypenameToDocument({
    kind: Kind.DOCUMENT,
    definitions: [operation, ...[...used].sort().flatMap((name) => fragments.get(name) ?? [])],
  });
}

const kinds = { query: 'Query', mutation: 'Mutation', subscription: 'Subscription' } as const;

const withoutPlaces = (document: DocumentNode): string =>
  JSON.stringify(document, (key, value) => (key === 'loc' ? undefined : value));

const documentsPlugin: CodegenPlugin = {
  plugin: (_schema, files) => ({
    prepend: ["import type { TypedDocumentNode } from '@apollo/client';"],
    content: files
      .flatMap(({ document }) => (document ? [document] : []))
      .flatMap((file) =>
        operationsOf(file).map((operation) => {
          const { value: name } = operation.name;
          const type = `${name}${kinds[operation.operation]}`;
          const node = withoutPlaces(documentOf(file, operation));
          return `export const ${name}Document = ${node} as unknown as TypedDocumentNode<${type}, ${type}Variables>;`;
        }),
      )
      .join('\n\n'),
  }),
};

/** Returns the generated source of one document. */
async function generated(location: string, document: DocumentNode): Promise<string> {
  const text = await codegen({
    filename: location,
    schema,
    documents: [{ location, document }],
    config: {
      strictScalars: true,
      scalars: { DateTime: 'string', JSON: 'unknown', ID: 'string' },
      enumsAsTypes: true,
    },
    plugins: [{ types: {} }, { documents: {} }],
    pluginMap: { types, documents: documentsPlugin },
  });
  const wanted = text.replace(/^\/\*\* Internal type.*\*\/\nexport type Incremental.*\n/m, '');
  return `// Made by npm run operations; don't edit.\n${wanted}\n`;
}

function write(path: string, text: string): void {
  if (!isCheck) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    return;
  }
  let is: string | undefined;
  try {
    is = readFileSync(path, 'utf8');
  } catch {}
  if (is === text) return;
  console.error(`${path} is out of date: run npm run operations in console`);
  process.exitCode = 1;
}

const ids: Record<string, string> = {};
const manifest: Record<string, string> = {};
for (const file of globSync('**/*.graphql', { cwd: source }).sort()) {
  const location = join(source, file);
  const document = parse(readFileSync(location, 'utf8'), { noLocation: true });
  for (const problem of validate(built, document)) {
    console.error(`${location}: ${problem.message}`);
    process.exitCode = 1;
  }
  for (const operation of operationsOf(document)) {
    const { value: name } = operation.name;
    if (ids[name] !== undefined) throw new Error(`Two operations are called ${name}.`);
    const text = stripIgnoredCharacters(print(documentOf(document, operation)));
    const id = createHash('sha256').update(text).digest('hex');
    ids[name] = id;
    manifest[id] = text;
  }
  const output = join(source, dirname(file), 'generated', `${basename(file, '.graphql')}.ts`);
  write(output, await generated(location, document));
}
write(
  join(source, 'graph/generated/document-ids.ts'),
  `// Made by npm run operations; don't edit.\n/** The SHA-256 of each operation, by its name. */\nexport const documentIds: Readonly<Record<string, string>> = ${JSON.stringify(ids, null, 2)};\n`,
);
write(join(source, 'graph/generated/documents.json'), `${JSON.stringify(manifest, null, 2)}\n`);
