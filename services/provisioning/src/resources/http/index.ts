export { createResource } from './create-resource.ts';
export { deleteResource } from './delete-resource.ts';
export { me } from './me.ts';
export { patchResource } from './patch-resource.ts';
export { readResource } from './read-resource.ts';
export { replaceResource } from './replace-resource.ts';
