import { companyAccessPaths } from './company-doors.ts';
import { accessPathsOfAccount, tokenAccessPaths, tokenOfAgent } from './token-doors.ts';

const under = (entry: string, ...doors: string[]): [string, string][] => doors.map((door) => [door, entry]);
const named = (word: string): string[] =>
  tokenAccessPaths.map(({ name }) => name).filter((name) => name.startsWith(word));

/** Access paths of clients and service accounts belong to no user. */
const isOfUser = (door: string): boolean =>
  !['access token of an app for itself', ...accessPathsOfAccount].includes(door);

/** Entry (`DoorName` in the graph) of each access path in the report of a departure. */
export const reported: ReadonlyMap<string, string> = new Map([
  ...under('SESSIONS', 'browser session', 'another browser’s session', 'consent page, not answered'),
  ...under(
    'SIGN_IN',
    'sign-in, second factor missing',
    'passkey challenge, not answered',
    'password',
    'passkey',
    'recovery code',
    'assertion of a trusted issuer',
  ),
  ...under('INVITATIONS', 'invitation', 'link that resets access'),
  ...under('AUTHORIZATION_CODES', 'authorization code, not redeemed', 'authorization code of another app'),
  ...under('DEVICE_CODES', 'device code, allowed and not redeemed'),
  ...under(
    'REFRESH_TOKENS',
    'refresh token',
    'refresh token of another session',
    'refresh token of a session that was signed out',
    'refresh token bound to a key (DPoP)',
    'refresh token of another app',
  ),
  ...under(
    'ACCESS_TOKENS',
    ...named('access token').filter(isOfUser),
    ...companyAccessPaths.map(({ name }) => name),
  ),
  ...under('EXCHANGED_TOKENS', 'exchanged token', 'token exchanged twice', ...named('delegated token')),
  ...under('DELEGATIONS', tokenOfAgent),
  ...under('PERSONAL_ACCESS_TOKENS', ...named('personal access token')),
  ...under('API_KEYS', 'API key of an owned service account'),
  ...under('CLIENTS', 'access token of an owned app, for itself'),
  ...under('CONNECTORS', 'token of an owned connector'),
  ...under('SUBSCRIPTIONS', ...named('subscription').filter(isOfUser)),
]);
