import { browserAccessPaths, waysIn } from './browser-doors.ts';
import { companyAccessPaths, companyTokenPaths } from './company-doors.ts';
import { grantAccessPaths } from './grant-doors.ts';
import type { AccessPath } from './probe.ts';
import { accessPathsOfAccount, tokenAccessPaths, tokenOfAgent } from './token-doors.ts';

/** Effect on an access path: closed permanently, closed until the change is undone, or kept for a reason. */
export type Expectation = 'closes' | 'waits' | { stays: string };

/** A kind of change that closes access paths. */
export interface Column {
  name: string;
  /** Meaning, as a sentence. */
  means: string;
  /** Effect on every access path that `doors` does not name. */
  otherwise: Expectation;
  doors: Readonly<Record<string, Expectation>>;
}

export const doors: readonly AccessPath[] = [
  ...browserAccessPaths,
  ...waysIn,
  ...grantAccessPaths,
  ...tokenAccessPaths,
  ...companyAccessPaths,
];

const named = (expectation: Expectation, ...names: string[]): Record<string, Expectation> =>
  Object.fromEntries(names.map((name) => [name, expectation]));

const nobodys: Expectation = { stays: 'it belongs to no user' };
const unanswered: Expectation = {
  stays: 'it is bound to the client and holds no user data; only a user who can sign in can answer it',
};
const othersWord: Expectation = {
  stays: 'it depends on the trusted issuer only',
};

const provisioned: Expectation = { stays: 'the change does not offboard provisioned users' };

const ofNobody = named(
  nobodys,
  ...accessPathsOfAccount,
  'access token of an app for itself',
  'connector token',
  'connector token, writing',
);
/** Credentials of clients, service accounts and connectors that a manager owns. */
const owned = doors.map(({ name }) => name).filter((name) => / of an owned /.test(name));
const ofOwner = named({ stays: 'the owner keeps their account and role' }, ...owned);
const questions = named(unanswered, 'pushed authorization request', 'device code, waiting');
const waysToSignIn = waysIn.map(({ name }) => name);

const wayIn: Expectation = {
  stays: 'the user needs it to sign in again, and it is not reported as compromised',
};
const separate: Expectation = {
  stays: 'a personal access token is independent of the password',
};
const madeByApp = 'personal access token made by the app';
const personalTokens = ['personal access token', madeByApp, 'subscription under a personal access token'];

const notOfApp: Expectation = { stays: 'it does not belong to the client' };
const ofApp = [
  'authorization code, not redeemed',
  'pushed authorization request',
  'device code, waiting',
  'device code, allowed and not redeemed',
  ...grantAccessPaths
    .map(({ name }) => name)
    .filter((name) => name.startsWith('refresh token') && !name.endsWith('another app')),
  ...tokenAccessPaths.map(({ name }) => name).filter((name) => name.startsWith('access token at')),
  'access token bound to a key (DPoP)',
  'exchanged token',
  'token exchanged twice',
  'delegated token, as its subject',
  'delegated token, as its actor',
  'delegated token, as an earlier actor',
  tokenOfAgent,
  'personal access token made by the app',
  'subscription, event stream',
  'subscription, WebSocket',
  'subscription under an exchanged token',
  'subscription under a delegated token, as its actor',
  'subscription under a bound token (DPoP)',
  ...companyTokenPaths.map(({ name }) => name),
];

const goesOn: Expectation = {
  stays: 'consent continues; new access tokens have the reduced scopes',
};

const ownPassword: Expectation = { stays: 'it belongs to the session in which the password was changed' };

/** Ends sessions, everything issued in them, and links that set another password. */
const ofPassword = {
  ...ofNobody,
  ...ofOwner,
  ...questions,
  ...named(separate, ...personalTokens.filter((name) => name !== madeByApp)),
  ...named(othersWord, 'assertion of a trusted issuer'),
};
const otherSecret: Expectation = { stays: 'a passkey is independent of the password' };

export const columns: readonly Column[] = [
  {
    name: 'offboarded',
    means: 'A user is deactivated or deleted, over SCIM or GraphQL.',
    otherwise: 'closes',
    doors: {
      ...ofNobody,
      ...questions,
      ...named('waits', ...waysToSignIn, 'passkey challenge, not answered'),
    },
  },
  {
    name: 'signed out',
    means: 'All sessions and grants of a user are revoked; the user stays active.',
    otherwise: 'closes',
    doors: {
      ...ofNobody,
      ...ofOwner,
      ...questions,
      ...named(wayIn, 'password', 'passkey', 'recovery code', 'passkey challenge, not answered'),
      ...named(othersWord, 'assertion of a trusted issuer'),
    },
  },
  {
    name: 'role removed',
    means: 'A user loses a role: directly, by their group, or by leaving the group.',
    otherwise: 'closes',
    doors: {
      ...ofNobody,
      ...questions,
      ...named(wayIn, 'password', 'passkey', 'recovery code', 'passkey challenge, not answered'),
      ...named(othersWord, 'assertion of a trusted issuer'),
      ...named({ stays: 'an invited user has no role: assigning one revokes the invitation' }, 'invitation'),
    },
  },
  {
    name: 'password replaced',
    means: 'An identity source or another authorized caller sets a different password.',
    otherwise: 'closes',
    doors: {
      ...ofPassword,
      ...named(otherSecret, 'passkey', 'passkey challenge, not answered'),
    },
  },
  {
    name: 'password changed',
    means: 'A user changes their password on the account page.',
    otherwise: { stays: ownPassword.stays },
    doors: {
      ...ofPassword,
      ...named(otherSecret, 'passkey', 'passkey challenge, not answered'),
      ...named({ stays: 'an invited user has no password' }, 'invitation'),
      ...named(
        'closes',
        'another browser’s session',
        'password',
        'recovery code',
        'sign-in, second factor missing',
        'link that resets access',
        'refresh token of another session',
        'refresh token of a session that was signed out',
        'access token by assertion',
      ),
    },
  },
  {
    name: 'compromised',
    means:
      'An administrator reports credentials as compromised, or the user accepts the link that resets their access.',
    otherwise: 'closes',
    doors: { ...ofNobody, ...ofOwner, ...questions, ...named(othersWord, 'assertion of a trusted issuer') },
  },
  {
    name: 'consent withdrawn',
    means: 'A user withdraws the consent for an app.',
    otherwise: notOfApp,
    doors: {
      ...named('closes', ...ofApp),
      ...questions,
    },
  },
  {
    name: 'grant revoked',
    means: 'One grant is revoked, by the user or an administrator.',
    otherwise: { stays: 'it belongs to another grant or to none' },
    doors: named(
      'closes',
      ...tokenAccessPaths.map(({ name }) => name).filter((name) => name.startsWith('access token at')),
      'exchanged token',
      'token exchanged twice',
      'delegated token, as its subject',
      'delegated token, as its actor',
      'delegated token, as an earlier actor',
      tokenOfAgent,
      madeByApp,
      'subscription, event stream',
      'subscription, WebSocket',
      'subscription under an exchanged token',
      'subscription under a delegated token, as its actor',
    ),
  },
  {
    name: 'agent ended',
    means: 'A delegation is ended, by the user or an administrator, or its agent is disabled.',
    otherwise: { stays: 'it does not belong to the agent' },
    doors: named('closes', tokenOfAgent),
  },
  {
    name: 'app disabled',
    means: 'An app is disabled or deleted.',
    otherwise: notOfApp,
    doors: {
      ...named('closes', ...ofApp),
    },
  },
  {
    name: 'app narrowed',
    means: 'An app loses scopes, resources or token exchange.',
    otherwise: notOfApp,
    doors: {
      ...named(
        goesOn,
        ...ofApp.filter((name) => name.startsWith('refresh token')),
        'personal access token made by the app',
      ),
      ...named(
        'closes',
        ...ofApp.filter((name) => !name.startsWith('refresh token') && !name.startsWith('personal')),
      ),
    },
  },
  {
    name: 'connector disabled',
    means: 'A connector is disabled until an administrator enables it.',
    otherwise: provisioned,
    doors: named('waits', 'connector token', 'connector token, writing'),
  },
  {
    name: 'connector revoked',
    means: 'A connector is deleted or its token revoked.',
    otherwise: provisioned,
    doors: named('closes', 'connector token', 'connector token, writing'),
  },
  {
    name: 'connector narrowed',
    means: 'A connector becomes read-only, or an account is protected from it.',
    otherwise: provisioned,
    doors: {
      ...named('waits', 'connector token, writing'),
      ...named({ stays: 'read access is unchanged' }, 'connector token'),
    },
  },
  {
    name: 'service account narrowed',
    means: 'A service account loses scopes or is disabled.',
    otherwise: { stays: 'it does not belong to the service account' },
    doors: {
      ...named('closes', ...accessPathsOfAccount),
      ...named('waits', 'API key of a service account'),
    },
  },
  {
    name: 'trust withdrawn',
    means: 'A trusted issuer is deleted, or one of its subjects is unbound.',
    otherwise: { stays: 'it does not depend on a trusted issuer' },
    doors: {
      ...named('waits', 'assertion of a trusted issuer'),
      ...named('closes', 'access token by assertion'),
    },
  },
  {
    name: 'tenant suspended',
    means: 'The operator suspends the tenant.',
    otherwise: 'closes',
    doors: {
      ...named(
        'waits',
        ...waysToSignIn,
        ...personalTokens.slice(0, 2),
        'API key of a service account',
        'connector token',
        'API key of an owned service account',
        'token of an owned connector',
        'connector token, writing',
        'invitation',
        'link that resets access',
        'sign-in, second factor missing',
        'passkey challenge, not answered',
      ),
    },
  },
];

/** Returns the effect of a column on an access path. */
export const expected = (column: Column, door: string): Expectation => column.doors[door] ?? column.otherwise;
