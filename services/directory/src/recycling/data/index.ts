export { DeletedResources, expiredResources } from './deleted-resources.ts';
