export { remoteKeeper } from './node-keepers.ts';
