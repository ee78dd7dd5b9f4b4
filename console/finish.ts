// After Vite: the operations that the console asks the graph with, beside its files, for the gateway to know them.
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';

copyFileSync(
  join(import.meta.dirname, 'src/graph/generated/documents.json'),
  join(import.meta.dirname, 'dist/documents.json'),
);
