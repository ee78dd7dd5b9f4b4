export { answerError } from './scim-errors.ts';
