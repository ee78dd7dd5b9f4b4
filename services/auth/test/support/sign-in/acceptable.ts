import type { AcceptablePassword } from '../../../src/sign-in/domain/new-password.ts';

/** A password that nobody looked at. */
export const acceptable = (password: string): AcceptablePassword => password as AcceptablePassword;
