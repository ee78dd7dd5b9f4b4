import { AsyncLocalStorage } from 'node:async_hooks';
import { currentAddress, currentRequestId, currentTraceparent, currentUserAgent } from '@ostiary/service';
import type { AuditContext } from './audit-log.ts';

/** The caller for the audit log, read when a change is recorded: it is known only after the token was verified. */
export interface Caller {
  /** The client of the request's token. */
  readonly clientId: string | undefined;
}

const storage = new AsyncLocalStorage<Caller>();

/** Runs `work` as a part of the caller's request. */
export const runWithCaller = <T>(caller: Caller, work: () => T): T => storage.run(caller, work);

/**
 * Returns the fields of an audit entry that describe the current request: its id, the id of its trace (W3C Trace
 * Context), address, user agent and client; empty outside of a request.
 */
export function auditContext(): AuditContext {
  const traceId = currentTraceparent()?.split('-')[1];
  const address = currentAddress();
  const clientId = storage.getStore()?.clientId;
  const userAgent = currentUserAgent();
  const requestId = currentRequestId();
  return {
    ...(traceId && { traceId }),
    ...(address && { address }),
    ...(clientId && { clientId }),
    ...(userAgent && { userAgent }),
    ...(requestId && { requestId }),
  };
}
