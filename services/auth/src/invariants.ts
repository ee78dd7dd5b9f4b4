import type { Flaw, Scan, Sql } from '@ostiary/database';
import { delegationScan } from './access/grants/data/delegation-maintenance.ts';
import {
  grantOfSuspendedTenantScan,
  grantScan,
  refreshFamilyScan,
} from './access/grants/data/maintenance.ts';
import { apiTokenTables, personalAccessTokenScan } from './access/machines/data/maintenance.ts';
import { ownerCheckScan } from './access/ownership/data/maintenance.ts';
import { membershipCheckScan, roleTables } from './access/roles/data/maintenance.ts';
import { disabledClientScans } from './clients/data/maintenance.ts';
import {
  grantSessionScan,
  liveEventScan,
  sessionAfterSignOutScan,
  sessionOfSuspendedTenantScan,
  sessionScan,
} from './identity/sessions/data/maintenance.ts';
import { invitationScan, signInTables } from './identity/sign-in/data/maintenance.ts';
import { outwardScans } from './signals/data/invariants.ts';
import { type Key, leftoversStatement, revocationScan } from './tenancy/users/data/maintenance.ts';

export { type HoldingFact, holdingsAfter, holdingsOf } from './access/roles/data/maintenance.ts';
export { received } from './lifecycle/directory-events/processed-events.data.ts';
export { tenants } from './tenancy/tenants/data/maintenance.ts';
export { subjectsAfter, subjectsOf } from './tenancy/users/data/maintenance.ts';

/** Invariants of this service's own tables. @param waitingSeconds maximum time that an effect may be pending */
export const scans = (waitingSeconds: number): Scan[] => [
  sessionScan,
  grantScan,
  delegationScan,
  personalAccessTokenScan,
  invitationScan,
  grantSessionScan,
  refreshFamilyScan,
  revocationScan,
  membershipCheckScan(waitingSeconds),
  ownerCheckScan(waitingSeconds),
  liveEventScan(waitingSeconds),
  sessionAfterSignOutScan,
  ...disabledClientScans,
  sessionOfSuspendedTenantScan,
  grantOfSuspendedTenantScan,
  ...outwardScans(waitingSeconds),
];

const findLeftovers = leftoversStatement([...signInTables, ...roleTables, ...apiTokenTables]);

/** Returns objects of deleted users with which they could sign in or act after a restoration. */
export const leftovers = (sql: Sql, keys: readonly Key[]): Promise<Flaw[]> =>
  findLeftovers.rows(sql, { tenants: keys.map(({ tenant }) => tenant), ids: keys.map(({ id }) => id) });
