import { type DestinationStream, type Logger, pino } from 'pino';
import { currentTrace } from '../tracing/tracing.ts';
import { LogDestination } from './log-destination.ts';

export type AccessLevel = 'trace' | 'info' | 'warn' | 'error';

/** Fields of an access log line: texts and numbers without secrets. */
export interface AccessLine {
  requestId: string;
  method: string;
  /** Path without its query, which may contain codes, tokens and names. */
  path: string;
  status: number;
  ms: number;
}

/**
 * Writes the access log, which has more lines than all other logs. Lines are built directly in the format of
 * the log: pino's processing of each line (redaction, mixin, serializers) changes nothing in these fields and
 * costs several times the line. Adjacent lines are written together if the log goes to standard output.
 */
export class AccessLog {
  readonly #log: Logger;
  readonly #write: (line: string) => void;
  /** Name and id of the process, present in every line. */
  readonly #process: string;
  #at = 0;
  #time = '';

  constructor(log: Logger) {
    this.#log = log;
    this.#process = JSON.stringify({ ...log.bindings(), pid: process.pid }).slice(1, -1);
    const stream = (log as unknown as Record<symbol, DestinationStream>)[pino.symbols.streamSym];
    if (stream === undefined) throw new Error('the log has no destination');
    this.#write =
      stream instanceof LogDestination ? (line) => stream.hold(line) : (line) => stream.write(line);
  }

  isEnabled(level: AccessLevel): boolean {
    return this.#log.isLevelEnabled(level);
  }

  write(level: AccessLevel, { requestId, method, path, status, ms }: AccessLine): void {
    const trace = JSON.stringify(currentTrace()).slice(1, -1);
    this.#write(
      `{"level":"${level}","time":"${this.#now()}",${this.#process},"requestId":${JSON.stringify(requestId)},${
        trace === '' ? '' : `${trace},`
      }"method":"${method}","path":${JSON.stringify(path)},"status":${status},"ms":${ms},"msg":"request"}\n`,
    );
  }

  /** ISO 8601 time, formatted once per millisecond. */
  #now(): string {
    const now = Date.now();
    if (now !== this.#at) {
      this.#at = now;
      this.#time = new Date(now).toISOString();
    }
    return this.#time;
  }
}
