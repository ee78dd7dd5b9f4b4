import type { IncomingMessage, ServerResponse } from 'node:http';
import { failSpan, inSpan, SpanKind, startSpan } from '../tracing/tracing.ts';
import { withoutQuery } from './observation.ts';

/**
 * Runs `work` in the server span of a request. The span ends when the response is sent or the connection is
 * closed.
 */
export function inServerSpan(
  request: IncomingMessage,
  response: ServerResponse,
  route: string | undefined,
  work: () => void,
): void {
  const { traceparent } = request.headers;
  const span = startSpan(`${request.method} ${route ?? 'unmatched'}`, {
    kind: SpanKind.SERVER,
    parent: Array.isArray(traceparent) ? traceparent[0] : traceparent,
    attributes: {
      'http.request.method': request.method ?? '',
      'http.route': route ?? '',
      'url.path': withoutQuery(request.url ?? ''),
    },
  });
  response.once('close', () => {
    span.setAttribute('http.response.status_code', response.statusCode);
    if (response.statusCode >= 500) failSpan(span, undefined);
    span.end();
  });
  inSpan(span, work);
}
