import { describe, expect, test } from '@jest/globals';
import { readSchema } from '@ostiary/graph';
import { Kind, parse } from 'graphql';
import { checkClientMetadata } from '../../src/clients/domain/clients.ts';
import { outgoingMembers } from '../../src/clients/domain/document-address.ts';
import { readConfiguration } from '../../src/signals/domain/stream-configuration.ts';
import { register } from '../support/running-auth.ts';
import { auth, setUpTwoProcesses } from '../support/two-processes.ts';

setUpTwoProcesses();

/** Internal addresses, in several notations. */
const inside = [
  'https://127.0.0.1/x',
  'https://127.1/x',
  'https://2130706433/x',
  'https://10.0.0.1/x',
  'https://172.16.0.1:8443/x',
  'https://192.168.1.1/x',
  'https://100.64.0.1/x',
  'https://169.254.169.254/x',
  'https://168.63.129.16/x',
  'https://0.0.0.0/x',
  'https://[::1]/x',
  'https://[fd00::1]/x',
  'https://[::ffff:10.0.0.1]/x',
  'https://[fe80::1]/x',
  'https://localhost/x',
  'https://auth.localhost/x',
  'https://directory:4002/x',
  'https://metadata.google.internal/x',
  'https://printer.local/x',
  'https://LOCALHOST./x',
];

/** Address fields that only browsers open; this server sends no request to them. */
const browserOnly = new Set(['redirectUris', 'postLogoutRedirectUris', 'clientUri', 'policyUri', 'tosUri']);
/** Address fields to which this server sends requests, by the check that rejects private ones. */
const refusedBy: Record<string, string> = {
  jwksUri: 'refusePrivateAddresses',
  backchannelLogoutUri: 'refusePrivateAddresses',
  sectorIdentifierUri: 'refusePrivateAddresses',
  logoUri: 'refusePrivateAddresses',
  requestUris: 'refusePrivateAddresses',
  logoUrl: 'fetched at once and not stored',
  endpoint: 'checkOutgoingUrl',
};

test('Every address field of a GraphQL input is listed here with its check.', () => {
  const sdl = readSchema(new URL('../../src/', import.meta.url));
  const fields = parse(sdl).definitions.flatMap((definition) =>
    definition.kind === Kind.INPUT_OBJECT_TYPE_DEFINITION
      ? (definition.fields ?? []).map(({ name }) => name.value)
      : [],
  );
  const addresses = [...new Set(fields.filter((name) => /(?:ur[il]s?|endpoint)$/i.test(name)))];
  expect(addresses).toEqual(expect.arrayContaining(['jwksUri', 'backchannelLogoutUri']));
  expect(addresses.filter((name) => !browserOnly.has(name) && !(name in refusedBy))).toEqual([]);
});

const registration = (member: string, uri: string) => ({
  client_name: 'App',
  redirect_uris: ['https://app.example/cb'],
  ...(member === 'jwks_uri' ? { token_endpoint_auth_method: 'private_key_jwt' } : {}),
  [member]: given(member, uri),
});
const given = (member: string, uri: string) => (member === 'request_uris' ? [uri] : uri);

describe.each([...outgoingMembers])('%s', (member) => {
  test.each(inside)('A registration with the outgoing address %s is rejected.', async (uri) => {
    await expect(register(auth, registration(member, uri))).rejects.toMatchObject({
      code: 'invalid_client_metadata',
    });
  });

  test('A private outgoing address is stored when the installation allows it, except for cloud metadata addresses.', () => {
    const policy = { allowPrivate: true };
    expect(checkClientMetadata(registration(member, 'https://10.0.0.1/x'), policy).metadata).toMatchObject({
      [member]: given(member, 'https://10.0.0.1/x'),
    });
    for (const uri of ['https://169.254.169.254/x', 'https://168.63.129.16/x']) {
      expect(() => checkClientMetadata(registration(member, uri), policy)).toThrow(/public address/);
    }
  });

  test('An update of an outgoing address to a private one is rejected.', async () => {
    // An update would fetch the document, which does not exist in this test.
    if (member === 'sector_identifier_uri') return;
    const { client } = await register(auth, registration(member, 'https://app.example/x'));
    const change = auth.deps.clientRegistry.update('demo', client.clientId, (current) => ({
      ...current,
      [member]: given(member, 'https://192.168.1.1/x'),
    }));
    await expect(change).rejects.toMatchObject({ code: 'invalid_client_metadata' });
  });
});

/** All members of a registration with web addresses. */
const addressMembers = [
  ...outgoingMembers,
  'client_uri',
  'policy_uri',
  'tos_uri',
  'resources',
  'protected_resources',
];
const lists = ['request_uris', 'resources', 'protected_resources'];

test.each(addressMembers)(
  'A registration whose %s holds credentials or a port of another protocol is rejected.',
  (member) => {
    const policy = { allowPrivate: true };
    const register = (uri: string) =>
      checkClientMetadata(
        { ...registration(member, uri), [member]: lists.includes(member) ? [uri] : uri },
        policy,
      );
    expect(() => register('https://app.example/x')).not.toThrow();
    for (const uri of [
      'https://user:password@app.example/x',
      'https://@app.example/x',
      'https://app.example:22/x',
      'https://app.example:6379/x',
    ]) {
      expect(() => register(uri)).toThrow(/must not (?:contain credentials|name a port)/);
    }
  },
);

test('A stream whose push endpoint holds credentials or a port of another protocol is rejected.', () => {
  const policy = { allowPrivate: true, allowHttp: true };
  for (const endpoint of ['https://user:password@app.example/x', 'https://app.example:22/x']) {
    const delivery = { method: 'urn:ietf:rfc:8935', endpoint_url: endpoint };
    expect(() => readConfiguration({ delivery }, policy)).toThrow();
  }
});

test.each(inside)('A stream with the push endpoint %s is rejected.', (endpoint) => {
  const delivery = { method: 'urn:ietf:rfc:8935', endpoint_url: endpoint };
  const policy = { allowPrivate: false, allowHttp: false };
  expect(() => readConfiguration({ delivery }, policy)).toThrow();
  expect(() =>
    readConfiguration({ delivery: { ...delivery, endpoint_url: 'https://app.example/x' } }, policy),
  ).not.toThrow();
});
