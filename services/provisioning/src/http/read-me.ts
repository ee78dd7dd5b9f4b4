import { ScimError } from '@ostiary/scim';
import type { FastifyInstance } from 'fastify';
import { versionOf } from '../domain/presentation.ts';
import { readProjection, withMeta } from '../domain/projection.ts';
import type { Resources } from '../domain/resources.ts';
import { notModified } from './conditional.ts';
import { type BaseOf, callerOf, type TenantParams } from './context.ts';
import { describe, type ProjectionQuery, sendResource } from './reply.ts';

/** GET /Me → 200 with the User the access token stands for (RFC 7644 section 3.11); no scope needed. */
export function readMe(app: FastifyInstance, resources: Resources, baseOf: BaseOf): void {
  app.get<{ Params: TenantParams; Querystring: ProjectionQuery }>(
    '/Me',
    { config: { access: 'authenticated', resourceType: 'User' } },
    async (request, reply) => {
      const caller = callerOf(request);
      if (caller.userId === undefined) {
        throw ScimError.notFound('The access token does not stand for a User.');
      }
      const projection = readProjection(request.query.attributes, request.query.excludedAttributes);
      const resource = await resources.read(caller, 'User', caller.userId, withMeta(projection));
      const base = baseOf(request);
      if (notModified(request, versionOf(resource))) {
        return describe(reply, base, 'User', resource).code(304).send();
      }
      return sendResource(request, reply, 200, { base, type: 'User', resource, projection });
    },
  );
}
