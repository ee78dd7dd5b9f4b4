import { readSchema } from '@ostiary/graph';

/** Schema of this subgraph. A bundle contains the text itself (scripts/bundle.mjs). */
export const typeDefs = readSchema(new URL('.', import.meta.url));
