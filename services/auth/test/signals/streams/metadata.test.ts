import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Backend, createBackend, type RunningAuth, startAuth } from '../../support/running-auth.ts';
import { type Receiver, receiver } from './receiving.ts';

let backend: Backend;
let auth: RunningAuth;
let app: Receiver;
let announced: Record<string, unknown>;

const address = '/.well-known/ssf-configuration/t/demo';

beforeAll(async () => {
  backend = await createBackend();
  auth = await startAuth(backend);
  app = await receiver(auth);
  announced = (await auth.get(address)).body;
});

afterAll(async () => {
  await auth?.stop();
  await backend?.drop();
});

/** Sends a request to an announced endpoint. */
async function to(name: string, method: string, body?: unknown, query = ''): Promise<Response> {
  return fetch(`${announced[name]}${query}`, {
    method,
    headers: { authorization: `Bearer ${app.token}` },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

const stream = async (
  delivery?: object,
): Promise<{ stream_id: string; delivery: Record<string, string> }> => {
  const response = await to('configuration_endpoint', 'POST', delivery ? { delivery } : {});
  return (await response.json()) as { stream_id: string; delivery: Record<string, string> };
};

/** Tests by member of the transmitter's metadata (SSF 1.0 §7.1). */
const kept: Record<string, () => Promise<void>> = {
  spec_version: async () => expect(announced.spec_version).toBe('1_0'),
  issuer: async () => expect(announced.issuer).toBe(auth.issuer('demo')),
  jwks_uri: async () => {
    await auth.deps.signingKeys.signer('demo', 'RS256');
    const { keys } = (await (await fetch(String(announced.jwks_uri))).json()) as {
      keys: { alg: string; n: string }[];
    };
    // Every receiver supports RS256 (CAEP Interoperability Profile 1.0 §2.6), with at least 2048 bits.
    const rsa = keys.find(({ alg }) => alg === 'RS256');
    expect(Buffer.from(rsa?.n ?? '', 'base64url').length).toBeGreaterThanOrEqual(256);
  },
  delivery_methods_supported: async () => {
    const methods = announced.delivery_methods_supported as string[];
    expect(methods).toEqual(['urn:ietf:rfc:8935', 'urn:ietf:rfc:8936']);
    for (const method of methods) {
      const push = method === 'urn:ietf:rfc:8935' ? { endpoint_url: 'https://r.example/events' } : {};
      expect((await stream({ method, ...push })).delivery.method).toBe(method);
    }
  },
  configuration_endpoint: async () => {
    const { stream_id: id } = await stream();
    for (const method of ['PATCH', 'PUT']) {
      expect((await to('configuration_endpoint', method, { stream_id: id })).status).toBe(200);
    }
    expect((await to('configuration_endpoint', 'GET')).status).toBe(200);
    expect((await to('configuration_endpoint', 'DELETE', undefined, `?stream_id=${id}`)).status).toBe(204);
  },
  status_endpoint: async () => {
    const { stream_id: id } = await stream();
    expect((await to('status_endpoint', 'GET', undefined, `?stream_id=${id}`)).status).toBe(200);
    expect((await to('status_endpoint', 'POST', { stream_id: id, status: 'paused' })).status).toBe(200);
  },
  add_subject_endpoint: async () => {
    const { stream_id } = await stream();
    const subject = { format: 'email', email: 'nobody@example.com' };
    expect((await to('add_subject_endpoint', 'POST', { stream_id, subject })).status).toBe(200);
  },
  remove_subject_endpoint: async () => {
    const { stream_id } = await stream();
    const subject = { format: 'email', email: 'nobody@example.com' };
    expect((await to('remove_subject_endpoint', 'POST', { stream_id, subject })).status).toBe(204);
  },
  verification_endpoint: async () => {
    const { stream_id } = await stream();
    expect((await to('verification_endpoint', 'POST', { stream_id })).status).toBe(204);
  },
  // events.test.ts shows that every complex subject has one.
  critical_subject_members: async () => expect(announced.critical_subject_members).toEqual(['user']),
  authorization_schemes: async () =>
    expect(announced.authorization_schemes).toEqual([{ spec_urn: 'urn:ietf:rfc:6749' }]),
  // subjects.test.ts shows that events about all users are sent unless a user was removed.
  default_subjects: async () => expect(announced.default_subjects).toBe('ALL'),
};

test('The test covers each member of the metadata.', () => {
  expect(Object.keys(announced).toSorted()).toEqual(Object.keys(kept).toSorted());
});

test.each(Object.keys(kept))('The metadata member %s agrees with the behaviour.', async (name) => {
  await kept[name]?.();
});

test('The metadata is public and cacheable, at the well-known path between host and path.', async () => {
  const { status, headers } = await auth.get(address);
  expect([status, headers.get('cache-control')]).toEqual([200, 'public, max-age=300']);
  expect(headers.get('content-type')).toContain('application/json');
  expect((await auth.get('/.well-known/ssf-configuration/t/rival')).body.issuer).toBe(auth.issuer('rival'));
});

test.each(['nobody', 'platform', 'NOT%20A%20TENANT'])(
  'There is no metadata for the tenant %s.',
  async (tenant) => {
    expect((await auth.get(`/.well-known/ssf-configuration/t/${tenant}`)).status).toBe(404);
  },
);

test('The scopes are those of the CAEP Interoperability Profile 1.0 §2.7.3, and are announced.', async () => {
  const { body } = await auth.get('/t/demo/.well-known/openid-configuration');
  expect(body.scopes_supported).toEqual(expect.arrayContaining(['ssf.read', 'ssf.manage']));
});
