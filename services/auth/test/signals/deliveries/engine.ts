import { createDatabase, type Database } from '@ostiary/database';
import { createTestDatabase } from '@ostiary/database/testing';
import { createKit, uuidv7, Wake } from '@ostiary/service';
import { PrismaClient } from '../../../src/platform/database/generated/client.ts';
import { deliveryQueue } from '../../../src/signals/data/deliveries.ts';
import { deliveriesChannel } from '../../../src/signals/data/facts.ts';
import { insertReceiver, receiverHealth } from '../../../src/signals/data/receivers.ts';
import type { DueDelivery, Outcome, Receiver } from '../../../src/signals/domain/delivery.ts';
import { DeliveryEngine, type EngineOptions } from '../../../src/signals/domain/engine.ts';
import type { FactType, NewFact } from '../../../src/tenancy/events/domain/facts.ts';
import { migrations } from '../../support/running-auth.ts';

export const retry = { firstSeconds: 1, maxSeconds: 60, giveUpSeconds: 3_600 };

/** Creates a database of auth with delivery engines whose sender is a function. */
export async function startEngines(o: { poolSize?: number } = {}) {
  const made = await createTestDatabase({ schema: 'auth', directory: migrations });
  const { log } = createKit({ name: 'test', logLevel: process.env.TEST_LOG ?? 'silent' });
  const database: Database<PrismaClient> = createDatabase({
    url: made.url,
    schema: 'auth',
    poolSize: o.poolSize ?? 6,
    log,
    prisma: (adapter) => new PrismaClient({ adapter }),
  });
  const engines: DeliveryEngine[] = [];
  return {
    database,
    engine(
      send: (delivery: DueDelivery) => Promise<Outcome>,
      o: Partial<EngineOptions> = {},
    ): DeliveryEngine {
      const wake = new Wake();
      void database.listen(deliveriesChannel, () => wake.poke(false));
      const engine = new DeliveryEngine({
        queue: deliveryQueue(database),
        receivers: receiverHealth(database.sql),
        senders: { webhook: { send } },
        retry,
        timeoutSeconds: 2,
        concurrency: 64,
        log,
        wake,
        ...o,
      });
      engine.start();
      engines.push(engine);
      return engine;
    },
    async stopEngines(): Promise<void> {
      await Promise.all(engines.splice(0).map((engine) => engine.stop(2_000)));
    },
    receiver: (tenant: string, factTypes: readonly FactType[], o: Partial<Receiver> = {}) =>
      insertTestReceiver(database, tenant, factTypes, o),
    async stop(): Promise<void> {
      await this.stopEngines();
      await database.close();
      await made.drop();
    },
  };
}

const insertTestReceiver = (
  database: Database<PrismaClient>,
  tenant: string,
  factTypes: readonly FactType[],
  o: Partial<Receiver>,
): Promise<Receiver> =>
  insertReceiver(
    database.sql,
    tenant,
    {
      id: uuidv7(),
      kind: 'webhook',
      name: 'a receiver',
      clientId: null,
      endpoint: 'https://receiver.example/',
      status: 'enabled',
      factTypes: [...factTypes],
      settings: {},
      secrets: null,
      ...o,
    },
    1_000,
  ) as Promise<Receiver>;

export type Engines = Awaited<ReturnType<typeof startEngines>>;

export const factAbout = (
  id: string,
  data: Record<string, unknown> = {},
  type: FactType = 'user.updated',
): NewFact => ({
  type,
  subject: { kind: 'user', id },
  data,
});
