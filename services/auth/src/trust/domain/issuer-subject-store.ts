import type { IdPage, Transaction } from '@ostiary/service';
import type { CarriedRoles } from '../../subjects/index.ts';
import type { IssuerSubject, IssuerSubjectFilter } from './issuer-subject.ts';

/** The issuer's subject is bound to somebody already: it is said once. */
export class SubjectTaken extends Error {}

/** The user that an issuer's subject is bound to, and the roles that the binding carries. */
export interface BoundSubject {
  subjectId: string;
  carriedRoles: CarriedRoles;
}

/** Whom trusted issuers mean by their subjects. */
export interface IssuerSubjectStore {
  /** @throws SubjectTaken */
  insertIssuerSubject(
    tx: Transaction,
    tenant: string,
    issuerSubject: IssuerSubject & { carriedRoles: CarriedRoles },
  ): Promise<void>;
  /** How many subjects of an issuer are bound; nobody else binds one until the transaction ends. Undefined without such an issuer. */
  holdIssuerSubjects(tx: Transaction, tenant: string, trustedIssuerId: string): Promise<number | undefined>;
  /** Removes one. @returns what it was, and the grants that live by it and end with it. Undefined when there is none. */
  deleteIssuerSubject(
    tx: Transaction,
    tenant: string,
    id: string,
  ): Promise<
    { binding: IssuerSubject; grants: { id: string; subjectId: string; clientId: string }[] } | undefined
  >;
  /** Whom this issuer means by this subject; undefined when nobody has said. */
  findBoundSubject(
    sql: Transaction,
    tenant: string,
    trustedIssuerId: string,
    subject: string,
  ): Promise<BoundSubject | undefined>;
  /** A stretch of them, in the order in which they were bound. */
  issuerSubjectPage(
    sql: Transaction,
    tenant: string,
    filter: IssuerSubjectFilter,
    page: IdPage,
  ): Promise<IssuerSubject[]>;
  countIssuerSubjects(sql: Transaction, tenant: string, filter: IssuerSubjectFilter): Promise<number>;
}
