import type { TenantPolicy } from '@ostiary/events';
import { ScimError } from '@ostiary/scim';
import type { Key } from '@ostiary/service';
import type { FastifyPluginAsync } from 'fastify';
import { type AdmissionOptions, admit } from '../access/http/admit.ts';
import { readBodies } from '../access/http/body.ts';
import { baseOf } from '../access/http/context.ts';
import { answerError } from '../access/http/errors.ts';
import { bulk } from '../bulk/bulk.http.ts';
import type { SubmissionStore } from '../bulk/domain/submission.ts';
import { readResourceTypes } from '../discovery/http/resource-types.ts';
import { readSchemas } from '../discovery/http/schemas.ts';
import { readServiceProviderConfig } from '../discovery/http/service-provider-config.ts';
import { refuseOtherMethods } from '../protocol/http/method-not-allowed.ts';
import { type RecordingOptions, recordOperation, recordRequest } from '../provisioning-log/record.http.ts';
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

export interface ScimSurfaceOptions extends AdmissionOptions, RecordingOptions {
  resources: Resources;
  publicOrigin: string;
  /** Returns the effective policy of the tenant. */
  policyOf: (tenant: string) => Promise<TenantPolicy>;
  cursors: Cursors;
  submissions: SubmissionStore;
  /** Maximum number of operations in one Bulk. */
  bulkOperations: number;
  /** Key of the digests of Bulk requests. */
  digestKey: Key;
  /** Bytes. */
  bodyLimit: number;
  /** Whether the process is stopping. */
  draining: () => boolean;
}

/**
 * SCIM 2.0 (RFC 7644) of one tenant, registered under `/t/:tenant/scim/v2`. Callers are authenticated before their
 * body is read, and every response, also 404 and 405, is a SCIM message.
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
  app.addHook('onResponse', async (request, reply) => recordRequest(request, reply, options));

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
