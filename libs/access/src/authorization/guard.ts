import { nothingHere, wasForwarded } from '@ostiary/service';
import {
  AccessError,
  type ChallengeOptions,
  insufficientScope,
  isDpop,
  missingToken,
  type RequiredAuthentication,
  requireAuthentication,
  resourceMetadataUrl,
} from '@ostiary/verifier/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { bearerToken } from '../tokens/bearer.ts';
import { presentedToken } from '../tokens/presented.ts';
import { issuerOf, type Principal, serviceAudience } from '../tokens/principal.ts';
import type { TokenVerifier } from '../verification/verifier.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by `requireAccess` and `requireService`. */
    principal?: Principal;
  }
}

type PreHandler = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;

/**
 * Platform client of the installation's operator. Its token and secret are accepted only if
 * `FastifyRequest.isInside` is true.
 */
export const operatorClient = 'operator';

/**
 * Permits only Ostiary's own services: a token of the platform issuer for this service. The operator's token
 * is accepted only from inside. An external request without such a token gets 404. `clients` restricts the
 * permitted clients.
 */
export function requireService(
  verifier: TokenVerifier,
  service: string,
  clients?: readonly string[],
): PreHandler {
  return async (request, reply) => {
    try {
      const token = bearerToken(request);
      if (token === undefined) throw missingToken();
      const principal = await verifier.verify(token, {
        audience: serviceAudience(service),
        issuers: 'platform',
      });
      if (clients && !clients.includes(principal.clientId)) throw insufficientScope([]);
      if (principal.clientId === operatorClient && !request.isInside) throw insufficientScope([]);
      request.principal = principal;
    } catch (error) {
      if (error instanceof AccessError && !request.isInside && wasForwarded(request.raw))
        return reply.code(404).send(nothingHere);
      refuse(error, 'ostiary', reply);
    }
  };
}

export interface AccessRule {
  publicOrigin: string;
  /** Accepted scopes, one of which is required. Default: none required. */
  scopes?: readonly string[];
  /** Whether only tokens of users are accepted. */
  user?: boolean;
  /** Route parameter with the tenant of the token. */
  tenantParam?: string;
  /** Required sign-in of the user (RFC 9470). */
  authentication?: RequiredAuthentication;
}

/** Permits requests with an access token for the tenant's own API that has one of the scopes. */
export function requireAccess(verifier: TokenVerifier, rule: AccessRule): PreHandler {
  return async (request, reply) => {
    const tenant = rule.tenantParam
      ? String((request.params as Record<string, unknown>)[rule.tenantParam] ?? '')
      : undefined;
    try {
      const presented = presentedToken(request, reply);
      if (presented === undefined) throw missingToken();
      const principal = await verifier.verify(presented.token, {
        audience: (of) => issuerOf(rule.publicOrigin, of),
        possession: presented,
        ...(tenant === undefined ? {} : { tenant }),
      });
      requireScope(principal, rule.scopes);
      if (rule.user && principal.kind !== 'user') throw insufficientScope([]);
      if (rule.authentication) requireAuthentication(principal, rule.authentication);
      request.principal = principal;
    } catch (error) {
      const realm = tenant ? issuerOf(rule.publicOrigin, tenant) : rule.publicOrigin;
      refuse(error, realm, reply, challengeOptions(request, verifier));
    }
  };
}

/** @throws AccessError insufficient_scope unless the principal has one of the scopes */
export function requireScope(principal: Principal, scopes: readonly string[] | undefined): void {
  if (scopes && !scopes.some((scope) => principal.scopes.has(scope))) throw insufficientScope(scopes);
}

/** Returns the parameters of the challenge of a rejected request, for `AccessError.wwwAuthenticate`. */
export const challengeOptions = (
  request: FastifyRequest,
  verifier: Pick<TokenVerifier, 'dpop'>,
  resource?: string,
): ChallengeOptions => ({
  scheme: isDpop(request.headers.authorization) ? 'DPoP' : 'Bearer',
  dpop: verifier.dpop ?? false,
  ...(resource === undefined ? {} : { resourceMetadata: resourceMetadataUrl(resource) }),
});

function refuse(error: unknown, realm: string, reply: FastifyReply, challenge: ChallengeOptions = {}): void {
  if (!(error instanceof AccessError)) throw error;
  reply
    .code(error.statusCode)
    .header('www-authenticate', error.wwwAuthenticate(realm, challenge))
    .header('cache-control', 'no-store')
    .send({ error: error.error ?? 'unauthorized', error_description: error.description });
}
