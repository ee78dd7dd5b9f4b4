export type { KeptNode, NodeKeeper } from './domain/node-keepers.ts';
