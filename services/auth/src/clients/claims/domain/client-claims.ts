import { invalidClientMetadata } from '../../../platform/index.ts';
import { type ClaimMapping, checkClaimMappings, InvalidClaimMappings } from './claim-mapping.ts';

/** Returns the claims that the ID tokens and userinfo responses of a client have in addition. */
export const clientClaimsOf = ({
  metadata,
}: {
  metadata: Readonly<Record<string, unknown>>;
}): readonly ClaimMapping[] => (metadata.claim_mappings as readonly ClaimMapping[] | undefined) ?? [];

/** @throws OAuthError invalid_client_metadata */
export function checkClientClaims(given: unknown): { claim_mappings?: readonly ClaimMapping[] } {
  if (given === undefined) return {};
  try {
    const mappings = checkClaimMappings(given, 'client');
    return mappings.length === 0 ? {} : { claim_mappings: mappings };
  } catch (error) {
    throw error instanceof InvalidClaimMappings ? invalidClientMetadata(error.message) : error;
  }
}
