export type { IssuerSubjectStore } from './domain/issuer-subject-store.ts';
export { createIssuerSubjects } from './domain/issuer-subjects.ts';
export type { TrustedIssuerStore } from './domain/trusted-issuer-store.ts';
export { createTrustedIssuers } from './domain/trusted-issuers.ts';
