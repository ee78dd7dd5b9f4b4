import { randomBytes } from 'node:crypto';
import { uuidv7 } from '@ostiary/service';
import { type CodeContent, type CodeStore, challengeOf } from './authorization-code.ts';
import { invalidGrant } from './errors.ts';
import { type Issuers, issueFromGrant } from './grant-issuance.ts';
import type { GrantStore } from './grants.ts';
import { single } from './parameters.ts';
import type { RefreshTokenCodec } from './refresh-token.ts';
import { checkResources } from './scopes.ts';
import { type GrantHandler, required, type TokenRequest } from './token-request.ts';

export interface CodeGrantDependencies extends Issuers {
  codes: CodeStore;
  grants: GrantStore;
  refreshTokens: RefreshTokenCodec;
  lifetimes: {
    /** Seconds. */
    accessToken: number;
    refreshIdle: number;
    refreshAbsolute: number;
  };
}

/** Everything that can be wrong with a code gets one answer: which of them it was only helps an attacker. */
const description =
  'The authorization code is invalid, expired, already used, or was issued for another request.';

/** grant_type=authorization_code (RFC 6749 §4.1.3, RFC 7636 §4.5, OpenID Connect Core §3.1.3). */
export const authorizationCodeGrant =
  (deps: CodeGrantDependencies): GrantHandler =>
  async (request) => {
    const { parameters, client, issuer } = request;
    const code = required(parameters, 'code');
    const codeChallenge = challengeOf(required(parameters, 'code_verifier'));
    const asked = parameters.get('resource');
    if (asked) checkResources(asked, [issuer, ...client.resources]);

    const redeemed = await redeem(deps, request, code, codeChallenge);
    // Nothing asked for means the tenant's own API, and from here on only that.
    const granted = redeemed.resources.length === 0 ? [issuer] : redeemed.resources;
    const resources = asked ? checkResources(asked, granted) : granted;
    const content = { ...redeemed, resources: granted };

    const refreshable = client.grantTypes.includes('refresh_token');
    const family = { id: uuidv7(), salt: randomBytes(16), idleSeconds: deps.lifetimes.refreshIdle };
    const opening = await deps.grants.open(content, {
      clientEpoch: client.epoch,
      lifetimeSeconds: refreshable ? deps.lifetimes.refreshAbsolute : deps.lifetimes.accessToken,
      ...(refreshable ? { family } : {}),
    });
    if (opening.outcome === 'refused')
      throw invalidGrant(description, 'subject, session or client has ended');
    return issueFromGrant(deps, request, opening.grant, {
      scopes: content.scopes,
      resources,
      nonce: content.nonce,
      ...(refreshable
        ? {
            refreshToken: deps.refreshTokens.format(request.tenant, {
              familyId: family.id,
              generation: 0,
              salt: family.salt,
            }),
          }
        : {}),
    });
  };

async function redeem(
  deps: CodeGrantDependencies,
  request: TokenRequest,
  code: string,
  codeChallenge: string,
): Promise<CodeContent> {
  const redemption = await deps.codes.redeem({
    tenant: request.tenant,
    code,
    clientId: request.client.clientId,
    redirectUri: single(request.parameters, 'redirect_uri'),
    codeChallenge,
    clientAuthenticated: request.client.type === 'confidential',
  });
  if (redemption.outcome === 'consumed') return redemption.content;
  if (redemption.outcome === 'replayed') {
    // RFC 6749 §4.1.2: the code has leaked, so whoever redeemed it first may be the thief.
    const { content } = redemption;
    await deps.grants.killReplayed(request.tenant, { grantId: content.grantId, content });
  }
  throw invalidGrant(description, redemption.outcome);
}
