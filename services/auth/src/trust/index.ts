export { createIssuerSubjects } from './domain/issuer-subjects.ts';
export { createTrustedIssuers, type TrustedIssuer } from './domain/trusted-issuers.ts';
