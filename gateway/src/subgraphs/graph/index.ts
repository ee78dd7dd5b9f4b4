export { DanglingReferences } from './dangling-references.ts';
export type { SubgraphResponse, SubgraphSource } from './subgraph-source.ts';
export { SubgraphSources } from './subgraph-sources.ts';
