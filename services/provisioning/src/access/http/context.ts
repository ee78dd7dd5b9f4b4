import type { SelfScope } from '@ostiary/access';
import type { FastifyRequest } from 'fastify';
import { type ResourceType, scimBase } from '../../protocol/index.ts';
import type { Caller, ScimScope } from '../domain/caller.ts';

/** Who may use a route: every client, every caller with a token, or callers with a scope, of several any one. */
export type RouteAccess = 'public' | 'authenticated' | ScimScope | readonly (ScimScope | SelfScope)[];

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Access rule of a SCIM route; without one a route can't be registered. */
    access?: RouteAccess;
    resourceType?: ResourceType;
    /** Whether the body is also wanted as it came in. */
    keepBody?: boolean;
  }
  interface FastifyRequest {
    /** Set on SCIM routes once the caller is known. */
    caller: Caller | undefined;
    /** The error this request was answered with, for the provisioning log. */
    failure: { scimType: string | undefined; detail: string } | undefined;
    /** The resource a creation made, for the provisioning log. */
    createdId: string | undefined;
    /** The body as it came in, on routes that keep it. */
    bodyBytes: Buffer | undefined;
  }
}

export interface TenantParams {
  tenant: string;
}

export interface ResourceParams extends TenantParams {
  id: string;
}

/** The authenticated caller. @throws when the route admits requests without one */
export function callerOf(request: FastifyRequest): Caller {
  if (!request.caller) throw new Error('This route needs an access rule that authenticates');
  return request.caller;
}

/** The tenant in the address. */
export const tenantOf = (request: FastifyRequest): string => (request.params as TenantParams).tenant;

/** Makes the base of a tenant's SCIM addresses. */
export type BaseOf = (request: FastifyRequest) => string;

export const baseOf =
  (publicOrigin: string): BaseOf =>
  (request) =>
    scimBase(publicOrigin, tenantOf(request));
