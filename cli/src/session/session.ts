import { Failure } from '../failure.ts';
import type { Caller } from '../graph/graph.ts';
import { alone } from './profile-lock.ts';
import { type Profile, Profiles } from './profiles.ts';
import { type Demo, demoHere, type Environment, originOf, secretOf, tenantOf } from './settings.ts';
import { type ClientSecret, type IssuedTokens, OAuthFailure, postForm, tokensOf } from './token-endpoint.ts';

/** Options of the command line, which take precedence over the environment. */
export interface Given {
  server?: string;
  tenant?: string;
  profile?: string;
}

/** Credentials and address for the requests to a tenant. */
export interface Session extends Caller {
  readonly server: string;
  readonly tenant: string;
  /** Identity for `whoami`: a user by a profile, a client, or the operator. */
  readonly as: { kind: 'person' | 'client' | 'operator'; clientId: string; from: string };
  scopes(): Promise<string>;
}

export interface Surroundings {
  env: Environment;
  cwd: string;
}

const marginMs = 10_000;

/** Session of a client with the client_credentials grant (RFC 6749 §4.4). */
export class ClientSession implements Session {
  readonly server: string;
  readonly tenant: string;
  readonly graphUrl: string;
  readonly as: Session['as'];
  readonly #client: ClientSecret;
  readonly #endpoint: string;
  readonly #resource: string;
  #tokens: Promise<IssuedTokens> | undefined;

  constructor(o: {
    server: string;
    tenant: string;
    client: ClientSecret;
    from: string;
    kind: 'client' | 'operator';
    graphUrl: string;
    endpoint: string;
    resource: string;
  }) {
    this.server = o.server;
    this.tenant = o.tenant;
    this.graphUrl = o.graphUrl;
    this.as = { kind: o.kind, clientId: o.client.id, from: o.from };
    this.#client = o.client;
    this.#endpoint = o.endpoint;
    this.#resource = o.resource;
  }

  async token(refused?: string): Promise<string> {
    if (refused !== undefined) this.#tokens = undefined;
    this.#tokens ??= this.#ask();
    return (await this.#tokens).accessToken;
  }

  async scopes(): Promise<string> {
    this.#tokens ??= this.#ask();
    return (await this.#tokens).scope;
  }

  async #ask(): Promise<IssuedTokens> {
    const form = { grant_type: 'client_credentials', resource: this.#resource };
    try {
      return tokensOf(await postForm(this.#endpoint, form, this.#client));
    } catch (error) {
      if (!(error instanceof OAuthFailure) || error.error !== 'invalid_client') throw error;
      const next = `The client ${this.as.clientId} and its secret come from ${this.as.from}; check that they belong to the tenant ${this.tenant} of ${this.server}.`;
      throw new OAuthFailure(error.error, `${this.server} rejects the client or its secret.`, next);
    }
  }
}

/** Session of a user who signed in with `ostiary login`. */
export class UserSession implements Session {
  readonly server: string;
  readonly tenant: string;
  readonly graphUrl: string;
  readonly as: Session['as'];
  readonly #profiles: Profiles;
  readonly #name: string;
  #profile: Profile;

  constructor(profiles: Profiles, name: string, profile: Profile) {
    this.server = profile.server;
    this.tenant = profile.tenant;
    this.graphUrl = `${profile.server}/t/${profile.tenant}/graphql`;
    this.as = { kind: 'person', clientId: profile.clientId, from: `the profile ${name}` };
    this.#profiles = profiles;
    this.#name = name;
    this.#profile = profile;
  }

  async scopes(): Promise<string> {
    await this.token();
    return this.#profile.tokens?.scope ?? '';
  }

  async token(refused?: string): Promise<string> {
    const { tokens } = this.#profile;
    if (tokens && tokens.accessToken !== refused && tokens.expiresAt - marginMs > Date.now()) {
      return tokens.accessToken;
    }
    return alone(this.#profiles.path(this.#name), () => this.#refresh(refused));
  }

  /** Runs under the lock of the profile: the file contains the new tokens if another process has refreshed them. */
  async #refresh(refused: string | undefined): Promise<string> {
    const current = (await this.#profiles.read(this.#name)) ?? this.#profile;
    this.#profile = current;
    const { tokens } = current;
    if (tokens && tokens.accessToken !== refused && tokens.expiresAt - marginMs > Date.now()) {
      return tokens.accessToken;
    }
    if (tokens?.refreshToken === undefined) throw signInAgain(this.#name, current);
    let issued: IssuedTokens;
    try {
      issued = tokensOf(
        await postForm(`${this.server}/t/${this.tenant}/token`, {
          grant_type: 'refresh_token',
          refresh_token: tokens.refreshToken,
          client_id: current.clientId,
        }),
      );
    } catch (error) {
      if (error instanceof OAuthFailure && error.ending === 'denied') throw signInAgain(this.#name, current);
      throw error;
    }
    this.#profile = { ...current, tokens: kept(issued, tokens.refreshToken) };
    await this.#profiles.write(this.#name, this.#profile);
    return issued.accessToken;
  }
}

export const kept = (issued: IssuedTokens, former?: string): NonNullable<Profile['tokens']> => {
  const refreshToken = issued.refreshToken ?? former;
  return {
    accessToken: issued.accessToken,
    expiresAt: Date.now() + issued.expiresIn * 1000,
    ...(refreshToken === undefined ? {} : { refreshToken }),
    scope: issued.scope,
  };
};

const signInAgain = (name: string, { server, tenant, clientId }: Profile): Failure =>
  new Failure(
    'denied',
    `The session of the profile ${name} has ended.`,
    `ostiary login --profile ${name} --server ${server} --tenant ${tenant} --client-id ${clientId}`,
  );

const howTo = [
  'A user: ostiary login --server https://id.example --tenant acme --client-id …',
  'A program: OSTIARY_SERVER, OSTIARY_TENANT, OSTIARY_CLIENT_ID and OSTIARY_CLIENT_SECRET (or _FILE)',
  'The demo: npm start, then ostiary in the same folder',
];

/** No credentials are configured for the installation. */
export class NoSession extends Failure {
  constructor(message: string, next: string | readonly string[]) {
    super('denied', message, next);
  }
}

/**
 * Opens the session of the command line, the environment, a profile or an `npm start`, in this order. @throws Failure
 */
export async function openSession(given: Given, { env, cwd }: Surroundings): Promise<Session> {
  const profiles = new Profiles(env);
  const clientId = env.OSTIARY_CLIENT_ID;
  const secret = secretOf(env, 'OSTIARY_CLIENT_SECRET');
  const profileName = given.profile ?? env.OSTIARY_PROFILE;
  const server = given.server ?? env.OSTIARY_SERVER;
  const tenant = given.tenant ?? env.OSTIARY_TENANT;
  if (given.profile === undefined && (clientId || secret)) {
    if (!clientId || !secret) {
      throw new Failure(
        'usage',
        'OSTIARY_CLIENT_ID and OSTIARY_CLIENT_SECRET (or _FILE) must be set together.',
      );
    }
    if (!server || !tenant)
      throw new Failure('usage', 'A client also requires OSTIARY_SERVER and OSTIARY_TENANT.', howTo);
    return clientSession(
      originOf(server, 'OSTIARY_SERVER'),
      tenantOf(tenant),
      { id: clientId, secret },
      'OSTIARY_CLIENT_ID',
    );
  }
  const profile = profileName === 'demo' ? undefined : await profiles.read(profileName ?? 'default');
  if (profile !== undefined)
    return userSession(profiles, profileName ?? 'default', profile, { server, tenant });
  const demo = profileName === undefined || profileName === 'demo' ? demoHere(env, cwd) : undefined;
  if (demo !== undefined && (server === undefined || server === demo.origin))
    return demoSession(demo, tenant);
  if (profileName !== undefined) throw new Failure('denied', `There is no profile ${profileName}.`, howTo);
  throw new NoSession('No user is signed in.', howTo);
}

function userSession(
  profiles: Profiles,
  name: string,
  profile: Profile,
  asked: { server: string | undefined; tenant: string | undefined },
): Session {
  const other =
    (asked.server ?? profile.server) !== profile.server ||
    (asked.tenant ?? profile.tenant) !== profile.tenant;
  if (other) {
    throw new NoSession(
      `The profile ${name} is only for the tenant ${profile.tenant} of ${profile.server}.`,
      'ostiary login --profile another-name …',
    );
  }
  return new UserSession(profiles, name, profile);
}

function demoSession(demo: Demo, tenant = 'demo'): Session {
  const client = demo.clients[tenantOf(tenant)];
  if (client !== undefined) return clientSession(demo.origin, tenant, client, demo.path);
  throw new Failure('denied', `${demo.path} has no client of the tenant ${tenant}.`, [
    '--operator acts in any tenant.',
    ...howTo.slice(0, 2),
  ]);
}

const clientSession = (server: string, tenant: string, client: ClientSecret, from: string): Session =>
  new ClientSession({
    server,
    tenant,
    client,
    from,
    kind: 'client',
    graphUrl: `${server}/t/${tenant}/graphql`,
    endpoint: `${server}/t/${tenant}/token`,
    resource: `${server}/t/${tenant}/graphql`,
  });
