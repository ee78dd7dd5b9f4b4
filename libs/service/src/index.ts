export {
  base64Key,
  bool,
  count,
  databaseEnv,
  EnvironmentError,
  list,
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
export { isUuid, uuidv7 } from './id.ts';
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
export { HttpPeer, type PeerOptions, type PeerRequest, type PeerResponse } from './peer.ts';
export { type ProcessContext, type ProcessOptions, runProcess } from './process.ts';
export { createRedis, Redis, type RedisClientOptions, redisReady } from './redis.ts';
export {
  currentAddress,
  currentRequestId,
  currentUserAgent,
  type RequestScope,
  runInRequest,
} from './request-scope.ts';
export { Rounds, type RoundsOptions } from './rounds.ts';
export {
  checkOutgoingUrl,
  createSafeFetch,
  type FetchedDocument,
  type FetchOptions,
  OutgoingFetchError,
  type OutgoingPolicy,
  type SafeFetch,
} from './safe-fetch.ts';
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
