import { createDatabase } from '@ostiary/database';
import { createRedis, runProcess } from '@ostiary/service';
import { createAuthService } from './app.ts';
import { PrismaClient } from './database/generated/client.ts';
import { env } from './env.ts';

void runProcess({
  name: 'auth',
  env,
  async start({ env, kit, onStop, listen }) {
    const database = createDatabase({
      url: env.DATABASE_URL,
      schema: 'auth',
      poolSize: env.DATABASE_POOL_SIZE,
      prepare: env.DATABASE_PREPARED_STATEMENTS,
      log: kit.log,
      prisma: (adapter) => new PrismaClient({ adapter }),
    });
    onStop('database', () => database.close());
    const redis = createRedis(env.REDIS_URL, { name: 'auth', log: kit.log });
    onStop('redis', async () => redis.disconnect());

    const service = await createAuthService({ kit, env, database, redis });
    onStop('background work', await service.start());
    await listen(service.app);
  },
});
