/** Adapter for Fastify 5. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Rule } from './options.ts';
import type { Verify } from './ostiary.ts';
import type { Principal } from './principal.ts';
import { VerificationError } from './rejections/verification-error.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by `requireToken`. */
    principal?: Principal;
  }
}

/**
 * Returns a hook (`onRequest` or `preHandler`) that permits requests with a valid access token, and sets
 * `request.principal`.
 */
export const requireToken =
  (verify: Verify, rule?: Rule) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    try {
      request.principal = await verify(request.raw, rule);
      return undefined;
    } catch (error) {
      if (!(error instanceof VerificationError)) throw error;
      return reply.code(error.status).headers(error.headers).send(error.body);
    }
  };

/** Plugin that serves the metadata of the API (RFC 9728), and stops the verifier when the server closes. */
export async function protectedResource(app: FastifyInstance, { verify }: { verify: Verify }): Promise<void> {
  const { metadataPath } = verify;
  if (metadataPath !== undefined) app.get(metadataPath, async () => verify.metadata());
  app.addHook('onClose', async () => verify.stop());
}
