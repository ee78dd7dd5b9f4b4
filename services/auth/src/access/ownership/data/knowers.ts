import type { Caller } from '@ostiary/access';
import type { Sql } from '@ostiary/database';
import { postgresSubjects } from '../../../tenancy/users/data/subjects.ts';
import { holdKnowers as hold } from '../domain/callers.ts';
import type { CredentialOwner } from '../domain/credential-owner.ts';
import { postgresCredentialOwners } from './credential-owners.ts';
import { postgresKnownSecrets } from './known-secrets.ts';

const ports = {
  credentialOwnerStore: postgresCredentialOwners,
  knownSecrets: postgresKnownSecrets,
  subjectStore: postgresSubjects,
};

/** @see Knowers.holdKnowers */
export const holdKnowers = (
  tx: Sql,
  tenant: string,
  callers?: readonly Caller[],
): Promise<CredentialOwner[]> => hold(ports, tx, tenant, callers);
