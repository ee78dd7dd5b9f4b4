export {
  type Conferring,
  type Confers,
  insistOnRecentSignIn,
  type Right,
  readConfers,
  requireConferrable,
  withinTheChange,
} from './authorization/confers.ts';
export { type GraphExpectation, graphPrincipal, isPlatform } from './authorization/principal.ts';
export type { Rule } from './authorization/rule.ts';
export {
  accessSpecUrl,
  readRules,
  SchemaRuleError,
  scopesTypeDefs,
} from './authorization/scopes-directive.ts';
export {
  createContext,
  type GraphContext,
  type LoaderScope,
  type OperationSpan,
  requirePrincipal,
} from './context/context.ts';
export { checkIdempotencyKey, keyHolder, maxIdempotencyKeyLength } from './context/idempotency.ts';
export { batchMany, batchOne, type DataLoader } from './context/loaders.ts';
export { askForNodes, type FoundNode, maxNodesAsked, nodesAskedFor } from './context/remote-nodes.ts';
export type { ReferenceResolver, Resolver, Resolvers, TypeResolvers } from './context/resolvers.ts';
export {
  badUserInput,
  conflict,
  type ErrorCode,
  forbidden,
  insufficientUserAuthentication,
  internalError,
  notFound,
  rateLimited,
  unauthenticated,
  unavailable,
} from './errors/errors.ts';
export { type ErrorMapping, maskError } from './errors/mask.ts';
export {
  type CostedOperation,
  costOf,
  type HeaderSink,
  type ListSizes,
  listSizesIn,
  type Spend,
} from './limits/cost.ts';
export { type DocumentLimits, documentLimits, limitDocument } from './limits/document-limits.ts';
export { isNestedTooDeeply, nestedTooDeeply, parseDocument } from './limits/nesting.ts';
export { costlyToValidate, tooCostlyToValidate } from './limits/validation-cost.ts';
export { variableValues } from './limits/variables.ts';
export {
  type Connection,
  type CursorValue,
  decodeCursor,
  defaultPageSize,
  encodeCursor,
  maxPageSize,
} from './paging/cursor.ts';
export {
  type BoundedConnection,
  boundedPageById,
  type CountedConnection,
  countedPageById,
  type PageSource,
  pageById,
} from './paging/page-by-id.ts';
export { type ListSource, pageOfList } from './paging/page-of-list.ts';
export { connectionOf, type Paging, type PagingArguments, pagingOf, positionOf } from './paging/paging.ts';
export { createGraphServer, type GraphServerOptions, type PersistedQueries } from './server/apollo-server.ts';
export { buildGuardedSchema } from './server/guarded-schema.ts';
export {
  answer,
  authenticateGraph,
  badRequest,
  graphErrorHandler,
  graphHandler,
  httpRequestOf,
  needsAuthentication,
  possessionHeader,
  type TenantParams,
} from './server/http.ts';
export {
  type ObservedContext,
  type OperationObserver,
  observeOperations,
  operationObserver,
} from './server/observe.ts';
export { readSchema } from './server/schema-files.ts';
export { type SubgraphOptions, subgraphPlugin } from './server/subgraph.ts';
export { withScopesDirective } from './server/type-definitions.ts';
export { actorResolvers, actorTypeDefs, type LoggedActor } from './types/actors.ts';
export {
  idempotencyKeyReused,
  invalidInput,
  notFoundProblem,
  notUnique,
  type Problem,
  type ProblemMapping,
  payloadOf,
  problemOf,
  problemTypeDefs,
  refused,
  stateConflict,
  versionConflict,
  withProblemTypes,
} from './types/problems.ts';
export { DateTime } from './types/scalars.ts';
export { asksForProblems, showProblems } from './types/shown-problems.ts';
