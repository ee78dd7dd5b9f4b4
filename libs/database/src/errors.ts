/**
 * The database did not respond, or is temporarily unable to work. The HTTP layer answers with 503.
 * `commitUnknown` is true if the connection broke during COMMIT: the transaction may or may not have been
 * committed, so only an idempotent caller may retry.
 */
export class DatabaseUnavailable extends Error {
  readonly statusCode = 503;
  /** Seconds for Retry-After. */
  readonly retryAfter = 1;
  readonly commitUnknown: boolean;

  constructor(cause?: unknown, options: { commitUnknown?: boolean } = {}) {
    super('The database is unavailable', { cause });
    this.name = 'DatabaseUnavailable';
    this.commitUnknown = options.commitUnknown ?? false;
  }
}

const unreachable = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT', // the Unix socket is gone
]);

/**
 * SQLSTATEs of temporary failures. 25006 is sent by a primary that has become a replica; 57014 is the
 * statement_timeout.
 */
const temporary = /^(08...|53...|57P0[1-5]|57014|25006|25P03|28...|3D000)$/;

/** pg's messages, without a code, for a lost connection or a connection timeout. */
const lostConnection =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed|Cannot use a pool after calling end|Query read timeout|The server does not support SSL)/;

/** Reports whether an error means that the database is unavailable, independent of the statement. */
export function isConnectionError(error: unknown): boolean {
  if (error instanceof DatabaseUnavailable) return true;
  if (typeof error !== 'object' || error === null) return false;
  const { code, errors, message } = error as { code?: unknown; errors?: unknown; message?: unknown };
  if (typeof code === 'string' && (unreachable.has(code) || temporary.test(code))) return true;
  // "localhost" has two addresses: if both refuse, the error is an AggregateError.
  if (Array.isArray(errors)) return errors.some(isConnectionError);
  return code === undefined && typeof message === 'string' && lostConnection.test(message);
}

/** Reports whether a connection with this error must not return to the pool. */
export function breaksConnection(error: unknown): boolean {
  const cause = error instanceof DatabaseUnavailable ? error.cause : error;
  // The server ends the statement, not the session, on these.
  const survives = /^(57014|53200|53100)$/;
  return isConnectionError(cause) && !survives.test(sqlState(cause) ?? '');
}

/** Converts driver errors: connection failures become DatabaseUnavailable, others are unchanged. */
export function asDatabaseError(error: unknown): unknown {
  return !(error instanceof DatabaseUnavailable) && isConnectionError(error)
    ? new DatabaseUnavailable(error)
    : error;
}

/** SQLSTATE classes whose messages quote values: data exceptions and constraint violations. */
const quoting = /^(22|23)[0-9A-Z]{3}$/;

interface Report extends Error {
  code?: unknown;
  routine?: unknown;
  constraint?: unknown;
  detail?: unknown;
  where?: unknown;
  hint?: unknown;
}

/** PostgreSQL's details with values, stored where no error formatter finds them. */
const details = new WeakMap<Error, string>();

/**
 * Returns PostgreSQL's detail of a violation with its values, to identify the rejected one. It must not be
 * logged or sent to a client.
 */
export function detailWithValues(error: unknown): string | undefined {
  return error instanceof Error ? details.get(error) : undefined;
}

/**
 * Removes values from PostgreSQL's errors, such as a duplicate e-mail address or a malformed UUID, because
 * errors are logged and stored with failed jobs. For raw SQL and Prisma, which repeats the message.
 */
export function withoutValues(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const report = error as Report;
  if (typeof report.code !== 'string' || !quoting.test(report.code)) return error;
  const { message, stack } = error;
  if (typeof report.detail === 'string') details.set(error, report.detail);
  delete report.detail;
  delete report.where;
  delete report.hint;
  // The message names the constraint and no value.
  if (report.code.startsWith('23')) return error;
  error.message = `PostgreSQL does not accept a value (${[report.code, report.routine].filter(Boolean).join(', ')})`;
  error.stack = `${error.name}: ${error.message}${framesAfter(message, stack)}`;
  return error;
}

/** Returns the frames of a stack after its message; empty if the message is missing. */
function framesAfter(message: string, stack: string | undefined): string {
  const at = stack?.indexOf(message) ?? -1;
  return stack === undefined || at === -1 ? '' : stack.slice(at + message.length);
}

interface Violation {
  code: string;
  constraint?: string;
}

/** Finds the SQLSTATE in errors of raw SQL or Prisma (which nests the driver's error). */
function violation(error: unknown, depth = 0): Violation | undefined {
  if (typeof error !== 'object' || error === null || depth > 5) return undefined;
  const e = error as {
    code?: unknown;
    constraint?: unknown;
    originalCode?: unknown;
    meta?: { driverAdapterError?: unknown };
    cause?: unknown;
  };
  if (typeof e.originalCode === 'string') {
    const index = (e.constraint as { index?: unknown } | undefined)?.index;
    return typeof index === 'string' ? { code: e.originalCode, constraint: index } : { code: e.originalCode };
  }
  if (typeof e.code === 'string' && /^[0-9A-Z]{5}$/.test(e.code) && !/^P\d{4}$/.test(e.code)) {
    return typeof e.constraint === 'string' ? { code: e.code, constraint: e.constraint } : { code: e.code };
  }
  return violation(e.meta?.driverAdapterError, depth + 1) ?? violation(e.cause, depth + 1);
}

/** Returns the SQLSTATE of an error of raw SQL or Prisma, if PostgreSQL sent one. */
export function sqlState(error: unknown): string | undefined {
  return violation(error)?.code;
}

/**
 * Reports whether an error of raw SQL or Prisma is a unique violation (23505), optionally of the named
 * constraint or index.
 */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  const found = violation(error);
  return found?.code === '23505' && (constraint === undefined || found.constraint === constraint);
}

/**
 * Reports whether an error of raw SQL or Prisma is a foreign-key violation (23503), optionally of the named
 * constraint.
 */
export function isForeignKeyViolation(error: unknown, constraint?: string): boolean {
  const found = violation(error);
  return found?.code === '23503' && (constraint === undefined || found.constraint === constraint);
}

/**
 * Reports whether a cached plan is outdated because a table changed (`ALTER TABLE … TYPE`); a new plan works.
 * PostgreSQL has no separate SQLSTATE for it.
 */
export function isOutdatedPlan(error: unknown): boolean {
  const { code, routine } = (error ?? {}) as { code?: unknown; routine?: unknown };
  return code === '0A000' && routine === 'RevalidateCachedQuery';
}

/**
 * Reports whether a retry of the transaction may succeed: serialization failure, deadlock or outdated plan.
 */
export function isRetryable(error: unknown): boolean {
  const code = sqlState(error);
  return code === '40001' || code === '40P01' || isOutdatedPlan(error);
}
