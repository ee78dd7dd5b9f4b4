import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { registeredStatements } from '@ostiary/database';
import type { WayIn } from '../../../src/access/index.ts';
import { rolesHeld } from '../../../src/access/roles/data/roles-held.ts';
import { routeConferrals } from '../../../src/app.ts';
import { signInFactors } from '../../../src/identity/sign-in-log/domain/sign-in-attempts.ts';
import { grantHandlers } from '../../../src/oauth/http/token.ts';
import { assertionGrants } from '../../../src/oauth/trust/assertion-grants.http.ts';
import { typeDefs } from '../../../src/schema.ts';
import { bearerGrant, exchangeGrant } from '../../support/assertions.ts';
import { composedMutations } from '../../support/composed-mutations.ts';
import { expectCovered } from '../../support/covering.ts';
import type { plantedFactors } from '../../support/sign-in/planted-factors.ts';
import { deviceGrant, type plantedTokens } from '../../support/sign-in/planted-tokens.ts';
import type { plantedWays } from '../../support/sign-in/planted-ways.ts';
import type { roleSources } from '../../support/sign-in/planting.ts';
import { service, setUpRoleGroups } from '../../support/sign-in/role-groups.ts';

// Every way in, every token of a user and every source of a role, as the schema and the code declare them, with the
// rows of the tests that plant a sign-in method. A new one without a row fails.

setUpRoleGroups();

type Row = keyof typeof plantedWays | keyof typeof plantedFactors | keyof typeof plantedTokens;
/** Rows that cover a member of a registry, or the reason why it needs none. */
type Coverage = readonly [Row, ...Row[]] | string;

const byLink: Row = 'a password set by the link of an app with access:write';
const issuer: Row = 'the subject of a trusted issuer that an app with users:write and clients:write binds';
const ofPages: Row = 'a personal access token of the account page';

const whatToDo =
  'Store the roles that its creator can assign (`carried_roles`), add a row to `plantedWays`, `plantedFactors` or ' +
  '`plantedTokens`, and name the row here; or state the reason why it gives no session or token of a user.';

/** Tables with a column for the roles that count after the use of a row. */
const carrying = {
  credentials: ['a password that a connector sets'],
  passkeys: ['a passkey set by the link of an app with users:write', 'a passkey'],
  totp_factors: ['an authenticator app'],
  recovery_codes: ['recovery codes', 'recovery codes that replace others'],
  invitations: [byLink, 'a recovery code, in place of a passkey set by the link of an app with users:write'],
  issuer_subjects: [issuer],
  sessions: ['an authorization code', 'a device code'],
  grants: ['a refresh token', 'a token exchange', issuer],
  api_tokens: ['a personal access token over REST', 'a personal access token of the graph', ofPages],
} as const satisfies Record<string, Coverage>;

/** Tables that give a role to a user. */
const roleTables = {
  role_assignments: ['directly'],
  group_role_holders: ['through a group', 'through a nested group'],
} as const satisfies Record<string, readonly (keyof typeof roleSources)[]>;

/** Tables with a role that give it to no user. */
const rolesOfOthers = { group_roles: 'Projected to the members of the group, in `group_role_holders`.' };

/** Other tables of users, with the reason why no row lets a user sign in. */
const otherTables: Readonly<Record<string, string>> = {
  subjects: 'The user, with the profile of the directory.',
  consents: 'A decision that a session repeats.',
  delegations:
    'Access of an agent under a grant, whose roles count; the agent presents a token of that grant.',
  role_holders: 'Notices for the directory.',
  facts: 'Messages for receivers.',
  fact_cursors: 'Order of messages for receivers.',
  receiver_exclusions: 'Subjects of which a receiver gets no messages.',
  security_log: 'A log.',
  sign_in_attempts: 'A log.',
};

/** Columns with text or bytes of the tables of users, as a credential would be. */
const columns: Readonly<Record<string, string>> = {
  subjects: 'user_name user_name_key user_name_keyed profile withdrawals',
  credentials: 'kind hash',
  passkeys: 'credential_id public_key transports name',
  totp_factors: 'secret',
  recovery_codes: 'digest',
  invitations: 'digest known_to',
  issuer_subjects: 'subject known_to',
  sessions: 'digest amr acr user_agent ip_address',
  grants: 'client_id scopes resources claims amr acr',
  api_tokens: 'client_id name digest hint scopes acr known_to',
  consents: 'client_id scopes',
  delegations: 'client_id scopes audiences',
  role_assignments: 'role',
  group_role_holders: 'role',
  facts: 'type subject_kind subject_id data actor traceparent',
  fact_cursors: 'subject_kind subject_id early',
  receiver_exclusions: 'subject_kind subject_id',
  security_log:
    'action actor actor_id resource_type resource_id changes client_id ip_address user_agent request_id trace_id',
  sign_in_attempts: 'outcome reason client_id factors ip_address user_agent request_id',
};

async function names(sql: string): Promise<string[]> {
  const { rows } = await service.deps.database.sql.query<{ name: string }>(sql);
  return rows.map(({ name }) => name);
}

/** Returns the statements of the loaded modules, with their columns and one text. */
const statements = () =>
  registeredStatements().map((statement) => ({
    name: statement.name,
    columns: statement.columns,
    text: statement.variants()[0]?.text ?? '',
  }));

/** Selects the tables with a column for a user, and the users. */
const tablesOfUsers = `SELECT table_name FROM information_schema.columns
   WHERE table_schema = 'auth' AND (column_name = 'subject_id' OR table_name = 'subjects')
  UNION SELECT relname FROM pg_constraint JOIN pg_class ON pg_class.oid = conrelid
         WHERE confrelid = 'auth.subjects'::regclass`;

describe('tables', () => {
  test('Every table of users carries roles, gives a role, or is listed with a reason.', async () => {
    expectCovered(
      await names(`SELECT DISTINCT table_name AS name FROM (${tablesOfUsers}) t`),
      [carrying, roleTables, otherTables].flatMap((tables) => Object.keys(tables)),
      whatToDo,
    );
  });

  test('Every column of a user that can contain a credential is listed with its table.', async () => {
    expectCovered(
      await names(
        `SELECT table_name || '.' || column_name AS name FROM information_schema.columns
          WHERE table_schema = 'auth' AND table_name IN (${tablesOfUsers})
            AND data_type IN ('text', 'bytea', 'json', 'jsonb', 'ARRAY') AND column_name NOT IN ('tenant', 'carried_roles')`,
      ),
      Object.entries(columns).flatMap(([table, listed]) =>
        listed.split(' ').map((name) => `${table}.${name}`),
      ),
      whatToDo,
    );
  });

  test('Every table with the column carried_roles has a row.', async () => {
    expectCovered(
      await names(
        `SELECT table_name AS name FROM information_schema.columns
          WHERE table_schema = 'auth' AND column_name = 'carried_roles'`,
      ),
      Object.keys(carrying),
      whatToDo,
    );
  });

  test('Every statement that inserts into such a table sets the column, whose default is every role.', () => {
    const inserting = statements().flatMap(({ name, text }) => {
      return Object.keys(carrying)
        .map((table) => text.split(new RegExp(`INSERT INTO auth\\.${table}\\b`))[1])
        .filter((rest) => rest !== undefined)
        .map((rest) => ({ name, listed: rest.slice(0, rest.indexOf(')')) }));
    });
    expect(inserting.length).toBeGreaterThan(4);
    const lacking = inserting.filter(({ listed }) => !listed.includes('carried_roles'));
    // The grant of a replayed code is revoked when it is inserted.
    expect(lacking.map(({ name }) => name)).toEqual(['grants.insert_tombstone']);
  });

  test('Every function that creates such a row with Prisma stores the roles.', async () => {
    const models =
      'credential|passkey|totpFactor|recoveryCode|invitation|issuerSubject|session|grant|apiToken';
    const creating = new RegExp(`\\b(?:${models})\\s*\\.(?:create|createMany|createManyAndReturn|upsert)\\(`);
    const found: string[] = [];
    const source = join(import.meta.dirname, '../../../src');
    for await (const path of glob('**/*.ts', { cwd: source, exclude: ['**/generated/**'] })) {
      const functions = (await readFile(join(source, path), 'utf8')).split(/^ {0,2}\}/m);
      found.push(...functions.filter((text) => creating.test(text)));
    }
    expect(found.length).toBeGreaterThan(4);
    expect(found.filter((text) => !text.includes('storedRoles('))).toEqual([]);
  });

  test('Every table with a role is a source of a role with a row, or is listed with a reason.', async () => {
    expectCovered(
      await names(
        `SELECT DISTINCT table_name AS name FROM information_schema.columns
          WHERE table_schema = 'auth' AND column_name IN ('role', 'roles')`,
      ),
      [...Object.keys(roleTables), ...Object.keys(rolesOfOthers)],
      'Add a source to `roleSources` and name it here, or state the reason why it gives no role to a user.',
    );
  });

  test('Every statement that reads roles of users reads all sources.', () => {
    const tables = Object.keys(roleTables).map((table) => `auth.${table}`);
    const reading = statements()
      .filter(({ columns: read }) => 'role' in read || 'roles' in read)
      .filter(({ text }) => tables.some((table) => text.includes(table)));
    expect(reading.length).toBeGreaterThan(4);
    const held = { name: 'rolesHeld', text: rolesHeld('$1', '$2') };
    const partial = [...reading, held].filter(({ text }) => !tables.every((table) => text.includes(table)));
    // They compare the projection of the groups' roles with the directory.
    const ofGroups = ['maintenance.holdings-after', 'maintenance.holdings-of'];
    expect(partial.map(({ name }) => name)).toEqual(ofGroups);
    expect([...held.text.matchAll(/FROM (\S+)/g)].map((match) => match[1]).toSorted()).toEqual(
      tables.toSorted(),
    );
  });
});

describe('sign-in methods', () => {
  test('Every member of WayIn has a row.', () => {
    const rows: Record<WayIn, Coverage> = {
      password: ['a password that a connector sets', byLink, 'a password set in a session of a planted one'],
      passkey: ['a passkey set by the link of an app with users:write', 'a passkey'],
      authenticator_app: ['an authenticator app'],
      recovery_codes: ['recovery codes', 'recovery codes that replace others'],
      trusted_issuer: [issuer],
    };
    const members = /enum WayIn \{([\s\S]*?)\n\}/.exec(typeDefs)?.[1] ?? '';
    const found = [...members.matchAll(/^ {2}([A-Z_]+)/gm)].map((match) => (match[1] ?? '').toLowerCase());
    expectCovered(found, Object.keys(rows), whatToDo);
  });

  test('Every factor of a sign-in has a row.', () => {
    const rows = {
      password: ['a password that a connector sets'],
      one_time_code: ['an authenticator app'],
      recovery_code: ['recovery codes'],
      passkey: ['a passkey'],
    } as const satisfies Record<string, Coverage>;
    expectCovered(signInFactors, Object.keys(rows), whatToDo);
  });
});

test('Every grant type has a row, or a reason.', () => {
  const rows: Readonly<Record<string, Coverage>> = {
    authorization_code: ['an authorization code'],
    refresh_token: ['a refresh token'],
    [deviceGrant]: ['a device code'],
    [exchangeGrant]: ['a token exchange'],
    [bearerGrant]: [issuer],
    client_credentials: 'The client acts for itself.',
  };
  const { deps } = service;
  const handlers = grantHandlers({ ...deps, assertingAccount: async () => undefined }, assertionGrants(deps));
  expectCovered(handlers.keys(), Object.keys(rows), whatToDo);
});

test('Every route that confers a right has a row, or a reason.', () => {
  const t = '/t/:tenant';
  const rows: Readonly<Record<string, Coverage>> = {
    [`POST ${t}/login`]: ['a password that a connector sets'],
    [`POST ${t}/login/verify`]: ['an authenticator app', 'recovery codes'],
    [`POST ${t}/login/passkey`]: ['a passkey'],
    [`POST ${t}/login/recover`]: [
      'a recovery code, in place of a passkey set by the link of an app with users:write',
    ],
    [`POST ${t}/invitation`]: [byLink, 'a passkey set by the link of an app with users:write'],
    [`POST ${t}/account/password`]: ['a password set in a session of a planted one'],
    [`POST ${t}/account/passkeys`]: ['a passkey'],
    [`POST ${t}/account/totp`]: ['an authenticator app'],
    [`POST ${t}/account/recovery-codes`]: ['recovery codes that replace others'],
    [`POST ${t}/account/tokens`]: [ofPages],
    [`POST ${t}/personal-access-tokens`]: ['a personal access token over REST'],
    [`POST ${t}/authorize`]: ['an authorization code'],
    [`POST ${t}/device`]: ['a device code'],
    [`POST ${t}/token`]: [
      'an authorization code',
      'a refresh token',
      'a device code',
      'a token exchange',
      issuer,
    ],
    'POST /internal/v1/tenants/:tenant/credentials': ['a password that a connector sets'],
    'POST /internal/v1/tenants/:tenant/credentials/:ticket/activate': ['a password that a connector sets'],
    'POST /graphql': 'The mutations are below.',
    [`POST ${t}/select-account`]: 'Chooses a session that exists.',
    [`POST ${t}/consent`]: 'Continues a session, as `authorize` does.',
    [`POST ${t}/device_authorization`]: 'The user signs in at `device`.',
    [`POST ${t}/par`]: 'The user signs in at `authorize`.',
    [`POST ${t}/register`]: 'A client.',
    [`PUT ${t}/register/:clientId`]: 'A client.',
    ...Object.fromEntries(
      ['POST', 'PATCH', 'PUT'].map((method) => [`${method} ${t}/ssf/stream`, 'Events for a client.']),
    ),
    ...Object.fromEntries(
      ['status', 'subjects/add', 'subjects/remove', 'verification', 'poll/:streamId'].map((path) => [
        `POST ${t}/ssf/${path}`,
        'Events for a client.',
      ]),
    ),
    'POST /internal/v1/tenants/:tenant/clients': 'A client.',
    'POST /internal/v1/tenants/:tenant/roles': 'A role, by the operator, as `assignRole` gives it.',
    'POST /internal/v1/tenants/:tenant/invitations': 'A link of the operator, who may assign every role.',
  };
  const found = Object.entries(routeConferrals({ deviceFlow: true })).filter(
    ([, { confers }]) => confers !== 'nothing',
  );
  expectCovered(
    found.map(([route]) => route),
    Object.keys(rows),
    whatToDo,
  );
});

test('Every mutation that confers a right or returns a text has a row, or a reason.', () => {
  const rows: Readonly<Record<string, Coverage>> = {
    inviteUser: [byLink, 'a passkey set by the link of an app with users:write'],
    resetUserAccess: ['a password set by the reset link of an app with access:write'],
    bindIssuerSubject: [issuer],
    createPersonalAccessToken: ['a personal access token of the graph'],
    assignRole:
      'A role, which `roleSources` gives; its link is that of `resetUserAccess`, by a caller with the role.',
    assignGroupRole: 'A role, which `roleSources` gives.',
    assignApiRole: 'A role of an API, which counts after every sign-in.',
    registerApi: 'Claims of tokens, which give no role.',
    updateApi: 'Claims of tokens, which give no role.',
    updateClientDocumentPolicy: 'Opens clients, which act for users after their consent.',
    assignGroupApiRole: 'A role of an API, which counts after every sign-in.',
    addGroupMembers: 'A role through a group, which `roleSources` gives.',
    restoreGroup: 'A role through a group, which `roleSources` gives.',
    restoreUser: 'The sign-in methods of the user carry the roles that they carried before.',
    reactivateUser: 'The sign-in methods of the user carry the roles that they carried before.',
    updateUser: 'Identifiers of the user, which sign nobody in.',
    removeAuthenticatorApp: 'Removes a sign-in method.',
    removePasskey: 'Removes a sign-in method.',
    removeRole: 'Its link is null.',
    createTrustedIssuer: 'An issuer without users; `bindIssuerSubject` binds them.',
    ...Object.fromEntries(
      ['createServiceAccount', 'updateServiceAccount', 'createApiKey', 'addServiceAccountKey']
        .concat('registerClient', 'rotateClientSecret', 'updateClient', 'enableClient', 'transferCredential')
        .concat('createInitialAccessToken', 'createWebhook', 'updateWebhook', 'rotateWebhookSecret')
        .concat('createConnector', 'rotateConnectorToken', 'updateConnector', 'transferConnector')
        .concat('enableConnector')
        .map((name) => [name, 'Access of a program, which has no role of a user.']),
    ),
  };
  const found = composedMutations().filter(({ confers, returns }) => confers || returns.length > 0);
  expectCovered(
    found.map(({ name }) => name),
    Object.keys(rows),
    whatToDo,
  );
});
