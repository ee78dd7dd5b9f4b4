import { type DestinationStream, type Logger, pino } from 'pino';
import { currentRequestId } from '../tracing/request-scope.ts';
import { currentTrace } from '../tracing/tracing.ts';

export type { Logger } from 'pino';

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
        paths: [
          'password',
          'token',
          'secret',
          'code',
          'authorization',
          'cookie',
          '*.password',
          '*.token',
          '*.secret',
          '*.client_secret',
          '*.access_token',
          '*.refresh_token',
          '*.authorization',
          '*.cookie',
        ],
        censor: '[redacted]',
      },
    },
    stream ?? pino.destination({ fd: 1, sync: false }),
  );
}

function currentRequest(): object {
  const requestId = currentRequestId();
  return requestId === undefined ? currentTrace() : { requestId, ...currentTrace() };
}
