export type { GatewayContext } from './context.ts';
export { GraphServers } from './graph-servers.ts';
export { ServedGraph } from './served-graph.ts';
