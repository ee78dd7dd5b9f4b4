export type { SubmissionStore } from './domain/submission.ts';
