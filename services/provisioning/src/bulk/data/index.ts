export { Submissions } from './submissions.ts';
