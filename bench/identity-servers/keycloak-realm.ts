import { Browser } from '../../e2e/support/browser.ts';
import { walk } from '../../e2e/support/sign-in.ts';
import { codeChallenge, redirectUri } from '../codes.ts';
import { authorizationUrl, codeLifetime, codesOf, machine } from './identity-server.ts';

export interface Realm {
  url: string;
  codes(count: number): Promise<string[]>;
}

export const appId = 'app';
const name = 'bench';
const password = 'a long and private sentence';

/** @throws Error when Keycloak rejects a request */
export async function createRealm(
  origin: string,
  administrator: { username: string; password: string },
  people = 8,
): Promise<Realm> {
  const administration = await administrationOf(origin, administrator);
  await administration('/admin/realms', 'POST', realmOf(people));
  await signByEllipticCurve(administration);
  const url = `${origin}/realms/${name}`;
  const address = authorizationUrl(`${url}/protocol/openid-connect/auth`, {
    client_id: appId,
    redirect_uri: redirectUri,
    scope: 'openid',
    code_challenge: codeChallenge,
  });
  const browsers = await Promise.all(
    Array.from({ length: people }, (_, person) => signedIn(address, usernameOf(person))),
  );
  const one = async (browser: Browser): Promise<string> => {
    const { url: answer } = await browser.open(address);
    return answer.searchParams.get('code') ?? '';
  };
  return { url, codes: (count) => codesOf(browsers, count, one) };
}

const usernameOf = (person: number): string => `person-${person}`;

const realmOf = (people: number): object => ({
  realm: name,
  enabled: true,
  sslRequired: 'none',
  // Rotation with reuse detection, as Ostiary has for every client.
  revokeRefreshToken: true,
  refreshTokenMaxReuse: 0,
  accessTokenLifespan: 600,
  accessCodeLifespan: codeLifetime,
  clients: [
    {
      clientId: appId,
      publicClient: true,
      redirectUris: [redirectUri],
      attributes: { 'pkce.code.challenge.method': 'S256' },
      protocolMappers: [audienceMapper],
    },
    {
      clientId: machine.client_id,
      secret: machine.client_secret,
      serviceAccountsEnabled: true,
      standardFlowEnabled: false,
    },
  ],
  users: Array.from({ length: people }, (_, person) => ({
    username: usernameOf(person),
    email: `${usernameOf(person)}@example.com`,
    emailVerified: true,
    firstName: 'Person',
    lastName: String(person),
    enabled: true,
    credentials: [{ type: 'password', value: password }],
  })),
});

/** A resource server may only introspect tokens with its audience. */
const audienceMapper = {
  name: 'audience',
  protocol: 'openid-connect',
  protocolMapper: 'oidc-audience-mapper',
  config: { 'included.client.audience': machine.client_id, 'access.token.claim': 'true' },
};

type Administration = (path: string, method: string, body: object) => Promise<void>;

async function administrationOf(
  origin: string,
  administrator: { username: string; password: string },
): Promise<Administration> {
  const answer = await fetch(`${origin}/realms/master/protocol/openid-connect/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'password', client_id: 'admin-cli', ...administrator }),
  });
  const { access_token: token } = (await answer.json()) as { access_token: string };
  return async (path, method, body) => {
    const response = await fetch(`${origin}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  };
}

/** ES256, as Ostiary signs. */
async function signByEllipticCurve(administration: Administration): Promise<void> {
  await administration(`/admin/realms/${name}/components`, 'POST', {
    name: 'ecdsa',
    providerId: 'ecdsa-generated',
    providerType: 'org.keycloak.keys.KeyProvider',
    config: { priority: ['200'], active: ['true'], enabled: ['true'], ecdsaEllipticCurveKey: ['P-256'] },
  });
  await administration(`/admin/realms/${name}`, 'PUT', { realm: name, defaultSignatureAlgorithm: 'ES256' });
}

async function signedIn(address: URL, userName: string): Promise<Browser> {
  const browser = new Browser(address.origin);
  const page = await walk(browser, address, { userName, password });
  if (!page.url.searchParams.has('code')) {
    throw new Error(`no sign-in at Keycloak: ${page.status} ${page.root.text.trim().slice(0, 300)}`);
  }
  return browser;
}
