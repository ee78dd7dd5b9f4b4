export { nodeRoutes } from './internal-nodes.ts';
