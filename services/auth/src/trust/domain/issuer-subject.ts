import type { IdPage } from '@ostiary/service';

/** Whom a trusted issuer means by one of its subjects. */
export interface IssuerSubject {
  id: string;
  trustedIssuerId: string;
  /** `sub` of its assertions. */
  subject: string;
  subjectId: string;
  createdAt: Date;
}

export interface IssuerSubjectFilter {
  id?: string;
  trustedIssuerId?: string;
  userId?: string;
}

/** Lists of whom trusted issuers mean. */
export interface IssuerSubjectList {
  page(tenant: string, filter: IssuerSubjectFilter, page: IdPage): Promise<IssuerSubject[]>;
  count(tenant: string, filter: IssuerSubjectFilter): Promise<number>;
}
