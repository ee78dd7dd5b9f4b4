export { ProjectedSubjects, type SubjectRegister } from './domain/subjects.ts';
