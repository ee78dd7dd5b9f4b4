export { actorResolvers, actorTypeDefs, type LoggedActor } from './actors.ts';
export {
  type Conferring,
  type Confers,
  insistOnRecentSignIn,
  type Right,
  readConfers,
  requireConferrable,
  withinTheChange,
} from './confers.ts';
export { createContext, type GraphContext, type LoaderScope, requirePrincipal } from './context.ts';
export {
  type CostedOperation,
  costOf,
  type HeaderSink,
  type ListSizes,
  listSizesIn,
  type Spend,
} from './cost.ts';
export {
  accessSpecUrl,
  readRules,
  SchemaRuleError,
  scopesTypeDefs,
  withScopesDirective,
} from './directive.ts';
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
} from './errors.ts';
export {
  answer,
  authenticateGraph,
  badRequest,
  graphErrorHandler,
  graphHandler,
  needsAuthentication,
  type OperationSpan,
  possessionHeader,
  type TenantParams,
} from './http.ts';
export { checkIdempotencyKey, keyHolder, longestIdempotencyKey } from './idempotency.ts';
export { type DocumentLimits, documentLimits, limitDocument } from './limits.ts';
export { batchMany, batchOne, type DataLoader } from './loaders.ts';
export { type ErrorMapping, maskError } from './mask.ts';
export { costlyToValidate, tooCostlyToValidate } from './merging.ts';
export { askForNodes, type FoundNode, mostNodesAsked, nodesAskedFor } from './nodes-elsewhere.ts';
export { type ObservedContext, observeOperations, operationObserver } from './observe.ts';
export {
  type Connection,
  type CursorValue,
  decodeCursor,
  defaultPageSize,
  encodeCursor,
  maxPageSize,
} from './page.ts';
export { type CountedConnection, countedPageById, type PageSource, pageById } from './page-by-id.ts';
export { connectionOf, type Paging, type PagingArguments, pagingOf, positionOf } from './paging.ts';
export { type GraphExpectation, graphPrincipal, isPlatform } from './platform.ts';
export { type SubgraphOptions, subgraphPlugin } from './plugin.ts';
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
} from './problems.ts';
export type { Rule } from './rule.ts';
export { DateTime } from './scalars.ts';
export {
  buildGuardedSchema,
  type ReferenceResolver,
  type Resolver,
  type Resolvers,
  type TypeResolvers,
} from './schema.ts';
export { readSchemaFiles } from './schema-files.ts';
export { createGraphServer, type GraphServerOptions, type PersistedQueries } from './server.ts';
export { asksForProblems, showProblems } from './shown-problems.ts';
export { variableValues } from './variables.ts';
