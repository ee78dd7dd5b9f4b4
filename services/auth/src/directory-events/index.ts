export { createSubjects, type SubjectRegister } from './domain/subjects.ts';
