import { createHash } from 'node:crypto';

/**
 * Returns a mark of the password in force, derived from its ticket, which discloses nothing about the password.
 * Another password, or none, has another mark; a new hash of the same password has the same.
 */
export const passwordMark = (ticket: string | undefined): string =>
  createHash('sha256')
    .update(ticket ?? '')
    .digest('base64url');
