import type { IdPage, Transaction } from '@ostiary/service';
import type { IssuerSubject, IssuerSubjectFilter } from './issuer-subject.ts';

/** The issuer's subject is bound to somebody already: it is said once. */
export class SubjectTaken extends Error {}

/** Whom trusted issuers mean by their subjects. */
export interface IssuerSubjectStore {
  /** @throws SubjectTaken */
  insertIssuerSubject(tx: Transaction, tenant: string, issuerSubject: IssuerSubject): Promise<void>;
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
  ): Promise<string | undefined>;
  /** A stretch of them, in the order in which they were bound. */
  issuerSubjectPage(
    sql: Transaction,
    tenant: string,
    filter: IssuerSubjectFilter,
    page: IdPage,
  ): Promise<IssuerSubject[]>;
  countIssuerSubjects(sql: Transaction, tenant: string, filter: IssuerSubjectFilter): Promise<number>;
}
