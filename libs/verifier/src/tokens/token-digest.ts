import { hash } from 'node:crypto';

/** Returns the key under which a token is remembered. */
export const digestOf = (token: string): string => hash('sha256', token, 'base64');
