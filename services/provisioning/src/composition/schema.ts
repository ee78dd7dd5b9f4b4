import { readSchema } from '@ostiary/graph';

/** This service's part of the graph. In a bundle it is inlined (scripts/bundle.mjs). */
export const typeDefs = readSchema(new URL('..', import.meta.url));
