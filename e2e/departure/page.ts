// Writes docs/reference/departure.md from the table that the tests go by, so that it can't be wrong.
//   node e2e/departure/page.ts          (after npm run build)
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { reported } from './reported.ts';
import { columns, doors, expected } from './table.ts';
import { triggers } from './triggers.ts';

export const pagePath = fileURLToPath(new URL('../../docs/reference/departure.md', import.meta.url));

/** Which doors there are, and what the words in the table mean. */
const opening = [
  '# When somebody leaves',
  '',
  'When a person leaves, every door closes, everywhere, at once. This page says which doors there are, what closes them, and what',
  'stays open and why. It is made from the table that the tests go by (`node e2e/departure/page.ts`); a test keeps it true. Each cell is a',
  'test for each trigger of its column ([e2e/departure/departure-doors.test.ts](../../e2e/departure/departure-doors.test.ts)): the door is opened by a real client,',
  'proven open, the trigger pulled, and the door tried again.',
  '',
  '- **closes**: refused within moments, and for good. When what happened is undone (a person reactivated, an app enabled, a tenant',
  '  resumed) it stays closed.',
  '- **waits**: refused until what happened is undone. It is what somebody signs in with anew, or a credential that was never worth less.',
  '- **stays**: for the reason of that number, below the table.',
  '',
  'Nobody else is touched: a colleague, and whoever has the same user name in another tenant, keep every one of these doors.',
  '',
  '## What closes doors',
  '',
  '| what | triggers |',
  '|---|---|',
];

/** What somebody made who leaves ends with them, or is handed over. */
const owned = [
  '## What somebody has set up',
  '',
  'An administrator who left may know the secret of what they set up. A client, a service account, an API key, an initial access token and a connector therefore',
  'have an owner: the user who created it, in the graph or through an app that acts for them. What a program creates belongs to the owner of the program, through any',
  'number of programs; what an API key creates, to the owner of the key. Only what a program of the platform operator creates has no owner. When the owner leaves, or loses the',
  'last role with `clients:write` (`connectors:write` for connectors), what they own goes with them, as the tenant’s policy says (`ownedCredentialsOnOffboarding`):',
  '',
  '- `REVOKE`, unless said: it is disabled, and its secrets, public keys (`jwksUri` too), registration access token, API keys and tokens are worth nothing for good; enabled again it needs new ones;',
  '- `SUSPEND`: it is disabled until somebody enables it; an API key has no such state, and is revoked;',
  '- `HAND_OVER`: `handOverCredentialsTo` owns it from then on, and is recorded as the user who knows its secrets. Rotate them: they did not change. A successor who has left, too, takes nothing:',
  '  then it is revoked; a group that isn’t there any more, or in which nobody active is, loses it within a second, and it is revoked.',
  '',
  'A group owns as long as there is the group and somebody active is in it, directly or through groups in it. When it is deleted, or the last of them leaves or is taken out, its owner has gone:',
  'the same happens as with a person’s (reason in the logs: `owner: group deleted`, `owner: no active member left in the group`), and what is only suspended is nobody’s from then on. Whoever comes back,',
  'or into the group, gets none of it back. This service doesn’t keep who is in which group: a departure, and each event that takes a member away, notes in its own transaction that the directory',
  'is to be asked, and the note stays until it was (`auth.owner_checks`). While the directory doesn’t answer, what a group owns goes on. A group without anybody active can’t be named an owner.',
  '',
  'What was disabled before they left doesn’t count, and loses its secrets and keys with the rest. A token for registrations (`createInitialAccessToken`) is its',
  'maker’s, too, and ends with them whatever the policy says; a client that was registered with it belongs to whoever made the token.',
  '',
  'Clients, service accounts and API keys end in the transaction of the departure. Connectors are another service’s: that they are to end is written in that transaction,',
  'and the provisioning service, which asks each second, keeps being told until it has done so, all of them at once and one time only. What is named an owner’s',
  'afterwards, because they came back, has a higher number and stays. A connector that deactivates its own owner has deactivated them: that was done before.',
  '',
  'Each secret, token, public key, trusted issuer, binding of an issuer’s subject and invitation also records which users and groups know it: the user who received or supplied it,',
  'also by a rotation and on a client, service account or connector of another owner; for a program, its owner and everyone who knows a live secret of the program. It ends with',
  'each of them, in the same transaction and also when they lose the role. The client, service account or connector and its other secrets stay, and so do the grants of its users; tokens that were issued',
  'to it end. A trusted issuer ends with its keys. With `HAND_OVER` the successor is recorded instead, except for invitations, which end; with `SUSPEND` the secrets of what is suspended stay with it.',
  'Secrets from before this was recorded are known to the owner of what they belong to. `User.knownSecrets` (`clients:read`) answers what a user knows.',
  '',
  'The report of the departure counts them (`CLIENTS`, `SERVICE_ACCOUNTS`, `API_KEYS`, `INITIAL_ACCESS_TOKENS`, `KNOWN_SECRETS`, and `CONNECTORS` once that is done), `Departure.secrets` lists the secrets with the owner to notify, and the security log and the connector log have',
  'an entry for each, with the reason and the owner. What ended with a group is in the logs, under the group, and in nobody’s report: it ends after the departure, and may be due to several.',
  'What was created before there were owners belongs to its creator, to the user for whom an app created it, or to the owner of the program that did, as the log says, if they',
  'are active and have the role: migrations of auth and a background step of provisioning look once. What the log doesn’t say, or not any more, stays nobody’s: `clients`, `serviceAccounts`, `apiKeys` and `connectors` with',
  '`filter: { hasOwner: false }` list it, and `transferCredential` and `transferConnector` give it to somebody.',
  '',
  'Being signed out, a new password and a reset don’t touch them. Webhooks and what has no owner stay: `securityLog(filter: { actorId })` and',
  '`connectorLog(filter: { actorId })` list them; each can be rotated or deleted.',
  '',
];

/** What gives less than before, beside a departure. */
const narrowed = [
  '## What else is narrowed',
  '',
  'Whatever gives less than before gives less to what was issued already, within the time of a departure:',
  '',
  '| narrowed | what was issued | how |',
  '|---|---|---|',
  '| a client’s registration | access tokens, or everything, as each of its members says | `client-narrowing.ts`; column **app narrowed** |',
  '| a service account: scopes, disabled, a key | access tokens end; API keys are looked at anew | its epoch; column **service account narrowed** |',
  '| a connector: `access`, `resourceTypes`, `attributes`, `protectedAccounts` | nothing is in its tokens: each request, and each operation of a Bulk under way, is judged by what it may do then | column **connector narrowed**; `bulk-closing.test.ts` |',
  '| a trusted issuer, deleted (it can’t be changed), or one of its subjects, unbound | the grants on its word end, with their tokens | column **trust withdrawn** |',
  '| a role, taken from a person or a group | everything of whoever loses it | column **role lost**; what a role gives is the release’s |',
  '| the tenant’s `requireSecondFactorForAdministrators`, switched on | the grants of people with a role that rest on one factor and reach the API end; what takes a recent sign-in asks for two factors from then on, of any token | [roles](roles.md#a-second-factor-for-roles); `second-factor-for-roles.test.ts` |',
  '',
  'Widened again, what ended stays ended. An API key or a personal access token may do again what it could, after half a minute at most.',
  '',
];

/** What a new password ends. */
const passwords = [
  '## Passwords',
  '',
  '- **Changed by the person**: every other session ends, with all that was granted in it, in one that expired before, or for offline use; so does a link that would set',
  '  yet another password. The session at hand goes on, under a new cookie.',
  '- **Replaced by somebody else** (an identity source over SCIM): every session ends, with the same. The same password once more ends nothing,',
  '  because some sources send it with every change of a person.',
  '- **Personal access tokens stay** in both cases. When those may be in wrong hands too, the next one is for that.',
  '- **Compromised**: `resetUserAccess(input: { userId, compromised: true })` ends at once everything the person signs in with, and everything',
  '  that was issued to them, and every app has to ask anew; the link in its answer is their only way back. Without `compromised` all this happens when the link is accepted, so that',
  '  somebody who merely lost a phone can go on until then.',
  '',
];

/** What is under way while somebody leaves. */
const races = [
  '## Races',
  '',
  'Whatever begins before a departure and ends after it ends closed:',
  '',
  '- a sign-in on its way: its session starts only in the epoch its password, passkey or second factor was proven in, and only while that password',
  '  is the one in force;',
  '- a code on its way: it names the epochs of its person and its client, and how often the person had taken back what they allowed; its redemption',
  '  compares them in the statement that writes the grant, under a lock on the person;',
  '- a change of one’s own account on its way: a passkey, an authenticator app, recovery codes, a password or a personal access token is',
  '  made or removed only while the session, or the grant, it is asked for in is alive;',
  '- an exchange on its way: the new token names the epochs of all it came from, actors included, and dies with each.',
];

/** The page as it should be. */
export function departurePage(): string {
  const reasons: string[] = [];
  const cell = (verdict: ReturnType<typeof expected>): string => {
    if (typeof verdict === 'string') return verdict;
    if (!reasons.includes(verdict.stays)) reasons.push(verdict.stays);
    return `stays (${reasons.indexOf(verdict.stays) + 1})`;
  };
  const rows = doors.map(
    ({ name }) =>
      `| ${name} | ${columns.map((column) => cell(expected(column, name))).join(' | ')} | ${reported.get(name) ?? ''} |`,
  );
  return `${[
    ...opening,
    ...columns.map(
      ({ name, means }) =>
        `| **${name}**: ${means} | ${triggers
          .filter(({ column }) => column === name)
          .map((trigger) => trigger.name)
          .join('; ')} |`,
    ),
    '',
    '## The doors',
    '',
    `| door | ${columns.map(({ name }) => name).join(' | ')} | in the report |`,
    `|---|${columns.map(() => '---|').join('')}---|`,
    ...rows,
    '',
    ...reasons.map((reason, index) => `${index + 1}. ${reason[0]?.toUpperCase()}${reason.slice(1)}.`),
    '',
    'The last column is the entry of [the report of a departure](../guides/read-a-departure-report.md) that says when the door closed.',
    '',
    ...owned,
    ...narrowed,
    ...passwords,
    ...races,
  ].join('\n')}\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(pagePath, departurePage());
