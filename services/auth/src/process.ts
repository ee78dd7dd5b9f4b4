import { createDatabase, requireSupportedDatabase } from '@ostiary/database';
import { createRedis, latest, type ProcessOptions } from '@ostiary/service';
import { createAuthService, type Quicker } from './app.ts';
import { env as specification } from './env.ts';
import { PrismaClient } from './platform/database/generated/client.ts';

/** Returns the options of the authorization server process. @param quicker for tests; `main.ts` passes none */
export const authProcess = (quicker?: Quicker): ProcessOptions<typeof specification> => ({
  name: 'auth',
  env: specification,
  async start({ env, kit, lookAt, onStop, listen }) {
    await lookAt(() => requireSupportedDatabase(latest(env.DATABASE_URL)));
    const database = createDatabase({
      url: () => latest(env.DATABASE_URL),
      replicaUrl: env.DATABASE_REPLICA_URL && (() => latest(env.DATABASE_REPLICA_URL ?? '')),
      schema: 'auth',
      poolSize: env.DATABASE_POOL_SIZE,
      prepare: env.DATABASE_PREPARED_STATEMENTS,
      log: kit.log,
      prisma: (adapter) => new PrismaClient({ adapter }),
    });
    onStop('database', () => database.close());
    const redis = createRedis(env.REDIS_URL, { name: 'auth', log: kit.log });
    onStop('redis', async () => redis.disconnect());

    const service = await createAuthService({ kit, env, database, redis, quicker });
    onStop('background work', await service.start());
    await listen(service.app);
  },
});
