export type { IssuerSubjectStore } from './domain/issuer-subject-store.ts';
export { BoundSubjects } from './domain/issuer-subjects.ts';
export type { TrustedIssuerStore } from './domain/trusted-issuer-store.ts';
export { RegisteredIssuers } from './domain/trusted-issuers.ts';
