import { afterAll, beforeAll } from '@jest/globals';
import { type Backend, createBackend, type RunningAuth, startAuth } from './running-auth.ts';

export let backend: Backend;
export let auth: RunningAuth;
/** A second process on the same database and Redis, with the same issuer. */
export let twin: RunningAuth;

export function setUpTwoProcesses(env: Record<string, string> = {}): void {
  beforeAll(async () => {
    backend = await createBackend();
    auth = await startAuth(backend, { env });
    twin = await startAuth(backend, { publicOrigin: auth.origin });
  });

  afterAll(async () => {
    await twin?.stop();
    await auth?.stop();
    await backend?.drop();
  });
}
