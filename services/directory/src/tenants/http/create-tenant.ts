import { requireService, type TokenVerifier } from '@ostiary/access';
import type { FastifyInstance } from 'fastify';
import { objectBody, originOf, textField } from '../../resources/http/body.ts';
import type { TenantRegistry } from '../domain/tenants.ts';
import { presentTenant } from './read-tenants.ts';

/** POST /internal/v1/tenants {id, name, actor} → 201 | 409, for the operator of the installation only */
export function createTenant(app: FastifyInstance, tenants: TenantRegistry, verifier: TokenVerifier): void {
  const operator = requireService(verifier, 'directory', ['operator']);
  app.post('/internal/v1/tenants', { onRequest: operator }, async (request, reply) => {
    const body = objectBody(request.body);
    const tenant = await tenants.create({
      id: textField(body, 'id') ?? '',
      name: textField(body, 'name') ?? '',
      actor: originOf(body).actor,
    });
    return reply.code(201).send(presentTenant(tenant));
  });
}
