import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createDatabase, type Database, type DatabaseOptions } from '../../src/index.ts';
import type { DatabaseLog } from '../../src/log.ts';

const here = dirname(fileURLToPath(import.meta.url));

export const schema = 'bank';
export const schemaFile = join(here, '..', 'prisma', 'schema.prisma');
export const directory = join(here, '..', 'prisma', 'migrations');

export const silent: DatabaseLog = { debug() {}, info() {}, warn() {}, error() {} };

/** Asks until the answer is as wanted, for what a server does a moment later. @throws Error with the last answer */
export async function eventually<T>(ask: () => Promise<T>, holds: (answer: T) => boolean): Promise<T> {
  for (const end = performance.now() + 15_000; ; await sleep(20)) {
    const answer = await ask();
    if (holds(answer)) return answer;
    if (performance.now() > end) throw new Error(`not so: ${JSON.stringify(answer)}`);
  }
}

export const open = (
  url: string,
  poolSize = 5,
  limits: Pick<DatabaseOptions<undefined>, 'answerTimeoutMs' | 'statementTimeoutMs'> = {},
): Database<undefined> =>
  createDatabase({ url, schema, poolSize, log: silent, prisma: () => undefined, ...limits });
