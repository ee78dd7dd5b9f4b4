export { graphiql } from './graphiql.ts';
export { graphMetadata } from './metadata.ts';
