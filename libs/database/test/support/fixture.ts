import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createDatabase, type Database, type DatabaseOptions } from '../../src/index.ts';
import type { DatabaseLog } from '../../src/log.ts';

const here = dirname(fileURLToPath(import.meta.url));

export const schema = 'bank';
export const schemaFile = join(here, '..', 'prisma', 'schema.prisma');
export const directory = join(here, '..', 'prisma', 'migrations');

export const silent: DatabaseLog = { debug() {}, info() {}, warn() {}, error() {} };

export const open = (
  url: string,
  poolSize = 5,
  limits: Pick<DatabaseOptions<undefined>, 'answerTimeoutMs' | 'statementTimeoutMs'> = {},
): Database<undefined> =>
  createDatabase({ url, schema, poolSize, log: silent, prisma: () => undefined, ...limits });
