import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from '../failure.ts';
import { ask, objectOf } from '../http.ts';
import { listing } from '../output/text.ts';
import { alone } from '../session/profile-lock.ts';
import { type Profile, Profiles } from '../session/profiles.ts';
import { kept } from '../session/session.ts';
import { originOf, tenantOf } from '../session/settings.ts';
import {
  type IssuedTokens,
  OAuthFailure,
  oauthFailure,
  postForm,
  tokensOf,
} from '../session/token-endpoint.ts';
import type { Context } from './context.ts';
import type { Arguments, CommandDefinition } from './definition.ts';

const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code';

const maxWaitMs = 60_000;

interface Endpoints {
  device: string;
  token: string;
  revocation: string | undefined;
}

/** Reads the server metadata (RFC 8414). Endpoints on other servers are ignored. */
async function endpointsOf(server: string, tenant: string): Promise<Endpoints> {
  const url = `${server}/t/${tenant}/.well-known/openid-configuration`;
  const answer = await ask(url);
  if (answer.status === 404) throw new Failure('notFound', `${server} has no tenant ${tenant}.`);
  const metadata = objectOf(answer, url);
  const issuer = `${server}/t/${tenant}`;
  if (metadata.issuer !== issuer) {
    const next = typeof metadata.issuer === 'string' ? `--server ${metadata.issuer.split('/t/')[0]}` : [];
    throw new Failure(
      'usage',
      `${server} is not the public origin of the server, which its metadata state.`,
      next,
    );
  }
  const endpoint = (name: string): string | undefined => {
    const value = metadata[name];
    return typeof value === 'string' && value.startsWith(`${server}/`) ? value : undefined;
  };
  const device = endpoint('device_authorization_endpoint');
  const token = endpoint('token_endpoint');
  if (!device || !token)
    throw new Failure('failure', `${issuer} does not support the device flow, which ostiary login requires.`);
  return { device, token, revocation: endpoint('revocation_endpoint') };
}

async function login(context: Context, given: Arguments): Promise<void> {
  const { terminal, surroundings, signal } = context;
  const { env } = surroundings;
  const profiles = new Profiles(env);
  const name = context.given.profile ?? env.OSTIARY_PROFILE ?? 'default';
  const former = await profiles.read(name);
  const server = originOf(context.given.server ?? env.OSTIARY_SERVER ?? former?.server ?? '', '--server');
  const tenant = tenantOf(context.given.tenant ?? env.OSTIARY_TENANT ?? former?.tenant ?? '');
  const clientId = given.text('clientId') ?? former?.clientId;
  if (!clientId) {
    throw new Failure('usage', '--client-id is missing: the id of the client of the command line.', [
      'ostiary tenant create prints it. Otherwise create the client: ostiary client create "Ostiary command line" --kind device --scope offline_access --scope users:read …',
    ]);
  }
  const endpoints = await endpointsOf(server, tenant);
  const tokens = await byDevice(context, endpoints, clientId, {
    scope: given.list('scope').join(' '),
    resource: `${server}/t/${tenant}/graphql`,
    signal,
  });
  const profile: Profile = { server, tenant, clientId, tokens: kept(tokens) };
  await alone(profiles.path(name), () => profiles.write(name, profile));
  // The tokens of the former sign-in must not stay valid after they are overwritten.
  if (former?.tokens?.refreshToken) await revokeAtItsServer(former).catch(() => undefined);
  terminal.result({ profile: name, server, tenant, clientId, scope: tokens.scope }, () => [
    `Signed in to ${tenant} of ${server}, as the profile ${name}.`,
  ]);
}

/** Runs the device authorization grant (RFC 8628): prints the user code and polls the token endpoint. */
async function byDevice(
  { terminal }: Context,
  endpoints: Endpoints,
  clientId: string,
  o: { scope: string; resource: string; signal: AbortSignal },
): Promise<IssuedTokens> {
  const form = { client_id: clientId, resource: o.resource, ...(o.scope ? { scope: o.scope } : {}) };
  const answer = await postForm(endpoints.device, form, undefined, o.signal);
  const body = objectOf(answer, 'The device authorization endpoint');
  const {
    device_code: code,
    user_code: userCode,
    verification_uri: uri,
    verification_uri_complete: whole,
  } = body;
  if (answer.status !== 200 || typeof code !== 'string') throw oauthFailure(body, answer.status);
  terminal.note(`Open ${String(uri)} in a browser and enter the code ${String(userCode)}`);
  if (typeof whole === 'string') terminal.note(`or open ${whole}`);
  let waitMs = (Number(body.interval) || 5) * 1000;
  const until = Date.now() + (Number(body.expires_in) || 600) * 1000;
  while (Date.now() < until) {
    await sleep(waitMs, undefined, { signal: o.signal }).catch(() => undefined);
    if (o.signal.aborted) throw new Failure('interrupted', 'No user was signed in.');
    try {
      return tokensOf(
        await postForm(endpoints.token, { grant_type: deviceGrant, device_code: code, client_id: clientId }),
      );
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      // The user code stays valid while the server is unreachable: polling continues with backoff (RFC 8628 §3.5).
      if (error.ending === 'unreachable') waitMs = Math.min(waitMs * 2, maxWaitMs);
      else if (!(error instanceof OAuthFailure)) throw error;
      else if (error.error === 'slow_down') waitMs += 5_000;
      else if (error.error === 'access_denied')
        throw new Failure('denied', 'The sign-in was denied in the browser.');
      else if (error.error !== 'authorization_pending') throw error;
    }
  }
  throw new Failure('denied', 'The code expired before it was entered.', 'ostiary login');
}

/** Revokes the refresh token, and with it its grant (RFC 7009). */
async function revoke(endpoint: string | undefined, { clientId, tokens }: Profile): Promise<void> {
  if (!endpoint || !tokens) return;
  const token = tokens.refreshToken ?? tokens.accessToken;
  const answer = await postForm(endpoint, { token, client_id: clientId });
  if (answer.status !== 200) throw oauthFailure(objectOf(answer, 'The revocation endpoint'), answer.status);
}

/** Revokes the tokens at the server that issued them: no other server may receive them. */
async function revokeAtItsServer(profile: Profile): Promise<void> {
  const { revocation } = await endpointsOf(profile.server, profile.tenant);
  await revoke(revocation, profile);
}

async function logout(context: Context): Promise<void> {
  const { terminal, surroundings, given } = context;
  const profiles = new Profiles(surroundings.env);
  const name = given.profile ?? surroundings.env.OSTIARY_PROFILE ?? 'default';
  const signedOut = await alone(profiles.path(name), async () => {
    const profile = await profiles.read(name);
    if (profile?.tokens === undefined) return false;
    const { tokens: _, ...rest } = profile;
    // If the revocation fails, the profile keeps the tokens, so that it can be repeated.
    await revokeAtItsServer(profile);
    await profiles.write(name, rest);
    return true;
  }).catch((error: unknown) => {
    if (!(error instanceof Failure) || error.ending !== 'unreachable') throw error;
    throw new Failure('unreachable', `${error.message} The tokens remain valid and stored.`, [
      `Try again, or delete only the stored tokens: rm ${profiles.path(name)}`,
    ]);
  });
  terminal.result({ profile: name, signedOut }, () => [
    signedOut ? 'Signed out: the tokens are revoked.' : 'No user was signed in.',
  ]);
}

async function whoami(context: Context): Promise<void> {
  const session = await context.session();
  const scopes = (await session.scopes()).split(' ').filter(Boolean).sort();
  const { kind, clientId, from } = session.as;
  const { server, tenant } = session;
  context.terminal.result({ server, tenant, kind, clientId, from, scopes }, () =>
    listing({ server, tenant, as: kind === 'person' ? 'user' : kind, client: clientId, by: from, scopes }),
  );
}

export const accountCommands: readonly CommandDefinition[] = [
  {
    usage: 'login',
    summary: 'Signs a user in with a browser on any device (RFC 8628).',
    details:
      'Tokens are stored in the profile (file mode 0600) and refreshed automatically; `ostiary logout` revokes them.',
    options: [
      {
        flags: '--client-id <id>',
        description: 'client of the command line, printed by `tenant create`',
      },
      { flags: '--scope <scope>', description: 'request a subset of the client’s scopes', many: true },
    ],
    examples: [
      'ostiary login --server https://id.example --tenant acme --client-id 0190c1d2-…',
      'ostiary login --profile staging --server https://id.staging.example --tenant acme --client-id …',
    ],
    run: login,
  },
  {
    usage: 'logout',
    summary: 'Revokes and deletes the tokens of a profile.',
    examples: ['ostiary logout', 'ostiary logout --profile staging'],
    run: logout,
  },
  {
    usage: 'whoami',
    summary: 'Shows the user or client, tenant, server and scopes of commands.',
    examples: ['ostiary whoami', 'ostiary whoami --operator --tenant acme'],
    run: whoami,
  },
];
