import type { TokenVerifier } from '@ostiary/access';
import { requireService } from '@ostiary/access';
import type { FastifyInstance } from 'fastify';
import { invalidClientMetadata, OAuthError } from '../../platform/index.ts';
import type { TenantRoute } from '../../platform/protocol/http/oauth-endpoint.ts';
import type { Tenants } from '../../tenancy/index.ts';
import type { ClientMetadata, ClientRegistry, RegisteredClient } from '../domain/client-registry.ts';
import { registrationOf } from '../domain/dynamic-registration.ts';

interface InternalClientDependencies {
  verifier: TokenVerifier;
  tenants: Tenants;
  clientRegistry: ClientRegistry;
}

/** Registration of clients by the operator: POST /internal/v1/tenants/{tenant}/clients, metadata as in RFC 7591 §2. */
export function internalClientEndpoints(app: FastifyInstance, deps: InternalClientDependencies): void {
  app.post<TenantRoute>(
    '/internal/v1/tenants/:tenant/clients',
    { onRequest: requireService(deps.verifier, 'auth', ['operator']) },
    async (request, reply) => {
      const { tenant } = request.params;
      if (!(await deps.tenants.find(tenant))) {
        throw new OAuthError('invalid_request', 'There is no such tenant.', { statusCode: 404 });
      }
      const { client_id: clientId, ...metadata } = metadataOf(request.body);
      const registered = await deps.clientRegistry.register(tenant, metadata, clientId ? { clientId } : {});
      return reply.code(201).header('cache-control', 'no-store').send(registration(registered));
    },
  );
}

/** Returns the registration, defaults included (RFC 7591 §3.2.1). */
export const registration = ({ client, clientSecret }: RegisteredClient): Record<string, unknown> => ({
  ...registrationOf(client),
  ...(clientSecret === undefined ? {} : { client_secret: clientSecret, client_secret_expires_at: 0 }),
});

const strings = ['client_id', 'client_name', 'token_endpoint_auth_method', 'scope', 'client_uri', 'logo_uri'];
const otherStrings = [
  'application_type',
  'id_token_signed_response_alg',
  'jwks_uri',
  'token_endpoint_auth_signing_alg',
  'introspection_signed_response_alg',
  'userinfo_signed_response_alg',
  'policy_uri',
  'tos_uri',
  'client_profile',
  'request_object_signing_alg',
  'may_act',
  'subject_type',
  'sector_identifier_uri',
  'backchannel_logout_uri',
];
const lists = [
  'redirect_uris',
  'post_logout_redirect_uris',
  'grant_types',
  'response_types',
  'resources',
  'token_exchange_subject_clients',
  'protected_resources',
  'request_uris',
];

/** Reads the known members of a JSON body and checks their types; unknown ones are ignored (§2). */
export function metadataOf(body: unknown): ClientMetadata & { client_id?: string } {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw invalidClientMetadata('The body must be a JSON object.');
  }
  const given = new Map(Object.entries(body));
  const metadata: Record<string, unknown> = {};
  const take = (names: readonly string[], isRight: (value: unknown) => boolean, kind: string): void => {
    for (const name of names) {
      const value = given.get(name);
      if (value === undefined || value === null) continue;
      if (!isRight(value)) throw invalidClientMetadata(`${name} must be ${kind}.`);
      metadata[name] = value;
    }
  };
  take([...strings, ...otherStrings], (value) => typeof value === 'string', 'a string');
  take(lists, isStringList, 'a list of strings');
  take(
    [
      'require_consent',
      'require_pushed_authorization_requests',
      'require_signed_request_object',
      'dpop_bound_access_tokens',
      'require_pkce',
      'require_nonce',
      'require_auth_time',
      'token_exchange_impersonation',
      'token_exchange_agent',
      'backchannel_logout_session_required',
    ],
    (value) => typeof value === 'boolean',
    'true or false',
  );
  take(
    ['default_max_age', 'token_exchange_agent_lifetime'],
    (value) => typeof value === 'number',
    'a number',
  );
  take(['jwks'], (value) => typeof value === 'object' && !Array.isArray(value), 'a JSON Web Key Set');
  return metadata as unknown as ClientMetadata & { client_id?: string };
}

const isStringList = (value: unknown): boolean =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');
