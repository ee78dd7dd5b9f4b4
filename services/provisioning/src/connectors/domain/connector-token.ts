import { createHmac } from 'node:crypto';
import { isCheckedToken, newCheckedToken } from '@ostiary/access';
import { keyObjectOf } from '@ostiary/service';

const prefix = 'ost_scim_';

/** A new connector token, which secret scanners recognise (`newCheckedToken`). */
export const newConnectorToken = (): string => newCheckedToken(prefix);

/** Whether the text claims to be a connector token (then it is never tried as a JWT). */
export const looksLikeConnectorToken = (token: string): boolean => token.startsWith(prefix);

/** Whether prefix, length and checksum are right, without asking the database. */
export const isWellFormedConnectorToken = (token: string): boolean => isCheckedToken(prefix, token);

/** What is stored in place of the token: HMAC-SHA-256 with a key of nothing else. */
export const connectorTokenDigest = (key: Buffer, token: string): Buffer =>
  createHmac('sha256', keyObjectOf(key)).update(token).digest();
