import { platformTenant } from '@ostiary/access';
import { isUuid } from '@ostiary/service';
import type { FastifyReply, FastifyRequest } from 'fastify';

export interface TenantDependencies {
  tenants: { find(id: string): Promise<{ readonly id: string } | null> };
}

/**
 * Returns the tenant of an internal route if it exists, including a suspended one. The platform tenant has no users
 * and is excluded.
 */
export async function internalTenant(
  deps: TenantDependencies,
  request: FastifyRequest,
): Promise<string | undefined> {
  const { tenant: id } = request.params as { tenant: string };
  return id === platformTenant ? undefined : (await deps.tenants.find(id))?.id;
}

/** Returns the JSON object of a request; an empty one for any other body. */
export const objectOf = (body: unknown): Readonly<Record<string, unknown>> =>
  typeof body === 'object' && body !== null && !Array.isArray(body) ? (body as Record<string, unknown>) : {};

export const uuidOf = (value: unknown): string | undefined =>
  typeof value === 'string' && isUuid(value) ? value.toLowerCase() : undefined;

export const badRequest = (reply: FastifyReply, message: string): FastifyReply =>
  reply.code(400).send({ error: 'invalid_request', message });

export const missing = (reply: FastifyReply, what: string): FastifyReply =>
  reply.code(404).send({ error: 'not_found', message: `There is no such ${what}.` });
