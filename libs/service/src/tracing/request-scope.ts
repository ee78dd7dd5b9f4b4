import { AsyncLocalStorage } from 'node:async_hooks';

/** What follows one request through the process without being passed along. */
export interface RequestScope {
  requestId: string;
  /** Where it comes from: the client's address, as far as trusted proxies tell. */
  address?: string;
  /** The browser or program it comes from, as it calls itself. */
  userAgent?: string | undefined;
  /** W3C traceparent of this hop, where the caller sent one and this process records no spans of its own. */
  traceparent?: string | undefined;
}

const storage = new AsyncLocalStorage<RequestScope>();

/** Runs `work` as part of the request. */
export const runInRequest = <T>(scope: RequestScope, work: () => T): T => storage.run(scope, work);

/** The id of the request being served, if any. */
export const currentRequestId = (): string | undefined => storage.getStore()?.requestId;

/** The address of the client whose request is being served, if any. */
export const currentAddress = (): string | undefined => storage.getStore()?.address;

/** What the client whose request is being served calls itself, if it does. */
export const currentUserAgent = (): string | undefined => storage.getStore()?.userAgent;

/** The traceparent of the request being served, if its caller sent one and no spans are recorded here. */
export const requestTraceparent = (): string | undefined => storage.getStore()?.traceparent;
