import type { Transaction } from '@ostiary/service';
import type { CarriedRoles, Subject, Subjects } from '../../../tenancy/index.ts';
import type { AssertedGrant } from './asserted-grant.ts';
import type { IssuerSubjectStore } from './issuer-subject-store.ts';
import type { TrustedIssuer, TrustedIssuerStore } from './trusted-issuer-store.ts';

export interface AssertedGrantPorts {
  database: { sql: Transaction };
  subjects: Subjects;
  issuerSubjectStore: IssuerSubjectStore;
  trustedIssuerStore: TrustedIssuerStore;
}

export type AssertedSubject = Subject & { carriedRoles: CarriedRoles };

/** Resolves the subjects of assertions by their stored bindings. */
export class AssertedGrants {
  readonly #o: AssertedGrantPorts;

  constructor(o: AssertedGrantPorts) {
    this.#o = o;
  }

  issuer(tenant: string, issuer: string): Promise<TrustedIssuer | undefined> {
    return this.#o.trustedIssuerStore.findTrustedIssuer(this.#o.database.sql, tenant, issuer);
  }

  /** Returns the user bound to the issuer's subject, with the roles of the binding; null without a binding. */
  async subject(
    tenant: string,
    trusted: TrustedIssuer,
    issuerSubject: string,
  ): Promise<AssertedSubject | null> {
    const { issuerSubjectStore, database, subjects } = this.#o;
    // PostgreSQL cannot store such a text, so no binding can have it.
    if (issuerSubject.includes('\u0000') || !issuerSubject.isWellFormed()) return null;
    const bound = await issuerSubjectStore.findBoundSubject(database.sql, tenant, trusted.id, issuerSubject);
    const subject = bound && (await subjects.find(tenant, bound.subjectId));
    return bound && subject ? { ...subject, carriedRoles: bound.carriedRoles } : null;
  }

  /**
   * Stores the grant and returns its expiry in Unix seconds. Returns undefined when user, client or trusted issuer
   * ended in the meantime.
   */
  open(tenant: string, grant: AssertedGrant): Promise<number | undefined> {
    return this.#o.trustedIssuerStore.openAssertedGrant(this.#o.database.sql, tenant, grant);
  }
}
