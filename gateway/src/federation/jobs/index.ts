export { SupergraphFile } from './supergraph-file.ts';
