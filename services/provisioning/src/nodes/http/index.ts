export { nodeRoutes } from './nodes.ts';
