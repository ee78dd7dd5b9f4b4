export { ambiguityOf, singletonFields } from './ambiguity.ts';
export {
  base64Key,
  bool,
  count,
  databaseEnv,
  EnvironmentError,
  list,
  makeValidator,
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
export { isUnavailable, ServiceUnavailable } from './errors.ts';
export { type DependencyState, Health, type HealthState } from './health.ts';
export { createHttp, type HttpOptions, logFailure, statusOf } from './http.ts';
export { idToLookUp, isUuid, leastUuidv7, uuidv7 } from './id.ts';
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
export { createMetricsServer } from './metrics-server.ts';
export { networkOf } from './network.ts';
export { checkOutgoingUrl, leadsInside, OutgoingFetchError, type OutgoingPolicy } from './outgoing.ts';
export { HttpPeer, type PeerOptions, type PeerRequest, type PeerResponse } from './peer.ts';
export { type ProcessContext, type ProcessOptions, runProcess } from './process.ts';
export { createRedis, Redis, type RedisClientOptions, redisReady } from './redis.ts';
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
export { turnstile } from './turnstile.ts';
