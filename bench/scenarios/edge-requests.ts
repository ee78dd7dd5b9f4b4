import type { Request } from 'autocannon';
import { signIn } from '../../e2e/support/sign-in.ts';
import { type BenchContext, basic } from '../scenario.ts';

/** A request to the REST APIs. */
export interface Asked {
  what: string;
  service: 'auth' | 'provisioning';
  request: Request;
  /** Expected status, default 200. */
  expect?: number;
  /** Requests per turn, enough for a measurable CPU time. */
  amount: number;
}

/** Returns the kinds of requests that the gateway forwards; the first two are the cheapest for the services. */
export async function edgeRequests({ system, demo }: BenchContext): Promise<Asked[]> {
  const { clients, users } = demo.tenants.demo;
  const { tokens } = await signIn(demo, demo.tenants.demo, users.alice);
  const form = {
    authorization: basic(clients.admin),
    'content-type': 'application/x-www-form-urlencoded',
    accept: 'application/json',
  };
  const scim = {
    authorization: `Bearer ${clients.scim.token}`,
    'content-type': 'application/scim+json',
    accept: 'application/scim+json',
  };
  const people = '/t/demo/scim/v2/Users';
  const list = await fetch(`${system.urls.provisioning}${people}?count=1`, { headers: scim });
  const { Resources } = (await list.json()) as { Resources: { id: string }[] };
  const token = (path: string, body: string): Request => ({ method: 'POST', path, headers: form, body });
  const get = (path: string, headers: Record<string, string>): Request => ({ method: 'GET', path, headers });
  const introspect = `token=${tokens.access_token}`;
  const auth = (what: string, request: Request, amount: number): Asked => ({
    what,
    service: 'auth',
    request,
    amount,
  });
  const discovery = '/t/demo/.well-known/openid-configuration';
  const userinfo = get('/t/demo/userinfo', { authorization: `Bearer ${tokens.access_token}` });
  const hundredKilobytes = `${introspect}&unknown=${'x'.repeat(100_000)}`;
  const read = get(`${people}/${Resources[0]?.id}`, scim);
  return [
    auth('discovery', get(discovery, {}), 1_000),
    auth('introspection', token('/t/demo/introspect', introspect), 800),
    auth('client_credentials', token('/t/demo/token', 'grant_type=client_credentials'), 600),
    auth('userinfo', userinfo, 800),
    { what: 'SCIM read', service: 'provisioning', request: read, amount: 600 },
    {
      what: 'SCIM create of 2 kB',
      service: 'provisioning',
      expect: 201,
      amount: 400,
      request: create(people, scim),
    },
    // Read completely and rejected, because no parameter may be that long.
    { ...auth('100 kB', token('/t/demo/introspect', hundredKilobytes), 300), expect: 400 },
  ];
}

/** Creates a new user with each request. */
function create(path: string, headers: Record<string, string>): Request {
  const run = Date.now().toString(36);
  let serial = 0;
  const addresses = ['work', 'home', 'other'].map((type) => ({ type, formatted: 'x'.repeat(550) }));
  return {
    method: 'POST',
    path,
    headers,
    setupRequest: (request) => {
      serial += 1;
      const userName = `edge-${run}-${serial}@example.com`;
      const schemas = ['urn:ietf:params:scim:schemas:core:2.0:User'];
      return { ...request, body: JSON.stringify({ schemas, userName, active: true, addresses }) };
    },
  };
}
