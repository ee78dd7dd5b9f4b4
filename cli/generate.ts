// Writes the operations of each src/graph/operations/<subject>.graphql, with their types from the released schema, to
// src/graph/generated/<subject>.ts.
//   npm run operations              (in cli)
//   npm run operations -- --check   fails if a file is out of date or an operation does not match the schema
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { codegen } from '@graphql-codegen/core';
import * as types from '@graphql-codegen/typescript-operations';
import { Kind, parse, print, stripIgnoredCharacters } from 'graphql';

type CodegenPlugin = Parameters<typeof codegen>[0]['pluginMap'][string];

const folder = join(import.meta.dirname, 'src/graph/operations');
const schema = parse(readFileSync(join(import.meta.dirname, '../gateway/released-api.graphql'), 'utf8'));

/** Exports each operation as an `Operation`, with its types. */
const documentsPlugin: CodegenPlugin = {
  plugin: (_schema, files) => ({
    prepend: ["import { operation } from '../operation.ts';"],
    content: files
      .flatMap(({ document }) => document?.definitions ?? [])
      .map((definition) => {
        if (definition.kind !== Kind.OPERATION_DEFINITION || !definition.name) {
          throw new Error('Each operation needs a name, and fragments are written out.');
        }
        const { value: name } = definition.name;
        const type = `${name}${definition.operation === 'mutation' ? 'Mutation' : 'Query'}`;
        const text = JSON.stringify(stripIgnoredCharacters(print(definition)));
        return `export const ${name} = operation<${type}, ${type}Variables>('${name}', ${text});`;
      })
      .join('\n\n'),
  }),
};

/** Returns the generated source of one subject. */
async function generated(subject: string): Promise<string> {
  const location = join(folder, `${subject}.graphql`);
  const text = await codegen({
    filename: location,
    schema,
    documents: [{ location, document: parse(readFileSync(location, 'utf8')) }],
    config: {
      skipTypename: true,
      strictScalars: true,
      scalars: { DateTime: 'string', JSON: 'unknown', ID: 'string' },
    },
    plugins: [{ types: {} }, { documents: {} }],
    pluginMap: { types, documents: documentsPlugin },
  });
  const wanted = text.replace(/^\/\*\* Internal type.*\*\/\nexport type Incremental.*\n/m, '');
  return `// Made by npm run operations; don't edit.\n${wanted}\n`;
}

for (const file of globSync('*.graphql', { cwd: folder }).sort()) {
  const output = join(folder, '../generated', file.replace(/graphql$/, 'ts'));
  const text = await generated(file.replace(/\.graphql$/, ''));
  if (!process.argv.includes('--check')) writeFileSync(output, text);
  else if (readFileSync(output, 'utf8') !== text) {
    console.error(`${output} is out of date: run npm run operations in cli`);
    process.exitCode = 1;
  }
}
