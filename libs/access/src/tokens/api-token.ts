import { isCheckedToken, newCheckedToken } from './checked-token.ts';

/** personal: a person's personal access token. service_account: an API key of a service account. */
export type ApiTokenKind = 'personal' | 'service_account';

const prefixes: Readonly<Record<ApiTokenKind, string>> = {
  personal: 'ost_pat_',
  service_account: 'ost_key_',
};

/** A new token, which secret scanners recognise (`newCheckedToken`). */
export const newApiToken = (kind: ApiTokenKind): string => newCheckedToken(prefixes[kind]);

/** Whether the text claims to be an API token; then it is never tried as a JWT. */
export const looksLikeApiToken = (token: string): boolean =>
  token.startsWith(prefixes.personal) || token.startsWith(prefixes.service_account);

/** Whether prefix, length and checksum are right. Says nothing about whether such a token was ever issued. */
export const isWellFormedApiToken = (token: string): boolean =>
  isCheckedToken(prefixes.personal, token) || isCheckedToken(prefixes.service_account, token);
