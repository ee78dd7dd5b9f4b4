import { isCheckedToken, newCheckedToken } from './checked-token.ts';

/** personal: a personal access token. service_account: an API key of a service account. */
export type ApiTokenKind = 'personal' | 'service_account';

const prefixes: Readonly<Record<ApiTokenKind, string>> = {
  personal: 'ost_pat_',
  service_account: 'ost_key_',
};

/** Returns a new token that secret scanners recognise (`newCheckedToken`). */
export const newApiToken = (kind: ApiTokenKind): string => newCheckedToken(prefixes[kind]);

/** Reports whether a text has the prefix of an API token; it is then never parsed as a JWT. */
export const looksLikeApiToken = (token: string): boolean =>
  token.startsWith(prefixes.personal) || token.startsWith(prefixes.service_account);

/** Reports whether prefix, length and checksum are valid, not whether the token was issued. */
export const isWellFormedApiToken = (token: string): boolean =>
  isCheckedToken(prefixes.personal, token) || isCheckedToken(prefixes.service_account, token);
