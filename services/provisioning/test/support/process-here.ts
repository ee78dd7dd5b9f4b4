import { createKit, type ProcessOptions, parseEnv } from '@ostiary/service';
import { testKeys } from '@ostiary/service/testing';

export interface StartedHere {
  url: string;
  stop(): Promise<void>;
}

/** A service as its process starts it, but in this one: its modules are loaded once for all files of a worker. */
export async function startHere<S extends object>(
  { name, env, start }: ProcessOptions<S>,
  variables: Record<string, string>,
): Promise<StartedHere> {
  const steps: (() => Promise<unknown>)[] = [];
  const stop = async (): Promise<void> => {
    for (const step of steps.splice(0).reverse()) await step();
  };
  let url = '';
  try {
    await start({
      env: parseEnv(env, { NODE_ENV: 'test', ...testKeys, ...variables }),
      kit: createKit({ name, logLevel: process.env.TEST_LOG_LEVEL ?? 'silent' }),
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
  const deadline = performance.now() + 45_000;
  for (;;) {
    const answer = await fetch(`${url}/readyz`);
    if (answer.status === 200) return;
    if (performance.now() > deadline) throw new Error(`not ready: ${await answer.text()}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
