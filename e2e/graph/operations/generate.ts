// Writes e2e/support/operations.ts: the operations of this folder with their types from the public schema.
// node e2e/graph/operations/generate.ts            (after npm run build)
// node e2e/graph/operations/generate.ts --check    fails if the file is out of date
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { codegen } from '@graphql-codegen/core';
import * as types from '@graphql-codegen/typescript-operations';
import { Kind, parse, print } from 'graphql';
import { composeApi } from '../../../gateway/src/schema/graph/compose.ts';

type CodegenPlugin = Parameters<typeof codegen>[0]['pluginMap'][string];

const output = fileURLToPath(new URL('../../support/operations.ts', import.meta.url));
const documents = globSync('*.graphql', { cwd: import.meta.dirname })
  .sort()
  .map((location) => ({
    location,
    document: parse(readFileSync(join(import.meta.dirname, location), 'utf8')),
  }));

/** Plugin that writes each operation as a typed document. */
const documentsPlugin: CodegenPlugin = {
  plugin: (_schema, files) => ({
    prepend: ["import { operation } from './operation.ts';"],
    content: files
      .flatMap(({ document }) => document?.definitions ?? [])
      .map((definition) => {
        if (definition.kind !== Kind.OPERATION_DEFINITION || !definition.name) {
          throw new Error(
            'Each operation of e2e/graph/operations needs a name, and fragments are written out.',
          );
        }
        const type = `${definition.name.value}${definition.operation === 'mutation' ? 'Mutation' : definition.operation === 'query' ? 'Query' : 'Subscription'}`;
        return `export const ${definition.name.value} = operation<${type}, ${type}Variables>(\`\n${print(definition)}\n\`);`;
      })
      .join('\n\n'),
  }),
};

const generated = await codegen({
  filename: output,
  schema: parse(await composeApi()),
  documents,
  config: {
    skipTypename: true,
    strictScalars: true,
    scalars: { DateTime: 'string', JSON: 'unknown', ID: 'string' },
  },
  plugins: [{ types: {} }, { documents: {} }],
  pluginMap: { types, documents: documentsPlugin },
});
// `Incremental` is not needed without @defer and @stream.
const wanted = generated.replace(/^\/\*\* Internal type.*\*\/\nexport type Incremental.*\n/m, '');
const text = `// Made by node e2e/graph/operations/generate.ts; don't edit.\n${wanted}\n`;

if (process.argv.includes('--check')) {
  if (readFileSync(output, 'utf8') !== text) {
    console.error('e2e/support/operations.ts is out of date: run node e2e/graph/operations/generate.ts');
    process.exit(1);
  }
} else writeFileSync(output, text);
