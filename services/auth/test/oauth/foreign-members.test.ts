import { describe, expect, test } from '@jest/globals';
import { registrationMembers } from '../../src/clients/domain/client-narrowing.ts';
import { ownMembers } from '../../src/clients/domain/dynamic-registration.ts';
import { initialToken, itself, metadata, send } from '../support/registering.ts';
import { auth, setUpTwoProcesses } from '../support/two-processes.ts';

setUpTwoProcesses();

/** Properties of a client whose registration members have other names. */
const properties = `name type grantTypes redirectUris responseTypes scopes tokenEndpointAuthMethod`.split(
  ' ',
);

/** Registration members that a client cannot set itself, and other members that it might try. */
const foreign = [
  ...registrationMembers.filter((name) => !(ownMembers as readonly string[]).includes(name)),
  ...['kind', 'owner', 'owner_id', 'disabled', 'epoch', 'tenant', 'roles'],
].filter((name) => !properties.includes(name));

const values = [true, false, 'web', 'https://evil.example', ['https://evil.example'], 0, {}];

/** Returns the registration without members that differ for each client. */
const registeredIn = (body: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(body).filter(
      ([name]) =>
        !/^(client_id|client_id_issued_at|client_secret|client_secret_expires_at|registration_.*)$/.test(
          name,
        ),
    ),
  );
const kept = async (id: unknown) => (await auth.deps.clients.find('demo', String(id)))?.metadata;

describe('members reserved to administrators have no effect in a client’s own registration (RFC 7591 §2)', () => {
  test('The members reserved to administrators include require_consent, require_pkce and resources.', () => {
    expect(foreign).toEqual(
      expect.arrayContaining(['require_consent', 'require_pkce', 'require_nonce', 'resources', 'kind']),
    );
  });

  test.each(foreign)(
    'A client cannot set %s for itself, neither at registration nor by an update.',
    async (name) => {
      const plain = await itself();
      for (const value of values) {
        const said = {
          ...metadata,
          ...(name === 'require_nonce' ? { require_pkce: false } : {}),
          [name]: value,
        };
        const made = await send('POST', '/t/demo/register', await initialToken(), said);
        if (made.status === 201) {
          expect(registeredIn(made.body)).toEqual(registeredIn(plain.body));
          expect(await kept(made.body.client_id)).toEqual(await kept(plain.id));
        } else expect([made.status, made.body.error]).toEqual([400, 'invalid_client_metadata']);

        // The same applies to an update by the client (RFC 7592 §2.2).
        const changed = await send('PUT', plain.uri, plain.token, { client_id: plain.id, ...said });
        expect([200, 400]).toContain(changed.status);
        expect(registeredIn((await send('GET', plain.uri, plain.token)).body)).toEqual(
          registeredIn(plain.body),
        );
      }
    },
  );

  test('A registration token of one tenant registers nothing in another tenant.', async () => {
    const theirs = await initialToken({ tenant: 'rival' });
    const answer = await send('POST', '/t/demo/register', theirs, metadata);
    expect([answer.status, answer.body.error]).toEqual([401, 'invalid_token']);
  });
});
