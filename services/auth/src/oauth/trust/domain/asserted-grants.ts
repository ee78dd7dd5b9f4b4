import type { Transaction } from '@ostiary/service';
import type { Subjects } from '../../../tenancy/index.ts';
import type { AssertedGrants } from './grant-jwt-bearer.ts';
import type { IssuerSubjectStore } from './issuer-subject-store.ts';
import type { TrustedIssuerStore } from './trusted-issuer-store.ts';

export interface AssertedGrantPorts {
  database: { sql: Transaction };
  subjects: Subjects;
  issuerSubjectStore: IssuerSubjectStore;
  trustedIssuerStore: TrustedIssuerStore;
}

/** Resolves the subjects of assertions by their stored bindings. */
export class StoredAssertedGrants implements AssertedGrants {
  readonly #o: AssertedGrantPorts;

  constructor(o: AssertedGrantPorts) {
    this.#o = o;
  }

  issuer(...[tenant, issuer]: Parameters<AssertedGrants['issuer']>): ReturnType<AssertedGrants['issuer']> {
    return this.#o.trustedIssuerStore.findTrustedIssuer(this.#o.database.sql, tenant, issuer);
  }

  async subject(
    ...[tenant, trusted, issuerSubject]: Parameters<AssertedGrants['subject']>
  ): ReturnType<AssertedGrants['subject']> {
    const { issuerSubjectStore, database, subjects } = this.#o;
    // PostgreSQL cannot store such a text, so no binding can have it.
    if (issuerSubject.includes('\u0000') || !issuerSubject.isWellFormed()) return null;
    const bound = await issuerSubjectStore.findBoundSubject(database.sql, tenant, trusted.id, issuerSubject);
    const subject = bound && (await subjects.find(tenant, bound.subjectId));
    return bound && subject ? { ...subject, carriedRoles: bound.carriedRoles } : null;
  }

  open(...[tenant, grant]: Parameters<AssertedGrants['open']>): ReturnType<AssertedGrants['open']> {
    return this.#o.trustedIssuerStore.openAssertedGrant(this.#o.database.sql, tenant, grant);
  }
}
