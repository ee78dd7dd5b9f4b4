import { describe, expect, jest, test } from '@jest/globals';
import { apiScopes } from '@ostiary/access';
import { eventually } from '@ostiary/service/testing';
import { Authenticator, passkeyOptions } from '../../support/sign-in/authenticator.ts';
import { type Answer, type Browser, hiddenFields } from '../../support/sign-in/browser.ts';
import { client, service, setUpOneClient } from '../../support/sign-in/one-client.ts';
import { moved, shownCodes, startTwin } from '../../support/sign-in/second-step.ts';
import { authorizeUrl, rival, signIn, tenant, token } from '../../support/sign-in/service.ts';

setUpOneClient();

const chosen = 'quiet rivers run under stone';

const invite = (subject: string, o: Record<string, unknown> = {}, of = tenant) =>
  service.internal('POST', `/tenants/${of}/invitations`, { subject, ...o });

/** Returns a user without a password, and the path of the invitation. */
async function invited(userName: string): Promise<{ id: string; link: string }> {
  const { id } = service.directory.addUser(tenant, userName);
  const { status, body } = await invite(id);
  expect(status).toBe(201);
  const url = new URL(String(body.url));
  expect(url.origin + url.pathname).toBe(`http://localhost:4000/t/${tenant}/invitation`);
  return { id, link: url.pathname + url.search };
}

const accept = (browser: Browser, page: Answer, fields: Record<string, string> = {}): Promise<Answer> =>
  browser.submit(page, { password: chosen, repeated: chosen, ...fields });

describe('an invitation', () => {
  test('An invitation sets the first password, signs the user in, and is consumed.', async () => {
    const { link } = await invited('new-anna');
    const browser = service.browser();
    const page = await browser.get(link);
    expect(page.text).toContain('Welcome');
    expect(page.headers.get('referrer-policy')).toBe('no-referrer');
    const done = await accept(browser, page);
    expect([done.status, done.location]).toEqual([303, `/t/${tenant}/account`]);
    expect((await browser.get(done.location ?? '')).status).toBe(200);
    expect((await signIn(service.browser(), client, 'new-anna', { password: chosen })).location).toMatch(
      /\?code=/,
    );
    expect((await accept(browser, page)).status).toBe(410);
    expect((await service.browser().get(link)).status).toBe(410);
  });

  test('An invitation is not consumed when it is viewed, nor when the password is rejected.', async () => {
    const { link } = await invited('new-scan');
    for (let n = 0; n < 3; n += 1) expect((await service.browser().get(link)).status).toBe(200);
    const browser = service.browser();
    const page = await browser.get(link);
    expect((await accept(browser, page, { repeated: 'other' })).status).toBe(400);
    expect((await accept(browser, page, { password: 'short', repeated: 'short' })).status).toBe(400);
    expect((await accept(browser, page)).status).toBe(303);
  });

  test('An invitation can set a first passkey, which must have verified the user.', async () => {
    const { link } = await invited('new-key');
    const authenticator = new Authenticator();
    const browser = service.browser();
    const page = await browser.get(link);
    authenticator.userVerified = false;
    const weak = authenticator.create(passkeyOptions(page));
    expect(
      (await browser.post(link.split('?')[0] ?? '', { ...hiddenFields(page), credential: weak })).status,
    ).toBe(400);
    authenticator.userVerified = true;
    const credential = authenticator.create(passkeyOptions(page));
    const done = await browser.post(link.split('?')[0] ?? '', { ...hiddenFields(page), credential });
    // Without a password the codes are the only recovery after the loss of the passkey.
    expect(done.location).toMatch(/\/account\/recovery-codes\?shown=/);
    expect(shownCodes(await browser.follow(done))).toHaveLength(10);
    const visitor = service.browser();
    const login = await visitor.follow(await visitor.get(authorizeUrl(client)));
    const { i = '', csrf = '' } = hiddenFields(login);
    const proof = authenticator.get(passkeyOptions(login));
    const answer = await visitor.post(`/t/${tenant}/login/passkey`, { i, csrf, credential: proof });
    expect(answer.location).toMatch(/\?code=/);
  });

  test('An invitation that is answered twenty times in parallel across two processes counts once.', async () => {
    const { link, id } = await invited('new-race');
    const twin = await startTwin(service);
    try {
      const browser = service.browser();
      const page = await browser.get(link);
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, n) =>
          accept(n % 2 === 0 ? browser.clone() : moved(browser, twin.origin), page, {
            password: `${chosen} ${n}`,
            repeated: `${chosen} ${n}`,
          }),
        ),
      );
      expect(answers.filter(({ status }) => status === 303)).toHaveLength(1);
      expect(answers.filter(({ status }) => status === 410)).toHaveLength(19);
      const { rows } = await service.deps.database.sql.query(
        'SELECT 1 FROM auth.credentials WHERE subject_id = $1',
        [id],
      );
      expect(rows).toHaveLength(1);
    } finally {
      await twin.stop();
    }
  });

  test('A new invitation ends the previous one.', async () => {
    const { id, link } = await invited('new-again');
    expect((await invite(id)).status).toBe(201);
    expect((await service.browser().get(link)).status).toBe(410);
  });

  test('An invitation expires.', async () => {
    const { link } = await invited('new-late');
    await service.deps.database.sql.query(
      `UPDATE auth.invitations SET expires_at = now() - interval '1 second'`,
    );
    expect((await service.browser().get(link)).status).toBe(410);
  });

  test('An invitation ends when its user is offboarded, and stays ended when the user returns.', async () => {
    const { id, link } = await invited('new-leaver');
    const browser = service.browser();
    const page = await browser.get(link);
    const active = async () => (await service.deps.subjects.find(tenant, id))?.active;
    await service.directory.change(tenant, id, 'user.deactivated');
    await eventually(async () => (await active()) === false);
    expect((await accept(browser, page)).status).toBe(410);
    expect((await invite(id)).status).toBe(409);
    await service.directory.change(tenant, id, 'user.reactivated');
    await eventually(async () => (await active()) === true);
    expect((await accept(browser, page)).status).toBe(410);
  });

  test('An accepted invitation does not sign the user in after their access was revoked.', async () => {
    const { id, link } = await invited('new-overtaken');
    const browser = service.browser();
    const page = await browser.get(link);
    const { sessions, subjects } = service.deps;
    const start = jest.spyOn(sessions, 'start');
    start.mockImplementationOnce(async (...all) => {
      start.mockRestore();
      await subjects.signOutEverywhere(tenant, id);
      return sessions.start(...all);
    });
    expect((await accept(browser, page)).status).toBe(410);
    expect((await browser.get(`/t/${tenant}/account`)).location).toContain('/login');
  });

  test('An invitation ends when a password is set in another way in the meantime.', async () => {
    const { id, link } = await invited('new-provisioned');
    const { body } = await service.internal('POST', `/tenants/${tenant}/credentials`, {
      subject: id,
      password: chosen,
    });
    await service.internal('POST', `/tenants/${tenant}/credentials/${body.ticket}/activate`);
    expect((await service.browser().get(link)).status).toBe(410);
  });

  test('An invitation is created neither for a user who can sign in nor for users of another tenant.', async () => {
    const person = await service.person('settled');
    expect((await invite(person.id)).status).toBe(409);
    expect((await invite(person.id, {}, rival)).status).toBe(404);
    expect((await invite('nonsense')).status).toBe(404);
    for (const expiresInSeconds of [59, 2_592_001, 1.5, '60', {}]) {
      expect((await invite(person.id, { expiresInSeconds })).status).toBe(400);
    }
    const path = `/tenants/${tenant}/invitations`;
    const { status } = await service.internal('POST', path, { subject: person.id }, 'provisioning');
    expect(status).toBe(403);
  });

  test('An invitation of one tenant is rejected at another tenant, and so is an invented one.', async () => {
    const { link } = await invited('new-foreign');
    const token = new URL(link, 'http://x').searchParams.get('token') ?? '';
    for (const path of [
      `/t/${rival}/invitation?token=${token}`,
      `/t/${tenant}/invitation?token=${'A'.repeat(43)}`,
      `/t/${tenant}/invitation?token=${token}&token=${token}`,
      `/t/${tenant}/invitation`,
      `/t/${tenant}/invitation?token=%00`,
    ]) {
      expect([path, (await service.browser().get(path)).status]).toEqual([path, 410]);
    }
  });

  test('An invitation cannot be answered from another site or browser.', async () => {
    const { link } = await invited('new-forged');
    const browser = service.browser();
    const page = await browser.get(link);
    const fields = { ...hiddenFields(page), password: chosen, repeated: chosen };
    const path = link.split('?')[0] ?? '';
    expect((await browser.post(path, fields, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect((await browser.post(path, { ...fields, csrf: 'x'.repeat(43) })).status).toBe(403);
    expect((await service.browser().post(path, fields)).status).toBe(403);
  });

  test('An invitation is stored as a digest, and its link is in no log.', async () => {
    const { link } = await invited('new-secret');
    await service.browser().get(link);
    const token = new URL(link, 'http://x').searchParams.get('token') ?? '?';
    expect(service.logs.join('')).not.toContain(token);
    const { rows } = await service.deps.database.sql.query<{ text: string }>(
      'SELECT i::text AS text FROM auth.invitations i',
    );
    expect(JSON.stringify(rows)).not.toContain(token);
    expect(JSON.stringify(rows)).not.toContain(Buffer.from(token).toString('hex'));
  });
});

describe('inviteUser in the graph', () => {
  const mutation = `mutation ($id: ID!, $seconds: Int) {
    inviteUser(input: { userId: $id, expiresInSeconds: $seconds }) { url expiresAt } }`;

  async function ask(scope: string, variables: object, of = tenant) {
    const metadata = {
      token_endpoint_auth_method: 'client_secret_post',
      grant_types: ['client_credentials'],
      redirect_uris: [],
      scope,
    };
    const machine = await service.client(metadata, of);
    const { body } = await token(service, machine, {
      grant_type: 'client_credentials',
      client_secret: machine.secret ?? '',
    });
    const response = await fetch(`${service.origin}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${body.access_token}` },
      body: JSON.stringify({ query: mutation, variables }),
    });
    const answer = (await response.json()) as {
      data: { inviteUser: { url: string } | null } | null;
      errors?: { extensions: { code: string } }[];
    };
    return {
      url: answer.data?.inviteUser?.url,
      codes: answer.errors?.map(({ extensions }) => extensions.code),
    };
  }

  test('The mutation inviteUser returns a valid link.', async () => {
    const { id } = service.directory.addUser(tenant, 'graph-anna');
    const { url = '' } = await ask('users:write', { id });
    const browser = service.browser();
    const page = await browser.get(new URL(url).pathname + new URL(url).search);
    expect((await accept(browser, page)).status).toBe(303);
    expect((await ask('users:write', { id })).codes).toEqual(['CONFLICT']);
  });

  test('The mutation inviteUser is rejected without the scope, for another tenant, and with bad arguments.', async () => {
    const { id } = service.directory.addUser(tenant, 'graph-bert');
    expect((await ask('users:read', { id })).codes).toEqual(['FORBIDDEN']);
    expect((await ask('users:write', { id }, rival)).codes).toEqual(['NOT_FOUND']);
    expect((await ask('users:write', { id: 'x' })).codes).toEqual(['NOT_FOUND']);
    expect((await ask('users:write', { id, seconds: 0 })).codes).toEqual(['BAD_USER_INPUT']);
  });

  test('The mutation inviteUser is rejected for a user with a role if the caller may not assign roles.', async () => {
    const { id } = service.directory.addUser(tenant, 'graph-boss');
    await service.internal('POST', `/tenants/${tenant}/roles`, { subject: id, role: 'tenant_admin' });
    expect((await ask('users:write', { id })).codes).toEqual(['FORBIDDEN']);
    expect((await ask('users:write roles:write', { id })).codes).toEqual(['FORBIDDEN']);
    expect((await ask(Object.keys(apiScopes).join(' '), { id })).url).toContain('/invitation?token=');
  });
});
