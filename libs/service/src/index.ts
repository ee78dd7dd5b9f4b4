export { isUnavailable, ServiceUnavailable, TooManyRequests } from './errors.ts';
export { ambiguityAnswer, ambiguityOf, singletonFields } from './http/ambiguity.ts';
export { clientAddress } from './http/client-address.ts';
export { inflateBodies } from './http/content-coding.ts';
export { continuedBy, type Exchange, takeOver } from './http/exchange.ts';
export { IdleConnections } from './http/idle-connections.ts';
export {
  cameThroughProxy,
  type IsInside,
  insideBy,
  NeighbourProofs,
  neighbourHeader,
  wasForwarded,
} from './http/neighbours.ts';
export { networkOf } from './http/network.ts';
export { Observation, requestIdOf } from './http/observation.ts';
export type { Perimeter } from './http/rejections.ts';
export {
  createHttp,
  fixedHeaders,
  type HttpOptions,
  logFailure,
  nothingHere,
  statusOf,
} from './http/server.ts';
export { inServerSpan } from './http/server-span.ts';
export { idToLookUp, isUuid, minUuidv7, uuidv7 } from './id.ts';
export type { BoundedCount, IdPage } from './id-page.ts';
export {
  type KeptKeyStore,
  KeptKeys,
  type KeptKeysOptions,
  type Key,
  keptKeyContext,
} from './keys/kept-keys.ts';
export { type KeyRing, keyIdOf, keyRing, type RingKey, ringKey } from './keys/key-ring.ts';
export {
  dpopNonceKeys,
  eventKeyEnv,
  eventSignatures,
  type StreamKeys,
  streamKeyEnv,
  streamSignatures,
} from './keys/message-keys.ts';
export {
  Reencryption,
  type ReencryptionOptions,
  type SealedColumn,
  type SealedRow,
  type SealedRows,
} from './keys/reencryption.ts';
export { isUnderCurrent, keyObjectOf, NotOurs, openBytes, sealBytes } from './keys/sealed-bytes.ts';
export { type Place, SealedValues, type SealedValuesOptions } from './keys/sealed-values.ts';
export { Signatures, type SignedPurpose } from './keys/signatures.ts';
export {
  base64Key,
  bool,
  count,
  databaseEnv,
  EnvironmentError,
  list,
  makeValidator,
  migrationEnv,
  num,
  origin,
  parseEnv,
  port,
  processEnv,
  redisEnv,
  seconds,
  secret,
  str,
  url,
} from './kit/env.ts';
export { type DependencyState, Health, type HealthState } from './kit/health.ts';
export {
  Counter,
  createKit,
  Gauge,
  Histogram,
  type KitOptions,
  type Neighbours,
  type Registry,
  type ServiceKit,
} from './kit/kit.ts';
export { createLog, type Logger } from './kit/log.ts';
export { measurePool } from './kit/pool-load.ts';
export { NotReady } from './kit/reasons.ts';
export { parseRedisAddress, type RedisAddress } from './kit/redis-address.ts';
export { measureReplica } from './kit/replica-reads.ts';
export { type Confidential, isConfidential, latest } from './kit/secret-files.ts';
export { measureTakeovers } from './kit/takeovers.ts';
export {
  HttpPeer,
  keepAliveTimeoutThreshold,
  type PeerOptions,
  type PeerRequest,
  type PeerResponse,
} from './outgoing/peer.ts';
export { checkOutgoingUrl, leadsInside, OutgoingFetchError, type OutgoingPolicy } from './outgoing/policy.ts';
export {
  createSafeFetch,
  type FetchedDocument,
  type FetchOptions,
  type SafeFetch,
} from './outgoing/safe-fetch.ts';
export { createSafePost, type PostedAnswer, type PostOptions, type SafePost } from './outgoing/safe-post.ts';
export { isUnsent } from './outgoing/unsent.ts';
export { readWebAddress } from './outgoing/web-address.ts';
export { createMetricsServer } from './process/metrics-server.ts';
export { type ProcessContext, type ProcessOptions, runProcess } from './process/process.ts';
export { redisRules } from './redis/access-rules.ts';
export { createRedis, maxBlockMs, type RedisClientOptions, redisReady } from './redis/client.ts';
export type { Redis, RedisServer } from './redis/connection.ts';
export { isMalformedKey, keyValidation, readValid } from './redis/key-validation.ts';
export {
  type KeyFamily,
  type KeyFamilyName,
  keyFamilyOf,
  keyStem,
  type ProcessName,
  processNames,
  redisKeys,
  type SealedPurpose,
  type Trust,
} from './redis/keys.ts';
export { probeRedis, redisRefusal } from './redis/probe.ts';
export { isRefusal, redisProbe } from './redis/readiness.ts';
export { onServerChange, serverOf } from './redis/servers.ts';
export { keySlot } from './redis/slots.ts';
export { TurnPipeline } from './redis/turn-pipeline.ts';
export { type Repetition, repeat } from './time/repeat.ts';
export { timeLimit, within } from './time/time-limit.ts';
export { msWithoutWake, Wake } from './time/wake.ts';
export { WorkPoll, type WorkPollOptions } from './time/work-poll.ts';
export {
  currentAddress,
  currentRequestId,
  currentUserAgent,
  type RequestScope,
  runInRequest,
} from './tracing/request-scope.ts';
export {
  contextOf,
  currentTraceparent,
  failSpan,
  inSpan,
  SpanKind,
  type SpanOptions,
  startSpan,
  startTracing,
  tracingEnabled,
  withSpan,
} from './tracing/tracing.ts';
export type { Transaction, TransactionOptions, Transactions } from './transaction.ts';
export { version } from './version.ts';
