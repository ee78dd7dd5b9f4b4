import { isTenantId, presentedToken } from '@ostiary/access';
import type { TenantPolicy } from '@ostiary/events';
import { ScimError } from '@ostiary/scim';
import { isUuid, type Key } from '@ostiary/service';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../access/domain/caller.ts';
import type { Authenticator } from '../access/http/authentication.ts';
import { readBodies } from '../access/http/body.ts';
import { baseOf, callerOf, tenantOf } from '../access/http/context.ts';
import { answerError } from '../access/http/errors.ts';
import { countRequests, type RateRule } from '../access/http/rate-limit.ts';
import { lackOfScope, type SignInPolicyOf } from '../access/http/route-assurance.ts';
import type { Submissions } from '../bulk/data/submissions.ts';
import { bulk, type OperationRecord } from '../bulk/http/bulk.ts';
import { readResourceTypes } from '../discovery/http/resource-types.ts';
import { readSchemas } from '../discovery/http/schemas.ts';
import { readServiceProviderConfig } from '../discovery/http/service-provider-config.ts';
import { refuseOtherMethods } from '../protocol/http/method-not-allowed.ts';
import type { LogEntry } from '../provisioning-log/data/log.ts';
import type { Resources } from '../resources/domain/resources.ts';
import { createResource } from '../resources/http/create-resource.ts';
import { deleteResource } from '../resources/http/delete-resource.ts';
import { me } from '../resources/http/me.ts';
import { patchResource } from '../resources/http/patch-resource.ts';
import { readResource } from '../resources/http/read-resource.ts';
import { replaceResource } from '../resources/http/replace-resource.ts';
import type { Cursors } from '../search/domain/cursors.ts';
import { listResources } from '../search/http/list-resources.ts';
import { searchResources } from '../search/http/search-resources.ts';
import { searchRoot } from '../search/http/search-root.ts';

export interface ScimSurfaceOptions {
  resources: Resources;
  authenticator: Authenticator;
  publicOrigin: string;
  /** What the tenant set for itself. */
  policyOf: (tenant: string) => Promise<Pick<TenantPolicy, 'scimSecurityEvents' | 'uniqueGroupNames'>>;
  cursors: Cursors;
  /** What a tenant asks of administrators' sign-ins. */
  signInPolicy: SignInPolicyOf;
  submissions: Submissions;
  rate: RateRule;
  /** Most operations in one Bulk. */
  bulkOperations: number;
  /** Of the digests of Bulk requests. */
  digestKey: Key;
  /** Bytes. */
  bodyLimit: number;
  /** Whether the process is about to stop. */
  draining: () => boolean;
  /** Takes an entry of the provisioning log; must not wait. */
  record: (entry: Omit<LogEntry, 'id'>) => void;
  /** Milliseconds since the epoch. */
  clock: () => number;
}

/**
 * SCIM 2.0 (RFC 7644) of one tenant; register it under `/t/:tenant/scim/v2`. Callers are authenticated before their
 * body is read, and every answer, also 404 and 405, is a SCIM message.
 */
export const scimSurface: FastifyPluginAsync<ScimSurfaceOptions> = async (app, options) => {
  const { resources } = options;
  const base = baseOf(options.publicOrigin);

  app.decorateRequest('caller', undefined);
  app.decorateRequest('failure', undefined);
  app.decorateRequest('createdId', undefined);
  app.decorateRequest('bodyBytes', undefined);
  readBodies(app, options.bodyLimit);
  app.setErrorHandler(answerError(options.publicOrigin, options.authenticator));
  app.setNotFoundHandler(async () => {
    throw ScimError.notFound('There is no such endpoint.');
  });
  app.addHook('onRequest', (request, reply) => admit(request, reply, options));
  app.addHook('onResponse', async (request, reply) => record(request, reply, options));

  const refuseOthers = refuseOtherMethods(app);
  readServiceProviderConfig(app, base, {
    maxPayloadSize: options.bodyLimit,
    maxOperations: options.bulkOperations,
    cursorTimeout: options.cursors.lifetimeSeconds,
    announcesEvents: async (tenant) => (await options.policyOf(tenant)).scimSecurityEvents,
  });
  const lists = { resources, cursors: options.cursors, baseOf: base };
  const registryOf = (tenant: string) => resources.schemas(tenant);
  readResourceTypes(app, base, registryOf);
  readSchemas(app, base, registryOf);
  for (const type of ['User', 'Group'] as const) {
    createResource(app, resources, base, type);
    listResources(app, lists, type);
    searchResources(app, lists, type);
    readResource(app, resources, base, type);
    replaceResource(app, resources, base, type);
    patchResource(app, resources, base, type);
    deleteResource(app, resources, type);
  }
  searchRoot(app, lists);
  me(app, resources, base);
  bulk(app, {
    resources,
    submissions: options.submissions,
    baseOf: base,
    rate: options.rate,
    limits: { maxOperations: options.bulkOperations, maxPayloadSize: options.bodyLimit },
    uniqueGroupNames: async (tenant) => (await options.policyOf(tenant)).uniqueGroupNames,
    digestKey: options.digestKey,
    draining: options.draining,
    admitted: (caller) => options.authenticator.current(caller),
    record: (request, operation) => recordOperation(request, operation, options),
  });
  refuseOthers();
};

/** Authenticates the caller, counts the request, and checks the route's access rule. */
async function admit(
  request: FastifyRequest,
  reply: FastifyReply,
  { authenticator, rate, signInPolicy }: ScimSurfaceOptions,
): Promise<void> {
  if (request.is404) return;
  const tenant = tenantOf(request);
  // No tenant has such a name, so saying so gives nothing away.
  if (!isTenantId(tenant)) throw ScimError.notFound('There is no such endpoint.');
  const { access } = request.routeOptions.config;
  if (access === undefined) throw new Error(`No access rule for ${request.routeOptions.url}`);
  const anonymous = request.headers.authorization === undefined && presentedToken(request) === undefined;
  if (access === 'public' && anonymous) return;
  request.caller = await authenticator.authenticate(request, reply, tenant);
  await countRequests(reply, request.caller, rate, 1);
  if (access === 'public' || access === 'authenticated') return;
  const { scopes, principal } = request.caller;
  const sufficient = typeof access === 'string' ? [access] : access;
  if (sufficient.some((scope) => scopes.has(scope))) return;
  throw await lackOfScope(request, principal, sufficient, signInPolicy);
}

/** Only authenticated requests are recorded: nobody else can push a tenant's entries out of its log. */
function record(request: FastifyRequest, reply: FastifyReply, options: ScimSurfaceOptions): void {
  const { caller } = request;
  if (!caller) return;
  options.record({
    ...commonOf(request, caller),
    at: new Date(options.clock() - reply.elapsedTime),
    method: request.method,
    resourceType: request.routeOptions.config.resourceType ?? null,
    resourceId: idIn((request.params as { id?: string }).id ?? request.createdId),
    status: reply.statusCode,
    scimType: request.failure?.scimType ?? null,
    detail: request.failure?.detail ?? null,
    durationMs: Math.round(reply.elapsedTime * 10) / 10,
  });
}

/** Each operation of a Bulk has an entry as well, under the id of the request. */
function recordOperation(
  request: FastifyRequest,
  { method, resourceType, outcome }: OperationRecord,
  options: ScimSurfaceOptions,
): void {
  options.record({
    ...commonOf(request, callerOf(request)),
    at: new Date(options.clock()),
    method,
    resourceType: resourceType ?? null,
    resourceId: idIn(outcome.id),
    status: outcome.status,
    scimType: outcome.error?.scimType ?? null,
    detail: outcome.error?.detail ?? null,
    durationMs: 0,
  });
}

const commonOf = (request: FastifyRequest, caller: Caller) => ({
  tenant: caller.tenant,
  source: caller.source,
  actorKind: caller.actor.kind,
  actorId: caller.actor.id,
  requestId: request.id,
});

const idIn = (id: string | undefined): string | null => (id !== undefined && isUuid(id) ? id : null);
