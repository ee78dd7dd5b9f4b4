export { attributesIn, isSame, shownChanges } from './domain/changes.ts';
export {
  type ChangeResource,
  type CreateResource,
  directSource,
  type Origin,
  type PatchResource,
  type ReplaceResource,
  type SearchResources,
  type View,
} from './domain/commands.ts';
export { mustMatch } from './domain/etag.ts';
export {
  type KeysetPage,
  type Placed,
  type Position,
  type ReferenceStore,
  type ResourceReader,
  type ResourceSearch,
  type ResourceStore,
  type ResourcesStore,
  type ResourceWrite,
  type Searched,
  type SharedNames,
  TooMuchToShow,
  type Transactions,
} from './domain/ports.ts';
export { contentOf, represent, withExternalId } from './domain/representation.ts';
export { Resources, type ResourcesOptions } from './domain/resources.ts';
export type { Attributes, ResourceContent, StoredResource, VouchedEmails } from './domain/stored-resource.ts';
