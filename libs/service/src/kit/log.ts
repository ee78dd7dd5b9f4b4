import { type DestinationStream, type Logger, pino } from 'pino';
import { currentRequestId } from '../tracing/request-scope.ts';
import { currentTrace } from '../tracing/tracing.ts';
import { LogDestination } from './log-destination.ts';

export type { Logger } from 'pino';

const censor = '[redacted]';
/** Redacted fields of a line, and those redacted at any depth. */
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
  // An error of ioredis contains the failed command with its arguments, such as the password of AUTH.
  '*.command',
];

/**
 * Creates a structured log: one JSON object per line, with the current request and trace. Secrets must not be
 * logged; the redaction list is the second line of defence.
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
