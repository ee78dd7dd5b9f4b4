// Runs after Vite: copies the trusted documents of the console beside its files, where the gateway reads them.
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';

copyFileSync(
  join(import.meta.dirname, 'src/graph/generated/documents.json'),
  join(import.meta.dirname, 'dist/documents.json'),
);
