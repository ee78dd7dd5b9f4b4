import { createTestDatabase } from '@ostiary/database/testing';
import { createKit, parseEnv } from '@ostiary/service';
import { eventually, testKeys } from '@ostiary/service/testing';
import { migrationsDirectory } from '../../services/directory/src/migrate.ts';
import { directoryProcess } from '../../services/directory/src/process.ts';

export interface DirectoryHere {
  url: string;
  stop(): Promise<void>;
}

/**
 * Starts the directory in this process with its own database, so that its modules are loaded once per worker. For tests
 * of a service that depends on it.
 * @param variables environment of its process, without the database
 */
export async function startDirectoryHere(variables: Record<string, string>): Promise<DirectoryHere> {
  const { name, env, start } = directoryProcess;
  const database = await createTestDatabase({ schema: 'directory', directory: migrationsDirectory });
  const steps: (() => Promise<unknown>)[] = [];
  const stop = async (): Promise<void> => {
    for (const step of steps.splice(0).reverse()) await step();
    await database.drop();
  };
  let url = '';
  try {
    await start({
      env: parseEnv(env, { NODE_ENV: 'test', ...testKeys, DATABASE_URL: database.url, ...variables }),
      kit: createKit({ name, logLevel: process.env.TEST_LOG_LEVEL ?? 'silent' }),
      lookAt: async (look) => void (await look(false)),
      onStop: (_step, close) => void steps.push(close),
      listen: async (app) => {
        url = await app.listen({ host: '127.0.0.1', port: 0 });
        steps.push(() => app.close());
      },
    });
    await ready(url);
  } catch (error) {
    await stop();
    throw error;
  }
  return { url, stop };
}

async function ready(url: string): Promise<void> {
  await eventually(
    async () => {
      const answer = await fetch(`${url}/readyz`);
      return { status: answer.status, body: await answer.text() };
    },
    ({ status }) => status === 200,
  );
}
