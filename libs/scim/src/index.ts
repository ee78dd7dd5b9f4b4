export { quote, ScimError, type ScimErrorBody, type ScimType } from './errors.ts';
export type {
  AttributePath,
  ComparisonNode,
  ComparisonOperator,
  ComparisonValue,
  FilterNode,
  LogicalNode,
  NotNode,
  PresenceNode,
  ValuePathNode,
} from './filter/ast.ts';
export { checkAttributeRule } from './filter/checked-rule.ts';
export { type FilterLimits, parseFilter, parsePath } from './filter/parser.ts';
export { printFilter, printPath } from './filter/print.ts';
export { graphDetail } from './graph-detail.ts';
export { isJsonObject, type JsonObject, type JsonValue, jsonEqual, type Resource } from './json.ts';
export {
  type BoundComparison,
  type BoundElement,
  type BoundFilter,
  type BoundPresence,
  bindElementFilter,
  bindFilter,
} from './matching/bind.ts';
export { evaluate } from './matching/evaluate.ts';
export { groupNameKey } from './names/group-name.ts';
export { userNameKey, userNameMark } from './names/mapping.ts';
export { type ShownText, shownTextProblem } from './names/shown-text.ts';
export { userNameProblem } from './names/user-name.ts';
export { isTypedAsWritten, keysOfTyped, userMeant } from './names/who-is-meant.ts';
export { applyPatch, type PatchResult } from './patch/apply.ts';
export { type BoundOperation, bindOperations } from './patch/bind.ts';
export {
  type PatchLimits,
  type PatchMessageOptions,
  readPatchMessage,
  type SentOperation,
} from './patch/message.ts';
export { type PatchOperation, parseOperations, parsePatch } from './patch/parse.ts';
export {
  type GroupPatchPlan,
  type MemberChange,
  type PatchPartition,
  partitionPatch,
  planGroupPatch,
} from './patch/plan-group.ts';
export {
  type AuthenticationScheme,
  resourceTypes,
  type ServiceProviderOptions,
  schemas,
  serviceProviderConfig,
} from './protocol/discovery.ts';
export { etagMatches, parseIfMatch, weakEtag } from './protocol/etag.ts';
export { type ListResponse, type ListResponseParts, listResponse } from './protocol/list-response.ts';
export { type JsonLimits, parseScimJson } from './protocol/parse-json.ts';
export { parseSearchQuery, parseSearchRequest, type SearchQuery } from './protocol/search.ts';
export { definedOnly } from './resource/defined.ts';
export { foldResource } from './resource/fold.ts';
export { Projection, type ProjectionParameters, project } from './resource/project.ts';
export { type ReferencedType, type ResourceReference, referencesOf } from './resource/references.ts';
export { type Hide, withoutSecrets } from './resource/secrets.ts';
export { checkShownTexts } from './resource/shown.ts';
export { uniqueKeys } from './resource/unique.ts';
export { type ValidateOptions, validateResource } from './resource/validate.ts';
export { returnsOnRequest, writtenBy, writtenIn } from './resource/written.ts';
export type {
  Attribute,
  AttributeDefinition,
  AttributeType,
  Mutability,
  Returned,
  Schema,
  SchemaDefinition,
  Uniqueness,
} from './schema/attribute.ts';
export type { AttributeRule } from './schema/attribute-rule.ts';
export { type AttributeDemands, evolveAttribute } from './schema/evolution.ts';
export { ownAttributes } from './schema/own-attributes.ts';
export {
  type AttributeReference,
  coreRegistry,
  type ExtensionReference,
  type ResourceType,
  SchemaRegistry,
} from './schema/registry.ts';
export { defineTenantSchema, tenantSchemaLimits } from './schema/tenant-schema.ts';
export { compileCandidates, type SqlCandidates } from './sql/candidates.ts';
export { escapeLike } from './sql/comparison.ts';
export { compileSql } from './sql/compile.ts';
export type {
  BindParameter,
  SqlCollection,
  SqlColumn,
  SqlFragment,
  SqlIndexes,
  SqlMapping,
  SqlText,
} from './sql/mapping.ts';
export { bindSortBy, compileSortKey, type SqlSortKey } from './sql/sort.ts';
export { canonicalDateTime, compareCodePoints, foldCase } from './text.ts';
export * from './urns.ts';
