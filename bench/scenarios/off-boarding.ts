import { generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto';
import { adminToken, type BenchContext, basic } from '../scenario.ts';
import { graph, random, source } from './departing.ts';

const bearerGrant = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

/** Maximum number of operations per Bulk request, the default of the service. */
const bulkSize = 1_000;

export interface Leaver {
  id: string;
  token: string;
}

/**
 * Creates many users with an access token each. They sign in by assertions of a trusted issuer (RFC 7523), because
 * hashing ten thousand passwords would dominate the measurement.
 * @param resources audiences of the tokens (RFC 8707); none: the tenant
 */
export async function partnersOf(
  context: BenchContext,
  resources: readonly string[] = [],
): Promise<(count: number) => Promise<Leaver[]>> {
  const { demo } = context;
  const { issuer } = demo.tenants.demo;
  const admin = await adminToken(context);
  const change = async <T>(query: string, input: object): Promise<T> => {
    const { data, errors } = await graph<T>(demo.graphql, admin, query, { input });
    if (!data) throw new Error(`the graph has refused: ${JSON.stringify(errors)}`);
    return data;
  };
  const { registerClient } = await change<{
    registerClient: { client: { id: string }; clientSecret: string };
  }>(
    'mutation ($input: RegisterClientInput!) { registerClient(input: $input) { client { id } clientSecret } }',
    { name: 'Partner', grantTypes: [bearerGrant], scopes: ['openid', 'profile'], resources },
  );
  const { assertionOf, trustedIssuerId } = await partnerIssuer(context, change, registerClient.client.id);
  const authorization = basic({
    client_id: registerClient.client.id,
    client_secret: registerClient.clientSecret,
  });
  const tokenFor = async (userName: string): Promise<string> => {
    const response = await fetch(`${issuer}/token`, {
      method: 'POST',
      headers: { authorization },
      body: new URLSearchParams([
        ['grant_type', bearerGrant],
        ['assertion', assertionOf(userName)],
        ...resources.map((resource): [string, string] => ['resource', resource]),
      ]),
    });
    const answer = (await response.json()) as { access_token?: string; error_description?: string };
    const { access_token, error_description } = answer;
    // The description contains an id for internal errors, by which the log entry is found.
    if (access_token === undefined)
      throw new Error(`an assertion was answered with ${response.status}: ${error_description}`);
    return access_token;
  };
  const bind = async (subject: string, userId: string): Promise<void> => {
    await change(
      'mutation ($input: BindIssuerSubjectInput!) { bindIssuerSubject(input: $input) { issuerSubject { id } } }',
      { trustedIssuerId, subject, userId },
    );
  };
  return (count) =>
    createLeavingUsers(context, count, async (name, id) => {
      await bind(name, id);
      return tokenFor(name);
    });
}

type Change = <T>(query: string, input: object) => Promise<T>;

/** Creates a trusted issuer whose assertions a client may use. */
async function partnerIssuer({ demo }: BenchContext, change: Change, clientId: string) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const partner = `https://partner-${random()}.example`;
  const jwk = { ...publicKey.export({ format: 'jwk' }), kid: 'partner', alg: 'ES256' };
  const { createTrustedIssuer } = await change<{ createTrustedIssuer: { trustedIssuer: { id: string } } }>(
    'mutation ($input: CreateTrustedIssuerInput!) { createTrustedIssuer(input: $input) { trustedIssuer { id } } }',
    {
      name: 'Partner',
      issuer: partner,
      jwks: JSON.stringify({ keys: [jwk] }),
      clientIds: [clientId],
      scopes: ['openid', 'profile'],
    },
  );
  const aud = demo.tenants.demo.issuer;
  return {
    trustedIssuerId: createTrustedIssuer.trustedIssuer.id,
    assertionOf: (sub: string) => signedAssertion({ iss: partner, sub, aud }, privateKey),
  };
}

async function createLeavingUsers(
  context: BenchContext,
  count: number,
  tokenFor: (userName: string, id: string) => Promise<string>,
): Promise<Leaver[]> {
  const names = Array.from({ length: count }, () => `partner-${random()}`);
  const ids: string[] = [];
  for (let first = 0; first < count; first += bulkSize) {
    ids.push(...(await source(context).createMany(names.slice(first, first + bulkSize))));
  }
  const leavingUsers: Leaver[] = [];
  for (let first = 0; first < count; first += 16) {
    const some = names.slice(first, first + 16).map(async (name, index) => {
      const id = ids[first + index] ?? '';
      return { id, token: await tokenFor(name, id) };
    });
    leavingUsers.push(...(await Promise.all(some)));
  }
  return leavingUsers;
}

/** Returns an assertion about a user (RFC 7523 section 3), valid for two minutes. */
function signedAssertion(about: { iss: string; sub: string; aud: string }, key: KeyObject): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const now = Math.floor(Date.now() / 1000);
  const claims = { ...about, jti: randomUUID(), iat: now, exp: now + 120 };
  const content = `${part({ alg: 'ES256', kid: 'partner' })}.${part(claims)}`;
  const signature = sign('sha256', Buffer.from(content), { key, dsaEncoding: 'ieee-p1363' });
  return `${content}.${signature.toString('base64url')}`;
}

export interface OffBoarding {
  /** Milliseconds from the first Bulk request to the last answer. */
  answered: number;
  /** Milliseconds from the answer to a Bulk request to the first rejection by the graph, for the watched users. */
  delays: number[];
}

/** Offboards all users in consecutive Bulk requests while some of them send requests to the graph. */
export async function offBoard(
  context: BenchContext,
  leavingUsers: readonly Leaver[],
  watched: number,
): Promise<OffBoarding> {
  const { demo } = context;
  const every = Math.max(1, Math.floor(leavingUsers.length / watched));
  const watching = leavingUsers.flatMap((leaver, index) =>
    index % every === every - 1 ? [{ leaver, index }] : [],
  );
  const closed = new Map<number, number>();
  const begun = performance.now();
  // One request at a time: concurrent requests would queue, and the queue would be measured.
  const watch = (async () => {
    while (closed.size < watching.length) {
      for (const { leaver, index } of watching) {
        if (closed.has(index)) continue;
        const { status } = await graph(demo.graphql, leaver.token, '{ me { id } }');
        if (status === 401) closed.set(index, performance.now());
        else if (performance.now() - begun > 600_000) {
          throw new Error('a door stayed open for ten minutes');
        }
      }
    }
  })();
  const answers: number[] = [];
  for (let first = 0; first < leavingUsers.length; first += bulkSize) {
    const ids = leavingUsers.slice(first, first + bulkSize).map(({ id }) => id);
    if (ids.length === 1) await source(context).deactivate(ids[0] ?? '');
    else await source(context).deactivateMany(ids);
    answers.push(performance.now());
  }
  await watch;
  return {
    answered: (answers.at(-1) ?? begun) - begun,
    delays: watching.map(({ index }) =>
      Math.max(0, (closed.get(index) ?? 0) - (answers[Math.floor(index / bulkSize)] ?? 0)),
    ),
  };
}
