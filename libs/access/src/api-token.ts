import { randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** personal: a person's personal access token. service_account: an API key of a service account. */
export type ApiTokenKind = 'personal' | 'service_account';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const prefixes: Readonly<Record<ApiTokenKind, string>> = {
  personal: 'ost_pat_',
  service_account: 'ost_key_',
};
const secretLength = 40; // × log2(62) = 238 bits
const checksumLength = 6; // 62^6 > 2^32
const shape = new RegExp(`^(ost_pat_|ost_key_)[0-9A-Za-z]{${secretLength + checksumLength}}$`);

/**
 * A new token: prefix, 40 random characters, 6 characters of CRC-32 over all before. Prefix and checksum let secret
 * scanners recognise it without asking anybody, and let every door refuse a mistyped one by itself.
 */
export function newApiToken(kind: ApiTokenKind): string {
  let secret = '';
  for (let i = 0; i < secretLength; i += 1) secret += alphabet[randomInt(alphabet.length)];
  const body = prefixes[kind] + secret;
  return body + checksum(body);
}

/** Whether the text claims to be an API token; then it is never tried as a JWT. */
export const looksLikeApiToken = (token: string): boolean =>
  token.startsWith(prefixes.personal) || token.startsWith(prefixes.service_account);

/** Whether prefix, length and checksum are right. Says nothing about whether such a token was ever issued. */
export function isWellFormedApiToken(token: string): boolean {
  if (!shape.test(token)) return false;
  const end = token.length - checksumLength;
  return checksum(token.slice(0, end)) === token.slice(end);
}

function checksum(text: string): string {
  let rest = crc32(text);
  let encoded = '';
  for (let i = 0; i < checksumLength; i += 1) {
    encoded = `${alphabet[rest % alphabet.length]}${encoded}`;
    rest = Math.floor(rest / alphabet.length);
  }
  return encoded;
}
