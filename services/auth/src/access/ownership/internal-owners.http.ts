import { type Caller, requireService, type TokenVerifier } from '@ostiary/access';
import type { Transactions } from '@ostiary/service';
import type { FastifyInstance } from 'fastify';
import { NoSuchOwner } from '../../platform/index.ts';
import {
  badRequest,
  internalTenant,
  missing,
  objectOf,
  type TenantDependencies,
  uuidOf,
} from '../../platform/protocol/http/internal.ts';
import type { ConnectorOwnerStore, EndCarriedOut } from './domain/connector-owner.ts';
import type { Owners } from './domain/owners.ts';

export interface OwnerRouteDependencies extends TenantDependencies {
  verifier: TokenVerifier;
  database: Transactions;
  owners: Owners;
  connectorOwners: ConnectorOwnerStore;
}

/** Maximum number of callers of one request: a subject and the parties that act for it. */
const maxCallers = 20;

/** Maximum number of ends per response. */
const most = 200;

/**
 * Routes for the owners of connectors, which provisioning stores:
 * - POST /internal/v1/tenants/{t}/connector-owners {id} → {kind, id, named}: names the owner of a connector before the
 *   connector is stored; 404 for an id that cannot own one
 * - POST /internal/v1/tenants/{t}/connector-callers {callers, owning} → {owner, knownTo}: names the owner of the
 *   connector that these callers create (`owning`), null for the platform operator's, and all users and groups that
 *   know a token that they receive; 409 when the caller, or its owner, cannot own a connector or was offboarded
 * - GET /internal/v1/ownership-ends → {ends}: ends of ownership, until they are reported as carried out
 * - POST /internal/v1/ownership-ends/carried-out {ends} → 204: results of ends
 */
export function ownerRoutes(app: FastifyInstance, deps: OwnerRouteDependencies): void {
  const { sql } = deps.database;
  const onRequest = requireService(deps.verifier, 'auth', ['provisioning']);
  app.post('/internal/v1/tenants/:tenant/connector-owners', { onRequest }, async (request, reply) => {
    const tenant = await internalTenant(deps, request);
    if (tenant === undefined) return missing(reply, 'tenant');
    const id = uuidOf(objectOf(request.body).id);
    if (id === undefined) return missing(reply, 'owner');
    try {
      const owner = await deps.owners.find(tenant, id);
      return { ...owner, named: await deps.owners.nameForConnector(tenant, owner) };
    } catch (error) {
      if (error instanceof NoSuchOwner) return missing(reply, 'owner');
      throw error;
    }
  });
  app.post('/internal/v1/tenants/:tenant/connector-callers', { onRequest }, async (request, reply) => {
    const tenant = await internalTenant(deps, request);
    if (tenant === undefined) return missing(reply, 'tenant');
    const { callers, owning = true } = objectOf(request.body);
    if (!Array.isArray(callers) || callers.length > maxCallers || !callers.every(isCaller)) {
      return badRequest(reply, 'The body must list the callers.');
    }
    try {
      return await deps.owners.nameCallersForConnector(tenant, callers, owning === true);
    } catch (error) {
      if (error instanceof NoSuchOwner)
        return reply.code(409).send({ error: 'conflict', message: 'The caller cannot own a connector.' });
      throw error;
    }
  });
  app.get('/internal/v1/ownership-ends', { onRequest }, async (_request, reply) =>
    reply
      .header('cache-control', 'no-store')
      .send({ ends: await deps.connectorOwners.ownershipEndsToTell(sql, most) }),
  );
  app.post('/internal/v1/ownership-ends/carried-out', { onRequest }, async (request, reply) => {
    const { ends } = objectOf(request.body);
    if (!Array.isArray(ends) || ends.length > most || !ends.every(isCarriedOut)) {
      return badRequest(reply, 'The body must name the ends that were carried out.');
    }
    await deps.database.transaction((tx) => deps.connectorOwners.noteCarriedOut(tx, ends));
    return reply.code(204).send();
  });
}

function isCaller(value: unknown): value is Caller {
  const { kind, id, epoch, apiKeyId } = objectOf(value);
  if (kind === 'user') return uuidOf(id) !== undefined;
  return (
    kind === 'program' &&
    typeof id === 'string' &&
    (epoch === undefined || Number.isSafeInteger(epoch)) &&
    (apiKeyId === undefined || uuidOf(apiKeyId) !== undefined)
  );
}

function isCarriedOut(value: unknown): value is EndCarriedOut {
  const { tenant, ownerId, number, connectors, secrets } = objectOf(value);
  return (
    typeof tenant === 'string' &&
    uuidOf(ownerId) !== undefined &&
    Number.isSafeInteger(number) &&
    Number.isSafeInteger(connectors) &&
    (connectors as number) >= 0 &&
    (secrets === undefined || (Array.isArray(secrets) && secrets.every(isReportedToken)))
  );
}

function isReportedToken(value: unknown): boolean {
  const { kind, secretId, credentialId, name, ended, endsAt } = objectOf(value);
  return (
    kind === 'connector_token' &&
    uuidOf(secretId) !== undefined &&
    uuidOf(credentialId) !== undefined &&
    typeof name === 'string' &&
    typeof ended === 'boolean' &&
    (endsAt === undefined || (typeof endsAt === 'string' && !Number.isNaN(Date.parse(endsAt))))
  );
}
