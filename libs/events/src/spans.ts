import { failSpan, inSpan, SpanKind, startSpan, tracingEnabled } from '@ostiary/service';
import type { DomainEvent } from './contracts.ts';

/** Processes events in spans of their own traces. The statements of a batch belong to the first one's. */
export async function inSpansOf<T>(
  events: readonly DomainEvent[],
  queue: string,
  work: () => Promise<T>,
): Promise<T> {
  if (!tracingEnabled()) return work();
  const spans = events.map((event) =>
    startSpan(`process ${event.type}`, {
      kind: SpanKind.CONSUMER,
      parent: event.traceparent,
      attributes: {
        'messaging.system': 'bullmq',
        'messaging.operation.type': 'process',
        'messaging.destination.name': queue,
        'messaging.message.id': event.id,
        'messaging.batch.message_count': events.length,
      },
    }),
  );
  try {
    return await (spans[0] ? inSpan(spans[0], work) : work());
  } catch (error) {
    for (const span of spans) failSpan(span, error);
    throw error;
  } finally {
    for (const span of spans) span.end();
  }
}
