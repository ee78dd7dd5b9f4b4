import type { AcceptablePassword } from '../../../src/identity/sign-in/domain/new-password.ts';

/** Marks a password as acceptable without a check. */
export const acceptable = (password: string): AcceptablePassword => password as AcceptablePassword;
