import { AsyncLocalStorage } from 'node:async_hooks';

/** What follows one request through the process without being passed along. */
export interface RequestScope {
  requestId: string;
}

const storage = new AsyncLocalStorage<RequestScope>();

/** Runs `work` as part of the request. */
export const runInRequest = <T>(scope: RequestScope, work: () => T): T => storage.run(scope, work);

/** The id of the request being served, if any. */
export const currentRequestId = (): string | undefined => storage.getStore()?.requestId;
