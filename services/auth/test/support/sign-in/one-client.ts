import { afterAll, beforeAll } from '@jest/globals';
import type { Client } from '../../../src/clients/domain/client.ts';
import { startTestService, type TestService } from './service.ts';

export let service: TestService;
/** Client without consent. */
export let client: Client;

/** Starts the service with one client. @param o see `startTestService` */
export function setUpOneClient(o: Parameters<typeof startTestService>[0] = {}): void {
  beforeAll(async () => {
    service = await startTestService(o);
    client = await service.client({ require_consent: false });
  });
  afterAll(() => service.stop());
}
