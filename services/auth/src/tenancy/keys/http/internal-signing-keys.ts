import type { TokenVerifier } from '@ostiary/access';
import { requireService } from '@ostiary/access';
import type { FastifyInstance } from 'fastify';
import { badRequest, missing, objectOf } from '../../../platform/protocol/http/internal.ts';
import type { TenantRoute } from '../../../platform/protocol/http/oauth-endpoint.ts';
import { signingAlgorithms } from '../domain/jwt.ts';
import { isSigningAlgorithm, type RotationPorts, rotateSigningKeys } from '../domain/key-rotation.ts';
import type { SigningKeySummary } from '../domain/signing-key-summary.ts';

type SigningKeyEndpointDependencies = RotationPorts & {
  verifier: TokenVerifier;
  tenants: { find(tenant: string): Promise<object | null> };
  signingKeys: { list(tenant: string): Promise<SigningKeySummary[]> };
};

/**
 * POST /internal/v1/tenants/{tenant}/signing-keys/rotate {algorithms?, compromised?} → {keys}: rotation by the
 * operator's command, also for the platform tenant, which has no administrators.
 */
export function signingKeyEndpoints(app: FastifyInstance, deps: SigningKeyEndpointDependencies): void {
  const onRequest = requireService(deps.verifier, 'auth', ['operator']);
  app.post<TenantRoute>(
    '/internal/v1/tenants/:tenant/signing-keys/rotate',
    { onRequest },
    async (request, reply) => {
      const { tenant } = request.params;
      if (!(await deps.tenants.find(tenant))) return missing(reply, 'tenant');
      const { algorithms, compromised = false } = objectOf(request.body);
      if (algorithms !== undefined && !(Array.isArray(algorithms) && algorithms.every(isSigningAlgorithm))) {
        return badRequest(reply, `algorithms must be a list of ${signingAlgorithms.join(', ')}.`);
      }
      if (typeof compromised !== 'boolean') return badRequest(reply, 'compromised must be true or false.');
      await rotateSigningKeys(deps, tenant, {
        ...(algorithms === undefined ? {} : { algorithms }),
        compromised,
      });
      return reply.header('cache-control', 'no-store').send({ keys: await deps.signingKeys.list(tenant) });
    },
  );
}
