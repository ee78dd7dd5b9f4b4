import type { FastifyReply } from 'fastify';
import type { ResourceType } from '../../schemas/index.ts';
import type { Resources } from '../domain/resources.ts';

/** Returns the path of a tenant's resources of one type. */
export const resourcePath = (type: ResourceType): string => `/internal/v1/tenants/:tenant/${type}s`;

export interface TenantParams {
  tenant: string;
}

export interface ResourceParams extends TenantParams {
  id: string;
}

/** The services of each tenant that a route needs. */
export interface TenantsWith<Services> {
  /** @throws ScimError 404 when there is no such tenant */
  of(tenant: string): Promise<Services>;
}

export type ResourceTenants = TenantsWith<{ readonly users: Resources; readonly groups: Resources }>;

/** @throws ScimError 404 when there is no such tenant */
export async function resourcesOf(
  tenants: ResourceTenants,
  tenant: string,
  type: ResourceType,
): Promise<Resources> {
  const { users, groups } = await tenants.of(tenant);
  return type === 'User' ? users : groups;
}

/** Sends a resource or list as SCIM JSON. */
export const sendScim = (reply: FastifyReply, status: number, body: unknown): FastifyReply =>
  reply.code(status).header('content-type', 'application/scim+json').send(JSON.stringify(body));
