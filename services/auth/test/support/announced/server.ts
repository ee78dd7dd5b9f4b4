import { afterAll, beforeAll } from '@jest/globals';
import { type Backend, createBackend, type RunningAuth, startAuth } from '../running-auth.ts';

export let backend: Backend;
export let auth: RunningAuth;
export let announced: Record<string, unknown>;

/** Starts a process and reads its metadata. */
export function setUpAnnounced(): void {
  beforeAll(async () => {
    backend = await createBackend();
    auth = await startAuth(backend, { env: { OUTGOING_ALLOW_PRIVATE: 'true' } });
    announced = (await auth.get('/t/demo/.well-known/openid-configuration')).body;
  });

  afterAll(async () => {
    await auth?.stop();
    await backend?.drop();
  });
}

export const list = (name: string): string[] => {
  const values = announced[name];
  if (!Array.isArray(values) || values.length === 0) throw new Error(`${name} announces nothing`);
  return values as string[];
};

export const machine = { grant_types: ['client_credentials'], redirect_uris: [], scope: 'users:read' };
