export { ambiguityOf, singletonFields } from './ambiguity.ts';
export { clientAddress } from './client-address.ts';
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
} from './env.ts';
export { isUnavailable, ServiceUnavailable, TooManyRequests } from './errors.ts';
export { type DependencyState, Health, type HealthState } from './health.ts';
export { createHttp, type HttpOptions, logFailure, statusOf } from './http.ts';
export { idToLookUp, isUuid, leastUuidv7, uuidv7 } from './id.ts';
export {
  type KeptKeyStore,
  KeptKeys,
  type KeptKeysOptions,
  type Key,
  keptKeyContext,
} from './kept-keys.ts';
export { type KeyRing, keyIdOf, keyRing, type RingKey, ringKey } from './key-ring.ts';
export {
  Counter,
  createKit,
  Gauge,
  Histogram,
  type KitOptions,
  type Registry,
  type ServiceKit,
} from './kit.ts';
export { createLog, type Logger } from './log.ts';
export {
  dpopNonceKeys,
  eventKeyEnv,
  eventSignatures,
  type StreamKeys,
  streamKeyEnv,
  streamSignatures,
} from './message-keys.ts';
export { createMetricsServer } from './metrics-server.ts';
export { networkOf } from './network.ts';
export { checkOutgoingUrl, leadsInside, OutgoingFetchError, type OutgoingPolicy } from './outgoing.ts';
export { HttpPeer, type PeerOptions, type PeerRequest, type PeerResponse } from './peer.ts';
export { type ProcessContext, type ProcessOptions, runProcess } from './process.ts';
export { createRedis, Redis, type RedisClientOptions, redisReady } from './redis.ts';
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
} from './redis-keys.ts';
export { redisRules } from './redis-rules.ts';
export {
  Reencryption,
  type ReencryptionOptions,
  type SealedColumn,
  type SealedRow,
  type SealedRows,
} from './reencryption.ts';
export { type Repetition, repeat } from './repeat.ts';
export {
  currentAddress,
  currentRequestId,
  currentUserAgent,
  type RequestScope,
  runInRequest,
} from './request-scope.ts';
export { createSafeFetch, type FetchedDocument, type FetchOptions, type SafeFetch } from './safe-fetch.ts';
export { createSafePost, type PostedAnswer, type PostOptions, type SafePost } from './safe-post.ts';
export { isUnderCurrent, keyObjectOf, NotOurs, openBytes, sealBytes } from './sealed-bytes.ts';
export { type Place, SealedValues, type SealedValuesOptions } from './sealed-values.ts';
export { Signatures, type SignedPurpose } from './signatures.ts';
export { isSpoilt, soundKeys, soundly } from './sound-keys.ts';
export { timeLimit } from './time-limit.ts';
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
} from './tracing.ts';
export type { Transaction, TransactionOptions, Transactions } from './transaction.ts';
export { turnstile } from './turnstile.ts';
