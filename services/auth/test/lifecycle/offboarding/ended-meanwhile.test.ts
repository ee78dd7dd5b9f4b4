import { describe, expect, test } from '@jest/globals';
import type { Sql } from '@ostiary/database';
import { eventually } from '@ostiary/service/testing';
import { closeAccessPaths } from '../../../src/lifecycle/offboarding/domain/departure.ts';
import { Authenticator, passkeyOptions } from '../../support/sign-in/authenticator.ts';
import { type Answer, type Browser, hiddenFields } from '../../support/sign-in/browser.ts';
import { client, service, setUpOneClient } from '../../support/sign-in/one-client.ts';
import {
  accountPath,
  addPasskey,
  appCode,
  offeredSecret,
  openAccount,
} from '../../support/sign-in/second-step.ts';
import {
  authorizeUrl,
  password,
  redeem,
  selfService,
  signIn,
  signInAndAllow,
  tenant,
} from '../../support/sign-in/service.ts';

setUpOneClient();

/** Sends a request that waits for the row of its user, ends access while it waits, and releases it. */
async function overtaken<T>(
  subjectId: string,
  send: () => Promise<T>,
  end: (tx: Sql) => Promise<unknown>,
): Promise<T> {
  const { database } = service.deps;
  let sent: Promise<T> | undefined;
  await database.transaction(async (tx) => {
    await tx.query('SELECT 1 FROM auth.subjects WHERE tenant = $1 AND id = $2 FOR UPDATE', [
      tenant,
      subjectId,
    ]);
    sent = send();
    await eventually(async () => {
      const { rows } = await database.sql.query<{ waiting: number }>(
        `SELECT count(*)::int AS waiting FROM pg_stat_activity
          WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      return (rows[0]?.waiting ?? 0) > 0;
    });
    await end(tx);
  });
  if (!sent) throw new Error('nothing was sent');
  return sent;
}

const everything = (subjectId: string) => (tx: Sql) =>
  closeAccessPaths(tx, tenant, subjectId, 'test', {
    ...service.deps.departure,
    accessTokenSeconds: 600,
    policyDefaults: {},
  });

const thisSession = (subjectId: string) => (tx: Sql) =>
  tx.query('UPDATE auth.sessions SET revoked_at = now() WHERE tenant = $1 AND subject_id = $2', [
    tenant,
    subjectId,
  ]);

const count = async (table: string, subjectId: string): Promise<number> => {
  const { rows } = await service.deps.database.sql.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM auth.${table} WHERE tenant = $1 AND subject_id = $2`,
    [tenant, subjectId],
  );
  return rows[0]?.count ?? -1;
};

/** Prepares a form of the account page, and returns the function that submits it. */
const forms: Record<string, (browser: Browser, userName: string) => Promise<() => Promise<Answer>>> = {
  passkeys: async (browser, userName) => {
    const page = await openAccount(browser, userName, '/passkeys');
    const credential = new Authenticator().create(passkeyOptions(page));
    return () => browser.submit(page, { credential, name: 'Backdoor' });
  },
  totp_factors: async (browser, userName) => {
    const page = await openAccount(browser, userName, '/totp');
    return () => browser.submit(page, { code: appCode(offeredSecret(page)) });
  },
  api_tokens: async (browser, userName) => {
    const page = await openAccount(browser, userName, '/tokens');
    const { csrf = '' } = hiddenFields(page);
    return () =>
      browser.post(`${accountPath}/tokens`, { csrf, name: 'backdoor', scope: 'openid', days: '7' });
  },
  consents: async (browser, userName) => {
    const page = await signIn(browser, await service.client(), userName);
    return () => browser.submit(page, { action: 'allow' });
  },
  credentials: async (browser, userName) => {
    const page = await openAccount(browser, userName, '/password');
    const next = 'known to somebody else';
    return () => browser.submit(page, { present: password, password: next, repeated: next });
  },
};

describe.each([
  ['everything of the person is ended', everything],
  ['their session is ended', thisSession],
])('while %s', (how, end) => {
  test.each(Object.keys(forms))(
    'A request that is in progress when access ends adds nothing to %s.',
    async (table) => {
      const person = await service.person(`${table}-${how.length}`);
      const browser = service.browser();
      const send = await forms[table]?.(browser, person.userName);
      if (!send) throw new Error('no such form');
      const before = await count(table, person.id);
      const answer = await overtaken(person.id, send, end(person.id));
      expect(answer.status).toBeLessThan(500);
      expect(await count(table, person.id)).toBe(before);
    },
  );

  test('A request that is in progress when access ends removes neither passkey nor authenticator app.', async () => {
    const person = await service.person(`factors-${how.length}`);
    const browser = service.browser();
    await addPasskey(browser, person.userName, new Authenticator());
    const offer = await openAccount(browser, person.userName, '/totp');
    await browser.submit(offer, { code: appCode(offeredSecret(offer)) });
    const { csrf = '' } = hiddenFields(await browser.get(accountPath));
    const [passkey] = await service.deps.passkeys.list(tenant, person.id);
    const send = () =>
      Promise.all([
        browser.post(`${accountPath}/passkeys/remove`, { csrf, id: passkey?.id ?? '' }),
        browser.post(`${accountPath}/totp/remove`, { csrf }),
      ]);
    await overtaken(person.id, send, end(person.id));
    expect([await count('passkeys', person.id), await count('totp_factors', person.id)]).toEqual([1, 1]);
  });

  test('A request that is in progress when access ends does not replace the recovery codes.', async () => {
    const person = await service.person(`codes-${how.length}`);
    const browser = service.browser();
    await addPasskey(browser, person.userName, new Authenticator());
    const page = await browser.get(`${accountPath}/recovery-codes`);
    const digests = async () =>
      (
        await service.deps.database.sql.query(
          'SELECT digest FROM auth.recovery_codes WHERE subject_id = $1',
          [person.id],
        )
      ).rows;
    const before = await digests();
    expect(before).toHaveLength(10);
    await overtaken(person.id, () => browser.submit(page, {}), end(person.id));
    expect(await digests()).toEqual(before);
  });
});

test.each([
  [
    'the person takes it back',
    (app: string, id: string) => (tx: Sql) => service.deps.grants.revokeByConsent(tx, tenant, id, app),
  ],
  ['it is disabled', (app: string) => (tx: Sql) => service.deps.grants.revokeByClient(tx, tenant, app)],
])('An app creates no personal access token while %s.', async (how, end) => {
  const app = await service.client({ require_consent: false, scope: `openid profile ${selfService}` });
  const person = await service.person(`maker-${how.length}`);
  const { body } = await redeem(
    service,
    app,
    await signInAndAllow(service.browser(), app, person.userName, { scope: `openid profile ${selfService}` }),
  );
  const make = () =>
    fetch(`${service.origin}/t/${tenant}/personal-access-tokens`, {
      method: 'POST',
      headers: { authorization: `Bearer ${body.access_token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'backdoor', scope: 'openid' }),
    });
  expect((await make()).status).toBe(201);
  expect((await overtaken(person.id, make, end(app.clientId, person.id))).status).toBe(401);
  // The earlier one was revoked with the grant under which it was created.
  expect(await service.deps.apiTokens.listPersonal(tenant, [person.id])).toEqual([]);
});

const thisGrant = (subjectId: string) => (tx: Sql) =>
  service.deps.grants.revokeByConsent(tx, tenant, subjectId, client.clientId);

describe.each([
  ['everything of the person is ended', everything],
  ['their session is ended', thisSession],
  ['the app’s access is taken back', thisGrant],
])('while %s, over the graph', (how, end) => {
  test('A graph request that is in progress when access ends removes neither passkey nor authenticator app.', async () => {
    const person = await service.person(`graph-${how.length}`);
    const browser = service.browser();
    await addPasskey(browser, person.userName, new Authenticator());
    const offer = await openAccount(browser, person.userName, '/totp');
    await browser.submit(offer, { code: appCode(offeredSecret(offer)) });
    const [passkey] = await service.deps.passkeys.list(tenant, person.id);
    const { location } = await browser.get(authorizeUrl(client, { scope: `openid ${selfService}` }));
    const { body } = await redeem(service, client, new URL(location ?? ''));
    const mutate = async (mutation: string): Promise<string[]> => {
      const response = await fetch(`${service.origin}/graphql`, {
        method: 'POST',
        headers: { authorization: `Bearer ${body.access_token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ query: `mutation { done: ${mutation} { problems { code } } }` }),
      });
      const { data } = (await response.json()) as { data: { done: { problems: { code: string }[] } } };
      return data.done.problems.map(({ code }) => code);
    };
    const removals = [
      `removePasskey(input: { id: "${passkey?.id}" })`,
      'removeAuthenticatorApp(input: {})',
    ] as const;
    const answers = await overtaken(person.id, () => Promise.all(removals.map(mutate)), end(person.id));
    expect(answers).toEqual([['NOT_FOUND'], ['NOT_FOUND']]);
    expect([await count('passkeys', person.id), await count('totp_factors', person.id)]).toEqual([1, 1]);
  });
});
