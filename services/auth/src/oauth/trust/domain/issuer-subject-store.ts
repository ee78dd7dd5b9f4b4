import type { IdPage, Transaction } from '@ostiary/service';
import type { CarriedRoles } from '../../../tenancy/index.ts';
import type { IssuerSubject, IssuerSubjectFilter } from './issuer-subject.ts';

/** The issuer's subject is already bound to a user. */
export class SubjectTaken extends Error {}

/** The user bound to an issuer's subject, and the roles of the binding. */
export interface BoundSubject {
  subjectId: string;
  carriedRoles: CarriedRoles;
}

export interface IssuerSubjectStore {
  /** @throws SubjectTaken */
  insertIssuerSubject(
    tx: Transaction,
    tenant: string,
    issuerSubject: IssuerSubject & { carriedRoles: CarriedRoles },
  ): Promise<void>;
  /**
   * Counts the bound subjects of an issuer and locks it against further bindings until the transaction ends. Returns
   * undefined without such an issuer.
   */
  holdIssuerSubjects(tx: Transaction, tenant: string, trustedIssuerId: string): Promise<number | undefined>;
  /**
   * Deletes a binding.
   * @returns the binding and the grants that end with it; undefined when there is none
   */
  deleteIssuerSubject(
    tx: Transaction,
    tenant: string,
    id: string,
  ): Promise<
    { binding: IssuerSubject; grants: { id: string; subjectId: string; clientId: string }[] } | undefined
  >;
  /** Returns the user bound to an issuer's subject; undefined without a binding. */
  findBoundSubject(
    sql: Transaction,
    tenant: string,
    trustedIssuerId: string,
    subject: string,
  ): Promise<BoundSubject | undefined>;
  /** Returns one page of the bindings in order of creation. */
  issuerSubjectPage(
    sql: Transaction,
    tenant: string,
    filter: IssuerSubjectFilter,
    page: IdPage,
  ): Promise<IssuerSubject[]>;
  countIssuerSubjects(sql: Transaction, tenant: string, filter: IssuerSubjectFilter): Promise<number>;
}
