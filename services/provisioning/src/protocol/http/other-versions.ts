import { ScimError } from '@ostiary/scim';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sendScim } from './reply.ts';

const otherVersion = '/t/:tenant/scim/:version(^[vV](?!2$)[0-9]{1,4}$)';

/** Responds 400 invalidVers to any version but 2 (RFC 7644 §3.13), for all callers and before a body is read. */
export function refuseOtherVersions(app: FastifyInstance): void {
  const refuse = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> =>
    sendScim(request, reply, 400, ScimError.invalidVers('Only SCIM version v2 is supported.'));
  for (const url of [otherVersion, `${otherVersion}/*`])
    app.all(url, { onRequest: refuse, config: { refuses: true } }, refuse);
}
