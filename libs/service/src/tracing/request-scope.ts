import { AsyncLocalStorage } from 'node:async_hooks';

/** Data of one request, available throughout the process without being passed. */
export interface RequestScope {
  requestId: string;
  /** Client address, as reported by trusted proxies. */
  address?: string;
  /** User-Agent of the client. */
  userAgent?: string | undefined;
  /** W3C traceparent of this hop, if the caller sent one and this process records no spans. */
  traceparent?: string | undefined;
}

const storage = new AsyncLocalStorage<RequestScope>();

/** Runs `work` as part of the request. */
export const runInRequest = <T>(scope: RequestScope, work: () => T): T => storage.run(scope, work);

/** Returns the id of the current request, if any. */
export const currentRequestId = (): string | undefined => storage.getStore()?.requestId;

/** Returns the client address of the current request, if any. */
export const currentAddress = (): string | undefined => storage.getStore()?.address;

/** Returns the User-Agent of the current request, if any. */
export const currentUserAgent = (): string | undefined => storage.getStore()?.userAgent;

/** Returns the traceparent of the current request, if its caller sent one and no spans are recorded. */
export const requestTraceparent = (): string | undefined => storage.getStore()?.traceparent;
