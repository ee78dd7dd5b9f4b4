import { randomBytes } from 'node:crypto';
import { uuidv7 } from '@ostiary/service';
import type { GrantContent, GrantStore, RefreshTokenCodec } from '../../access/index.ts';
import { isNotifiedOfLogout } from '../../clients/index.ts';
import { invalidGrant } from '../../platform/index.ts';
import type { ReadUser } from '../claims/domain/user-values.ts';
import { type Issuers, issueFromGrant } from './grant-issuance.ts';
import type { TokenRequest, TokenResponse } from './token-request.ts';

export interface GrantOpeningDependencies extends Issuers {
  grants: GrantStore;
  refreshTokens: RefreshTokenCodec;
  lifetimes: {
    /** Seconds. */
    accessToken: number;
    refreshIdle: number;
    refreshAbsolute: number;
  };
}

/**
 * Stores the grant of a consumed code, with a refresh token if the client may have one, and issues its first tokens.
 * Issues nothing before the grant is in the database.
 * @throws OAuthError invalid_grant with `description` if the user, session or client has ended in the meantime, or
 * the consent was withdrawn
 */
export async function openAndIssue(
  deps: GrantOpeningDependencies,
  request: TokenRequest,
  content: GrantContent,
  o: {
    resources: readonly string[];
    description: string;
    nonce?: string | undefined;
    known?: ReadUser | undefined;
  },
): Promise<TokenResponse> {
  const { client, tenant } = request;
  // Tokens get the current epoch of the client, so the code must have the same.
  if (content.clientEpoch !== client.epoch)
    throw invalidGrant(o.description, 'the client was disabled since');
  const refreshable = client.grantTypes.includes('refresh_token');
  const family = {
    id: uuidv7(),
    salt: randomBytes(16),
    idleSeconds: deps.lifetimes.refreshIdle,
    // Without client authentication the key is the only binding of the refresh token (RFC 9449 §5).
    dpopJkt: client.type === 'public' ? request.dpopJkt : undefined,
  };
  const opening = await deps.grants.open(content, {
    lifetimeSeconds: refreshable ? deps.lifetimes.refreshAbsolute : deps.lifetimes.accessToken,
    notifiedOfLogout: isNotifiedOfLogout(client),
    ...(refreshable ? { family } : {}),
  });
  if (opening.outcome === 'refused')
    throw invalidGrant(o.description, 'subject, session or client has ended, or consent was withdrawn');
  return issueFromGrant(deps, request, opening.grant, {
    scopes: content.scopes,
    resources: o.resources,
    nonce: o.nonce,
    known: o.known,
    endedBefore: opening.outcome !== 'opened',
    ...(refreshable
      ? {
          refreshToken: deps.refreshTokens.format(tenant, {
            familyId: family.id,
            generation: 0,
            salt: family.salt,
          }),
        }
      : {}),
  });
}
