import { currentTraceparent } from '@ostiary/service';

/** The id of the trace this happens in (W3C Trace Context), for an audit entry; nothing while tracing is off. */
export function traceId(): { traceId?: string } {
  const id = currentTraceparent()?.split('-')[1];
  return id ? { traceId: id } : {};
}
