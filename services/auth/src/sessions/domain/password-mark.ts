import { createHash } from 'node:crypto';

/**
 * Stands for a password in force, without being worth anything: another one, or none, has another mark. It is made of the ticket
 * that the password came under: the same password hashed anew has the same.
 */
export const passwordMark = (ticket: string | undefined): string =>
  createHash('sha256')
    .update(ticket ?? '')
    .digest('base64url');
