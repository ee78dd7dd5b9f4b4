import { uuidv7 } from '@ostiary/service';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import type { Client } from '../../../src/clients/domain/client.ts';
import type { Program, Programs } from '../../support/sign-in/programs.ts';
import { type TestService, token } from '../../support/sign-in/service.ts';

/** Reports whether a secret that a call returned, or a key that it supplied, is accepted. */
export type IsAccepted = () => Promise<boolean>;

const jwtBearer = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

/** Objects of an active colleague. */
interface Belongings {
  client: string;
  account: string;
  webhook: string;
  issuer: string;
}

/** Calls each operation that returns a secret or accepts a key, and reports later whether that is still accepted. */
export class SecretCalls {
  readonly #service: TestService;
  readonly #programs: Programs;
  readonly #tenant: string;
  #of!: Belongings;

  constructor(service: TestService, programs: Programs, tenant: string) {
    this.#service = service;
    this.#programs = programs;
    this.#tenant = tenant;
  }

  /** Creates the objects of the colleague. */
  async prepare(colleague: string): Promise<void> {
    const { id: client } = await this.#programs.register(colleague);
    const account = await this.#account(colleague);
    const { webhook } = await this.#webhook(colleague);
    const issuer = await this.#issuer(colleague);
    this.#of = { client, account, webhook, issuer };
  }

  readonly registerClient = async (by: string): Promise<IsAccepted> =>
    this.#authenticates(await this.#programs.register(by, { scopes: ['users:read'] }));

  readonly rotateClientSecret = async (by: string): Promise<IsAccepted> => {
    // A rotation ends the older of two live secrets, so each caller has its own client.
    const { clientId: id } = await this.#service.client(machine, this.#tenant);
    const { clientSecret } = await this.#ask('rotateClientSecret', by, 'clientSecret', { id });
    return this.#authenticates({ id, secret: clientSecret });
  };

  readonly updateClient = async (by: string): Promise<IsAccepted> => {
    const { client: id } = this.#of;
    const { jwk } = await newKey();
    await this.#ask('updateClient', by, 'client { id }', { id, jwks: JSON.stringify({ keys: [jwk] }) });
    const keys = async () => (await this.#service.deps.clients.find(this.#tenant, id))?.metadata.jwks;
    return async () => JSON.stringify(await keys())?.includes(jwk.kid) === true;
  };

  readonly createInitialAccessToken = async (by: string): Promise<IsAccepted> => {
    const input = { name: 'Software', scopes: ['users:read'], uses: 20 };
    const made = await this.#ask('createInitialAccessToken', by, 'token', input);
    return async () => (await this.#register(made.token)).status === 201;
  };

  readonly createApiKey = async (by: string): Promise<IsAccepted> => {
    const input = { serviceAccountId: this.#of.account, name: 'Key' };
    return this.#isLive((await this.#ask('createApiKey', by, 'token', input)).token);
  };

  readonly createPersonalAccessToken = async (by: string): Promise<IsAccepted> => {
    const input = { name: 'Script', scopes: ['users:read'] };
    return this.#isLive((await this.#ask('createPersonalAccessToken', by, 'token', input)).token);
  };

  readonly addServiceAccountKey = async (by: string): Promise<IsAccepted> => {
    const { jwk, sign } = await newKey();
    const { account } = this.#of;
    const input = { serviceAccountId: account, jwk: JSON.stringify(jwk) };
    await this.#ask('addServiceAccountKey', by, 'publicKey { id }', input);
    return async () => {
      const assertion = await sign(account, this.#service.deps.issuer(this.#tenant));
      const client = { clientId: account, tenant: this.#tenant } as Client;
      return (await token(this.#service, client, { grant_type: jwtBearer, assertion })).status === 200;
    };
  };

  readonly inviteUser = (by: string): Promise<IsAccepted> => this.#invite('inviteUser', by);
  readonly resetUserAccess = (by: string): Promise<IsAccepted> => this.#invite('resetUserAccess', by);

  readonly assignRole = async (by: string): Promise<IsAccepted> => {
    const { id } = await this.#service.person(`renewed-${uuidv7()}`, { tenant: this.#tenant });
    // A password that carries no role, so that assigning the role requires a renewal.
    await this.#service.deps.database.sql.query(
      `UPDATE auth.credentials SET carried_roles = '{}' WHERE tenant = $1 AND subject_id = $2`,
      [this.#tenant, id],
    );
    const input = { userId: id, role: 'AUDITOR', requireRenewal: true };
    const { renewalUrl } = await this.#ask('assignRole', by, 'renewalUrl', input, 'RoleInput');
    return this.#opens(renewalUrl);
  };

  readonly createWebhook = async (by: string): Promise<IsAccepted> =>
    this.#sends((await this.#webhook(by)).webhook);

  readonly updateWebhook = async (by: string): Promise<IsAccepted> => {
    const { webhook } = await this.#webhook();
    await this.#ask('updateWebhook', by, 'webhook { id }', {
      id: webhook,
      endpoint: `https://${uuidv7()}.example/`,
    });
    return this.#sends(webhook);
  };

  readonly rotateWebhookSecret = async (by: string): Promise<IsAccepted> => {
    const { webhook } = await this.#webhook();
    await this.#ask('rotateWebhookSecret', by, 'secret', { id: webhook });
    return async () => (await this.#service.deps.webhooks.find(this.#tenant, webhook))?.secrets !== null;
  };

  readonly createTrustedIssuer = async (by: string): Promise<IsAccepted> => {
    const id = await this.#issuer(by);
    return async () => (await this.#count('trusted_issuers', id)) === 1;
  };

  readonly bindIssuerSubject = async (by: string): Promise<IsAccepted> => {
    const { id: userId } = await this.#service.person(`bound-${uuidv7()}`, { tenant: this.#tenant });
    const input = { trustedIssuerId: this.#of.issuer, subject: userId, userId };
    const made = await this.#ask('bindIssuerSubject', by, 'issuerSubject { id }', input);
    return async () => (await this.#count('issuer_subjects', made.issuerSubject.id)) === 1;
  };

  /** RFC 7591 with an initial access token. */
  readonly register = async (by: string): Promise<IsAccepted> => {
    const made = await this.#registered(by);
    return this.#authenticates({ id: made.client_id, secret: made.client_secret });
  };

  /** RFC 7592 section 2.1: the registration access token is returned. */
  readonly readRegistration = async (by: string): Promise<IsAccepted> => {
    const made = await this.#registered(by);
    const read = await this.#configure(made);
    const { registration_access_token: secret } = (await read.json()) as Record<string, string>;
    return async () =>
      (await this.#configure({ ...made, registration_access_token: secret ?? '' })).status === 200;
  };

  /** RFC 7592 section 2.2: another authentication method returns a new secret. */
  readonly updateRegistration = async (by: string): Promise<IsAccepted> => {
    const made = await this.#registered(by);
    await this.#configure(made, {
      ...machine,
      client_id: made.client_id,
      token_endpoint_auth_method: 'none',
    });
    const changed = await this.#configure(made, { ...machine, client_id: made.client_id });
    const { client_secret: secret } = (await changed.json()) as Record<string, string>;
    return this.#authenticates({ id: made.client_id, secret: secret ?? made.client_secret });
  };

  /** A push stream of a program that the caller created, or of the caller. */
  readonly createStream = async (by: string): Promise<IsAccepted> => {
    const receiver = await this.#programs.register(by, { scopes: ['ssf.manage', 'ssf.read'] });
    const bearer = await this.#programs.accessToken(receiver, this.#tenant);
    const made = await fetch(`${this.#service.origin}/t/${this.#tenant}/ssf/stream`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${bearer}` },
      body: JSON.stringify({
        delivery: { method: 'urn:ietf:rfc:8935', endpoint_url: `https://${uuidv7()}.example/` },
      }),
    });
    const { stream_id: id } = (await made.json()) as { stream_id: string };
    if (made.status !== 201) throw new Error(`creating a stream: ${made.status}`);
    return async () => (await this.#service.deps.signalStreams.one(this.#tenant, id))?.status === 'enabled';
  };

  // biome-ignore lint/suspicious/noExplicitAny: each call knows the shape it asked for
  async #ask(name: string, by: string, shown: string, input: object, type = inputOf(name)): Promise<any> {
    const query = `mutation ($input: ${type}!) { ${name}(input: $input) { ${shown} problems { message } } }`;
    const made = (await this.#programs.ask(by, query, input))[name];
    if (made.problems.length > 0) throw new Error(JSON.stringify(made.problems));
    return made;
  }

  async #account(by: string): Promise<string> {
    const input = { name: 'Job', scopes: ['users:read'] };
    return (await this.#ask('createServiceAccount', by, 'serviceAccount { id }', input)).serviceAccount.id;
  }

  async #webhook(by?: string): Promise<{ webhook: string }> {
    const given = { name: 'Hook', endpoint: `https://${uuidv7()}.example/` };
    if (by === undefined) {
      const factTypes = ['user.updated'] as const;
      const made = await this.#service.deps.webhooks.create(this.#tenant, { ...given, factTypes });
      return { webhook: made.webhook.id };
    }
    const made = await this.#ask('createWebhook', by, 'webhook { id }', {
      ...given,
      types: ['USER_UPDATED'],
    });
    return { webhook: made.webhook.id };
  }

  async #issuer(by: string): Promise<string> {
    const input = {
      name: 'Partner',
      issuer: `https://${uuidv7()}.example`,
      jwks: JSON.stringify({ keys: [(await newKey()).jwk] }),
      clientIds: [(await this.#programs.register(by, { scopes: ['openid'], grantTypes: [jwtBearer] })).id],
      scopes: ['openid'],
    };
    return (await this.#ask('createTrustedIssuer', by, 'trustedIssuer { id }', input)).trustedIssuer.id;
  }

  async #invite(name: 'inviteUser' | 'resetUserAccess', by: string): Promise<IsAccepted> {
    const { id } = this.#service.directory.addUser(this.#tenant, `invited-${uuidv7()}`);
    const { url } = await this.#ask(name, by, 'url', { userId: id });
    return this.#opens(url);
  }

  #opens(url: string): IsAccepted {
    const link = new URL(url).searchParams.get('token') ?? '';
    return async () => (await this.#service.deps.invitations.find(this.#tenant, link)) !== undefined;
  }

  #register(initialAccessToken: string): Promise<Response> {
    return fetch(`${this.#service.origin}/t/${this.#tenant}/register`, {
      method: 'POST',
      headers: { authorization: `Bearer ${initialAccessToken}`, 'content-type': 'application/json' },
      body: JSON.stringify(machine),
    });
  }

  async #registered(by: string): Promise<Registered> {
    const input = { name: 'Software', scopes: ['users:read'], uses: 20 };
    const { token: initial } = await this.#ask('createInitialAccessToken', by, 'token', input);
    return (await (await this.#register(initial)).json()) as Registered;
  }

  #configure(
    { client_id: id, registration_access_token: secret }: Registered,
    body?: object,
  ): Promise<Response> {
    return fetch(`${this.#service.origin}/t/${this.#tenant}/register/${id}`, {
      method: body ? 'PUT' : 'GET',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
  }

  #authenticates(program: Program): IsAccepted {
    return async () => (await this.#programs.authenticate(program, this.#tenant)).status === 200;
  }

  #isLive(secret: string): IsAccepted {
    return async () =>
      (await this.#service.deps.introspection.liveAccessToken(this.#tenant, secret)) !== null;
  }

  #sends(webhook: string): IsAccepted {
    return async () => (await this.#service.deps.webhooks.find(this.#tenant, webhook))?.status === 'enabled';
  }

  async #count(table: 'trusted_issuers' | 'issuer_subjects', id: string): Promise<number> {
    const text = `SELECT 1 FROM auth.${table} WHERE tenant = $1 AND id = $2`;
    return (await this.#service.deps.database.sql.query(text, [this.#tenant, id])).rows.length;
  }
}

interface Registered {
  client_id: string;
  client_secret: string;
  registration_access_token: string;
}

const machine = {
  grant_types: ['client_credentials'],
  redirect_uris: [],
  scope: 'users:read',
  token_endpoint_auth_method: 'client_secret_post' as const,
};

async function newKey() {
  const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true });
  const kid = uuidv7();
  const sign = (account: string, audience: string): Promise<string> =>
    new SignJWT({ jti: uuidv7() })
      .setProtectedHeader({ alg: 'ES256', kid })
      .setIssuer(account)
      .setSubject(account)
      .setAudience(audience)
      .setIssuedAt()
      .setExpirationTime('1m')
      .sign(privateKey);
  return { jwk: { ...(await exportJWK(publicKey)), kid, alg: 'ES256', use: 'sig' }, sign };
}

const inputOf = (name: string): string => `${name[0]?.toUpperCase()}${name.slice(1)}Input`;
