/**
 * The database didn't answer, or can't do its work right now. The HTTP layer turns it into 503.
 *
 * `commitUnknown` is true when the connection broke while COMMIT was under way: the transaction may or may not
 * have happened, so only an idempotent caller may retry.
 */
export class DatabaseUnavailable extends Error {
  readonly statusCode = 503;
  /** Seconds after which asking again makes sense. */
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
 * SQLSTATEs that say "not now" instead of "not like this". 25006 is what a primary answers that has just become a
 * replica; 57014 is our own statement_timeout.
 */
const temporary = /^(08...|53...|57P0[1-5]|57014|25006|25P03|28...|3D000)$/;

/** What pg says, without a code, when a connection is lost or none could be had in time. */
const lostConnection =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed|Cannot use a pool after calling end|Query read timeout|The server does not support SSL)/;

/** Does this error mean that the database can't be used now, whatever the statement was? */
export function isConnectionError(error: unknown): boolean {
  if (error instanceof DatabaseUnavailable) return true;
  if (typeof error !== 'object' || error === null) return false;
  const { code, errors, message } = error as { code?: unknown; errors?: unknown; message?: unknown };
  if (typeof code === 'string' && (unreachable.has(code) || temporary.test(code))) return true;
  // "localhost" is two addresses: both refused make an AggregateError.
  if (Array.isArray(errors)) return errors.some(isConnectionError);
  return code === undefined && typeof message === 'string' && lostConnection.test(message);
}

/** A connection that gave this error must not go back to the pool. */
export function breaksConnection(error: unknown): boolean {
  const cause = error instanceof DatabaseUnavailable ? error.cause : error;
  // The server ends the statement, not the session, on these.
  const survives = /^(57014|53200|53100)$/;
  return isConnectionError(cause) && !survives.test(sqlState(cause) ?? '');
}

/** Maps what a driver throws: connection trouble becomes DatabaseUnavailable, everything else stays itself. */
export function asDatabaseError(error: unknown): unknown {
  return !(error instanceof DatabaseUnavailable) && isConnectionError(error)
    ? new DatabaseUnavailable(error)
    : error;
}

/** SQLSTATE classes whose reports quote what was written: data exceptions, and violations of constraints. */
const quoting = /^(22|23)[0-9A-Z]{3}$/;

interface Report extends Error {
  code?: unknown;
  routine?: unknown;
  constraint?: unknown;
  detail?: unknown;
  where?: unknown;
  hint?: unknown;
}

/** What PostgreSQL said of the values, kept where nothing that prints an error finds it. */
const details = new WeakMap<Error, string>();

/** PostgreSQL's detail of a violation, with the values: to tell which of them was refused. It must not get into a log or an answer. */
export function detailWithValues(error: unknown): string | undefined {
  return error instanceof Error ? details.get(error) : undefined;
}

/**
 * PostgreSQL quotes values in what it reports: an e-mail address that is there already, a text that is no UUID. Errors are logged, and
 * kept with the job that failed, so the values are taken out here, before anybody has seen them: of raw SQL and of Prisma, which repeats the report.
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
  // It names the constraint and no value.
  if (report.code.startsWith('23')) return error;
  error.message = `PostgreSQL does not accept a value (${[report.code, report.routine].filter(Boolean).join(', ')})`;
  error.stack = `${error.name}: ${error.message}${framesAfter(message, stack)}`;
  return error;
}

/** The frames of a stack, which follow its message; none when that isn't in it. */
function framesAfter(message: string, stack: string | undefined): string {
  const at = stack?.indexOf(message) ?? -1;
  return stack === undefined || at === -1 ? '' : stack.slice(at + message.length);
}

interface Violation {
  code: string;
  constraint?: string;
}

/** Finds the SQLSTATE in what raw SQL or Prisma throws (Prisma keeps the driver's error a few levels down). */
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

/** The SQLSTATE of an error from raw SQL or from Prisma, if it came from PostgreSQL. */
export function sqlState(error: unknown): string | undefined {
  return violation(error)?.code;
}

/** Is this a unique violation (23505), of the named constraint or index if one is given? Raw SQL and Prisma. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  const found = violation(error);
  return found?.code === '23505' && (constraint === undefined || found.constraint === constraint);
}

/** Is this a foreign-key violation (23503), of the named constraint if one is given? Raw SQL and Prisma. */
export function isForeignKeyViolation(error: unknown, constraint?: string): boolean {
  const found = violation(error);
  return found?.code === '23503' && (constraint === undefined || found.constraint === constraint);
}

/**
 * A plan was kept for a statement whose answer has other columns since a table was changed (`ALTER TABLE … TYPE`): planned anew it runs.
 * PostgreSQL has no SQLSTATE of its own for it.
 */
export function isOutdatedPlan(error: unknown): boolean {
  const { code, routine } = (error ?? {}) as { code?: unknown; routine?: unknown };
  return code === '0A000' && routine === 'RevalidateCachedQuery';
}

/** Serialization failure, deadlock or outdated plan: the same transaction may well succeed when tried again. */
export function isRetryable(error: unknown): boolean {
  const code = sqlState(error);
  return code === '40001' || code === '40P01' || isOutdatedPlan(error);
}
