import {
  type CodeContent,
  type CodeStore,
  challengeOf,
  checkResources,
  type Redemption,
} from '../../access/index.ts';
import { isExemptFromProofKey, isFapi2 } from '../../clients/index.ts';
import { invalidGrant, single } from '../../platform/index.ts';
import { attributesBeforeUse } from './access-tokens/attributes-before-use.ts';
import { resourcesOfTokenRequest } from './access-tokens/target.ts';
import { type GrantOpeningDependencies, openAndIssue } from './grant-opening.ts';
import { type GrantHandler, required, type TokenRequest } from './token-request.ts';

export interface CodeGrantDependencies extends GrantOpeningDependencies {
  codes: CodeStore;
}

/** One answer for every invalid code, because a distinction only helps an attacker. */
const description =
  'The authorization code is invalid, expired, already used, or was issued for another request.';

/** grant_type=authorization_code (RFC 6749 §4.1.3, RFC 7636 §4.5, OpenID Connect Core §3.1.3). */
export const authorizationCodeGrant =
  (deps: CodeGrantDependencies): GrantHandler =>
  async (request) => {
    const { parameters, client, issuer } = request;
    const code = required(parameters, 'code');
    const codeChallenge = presentedChallenge(request);
    const asked = parameters.get('resource');
    if (asked) resourcesOfTokenRequest(asked, client, issuer);

    const redemption = redemptionOf(request, code, codeChallenge);
    const known = await attributesBeforeUse(deps, request, async () => {
      const content = await deps.codes.peek(redemption);
      return content && { ...content, resources: asked ?? content.resources };
    });
    const redeemed = await redeem(deps, redemption);
    // No requested resource means the tenant's own API, and the grant is limited to it.
    const granted = redeemed.resources.length === 0 ? [issuer] : redeemed.resources;
    const resources = asked ? checkResources(asked, granted) : granted;
    const content = { ...redeemed, resources: granted };

    return openAndIssue(deps, request, content, { resources, description, nonce: content.nonce, known });
  };

/**
 * Returns the challenge of the presented verifier. Empty if an exempt client sent none: it matches only a code that
 * was issued without a challenge.
 */
function presentedChallenge({ client, parameters }: TokenRequest): string {
  if (isExemptFromProofKey(client) && !parameters.has('code_verifier')) return '';
  // In FAPI 2.0 a missing verifier is treated as a wrong one (RFC 7636 §4.6).
  if (isFapi2(client) && !parameters.has('code_verifier'))
    throw invalidGrant(description, 'no code_verifier');
  return challengeOf(required(parameters, 'code_verifier'));
}

const redemptionOf = (request: TokenRequest, code: string, codeChallenge: string): Redemption => ({
  tenant: request.tenant,
  code,
  clientId: request.client.clientId,
  redirectUri: single(request.parameters, 'redirect_uri'),
  codeChallenge,
  clientAuthenticated: request.client.type === 'confidential',
  dpopJkt: request.dpopJkt,
});

async function redeem(deps: CodeGrantDependencies, redemption: Redemption): Promise<CodeContent> {
  const redeemed = await deps.codes.redeem(redemption);
  if (redeemed.outcome === 'consumed') return redeemed.content;
  if (redeemed.outcome === 'replayed') {
    // RFC 6749 §4.1.2: the code has leaked, so the first redemption may be the attacker's.
    const { content } = redeemed;
    await deps.grants.killReplayed(redemption.tenant, { grantId: content.grantId, content });
  }
  throw invalidGrant(description, redeemed.outcome);
}
