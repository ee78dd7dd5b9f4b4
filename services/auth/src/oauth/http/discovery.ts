import { apiScopes, dpopAlgorithms, oidcScopes, platformTenant, selfScopes } from '@ostiary/access';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { scopeOfClaim } from '../../access/index.ts';
import {
  deviceCodeGrant,
  privateKeyAlgorithms,
  requestObjectAlgorithms,
  secretAlgorithms,
} from '../../clients/index.ts';
import { acrValues, OAuthError } from '../../platform/index.ts';
import { languageTags } from '../../platform/pages/http/reader.ts';
import type { TenantRoute } from '../../platform/protocol/http/oauth-endpoint.ts';
import { signingAlgorithms } from '../../tenancy/index.ts';
import { responseModes } from '../domain/authorize-request.ts';
import type { OAuthEndpointDependencies } from './dependencies.ts';

/** Claims of ID tokens and userinfo. */
const claimsSupported = [
  'sub',
  'iss',
  'aud',
  'azp',
  'exp',
  'iat',
  'auth_time',
  'nonce',
  'acr',
  'amr',
  'at_hash',
  'sid',
  ...scopeOfClaim.keys(),
];

/**
 * Returns the authorization server metadata (RFC 8414 §2, OpenID Connect Discovery §3) for all addresses. Contains
 * only implemented features; each entry has a test that uses it.
 */
export function metadata(issuer: string, grantTypes: readonly string[]): Record<string, unknown> {
  const clientAuthentication = [
    'client_secret_basic',
    'client_secret_post',
    'client_secret_jwt',
    'private_key_jwt',
  ];
  const assertionAlgorithms = [...privateKeyAlgorithms, ...secretAlgorithms];
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    userinfo_endpoint: `${issuer}/userinfo`,
    jwks_uri: `${issuer}/jwks`,
    introspection_endpoint: `${issuer}/introspect`,
    revocation_endpoint: `${issuer}/revoke`,
    revocation_feed_endpoint: `${issuer}/revocations`,
    end_session_endpoint: `${issuer}/logout`,
    registration_endpoint: `${issuer}/register`,
    pushed_authorization_request_endpoint: `${issuer}/par`,
    ...(grantTypes.includes(deviceCodeGrant)
      ? { device_authorization_endpoint: `${issuer}/device_authorization` }
      : {}),
    scopes_supported: Object.keys({ ...oidcScopes, ...selfScopes, ...apiScopes }),
    response_types_supported: ['code'],
    response_modes_supported: [...responseModes],
    grant_types_supported: grantTypes,
    subject_types_supported: ['public', 'pairwise'],
    acr_values_supported: [...acrValues],
    claim_types_supported: ['normal'],
    ui_locales_supported: [...languageTags],
    id_token_signing_alg_values_supported: ['RS256', ...signingAlgorithms.filter((alg) => alg !== 'RS256')],
    userinfo_signing_alg_values_supported: [...signingAlgorithms],
    token_endpoint_auth_methods_supported: ['none', ...clientAuthentication],
    token_endpoint_auth_signing_alg_values_supported: assertionAlgorithms,
    introspection_endpoint_auth_methods_supported: clientAuthentication,
    introspection_endpoint_auth_signing_alg_values_supported: assertionAlgorithms,
    introspection_signing_alg_values_supported: signingAlgorithms,
    revocation_endpoint_auth_methods_supported: ['none', ...clientAuthentication],
    revocation_endpoint_auth_signing_alg_values_supported: assertionAlgorithms,
    revocation_feed_endpoint_auth_methods_supported: clientAuthentication,
    revocation_feed_endpoint_auth_signing_alg_values_supported: assertionAlgorithms,
    code_challenge_methods_supported: ['S256'],
    prompt_values_supported: ['none', 'login', 'consent', 'select_account'],
    claims_supported: claimsSupported,
    authorization_response_iss_parameter_supported: true,
    dpop_signing_alg_values_supported: dpopAlgorithms,
    backchannel_logout_supported: true,
    backchannel_logout_session_supported: true,
    claims_parameter_supported: true,
    request_parameter_supported: true,
    request_uri_parameter_supported: true,
    require_request_uri_registration: true,
    request_object_signing_alg_values_supported: [...requestObjectAlgorithms],
    require_signed_request_object: false,
  };
}

/** Returns the metadata of the platform's issuer, which issues only service tokens. */
export function platformMetadata(issuer: string): Record<string, unknown> {
  return {
    issuer,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
    grant_types_supported: ['client_credentials'],
    response_types_supported: [],
    token_endpoint_auth_methods_supported: ['client_secret_basic'],
  };
}

export function discoveryEndpoints(
  app: FastifyInstance,
  deps: OAuthEndpointDependencies,
  grantTypes: readonly string[],
): void {
  const answer = async (request: FastifyRequest<TenantRoute>, reply: FastifyReply) => {
    const { tenant } = request.params;
    if (!(await deps.tenants.find(tenant))) {
      throw new OAuthError('invalid_request', 'There is no such tenant.', { statusCode: 404 });
    }
    const issuer = deps.issuer(tenant);
    return reply
      .header('cache-control', 'public, max-age=300')
      .removeHeader('pragma')
      .send(
        tenant === platformTenant
          ? platformMetadata(issuer)
          : {
              ...metadata(issuer, grantTypes),
              // draft-ietf-oauth-client-id-metadata-document §5, by the policy of the tenant.
              client_id_metadata_document_supported: await deps.documentClients.areOpen(tenant),
              ...((await deps.documentClients.isRegistrationOff(tenant)) && {
                registration_endpoint: undefined,
              }),
            },
      );
  };
  app.get<TenantRoute>('/t/:tenant/.well-known/openid-configuration', answer);
  // RFC 8414 §3.1 inserts the well-known part between host and path.
  app.get<TenantRoute>('/.well-known/oauth-authorization-server/t/:tenant', answer);
  // Address of clients that append the well-known part, as for OpenID Connect (Nimbus OAuth 2.0 SDK).
  app.get<TenantRoute>('/t/:tenant/.well-known/oauth-authorization-server', answer);
}
