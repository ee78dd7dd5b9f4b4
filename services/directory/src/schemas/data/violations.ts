import { sqlState } from '@ostiary/database';
import { OutdatedSchemas } from '../domain/schemas-in-use.ts';

/** SQLSTATE that the triggers on users and groups raise. */
const outdated = 'OS001';

/** Translates the database's error for a resource that was written under outdated schemas. */
export const asOutdatedSchemas = (error: unknown): OutdatedSchemas | undefined =>
  sqlState(error) === outdated ? new OutdatedSchemas({ cause: error }) : undefined;
