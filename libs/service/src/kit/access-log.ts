import { type DestinationStream, type Logger, pino } from 'pino';
import { currentTrace } from '../tracing/tracing.ts';
import { LogDestination } from './log-destination.ts';

export type AccessLevel = 'trace' | 'info' | 'warn' | 'error';

/** What the access log tells of a request that was answered: texts and numbers, none of which may be a secret. */
export interface AccessLine {
  requestId: string;
  method: string;
  /** Without its query: queries carry codes, tokens and names. */
  path: string;
  status: number;
  ms: number;
}

/**
 * The lines of requests, one for each and so more than all others together. They are put together by hand, the same as the log's own would be:
 * what pino does for any line (redaction, the mixin, serializers) finds nothing in these fields and costs several times the line. They are
 * written together with their neighbours where the log goes to standard output.
 */
export class AccessLog {
  readonly #log: Logger;
  readonly #write: (line: string) => void;
  /** Name and number of the process, as every line has them. */
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

  /** The time as ISO 8601 has it, put together once a millisecond. */
  #now(): string {
    const now = Date.now();
    if (now !== this.#at) {
      this.#at = now;
      this.#time = new Date(now).toISOString();
    }
    return this.#time;
  }
}
