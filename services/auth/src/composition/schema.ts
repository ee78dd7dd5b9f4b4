import { readSchema } from '@ostiary/graph';

/** This service's part of the graph. In a bundle the text itself is here (scripts/bundle.mjs). */
export const typeDefs = readSchema(new URL('..', import.meta.url));
