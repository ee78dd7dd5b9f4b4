import { describe, expect, test } from '@jest/globals';
import { Prover } from '@ostiary/access/testing';
import { eventually } from '@ostiary/service/testing';
import { compactVerify, createLocalJWKSet, decodeProtectedHeader, type JSONWebKeySet } from 'jose';
import type { ClientMetadata } from '../../src/clients/domain/client-registry.ts';
import { LogoutReceiver } from '../signals/deliveries/logout-receiver.ts';
import { ask, authorize, eachAuthorizes, requestsWith } from '../support/announced/authorization-requests.ts';
import { eachAlgorithm, eachMethod } from '../support/announced/client-authentication.ts';
import { announced, auth, backend, list, machine, setUpAnnounced } from '../support/announced/server.ts';
import {
  basicHeader,
  claimsOf,
  issueCode,
  publicClient,
  register,
  signedIn,
} from '../support/running-auth.ts';

setUpAnnounced();

/** A user with a value for every claim. */
const completeUser = {
  name: { middleName: 'Ann' },
  nickName: 'Al',
  profileUrl: 'https://people.example/alice',
  photos: [{ value: 'https://people.example/alice.png', type: 'photo' }],
  phoneNumbers: [{ value: 'tel:+1-201-555-0123', type: 'work' }],
  addresses: [{ formatted: '1 Main St', primary: true }],
};

/** Checks of each metadata member, for each announced value. */
const kept: Record<string, () => Promise<void>> = {
  issuer: async () => expect(announced.issuer).toBe(auth.issuer('demo')),

  scopes_supported: async () => {
    const scopes = list('scopes_supported');
    const { client } = await register(auth, { ...publicClient, scope: scopes.join(' ') });
    const { form } = await issueCode(auth, client.clientId, { scopes, roles: ['tenant_admin'] });
    const { body } = await auth.post('/t/demo/token', form);
    expect(String(body.scope).split(' ').toSorted()).toEqual(scopes.toSorted());
  },

  response_types_supported: () => eachAuthorizes('response_types_supported', 'response_type'),
  response_modes_supported: () => eachAuthorizes('response_modes_supported', 'response_mode'),
  acr_values_supported: () => eachAuthorizes('acr_values_supported', 'acr_values'),

  prompt_values_supported: async () => {
    for (const prompt of list('prompt_values_supported')) {
      const location = await authorize({ prompt });
      expect([prompt, location.searchParams.get('error')]).toEqual([
        prompt,
        prompt === 'none' ? 'login_required' : null,
      ]);
    }
  },

  ui_locales_supported: async () => {
    for (const tag of list('ui_locales_supported')) {
      const { headers } = await ask({ ui_locales: tag });
      const cookie = headers
        .getSetCookie()
        .map((one) => one.split(';', 1)[0])
        .join('; ');
      const page = await fetch(new URL(headers.get('location') ?? '', auth.origin), { headers: { cookie } });
      expect(await page.text()).toContain(`<html lang="${tag}"`);
    }
  },

  code_challenge_methods_supported: async () => {
    for (const method of list('code_challenge_methods_supported')) {
      expect((await authorize({ code_challenge_method: method })).pathname).toBe('/t/demo/login');
    }
    const plain = await authorize({ code_challenge_method: 'plain' });
    expect(plain.searchParams.get('error')).toBe('invalid_request');
  },

  authorization_response_iss_parameter_supported: async () => {
    expect((await authorize({ prompt: 'none' })).searchParams.get('iss')).toBe(auth.issuer('demo'));
  },

  claims_parameter_supported: async () => {
    const claims = JSON.stringify({ userinfo: { email: null } });
    expect((await authorize({ claims })).pathname).toBe('/t/demo/login');
  },
  request_parameter_supported: async () => {
    expect(announced.request_parameter_supported).toBe(true);
    expect(await requestsWith('ES256', {})).toBe('/t/demo/login');
  },
  request_uri_parameter_supported: async () => {
    expect(announced.request_uri_parameter_supported).toBe(true);
    expect(await requestsWith('ES256', { at: 'its own address' })).toBe('/t/demo/login');
  },
  require_request_uri_registration: async () => {
    expect(announced.require_request_uri_registration).toBe(true);
    expect(await requestsWith('ES256', { at: 'another address' })).toBeUndefined();
  },
  request_object_signing_alg_values_supported: async () => {
    for (const alg of list('request_object_signing_alg_values_supported')) {
      expect([alg, await requestsWith(alg, {})]).toEqual([alg, '/t/demo/login']);
    }
  },
  client_id_metadata_document_supported: async () => {
    expect(announced.client_id_metadata_document_supported).toBe(false);
    const query = new URLSearchParams({ client_id: 'https://app.example/client', response_type: 'code' });
    expect((await fetch(`${auth.origin}/t/demo/authorize?${query}`)).status).toBe(400);
  },
  require_signed_request_object: async () => {
    expect(announced.require_signed_request_object).toBe(false);
    expect((await authorize({})).pathname).toBe('/t/demo/login');
  },

  grant_types_supported: async () => {
    for (const grant of list('grant_types_supported')) {
      const alone = grant === 'refresh_token' ? ['authorization_code', grant] : [grant];
      const { client, clientSecret } = await register(auth, { grant_types: alone, scope: 'openid' });
      const basic = [client.clientId, clientSecret ?? ''] as const;
      const { body } = await auth.post('/t/demo/token', { grant_type: grant }, { basic });
      expect([grant, body.error]).not.toEqual([grant, 'unsupported_grant_type']);
      expect([grant, body.error]).not.toEqual([grant, 'unauthorized_client']);
    }
  },

  subject_types_supported: async () => {
    for (const type of list('subject_types_supported')) {
      const { client } = await register(auth, { ...publicClient, scope: 'openid', subject_type: type });
      const { form, person } = await issueCode(auth, client.clientId, { scopes: ['openid'] });
      const { body } = await auth.post('/t/demo/token', form);
      expect([type, claimsOf(body.id_token).sub === person.subjectId]).toEqual([type, type === 'public']);
    }
  },

  id_token_signing_alg_values_supported: async () => {
    for (const alg of list('id_token_signing_alg_values_supported')) {
      const { client } = await register(auth, { ...publicClient, id_token_signed_response_alg: alg });
      const { body } = await auth.post('/t/demo/token', (await issueCode(auth, client.clientId)).form);
      expect(await signedWith(String(body.id_token))).toBe(alg);
    }
  },

  userinfo_signing_alg_values_supported: async () => {
    for (const alg of list('userinfo_signing_alg_values_supported')) {
      const { client } = await register(auth, { ...publicClient, userinfo_signed_response_alg: alg });
      const { body } = await auth.post('/t/demo/token', (await issueCode(auth, client.clientId)).form);
      const answer = await auth.get('/t/demo/userinfo', { authorization: `Bearer ${body.access_token}` });
      expect(answer.headers.get('content-type')).toBe('application/jwt');
      expect(await signedWith(String(answer.body.text))).toBe(alg);
      expect(claimsOf(answer.body.text)).toMatchObject({
        iss: auth.issuer('demo'),
        aud: client.clientId,
        email: 'alice@example.com',
      });
    }
  },

  introspection_signing_alg_values_supported: async () => {
    for (const alg of list('introspection_signing_alg_values_supported')) {
      const { client, clientSecret } = await register(auth, {
        ...machine,
        introspection_signed_response_alg: alg,
      });
      const answer = await auth.post(
        '/t/demo/introspect',
        { token: 'anything' },
        {
          basic: [client.clientId, clientSecret ?? ''],
          headers: { accept: 'application/token-introspection+jwt' },
        },
      );
      expect(await signedWith(String(answer.body.text))).toBe(alg);
    }
  },

  token_endpoint_auth_methods_supported: () => eachMethod('token'),
  introspection_endpoint_auth_methods_supported: () => eachMethod('introspection'),
  revocation_feed_endpoint_auth_methods_supported: () => eachMethod('revocation_feed'),
  revocation_feed_endpoint_auth_signing_alg_values_supported: () => eachAlgorithm('revocation_feed'),
  revocation_endpoint_auth_methods_supported: () => eachMethod('revocation'),
  token_endpoint_auth_signing_alg_values_supported: () => eachAlgorithm('token'),
  introspection_endpoint_auth_signing_alg_values_supported: () => eachAlgorithm('introspection'),
  revocation_endpoint_auth_signing_alg_values_supported: () => eachAlgorithm('revocation'),

  dpop_signing_alg_values_supported: async () => {
    const { client, clientSecret } = await register(auth, machine);
    for (const alg of list('dpop_signing_alg_values_supported')) {
      const prover = await Prover.create(alg);
      const response = await prover.fetch(`${auth.issuer('demo')}/token`, {
        method: 'POST',
        headers: { authorization: basicHeader(client.clientId, clientSecret ?? '') },
        body: new URLSearchParams({ grant_type: 'client_credentials' }),
      });
      const body = (await response.json()) as { token_type?: string; access_token?: string };
      expect([alg, body.token_type]).toEqual([alg, 'DPoP']);
      expect(claimsOf(body.access_token).cnf).toEqual({ jkt: prover.jkt });
    }
  },

  backchannel_logout_supported: async () => {
    expect(announced.backchannel_logout_supported).toBe(true);
    expect((await loggedOut({})).sub).toEqual(expect.any(String));
  },
  backchannel_logout_session_supported: async () => {
    expect(announced.backchannel_logout_session_supported).toBe(true);
    const { sid, session } = await loggedOut({ backchannel_logout_session_required: true });
    expect(sid).toBe(session);
  },

  claim_types_supported: async () => expect(list('claim_types_supported')).toEqual(['normal']),

  claims_supported: async () => {
    const { client } = await register(auth, {
      ...publicClient,
      scope: 'openid profile email address phone groups',
    });
    const person = await signedIn(auth);
    backend.directory.users.set(person.subjectId, completeUser);
    await auth.database.sql.query(
      `UPDATE auth.subjects SET profile = profile || '{"zoneinfo": "Europe/Vienna"}' WHERE id = $1`,
      [person.subjectId],
    );
    backend.directory.groups.set(person.subjectId, [{ value: 'g', display: 'Staff' }]);
    const scopes = ['openid', 'profile', 'email', 'address', 'phone', 'groups'];
    const { form } = await issueCode(auth, client.clientId, {
      ...person,
      scopes,
      acr: 'urn:ostiary:acr:1fa',
    });
    const { body } = await auth.post('/t/demo/token', form);
    const userinfo = await auth.get('/t/demo/userinfo', { authorization: `Bearer ${body.access_token}` });
    const given = new Set([...Object.keys(claimsOf(body.id_token)), ...Object.keys(userinfo.body)]);
    expect([...given].toSorted()).toEqual(list('claims_supported').toSorted());
  },
};

test('Every announced endpoint exists and returns no server error for any method.', async () => {
  for (const [name, address] of Object.entries(announced)) {
    if (!/_endpoint$|^jwks_uri$/.test(name)) continue;
    const answers = await Promise.all(
      ['GET', 'POST', 'PUT'].map((method) => fetch(String(address), { method, redirect: 'manual' })),
    );
    expect([name, answers.some(({ status }) => status !== 404)]).toEqual([name, true]);
    for (const { status } of answers) expect(status).toBeLessThan(500);
  }
});

test('Every announced metadata member is tested in this file.', () => {
  const members = Object.keys(announced).filter((name) => !/_endpoint$|^jwks_uri$/.test(name));
  expect(Object.keys(kept).toSorted()).toEqual(members.toSorted());
});

describe('announced metadata', () => {
  test.each(Object.keys(kept))('The service implements the announced metadata member %s.', (name) =>
    kept[name]?.(),
  );
});

/** Returns the claims of the logout token that a client receives at the end of its session. */
async function loggedOut(metadata: Partial<ClientMetadata>): Promise<Record<string, unknown>> {
  const app = await new LogoutReceiver().start();
  try {
    const { client, clientSecret } = await register(auth, { ...metadata, backchannel_logout_uri: app.uri });
    app.registered = {
      issuer: auth.issuer('demo'),
      clientId: client.clientId,
      alg: 'RS256',
      jwksUri: String(announced.jwks_uri),
    };
    const { form, person } = await issueCode(auth, client.clientId);
    await auth.post('/t/demo/token', form, { basic: [client.clientId, clientSecret ?? ''] });
    await auth.deps.sessions.signOut('demo', person.sessionId);
    await eventually(async () => app.tokens.length > 0);
    return { ...app.tokens[0], session: person.sessionId };
  } finally {
    app.stop();
  }
}

/** Returns the algorithm of a JWT after verifying its signature with the tenant's keys. */
async function signedWith(jwt: string): Promise<string | undefined> {
  const keys = createLocalJWKSet((await auth.get('/t/demo/jwks')).body as unknown as JSONWebKeySet);
  await compactVerify(jwt, keys);
  return decodeProtectedHeader(jwt).alg;
}
