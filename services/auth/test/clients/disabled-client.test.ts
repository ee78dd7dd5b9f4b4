import { describe, expect, test } from '@jest/globals';
import { type Answer, challenge, issueCode, register, verifier } from '../support/running-auth.ts';
import { auth, twin } from '../support/two-processes.ts';
import { allow, deviceClient, poll, setUpDevices, started } from '../support/waiting-device.ts';

setUpDevices();

const callback = 'http://127.0.0.1:8123/callback';
const error = (answer: Answer) => [answer.status, answer.body.error];

/** Registers a public client with every grant and without consent. */
async function newClient(): Promise<string> {
  const { client } = await register(auth, {
    ...deviceClient,
    grant_types: [...deviceClient.grant_types, 'authorization_code'],
    redirect_uris: [callback],
    require_consent: false,
  });
  return client.clientId;
}

/** Disables and enables a client in one process, and waits until the other process has read the change. */
async function offAndOn(client: string): Promise<void> {
  await auth.deps.clientRegistry.disable('demo', client);
  await auth.deps.clientRegistry.enable('demo', client, () => undefined);
  for (let waited = 0; (await twin.deps.clients.find('demo', client))?.epoch !== 1; waited += 5) {
    if (waited > 15_000) throw new Error('the other process has not heard of it');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

describe('a client that was disabled and enabled again', () => {
  test.each([
    ['the same process', () => auth],
    ['another process', () => twin],
  ])(
    'After a client is disabled and enabled again, its old code is rejected at %s and a new code is accepted.',
    async (_where, at) => {
      const client = await newClient();
      const before = await issueCode(auth, client);
      await offAndOn(client);
      expect(error(await at().post('/t/demo/token', before.form))).toEqual([400, 'invalid_grant']);
      const after = await issueCode(auth, client);
      expect((await at().post('/t/demo/token', after.form)).status).toBe(200);
    },
  );

  test('A device code issued before its client was disabled is rejected, even when it is approved afterwards.', async () => {
    const client = await newClient();
    const [allowed, waiting] = [await started({ client_id: client }), await started({ client_id: client })];
    await allow(allowed.userCode);
    await offAndOn(client);
    for (const { deviceCode } of [allowed, waiting]) {
      expect(error(await poll(deviceCode, { client }))).toEqual([400, 'invalid_grant']);
    }
    // The user had already opened the page when the client was disabled.
    await allow(waiting.userCode);
    expect(error(await poll(waiting.deviceCode, { client }))).toEqual([400, 'invalid_grant']);
    const fresh = await started({ client_id: client });
    await auth.deps.deviceCodes.find('demo', fresh.userCode);
    expect(error(await poll(fresh.deviceCode, { client }))).toEqual([400, 'authorization_pending']);
  });

  test('A request pushed before its client was disabled is rejected, and a new one is accepted.', async () => {
    const client = await newClient();
    const request = {
      client_id: client,
      response_type: 'code',
      redirect_uri: callback,
      scope: 'openid',
      code_challenge: challenge(verifier()),
      code_challenge_method: 'S256',
    };
    const push = async () => String((await auth.post('/t/demo/par', request)).body.request_uri);
    const open = (request_uri: string) =>
      fetch(`${auth.origin}/t/demo/authorize?${new URLSearchParams({ client_id: client, request_uri })}`, {
        redirect: 'manual',
      });
    const before = await push();
    await offAndOn(client);
    expect((await open(before)).status).toBe(400);
    expect((await open(await push())).status).toBe(303);
  });
});
