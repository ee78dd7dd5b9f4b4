import { createHmac } from 'node:crypto';
import { isCheckedToken, newCheckedToken } from '@ostiary/access';
import { keyObjectOf } from '@ostiary/service';

const prefix = 'ost_scim_';

/** Returns a new connector token, in a format that secret scanners recognise (`newCheckedToken`). */
export const newConnectorToken = (): string => newCheckedToken(prefix);

/** Reports whether the text has the prefix of a connector token; then it is never parsed as a JWT. */
export const looksLikeConnectorToken = (token: string): boolean => token.startsWith(prefix);

/** Reports whether prefix, length and checksum are valid, without a query. */
export const isWellFormedConnectorToken = (token: string): boolean => isCheckedToken(prefix, token);

/** Returns the stored digest of a token: HMAC-SHA-256 with a key that is used for nothing else. */
export const connectorTokenDigest = (key: Buffer, token: string): Buffer =>
  createHmac('sha256', keyObjectOf(key)).update(token).digest();
