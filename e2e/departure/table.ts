import { browserDoors, waysIn } from './browser-doors.ts';
import { grantDoors } from './grant-doors.ts';
import type { Door } from './probe.ts';
import { doorsOfAccount, tokenDoors } from './token-doors.ts';

/** What becomes of a door: closed for good, closed until what happened is undone, or left open, for a reason. */
export type Verdict = 'closes' | 'waits' | { stays: string };

/** What happens to somebody, or to something of theirs. */
export interface Column {
  name: string;
  /** What it is, in a sentence. */
  means: string;
  /** Of every door that isn't named. */
  otherwise: Verdict;
  doors: Readonly<Record<string, Verdict>>;
}

export const doors: readonly Door[] = [...browserDoors, ...waysIn, ...grantDoors, ...tokenDoors];

const named = (verdict: Verdict, ...names: string[]): Record<string, Verdict> =>
  Object.fromEntries(names.map((name) => [name, verdict]));

const nobodys: Verdict = { stays: 'it is no person’s: a departure must not stop what runs by itself' };
const unanswered: Verdict = {
  stays:
    'it is the app’s question and holds nothing of a person: only somebody who can still sign in can answer it',
};
const othersWord: Verdict = {
  stays: 'it rests on the trusted issuer’s word, not on anything that is kept here',
};

const provisioned: Verdict = { stays: 'who was provisioned stays, until somebody says that they left' };

const ofNobody = named(
  nobodys,
  ...doorsOfAccount,
  'access token of an app for itself',
  'connector token',
  'connector token, writing',
);
const questions = named(unanswered, 'pushed authorization request', 'device code, waiting');
const waysToSignIn = waysIn.map(({ name }) => name);

const wayIn: Verdict = {
  stays: 'it is how the person signs in anew, and nothing says that somebody else has it',
};
const separate: Verdict = {
  stays:
    'a personal access token is a credential of its own: a script must not stop because a password is renewed',
};
const madeByApp = 'personal access token made by the app';
const personalTokens = ['personal access token', madeByApp, 'subscription under a personal access token'];

const notOfApp: Verdict = { stays: 'the app has nothing to do with it' };
const ofApp = [
  'authorization code, not redeemed',
  'pushed authorization request',
  'device code, waiting',
  'device code, allowed and not redeemed',
  ...grantDoors
    .map(({ name }) => name)
    .filter((name) => name.startsWith('refresh token') && !name.endsWith('another app')),
  ...tokenDoors.map(({ name }) => name).filter((name) => name.startsWith('access token at')),
  'access token bound to a key (DPoP)',
  'exchanged token',
  'token exchanged twice',
  'delegated token, as its subject',
  'delegated token, as its actor',
  'delegated token, as an earlier actor',
  'personal access token made by the app',
  'subscription, event stream',
  'subscription, WebSocket',
  'subscription under an exchanged token',
  'subscription under a delegated token, as its actor',
  'subscription under a bound token (DPoP)',
];

const goesOn: Verdict = {
  stays: 'what the person allowed goes on: it gives no more than the app may have now',
};

const ownPassword: Verdict = { stays: 'it belongs to the session in which the password was changed' };

/** Sessions and all they gave end; so does everything that was to give another password. */
const ofPassword = {
  ...ofNobody,
  ...questions,
  ...named(separate, ...personalTokens.filter((name) => name !== madeByApp)),
  ...named(othersWord, 'assertion of a trusted issuer'),
};
const otherSecret: Verdict = { stays: 'a passkey isn’t made worth less by a password, nor guessed with one' };

export const columns: readonly Column[] = [
  {
    name: 'leaves',
    means: 'A person is deactivated or deleted: by an identity source over SCIM, or in the graph.',
    otherwise: 'closes',
    doors: {
      ...ofNobody,
      ...questions,
      ...named('waits', ...waysToSignIn, 'passkey challenge, not answered'),
    },
  },
  {
    name: 'signed out',
    means: 'Everything of a person is ended, and the person stays.',
    otherwise: 'closes',
    doors: {
      ...ofNobody,
      ...questions,
      ...named(wayIn, 'password', 'passkey', 'recovery code', 'passkey challenge, not answered'),
      ...named(othersWord, 'assertion of a trusted issuer'),
    },
  },
  {
    name: 'role lost',
    means:
      'A role is taken from a person, or from a group they got it by, or they leave that group; and they stay.',
    otherwise: 'closes',
    doors: {
      ...ofNobody,
      ...questions,
      ...named(wayIn, 'password', 'passkey', 'recovery code', 'passkey challenge, not answered'),
      ...named(othersWord, 'assertion of a trusted issuer'),
      ...named(
        { stays: 'an invitation ends when a role is given: whoever waits to accept one has none to lose' },
        'invitation',
      ),
    },
  },
  {
    name: 'password replaced',
    means: 'An identity source, or whoever else may, gives a person another password.',
    otherwise: 'closes',
    doors: {
      ...ofPassword,
      ...named(otherSecret, 'passkey', 'passkey challenge, not answered'),
    },
  },
  {
    name: 'password changed',
    means: 'A person changes their password on their account page.',
    otherwise: { stays: ownPassword.stays },
    doors: {
      ...ofPassword,
      ...named(otherSecret, 'passkey', 'passkey challenge, not answered'),
      ...named({ stays: 'somebody who was invited has no password yet' }, 'invitation'),
      ...named(
        'closes',
        'another browser’s session',
        'password',
        'recovery code',
        'sign-in, second factor missing',
        'link that resets access',
        'refresh token of another session',
        'refresh token of a session that was signed out',
        'access token had by assertion',
      ),
    },
  },
  {
    name: 'compromised',
    means:
      'An administrator says that somebody else has what a person signs in with, or the person accepts the link that resets their access.',
    otherwise: 'closes',
    doors: { ...ofNobody, ...questions, ...named(othersWord, 'assertion of a trusted issuer') },
  },
  {
    name: 'app withdrawn',
    means: 'A person takes back what they allowed an app.',
    otherwise: notOfApp,
    doors: {
      ...named('closes', ...ofApp),
      ...questions,
    },
  },
  {
    name: 'grant revoked',
    means: 'One authorization of a person to an app is revoked, by them or an administrator.',
    otherwise: { stays: 'it rests on another authorization, or on none' },
    doors: named(
      'closes',
      ...tokenDoors.map(({ name }) => name).filter((name) => name.startsWith('access token at')),
      'exchanged token',
      'token exchanged twice',
      'delegated token, as its subject',
      'delegated token, as its actor',
      'delegated token, as an earlier actor',
      madeByApp,
      'subscription, event stream',
      'subscription, WebSocket',
      'subscription under an exchanged token',
      'subscription under a delegated token, as its actor',
    ),
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
    means: 'An app may do less than before: scopes, resources or the exchange of tokens are taken from it.',
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
    means: 'An identity source is disabled, until an administrator enables it.',
    otherwise: provisioned,
    doors: named('waits', 'connector token', 'connector token, writing'),
  },
  {
    name: 'connector revoked',
    means: 'An identity source is deleted, or its token revoked.',
    otherwise: provisioned,
    doors: named('closes', 'connector token', 'connector token, writing'),
  },
  {
    name: 'connector narrowed',
    means: 'An identity source may do less than before: it may only read, or must not touch an account.',
    otherwise: provisioned,
    doors: {
      ...named('waits', 'connector token, writing'),
      ...named({ stays: 'it may read what it could' }, 'connector token'),
    },
  },
  {
    name: 'service account narrowed',
    means: 'A service account may do less than before: scopes are taken from it, or it is disabled.',
    otherwise: { stays: 'the service account has nothing to do with it' },
    doors: {
      ...named('closes', ...doorsOfAccount),
      ...named('waits', 'API key of a service account'),
    },
  },
  {
    name: 'trust withdrawn',
    means: 'An issuer is no longer trusted, or no longer speaks for a person.',
    otherwise: { stays: 'it rests on nobody else’s word' },
    doors: {
      ...named('waits', 'assertion of a trusted issuer'),
      ...named('closes', 'access token had by assertion'),
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
        'connector token, writing',
        'invitation',
        'link that resets access',
        'sign-in, second factor missing',
        'passkey challenge, not answered',
      ),
    },
  },
];

/** What the table says of a door. */
export const expected = (column: Column, door: string): Verdict => column.doors[door] ?? column.otherwise;
