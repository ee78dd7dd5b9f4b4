import { sqlState } from '@ostiary/database';
import { OutdatedSchemas } from '../domain/schemas-in-use.ts';

/** SQLSTATE that the triggers on users and groups raise. */
const outdated = 'OS001';

/** What the database says of a resource that was written by schemas of before. */
export const asOutdatedSchemas = (error: unknown): OutdatedSchemas | undefined =>
  sqlState(error) === outdated ? new OutdatedSchemas({ cause: error }) : undefined;
