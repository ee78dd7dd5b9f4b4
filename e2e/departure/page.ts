// Writes docs/reference/departure.md from the table of the tests: node e2e/departure/page.ts (after npm run build)
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { reported } from './reported.ts';
import { columns, doors, expected } from './table.ts';
import { triggers } from './triggers.ts';

export const pagePath = fileURLToPath(new URL('../../docs/reference/departure.md', import.meta.url));

const opening = [
  '# Offboarding by access path',
  '',
  'This page lists the access paths of a user, the changes that close them, and those that a change keeps open, with the reason. `node e2e/departure/page.ts` writes it',
  'from the table of the tests (`e2e/departure/departure-doors.test.ts`). Each cell is tested for each trigger of its column with a real client:',
  'open the access path, use it, fire the trigger, try again.',
  '',
  '| cell | meaning |',
  '|---|---|',
  '| closes | rejected within the time bound, permanently: also after the change is undone (user reactivated, app enabled, tenant resumed) |',
  '| waits | rejected until the change is undone |',
  '| a number | stays open; the reason is below the table |',
  '',
  'Other users keep all access paths, including a user with the same user name in another tenant.',
  '',
  '## Triggers',
  '',
  '| column | change | triggers |',
  '|---|---|---|',
];

const owned = [
  '## Owned credentials',
  '',
  'Clients, service accounts, API keys, initial access tokens and connectors have an owner: the user who created them, in the graph or through an app; for a program, its owner; for an API',
  'key, the owner of that key. Only objects created by a program of the platform operator have none. When the owner is offboarded, or loses the last role with `clients:write` (`connectors:write`',
  'for connectors), the tenant policy `ownedCredentialsOnOffboarding` applies:',
  '',
  '| policy | effect |',
  '|---|---|',
  '| `REVOKE` (default) | disabled; secrets, public keys (`jwksUri` included), registration access token, API keys and tokens are revoked. New ones are required after it is enabled again |',
  '| `SUSPEND` | disabled until an administrator enables it; API keys are revoked |',
  '| `HAND_OVER` | owned by `handOverCredentialsTo`, which is recorded as knowing the secrets. The secrets do not change: rotate them. Revoked if the successor has been offboarded or is a group without an active member who can manage it |',
  '',
  '| object | rule |',
  '|---|---|',
  '| disabled before | loses its secrets and keys with the others |',
  '| initial access token | revoked under every policy; a client registered with it belongs to the creator of the token |',
  '| clients, service accounts, API keys | the policy applies in the transaction of the offboarding |',
  '| connectors | recorded in that transaction; provisioning polls once per second until done. Objects assigned to the owner after a reactivation are not affected |',
  '| objects without owner | not affected; find them with `securityLog(filter: { actorId })` and `connectorLog(filter: { actorId })` |',
  '',
  'Signing out, a password change and a reset do not affect owned credentials.',
  '',
  '**Groups as owners.** A group owns as long as it exists and has an active member, direct or nested, with a role that manages what it owns. Otherwise the policy applies (log reasons `owner: group deleted`,',
  '`owner: no active member of the group may manage it`), suspended objects have no owner, and a later member does not get them back. Each offboarding, loss of a role and removal of a member records in its transaction that the directory must be',
  'queried (`auth.owner_checks`). While the directory is unavailable, objects of a group stay valid. A group without such a member cannot become an owner.',
  '',
  '**Known secrets.** Each secret, token, public key, trusted issuer, issuer subject and invitation records the users and groups that received or supplied it, also by rotation; for a program, its owner',
  'and every user who knows one of its valid secrets. It is revoked when one of them is offboarded or loses the role, together with tokens issued to the client by it. The client, service account or connector, its other',
  'secrets and the grants of its users stay. A trusted issuer ends with its keys. Under `HAND_OVER` the successor is recorded instead, except for invitations, which end; under `SUSPEND` secrets of suspended objects stay.',
  'Secrets older than this record count as known to the owner. `User.knownSecrets` (`clients:read`), `User.knownConnectorTokens` (`connectors:read`) and the console list them.',
  '',
  '**Receivers.** Webhooks record who supplied the URL and who received the signing secret; push streams record who supplied the URL. They are paused when one of these users is offboarded or loses the role, and events are',
  'retained. The signing secret is deleted, as it allows forging messages: rotate it (`rotateWebhookSecret`), then enable the webhook, which confirms the URL.',
  '',
  '**Overlap.** `knownSecretOverlapDays` of the tenant policy (0 to 30, default 0) keeps secrets of other owners valid, so that the owners can rotate them. `Departure.secrets` lists them with `endsAt` and the owner to notify.',
  'The revocation takes place even if the user is reactivated. Until then the client or service account works, but receives no secret and creates nothing. Invitations, initial access tokens, objects',
  'without an owner (webhooks, trusted issuers, their subjects) and the credentials that the user owns have no overlap. A user who only loses a role has none either.',
  '',
  '**Report and logs.** The report counts `CLIENTS`, `SERVICE_ACCOUNTS`, `API_KEYS`, `INITIAL_ACCESS_TOKENS`, `KNOWN_SECRETS` and, when done, `CONNECTORS`. `Departure.secrets` lists secrets with the owner to notify.',
  'Security log and connector log have an entry for each, with reason and owner. Objects of a group are in the logs under the group and in no report.',
  '',
  '**Objects created before ownership existed** belong to their creator, the user on whose behalf an app created them, or the owner of the creating program, according to the log, if active and with the role. The others have',
  'no owner: `clients`, `serviceAccounts`, `apiKeys` and `connectors` list them with `filter: { hasOwner: false }`, and `transferCredential` and `transferConnector` assign one.',
  '',
];

const reduced = [
  '## Reduced rights',
  '',
  'A reduction of rights applies to issued credentials within the same time bound:',
  '',
  '| change | effect on issued credentials | column or test |',
  '|---|---|---|',
  '| registration of a client | revokes access tokens, or everything, depending on the member | **app narrowed**; `client-narrowing.ts` |',
  '| scopes, state or key of a service account | revokes access tokens; API keys are checked again | **service account narrowed** |',
  '| `access`, `resourceTypes`, `attributes`, `protectedAccounts` of a connector | applies to the next request, and to the next operation of a Bulk in progress | **connector narrowed**; `bulk-closing.test.ts` |',
  '| trusted issuer deleted, subject unbound | revokes grants based on it, with their tokens | **trust withdrawn** |',
  '| role removed from a user or group | revokes everything of each user who loses the role | **role removed** |',
  '| `requireSecondFactorForAdministrators` enabled | revokes grants of users with a role that rest on one factor and reach the API; operations that require a recent sign-in require two factors | [roles](roles.md#a-second-factor-for-roles); `second-factor-for-roles.test.ts` |',
  '',
  'Restoring rights does not restore revoked credentials. API keys and personal access tokens regain them within 30 seconds.',
  '',
];

const passwords = [
  '## Passwords',
  '',
  '| change | effect |',
  '|---|---|',
  '| by the user | every other session ends, with its grants, offline grants and those of expired sessions, and with links that would set another password; the current session continues under a new cookie |',
  '| by another caller (SCIM) | every session ends, with the same. Setting the same password again has no effect |',
  '| either, personal access tokens | kept; those that an app created end with its grant |',
  '| `resetUserAccess(input: { userId, compromised: true })` | immediately revokes all credentials and everything issued to the user; the returned link is the only way to sign in. Without `compromised`, this happens when the link is accepted |',
  '',
];

const races = [
  '## Races',
  '',
  'An operation that begins before an offboarding and ends after it has no effect:',
  '',
  '| operation | check |',
  '|---|---|',
  '| sign-in | the session starts only in the epoch in which password, passkey or second factor was verified, and only if the password is still current |',
  '| code exchange | compares the epochs of user and client and the count of withdrawn consents in the statement that writes the grant, under a lock on the user |',
  '| change of the own account | a passkey, authenticator app, recovery codes, password or personal access token is written only while the session or grant of the request is active |',
  '| token exchange | the new token carries the epochs of all its sources, actors included, and ends with each |',
];

/** The rows of the main table: access paths with the same cells share a row. */
function rowsOf(cell: (expectation: ReturnType<typeof expected>) => string): string[] {
  const cells = ({ name }: (typeof doors)[number]) =>
    `${columns.map((column) => cell(expected(column, name))).join(' | ')} | ${reported.get(name) ?? ''}`;
  return [...Map.groupBy(doors, cells)].map(
    ([same, paths]) => `| ${paths.map(({ name }) => name).join('; ')} | ${same} |`,
  );
}

/** Returns the text of the page. */
export function offboardingPage(): string {
  const reasons: string[] = [];
  const cell = (expectation: ReturnType<typeof expected>): string => {
    if (typeof expectation === 'string') return expectation;
    if (!reasons.includes(expectation.stays)) reasons.push(expectation.stays);
    return String(reasons.indexOf(expectation.stays) + 1);
  };
  const rows = rowsOf(cell);
  return `${[
    ...opening,
    ...columns.map(
      ({ name, means }) =>
        `| ${name} | ${means} | ${triggers
          .filter(({ column }) => column === name)
          .map((trigger) => trigger.name)
          .join('; ')} |`,
    ),
    '',
    '## Access paths',
    '',
    `| access path | ${columns.map(({ name }) => name).join(' | ')} | entry of the report |`,
    `|---|${columns.map(() => '---|').join('')}---|`,
    ...rows,
    '',
    ...reasons.map((reason, index) => `${index + 1}. ${reason[0]?.toUpperCase()}${reason.slice(1)}.`),
    '',
    'The last column is the entry of [the report of an offboarding](../guides/read-a-departure-report.md) with the time at which the access path closed.',
    '',
    ...owned,
    ...reduced,
    ...passwords,
    ...races,
  ].join('\n')}\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(pagePath, offboardingPage());
