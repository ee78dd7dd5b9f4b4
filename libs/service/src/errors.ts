/**
 * A dependency did not answer: the caller gets 503 and may try again. `dependency` is for the log and never
 * reaches a client.
 */
export class ServiceUnavailable extends Error {
  readonly statusCode = 503;
  readonly dependency: string;
  /** Seconds after which trying again makes sense. */
  readonly retryAfter: number;

  constructor(dependency: string, options: { cause?: unknown; retryAfter?: number } = {}) {
    super(`${dependency} is unavailable`, { cause: options.cause });
    this.name = 'ServiceUnavailable';
    this.dependency = dependency;
    this.retryAfter = options.retryAfter ?? 1;
  }
}

/** Too much came from one caller: 429 (RFC 6585 section 4), each surface in its own words. */
export class TooManyRequests extends Error {
  readonly statusCode = 429;
  /** Seconds after which trying again makes sense. */
  readonly retryAfter: number;

  constructor(retryAfter: number) {
    super(`Too many requests: try again in ${retryAfter} seconds.`);
    this.name = 'TooManyRequests';
    this.retryAfter = retryAfter;
  }
}

/** Whether an error of any origin means 'a dependency is down', by its `statusCode`. */
export function isUnavailable(error: unknown): boolean {
  return error instanceof Error && 'statusCode' in error && error.statusCode === 503;
}
