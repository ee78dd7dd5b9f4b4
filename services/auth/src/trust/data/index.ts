export { PostgresIssuerSubjectList, postgresIssuerSubjects } from './issuer-subjects.ts';
export { postgresTrustedIssuers } from './trusted-issuers.ts';
