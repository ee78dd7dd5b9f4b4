import { type DestinationStream, type Logger, pino } from 'pino';
import { currentRequestId } from '../tracing/request-scope.ts';
import { currentTrace } from '../tracing/tracing.ts';
import { LogDestination } from './log-destination.ts';

export type { Logger } from 'pino';

const censor = '[redacted]';
/** What a line may not tell itself, and what nothing in it may. */
const ownSecrets = ['password', 'token', 'secret', 'code', 'authorization', 'cookie'];
const nestedSecrets = [
  '*.password',
  '*.token',
  '*.secret',
  '*.client_secret',
  '*.access_token',
  '*.refresh_token',
  '*.authorization',
  '*.cookie',
  // Of an error of ioredis: the command that failed with its arguments, the password of AUTH among them.
  '*.command',
];

/**
 * Structured logs, one JSON object a line, with the request and the trace of the moment. Secrets have no place in a log call;
 * the redaction list is the second line of defence.
 */
export function createLog(name: string, level: string, stream?: DestinationStream): Logger {
  return pino(
    {
      name,
      level,
      base: { name, pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      mixin: currentRequest,
      redact: {
        paths: [...ownSecrets, ...nestedSecrets],
        censor,
      },
    },
    stream ?? new LogDestination(),
  );
}

function currentRequest(): object {
  const requestId = currentRequestId();
  return requestId === undefined ? currentTrace() : { requestId, ...currentTrace() };
}
