export { graphNodes } from './nodes.ts';
