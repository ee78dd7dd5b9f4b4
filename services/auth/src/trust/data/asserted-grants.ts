import type { Sql } from '@ostiary/database';
import type { Subjects } from '../../subjects/index.ts';
import type { AssertedGrants } from '../domain/grant-jwt-bearer.ts';
import { findBoundSubject } from './issuer-subjects.ts';
import { findTrustedIssuer, openAssertedGrant } from './trusted-issuers.ts';

/** Whom assertions are about, as it was said once. */
export const createAssertedGrants = (o: { sql: Sql; subjects: Pick<Subjects, 'find'> }): AssertedGrants => ({
  issuer: (tenant, issuer) => findTrustedIssuer(o.sql, tenant, issuer),
  async subject(tenant, trusted, issuerSubject) {
    // What no text of the database can hold is nobody's.
    if (issuerSubject.includes('\u0000') || !issuerSubject.isWellFormed()) return null;
    const id = await findBoundSubject(o.sql, tenant, trusted.id, issuerSubject);
    return id === undefined ? null : o.subjects.find(tenant, id);
  },
  open: (tenant, grant) => openAssertedGrant(o.sql, tenant, grant),
});
