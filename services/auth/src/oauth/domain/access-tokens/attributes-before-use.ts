import type { ReadUser } from '../../claims/domain/user-values.ts';
import type { Issuers } from '../grant-issuance.ts';
import type { TokenRequest } from '../token-request.ts';
import { apiOfToken, resourcesLeft } from './target.ts';

/** The part of a grant that determines which mapped claims its tokens have. */
interface FutureGrant {
  subjectId: string;
  scopes: readonly string[];
  resources: readonly string[];
}

/**
 * Reads the attributes for mapped claims before a code or refresh token is used: after an outage of the directory the
 * client presents the same again, and it must not count as a replay.
 * @param find reads the grant without using the code or token. It is called only if mappings require the directory.
 * @throws ServiceUnavailable if the directory is required and does not answer
 */
export async function attributesBeforeUse(
  { claims }: Issuers,
  { tenant, client, issuer }: TokenRequest,
  find: () => Promise<FutureGrant | undefined>,
): Promise<ReadUser | undefined> {
  if (!claims?.claimMapper.readsDirectory(client)) return undefined;
  const grant = await find();
  if (!grant) return undefined;
  const api = apiOfToken(client, resourcesLeft(grant.resources, client, issuer));
  const isEmpty = api?.tokenFormat === 'opaque' && !claims.claimMapper.requiresOf(api);
  return claims.claimMapper.read(tenant, grant.subjectId, {
    client: grant.scopes.includes('openid') ? client : undefined,
    api: isEmpty ? undefined : api,
  });
}
