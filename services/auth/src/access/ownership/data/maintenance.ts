import type { Scan } from '@ostiary/database';
import { keyOfPage, waitingScan } from '../../../platform/database/data/maintenance.ts';

export const pendingOwnership = {
  groupOwners: 'EXISTS (SELECT FROM auth.owner_checks)',
  secretEnds: 'EXISTS (SELECT FROM auth.secret_ends WHERE ends_at <= now())',
};

export const ownerCheckScan = (waitingSeconds: number): Scan =>
  waitingScan(
    {
      name: 'queries about owners',
      says: 'Groups that own credentials are checked for members without delay: no user keeps access through a group without members.',
      table: 'auth.owner_checks',
      key: keyOfPage,
    },
    { since: 'created_at', detail: `'since ' || page.created_at`, waitingSeconds },
  );
