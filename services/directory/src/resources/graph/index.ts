export {
  attributesOf,
  change,
  extensionOperations,
  type Fields,
  type Input,
  operationsOf,
  type Versioned,
  withoutNulls,
} from './changes.ts';
export { type ConferringLoaders, directoryConferring } from './conferring.ts';
export { type ExtensionLoaders, extensionResolvers, extensionsInput, registryOf } from './extensions.ts';
export { externalIds } from './external-ids.ts';
export { type ListInput, listOf } from './lists.ts';
