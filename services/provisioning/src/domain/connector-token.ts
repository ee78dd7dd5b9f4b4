import { createHmac, type KeyObject, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const prefix = 'ost_scim_';
const secretLength = 40; // × log2(62) = 238 bits
const checksumLength = 6; // 62^6 > 2^32
const shape = new RegExp(`^${prefix}[0-9A-Za-z]{${secretLength + checksumLength}}$`);

/**
 * A new connector token: `ost_scim_`, 40 random characters, 6 characters of CRC-32 over all before. Prefix and
 * checksum let secret scanners recognise it, and let us refuse a mistyped one without asking the database.
 */
export function newConnectorToken(): string {
  let secret = '';
  for (let i = 0; i < secretLength; i += 1) secret += alphabet[randomInt(alphabet.length)];
  return `${prefix}${secret}${checksum(prefix + secret)}`;
}

/** Whether the text claims to be a connector token (then it is never tried as a JWT). */
export const looksLikeConnectorToken = (token: string): boolean => token.startsWith(prefix);

/** Whether prefix, length and checksum are right. Says nothing about whether such a token was ever issued. */
export function isWellFormedConnectorToken(token: string): boolean {
  if (!shape.test(token)) return false;
  const end = token.length - checksumLength;
  return checksum(token.slice(0, end)) === token.slice(end);
}

/** What is stored in place of the token: HMAC-SHA-256 with the service's TOKEN_KEY. */
export const connectorTokenDigest = (key: KeyObject | Uint8Array, token: string): Buffer =>
  createHmac('sha256', key).update(token).digest();

function checksum(text: string): string {
  let rest = crc32(text);
  let encoded = '';
  for (let i = 0; i < checksumLength; i += 1) {
    encoded = `${alphabet[rest % alphabet.length]}${encoded}`;
    rest = Math.floor(rest / alphabet.length);
  }
  return encoded;
}
