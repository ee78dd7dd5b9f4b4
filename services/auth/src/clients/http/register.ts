import { AccessError, invalidToken, missingToken, presentedToken } from '@ostiary/access';
import type { Key } from '@ostiary/service';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { invalidClientMetadata, OAuthError } from '../../platform/index.ts';
import { parseJson } from '../../platform/protocol/http/json-body.ts';
import {
  answerError,
  neverCached,
  refuseOtherMethods,
  type TenantRoute,
  tenantOf,
} from '../../platform/protocol/http/oauth-endpoint.ts';
import type { Tenants } from '../../tenancy/index.ts';
import { equalDigests, keyedDigest } from '../../tenancy/index.ts';
import type { Client } from '../domain/client.ts';
import type { ClientMetadata, ClientRegistry } from '../domain/client-registry.ts';
import type { ClientRecord } from '../domain/clients.ts';
import {
  checkNewRegistration,
  type OpenRegistration,
  type RegistrationStore,
  registrationOf,
  replacedRegistration,
  unapprovedSoftwareStatement,
} from '../domain/dynamic-registration.ts';
import { metadataOf } from './internal-clients.ts';

interface RegistrationDependencies {
  env: { NODE_ENV: string; OUTGOING_ALLOW_PRIVATE: boolean };
  tenants: Tenants;
  issuer(tenant: string): string;
  clients: { record(tenant: string, clientId: string): Promise<ClientRecord | null> };
  clientRegistry: ClientRegistry;
  openRegistration: OpenRegistration;
  /** Key of the client secrets' digests. */
  clientSecretKey: Key;
  owners: Parameters<RegistrationStore['register']>[3];
  registrations: RegistrationStore;
  signingKeys: {
    publishFor(
      client: Pick<Client, 'tenant' | 'idTokenSignedResponseAlg'> & { metadata: object },
    ): Promise<void>;
  };
}

interface ClientRoute {
  Params: { tenant: string; clientId: string };
}

const maxBodyBytes = 262_144;
const collection = '/t/:tenant/register';
const item = '/t/:tenant/register/:clientId';

/**
 * Dynamic registration (RFC 7591), and its management by a client that registered with an initial access token (RFC
 * 7592).
 */
export function registrationEndpoints(app: FastifyInstance, deps: RegistrationDependencies): void {
  acceptJson(app);

  app.post<TenantRoute>(collection, async (request, reply) => {
    const tenant = await tenantOf(deps, request);
    const mode = await deps.openRegistration.mode(tenant);
    if (mode === 'off') throw registrationOff();
    const isOpen = mode === 'open' && request.headers.authorization === undefined;
    const registered = isOpen ? registeredOpenly : registeredWithToken;
    return reply.code(201).send(await registered(deps, request, tenant));
  });
  refuseOtherMethods(app, collection, ['POST']);

  app.get<ClientRoute>(item, async (request) => {
    const { client, token } = await registrationOfCaller(deps, request);
    return information(deps, client, token);
  });
  app.put<ClientRoute>(item, async (request) => {
    const { client, scopes, token } = await registrationOfCaller(deps, request);
    const { tenant, clientId } = client;
    const asked = ownMetadata(request.body);
    await checkIdentity(deps, client, request.body as Record<string, unknown>);
    const updated = await deps.clientRegistry.update(
      tenant,
      clientId,
      (current) => replacedRegistration(current, asked, { scopes }),
      { byItself: true },
    );
    if (!updated) throw refusedToken(deps.issuer(tenant));
    return information(deps, updated.client, token, updated.clientSecret);
  });
  app.delete<ClientRoute>(item, async (request, reply) => {
    const { client } = await registrationOfCaller(deps, request);
    await deps.clientRegistry.delete(client.tenant, client.clientId, { byItself: true });
    return reply.code(204).send();
  });
  refuseOtherMethods(app, item, ['GET', 'PUT', 'DELETE']);
}

/**
 * Registers a client with an initial access token.
 * @throws OAuthError invalid_token, or as a registration
 */
async function registeredWithToken(
  deps: RegistrationDependencies,
  request: FastifyRequest,
  tenant: string,
): Promise<Record<string, unknown>> {
  const token = tokenOf(request, deps.issuer(tenant));
  const allowed = await deps.registrations.findToken(tenant, token);
  if (!allowed) throw refusedToken(deps.issuer(tenant));
  const valid = checkNewRegistration(ownMetadata(request.body), {
    ...allowed,
    httpsOnly: deps.env.NODE_ENV === 'production',
    allowPrivate: deps.env.OUTGOING_ALLOW_PRIVATE,
    requiredProfile: (await deps.tenants.find(tenant))?.policy.requiredClientProfile ?? 'standard',
  });
  const { id_token_signed_response_alg: idTokenSignedResponseAlg } = valid.metadata;
  await deps.signingKeys.publishFor({ tenant, idTokenSignedResponseAlg, metadata: valid.metadata });
  const registered = await deps.registrations.register(tenant, token, valid, deps.owners);
  if (!registered) throw refusedToken(deps.issuer(tenant));
  request.log.info(
    {
      event: 'client.self_registered',
      tenant,
      clientId: registered.client.clientId,
      initialAccessToken: allowed.id,
    },
    'Client registered dynamically',
  );
  return information(deps, registered.client, registered.registrationAccessToken, registered.clientSecret);
}

/**
 * Registers a client without an initial access token. It gets no registration access token: a lost registration is
 * replaced by a new one.
 * @throws OAuthError; TooManyRequests
 */
async function registeredOpenly(
  deps: RegistrationDependencies,
  request: FastifyRequest,
  tenant: string,
): Promise<Record<string, unknown>> {
  const client = await deps.openRegistration.register(tenant, ownMetadata(request.body), request.ip);
  if (!client) throw registrationOff();
  request.log.info(
    { event: 'client.self_registered', tenant, clientId: client.clientId },
    'Client registered dynamically',
  );
  return registrationOf(client);
}

const registrationOff = (): OAuthError =>
  new OAuthError('access_denied', 'The tenant accepts no such registration.', { statusCode: 403 });

/** Accepts JSON bodies only; errors as in RFC 7591 §3.2.2; no caching. */
function acceptJson(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  const unreadable = Symbol('not a JSON body');
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer', bodyLimit: maxBodyBytes },
    (_request: FastifyRequest, body: Buffer, done: (error: null, value: unknown) => void) =>
      done(null, parseJson(body) ?? unreadable),
  );
  app.addContentTypeParser(
    '*',
    { parseAs: 'buffer', bodyLimit: maxBodyBytes },
    (_request: FastifyRequest, _body: Buffer, done: (error: null, value: unknown) => void) =>
      done(null, unreadable),
  );
  app.addHook('onRequest', neverCached);
  app.setErrorHandler(answerError);
}

/**
 * Reads the client's own members of a body.
 * @throws OAuthError (RFC 7591 §3.2.2)
 */
function ownMetadata(body: unknown): Partial<ClientMetadata> {
  const metadata = metadataOf(body);
  if (Object.hasOwn(body as object, 'software_statement')) throw unapprovedSoftwareStatement();
  return metadata;
}

/**
 * Returns the client of the registration access token (RFC 7592 §2).
 * @throws OAuthError invalid_token
 */
async function registrationOfCaller(
  deps: RegistrationDependencies,
  request: FastifyRequest<ClientRoute>,
): Promise<{ client: Client; scopes: string[]; token: string }> {
  const tenant = await tenantOf(deps, request as FastifyRequest<TenantRoute>);
  const token = tokenOf(request, deps.issuer(tenant));
  const found = await deps.registrations.findRegistration(tenant, request.params.clientId, token);
  // §2.1: an unknown client, or one of another token, returns the same error as a wrong token.
  if (!found) throw refusedToken(deps.issuer(tenant));
  return { ...found, token };
}

/** RFC 7592 §2.2: an update must contain the client's id, and may contain its current secret. */
async function checkIdentity(
  deps: RegistrationDependencies,
  client: Client,
  body: Record<string, unknown>,
): Promise<void> {
  if (body.client_id !== client.clientId) {
    throw invalidClientMetadata('client_id must match the registration.');
  }
  const { client_secret: secret } = body;
  if (secret === undefined || secret === null) return;
  const digest = typeof secret === 'string' ? keyedDigest(deps.clientSecretKey(), secret) : undefined;
  const record = await deps.clients.record(client.tenant, client.clientId);
  const matches = digest && record?.secrets.some((known) => equalDigests(known.digest, digest));
  if (!matches) throw invalidClientMetadata('client_secret must be omitted or equal the current secret.');
}

/**
 * Client information response (RFC 7591 §3.2.1, RFC 7592 §3). A secret is returned only at its creation: a digest is
 * stored.
 */
const information = (
  deps: RegistrationDependencies,
  client: Client,
  registrationAccessToken: string,
  clientSecret?: string,
): Record<string, unknown> => ({
  ...registrationOf(client),
  ...(clientSecret === undefined ? {} : { client_secret: clientSecret, client_secret_expires_at: 0 }),
  registration_access_token: registrationAccessToken,
  registration_client_uri: `${deps.issuer(client.tenant)}/register/${client.clientId}`,
});

/** @throws OAuthError invalid_token, invalid_request (RFC 6750 §3.1) */
function tokenOf(request: FastifyRequest, realm: string): string {
  try {
    const presented = presentedToken(request);
    if (presented?.scheme !== 'Bearer') throw missingToken();
    return presented.token;
  } catch (error) {
    throw error instanceof AccessError ? answerOf(error, realm) : error;
  }
}

const refusedToken = (realm: string): OAuthError =>
  answerOf(invalidToken('The token is unknown, expired or has no uses left.'), realm);

const answerOf = (error: AccessError, realm: string): OAuthError =>
  new OAuthError(error.error === 'invalid_request' ? 'invalid_request' : 'invalid_token', error.description, {
    statusCode: error.statusCode,
    challenge: error.wwwAuthenticate(realm),
  });
