import type { Sql } from '@ostiary/database';
import { postgresSubjects } from '../../../tenancy/users/data/subjects.ts';
import { holdKnowers, type KnowerPorts } from '../domain/callers.ts';
import type { Knowers } from '../domain/known-secret.ts';

/** @see Knowers */
export function postgresKnowers(stores: Omit<KnowerPorts, 'subjectStore'>): Knowers {
  const ports = { ...stores, subjectStore: postgresSubjects };
  return {
    holdKnowers: (tx: Sql, ...of) => holdKnowers(ports, tx, ...of),
    recordKnown: stores.knownSecrets.recordKnown,
  };
}
