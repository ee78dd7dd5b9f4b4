import { createHash } from 'node:crypto';

/** Stands for a password in force, without being worth anything: another one, or none, has another mark. */
export const passwordMark = (hash: string | undefined): string =>
  createHash('sha256')
    .update(hash ?? '')
    .digest('base64url');
