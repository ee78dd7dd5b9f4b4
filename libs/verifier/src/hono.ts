/** Adapter for Hono 4. */
import type { MiddlewareHandler } from 'hono';
import type { Rule } from './options.ts';
import type { Verify } from './ostiary.ts';
import type { Principal } from './principal.ts';
import { VerificationError } from './rejections/verification-error.ts';

/** Environment of routes behind `requireToken`: `context.get('principal')`. */
export interface Protected {
  Variables: { principal: Principal };
}

/** Returns middleware that permits requests with a valid access token, and sets the variable `principal`. */
export const requireToken =
  (verify: Verify, rule?: Rule): MiddlewareHandler<Protected> =>
  async (context, next) => {
    try {
      context.set('principal', await verify(context.req.raw, rule));
    } catch (error) {
      if (!(error instanceof VerificationError)) throw error;
      return context.json(error.body, error.status, error.headers);
    }
    return next();
  };

/** Returns middleware that serves the metadata of the API (RFC 9728). Install it for all paths. */
export const protectedResource =
  (verify: Verify): MiddlewareHandler =>
  async (context, next) => {
    if (context.req.method !== 'GET' || context.req.path !== verify.metadataPath) return next();
    return context.json(verify.metadata());
  };
