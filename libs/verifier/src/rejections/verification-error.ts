import type { AccessErrorCode } from './access-error.ts';

/**
 * Rejection of a request, with everything that its response needs. The names `statusCode` and `headers` are
 * those that Fastify and Express use for thrown errors.
 */
export class VerificationError extends Error {
  /** 401: the token is missing or invalid. 403: insufficient. 400: malformed. 503: not verifiable now. */
  readonly status: 400 | 401 | 403 | 503;
  /** `unauthorized` for a request without a token, which has no code (RFC 6750 section 3.1). */
  readonly code: AccessErrorCode | 'unauthorized' | 'temporarily_unavailable';
  /** Value of `WWW-Authenticate`; absent for 503. */
  readonly challenge: string | undefined;
  /** Seconds; only for 503. */
  readonly retryAfter: number | undefined;

  constructor(
    message: string,
    o: {
      status: VerificationError['status'];
      code: VerificationError['code'];
      challenge?: string;
      retryAfter?: number;
      cause?: unknown;
    },
  ) {
    super(message, { cause: o.cause });
    this.name = 'VerificationError';
    this.status = o.status;
    this.code = o.code;
    this.challenge = o.challenge;
    this.retryAfter = o.retryAfter;
  }

  get statusCode(): number {
    return this.status;
  }

  /** Headers of the response. */
  get headers(): Record<string, string> {
    return {
      'cache-control': 'no-store',
      ...(this.challenge === undefined ? {} : { 'www-authenticate': this.challenge }),
      ...(this.retryAfter === undefined ? {} : { 'retry-after': String(this.retryAfter) }),
    };
  }

  /** JSON body of the response. */
  get body(): { error: string; error_description: string } {
    return { error: this.code, error_description: this.message };
  }
}
