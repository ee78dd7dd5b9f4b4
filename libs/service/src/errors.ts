/**
 * Error of an unavailable dependency: the caller gets 503 and may retry. `dependency` is logged and never
 * sent to a client.
 */
export class ServiceUnavailable extends Error {
  readonly statusCode = 503;
  readonly dependency: string;
  /** Value of Retry-After in seconds. */
  readonly retryAfter: number;

  constructor(dependency: string, options: { cause?: unknown; retryAfter?: number } = {}) {
    super(`${dependency} is unavailable`, { cause: options.cause });
    this.name = 'ServiceUnavailable';
    this.dependency = dependency;
    this.retryAfter = options.retryAfter ?? 1;
  }
}

/** Error of an exceeded rate limit: 429 (RFC 6585 section 4). Each surface has its own message. */
export class TooManyRequests extends Error {
  readonly statusCode = 429;
  /** Value of Retry-After in seconds. */
  readonly retryAfter: number;

  constructor(retryAfter: number) {
    super(`Too many requests: try again in ${retryAfter} seconds.`);
    this.name = 'TooManyRequests';
    this.retryAfter = retryAfter;
  }
}

/** Reports whether an error of any origin means an unavailable dependency, by its `statusCode`. */
export function isUnavailable(error: unknown): boolean {
  return error instanceof Error && 'statusCode' in error && error.statusCode === 503;
}
