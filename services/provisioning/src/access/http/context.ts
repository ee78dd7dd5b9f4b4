import type { SelfScope } from '@ostiary/access';
import type { FastifyRequest } from 'fastify';
import { type ResourceType, scimBase } from '../../protocol/index.ts';
import type { Caller, ScimScope } from '../domain/caller.ts';

/** Callers that may use a route: all clients, all authenticated callers, or callers with any one of the scopes. */
export type RouteAccess = 'public' | 'authenticated' | ScimScope | readonly (ScimScope | SelfScope)[];

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Access rule of a SCIM route; a route without one is rejected at registration. */
    access?: RouteAccess;
    resourceType?: ResourceType;
    /** Whether the raw body is kept as well. */
    keepBody?: boolean;
  }
  interface FastifyRequest {
    /** Set on SCIM routes after authentication. */
    caller: Caller | undefined;
    /** The error of the response, for the provisioning log. */
    failure: { scimType: string | undefined; detail: string } | undefined;
    /** Id of the created resource, for the provisioning log. */
    createdId: string | undefined;
    /** The raw body, on routes that keep it. */
    bodyBytes: Buffer | undefined;
  }
}

export interface TenantParams {
  tenant: string;
}

export interface ResourceParams extends TenantParams {
  id: string;
}

/** Returns the authenticated caller. @throws when the route admits requests without one */
export function callerOf(request: FastifyRequest): Caller {
  if (!request.caller) throw new Error('This route needs an access rule that authenticates');
  return request.caller;
}

/** Returns the tenant in the address. */
export const tenantOf = (request: FastifyRequest): string => (request.params as TenantParams).tenant;

/** Returns the base address of a tenant's SCIM endpoints. */
export type BaseOf = (request: FastifyRequest) => string;

export const baseOf =
  (publicOrigin: string): BaseOf =>
  (request) =>
    scimBase(publicOrigin, tenantOf(request));
