import { type Scan, sealedColumn } from '@ostiary/database';
import { keyOfPage } from '../../../platform/database/data/maintenance.ts';
import type { SealedColumnOf } from '../../../tenancy/keys/data/maintenance.ts';
import { offboarded, subjectOfPage, type TableOfUsers } from '../../../tenancy/users/data/maintenance.ts';
import { totpContext } from '../domain/second-factors.ts';

const totpSecrets = sealedColumn({
  table: 'auth.totp_factors',
  column: 'secret',
  id: [
    ['tenant', 'text'],
    ['subject_id', 'uuid'],
  ],
});

export const totpColumn: SealedColumnOf = (database, keys) => ({
  rows: totpSecrets(database),
  ring: keys.of('totp'),
  context: ([tenant = '', subjectId = '']) => totpContext(tenant, subjectId),
});

export const invitationScan: Scan = {
  name: 'invitations',
  says: 'An offboarded user has no invitation that a reactivation would make valid.',
  table: 'auth.invitations',
  key: keyOfPage,
  // An invitation of an earlier epoch is invalid, and stays until it is pruned.
  flaws: `SELECT page.tenant, page.id::text AS id, 'invitation of ' || s.id AS detail FROM page ${subjectOfPage}
           WHERE page.used_at IS NULL AND page.expires_at > now() AND page.subject_epoch >= s.epoch AND ${offboarded}`,
};

export const signInTables: readonly TableOfUsers[] = [
  // A password that was staged during the deletion waits for an event that never arrives.
  { name: 'credentials', only: 't.activated_at IS NOT NULL' },
  { name: 'passkeys' },
  { name: 'totp_factors' },
  { name: 'recovery_codes' },
  { name: 'invitations' },
];
