/** Adapter for Express 4 and 5. Types are structural, so that it needs neither Express nor its types. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Rule } from './options.ts';
import type { Verify } from './ostiary.ts';
import type { Principal } from './principal.ts';
import { sendJson } from './rejections/json-response.ts';
import { VerificationError } from './rejections/verification-error.ts';

declare global {
  namespace Express {
    interface Request {
      /** Set by `requireToken`. */
      principal?: Principal;
    }
  }
}

type Middleware = (
  request: IncomingMessage,
  response: ServerResponse,
  next: (error?: unknown) => void,
) => Promise<void>;

/** Returns middleware that permits requests with a valid access token, and sets `request.principal`. */
export const requireToken =
  (verify: Verify, rule?: Rule): Middleware =>
  async (request, response, next) => {
    try {
      Object.assign(request, { principal: await verify(request, rule) });
    } catch (error) {
      if (!(error instanceof VerificationError)) return next(error);
      return sendJson(response, error.status, error.headers, error.body);
    }
    next();
  };

/** Returns middleware that serves the metadata of the API (RFC 9728). Install it at the root of the app. */
export const protectedResource =
  (verify: Verify): Middleware =>
  async (request, response, next) => {
    const path = request.url?.split('?', 1)[0];
    if (request.method !== 'GET' || path === undefined || path !== verify.metadataPath) return next();
    sendJson(response, 200, {}, verify.metadata());
  };
