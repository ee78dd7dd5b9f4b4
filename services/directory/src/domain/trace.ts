import { currentAddress, currentTraceparent } from '@ostiary/service';

/**
 * What an audit entry says of the request it is written in: the id of its trace (W3C Trace Context) while tracing is on, and
 * the address it came from; nothing of what happens without a request.
 */
export function traceId(): { traceId?: string; address?: string } {
  const id = currentTraceparent()?.split('-')[1];
  const address = currentAddress();
  return { ...(id && { traceId: id }), ...(address && { address }) };
}
