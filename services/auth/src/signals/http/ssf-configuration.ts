import { platformTenant } from '@ostiary/access';
import type { FastifyInstance } from 'fastify';
import { OAuthError } from '../../platform/index.ts';
import type { TenantRoute } from '../../platform/protocol/http/oauth-endpoint.ts';
import { pollMethod, pushMethod } from '../domain/stream-configuration.ts';
import type { TransmitterDependencies } from './dependencies.ts';

/** Transmitter configuration metadata (SSF 1.0 §7.1). Each entry is implemented and has a test that uses it. */
export const transmitterMetadata = (issuer: string): Record<string, unknown> => ({
  spec_version: '1_0',
  issuer,
  jwks_uri: `${issuer}/jwks`,
  delivery_methods_supported: [pushMethod, pollMethod],
  configuration_endpoint: `${issuer}/ssf/stream`,
  status_endpoint: `${issuer}/ssf/status`,
  add_subject_endpoint: `${issuer}/ssf/subjects/add`,
  remove_subject_endpoint: `${issuer}/ssf/subjects/remove`,
  verification_endpoint: `${issuer}/ssf/verification`,
  // A receiver that does not understand `user` must discard the event.
  critical_subject_members: ['user'],
  authorization_schemes: [{ spec_urn: 'urn:ietf:rfc:6749' }],
  default_subjects: 'ALL',
});

/** GET /.well-known/ssf-configuration/t/{tenant}: the well-known segment goes between host and path (SSF 1.0 §7.2). */
export function ssfConfigurationEndpoint(app: FastifyInstance, deps: TransmitterDependencies): void {
  app.get<TenantRoute>('/.well-known/ssf-configuration/t/:tenant', async (request, reply) => {
    const { tenant } = request.params;
    if (tenant === platformTenant || !(await deps.tenants.find(tenant))) {
      throw new OAuthError('invalid_request', 'There is no such tenant.', { statusCode: 404 });
    }
    return reply
      .header('cache-control', 'public, max-age=300')
      .removeHeader('pragma')
      .send(transmitterMetadata(deps.issuer(tenant)));
  });
}
