/** A subject of a trusted issuer, bound to a user. */
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
