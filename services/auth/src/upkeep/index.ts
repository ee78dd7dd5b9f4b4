export type { Nodes } from './domain/nodes.ts';
