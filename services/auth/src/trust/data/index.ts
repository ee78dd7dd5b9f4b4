export { PostgresIssuerSubjectList } from './issuer-subjects.ts';
