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

/** Whether an error of any origin means 'a dependency is down', by its `statusCode`. */
export function isUnavailable(error: unknown): boolean {
  return error instanceof Error && 'statusCode' in error && error.statusCode === 503;
}
