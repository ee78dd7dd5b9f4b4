import { AsyncLocalStorage } from 'node:async_hooks';
import { currentAddress, currentRequestId, currentTraceparent, currentUserAgent } from '@ostiary/service';
import type { AuditContext } from './audit-log.ts';

/** Who calls, as far as the audit log says it; read when something is recorded, for it is known only after the token was verified. */
export interface Caller {
  /** The app whose token the request came with. */
  readonly clientId: string | undefined;
}

const storage = new AsyncLocalStorage<Caller>();

/** Runs `work` as a part of the caller's request. */
export const runWithCaller = <T>(caller: Caller, work: () => T): T => storage.run(caller, work);

/**
 * What an audit entry says of the request it is written in: its id and the id of its trace (W3C Trace Context) if it is in
 * one, the address and the program it came from, and the app; nothing of what happens without a request.
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
