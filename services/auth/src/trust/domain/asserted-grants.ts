import type { Transaction } from '@ostiary/service';
import type { Subjects } from '../../subjects/index.ts';
import type { AssertedGrants } from './grant-jwt-bearer.ts';
import type { IssuerSubjectStore } from './issuer-subject-store.ts';
import type { TrustedIssuerStore } from './trusted-issuer-store.ts';

export interface AssertedGrantPorts {
  database: { sql: Transaction };
  subjects: Pick<Subjects, 'find'>;
  issuerSubjectStore: Pick<IssuerSubjectStore, 'findBoundSubject'>;
  trustedIssuerStore: Pick<TrustedIssuerStore, 'findTrustedIssuer' | 'openAssertedGrant'>;
}

/** Whom assertions are about, as it was said once. */
export const createAssertedGrants = (o: AssertedGrantPorts): AssertedGrants => ({
  issuer: (tenant, issuer) => o.trustedIssuerStore.findTrustedIssuer(o.database.sql, tenant, issuer),
  async subject(tenant, trusted, issuerSubject) {
    // What no text of the database can hold is nobody's.
    if (issuerSubject.includes('\u0000') || !issuerSubject.isWellFormed()) return null;
    const id = await o.issuerSubjectStore.findBoundSubject(o.database.sql, tenant, trusted.id, issuerSubject);
    return id === undefined ? null : o.subjects.find(tenant, id);
  },
  open: (tenant, grant) => o.trustedIssuerStore.openAssertedGrant(o.database.sql, tenant, grant),
});
