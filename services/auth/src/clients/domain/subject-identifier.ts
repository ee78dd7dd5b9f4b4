import type { Key } from '@ostiary/service';
import { invalidClientMetadata } from '../../platform/index.ts';
import { keyedDigest } from '../../tenancy/index.ts';
import type { Client } from './client.ts';
import { checkDocumentAddress } from './document-address.ts';

/** Returns the subject identifier of a user for a client (OpenID Connect Core §8). */
export type SubjectIdentifier = (client: Client, subjectId: string) => string;

/** Parts of a registration on which the subject identifiers of a client depend. */
type Identifying = Pick<Client, 'redirectUris'> & { readonly metadata: object };

export const isPairwise = ({ metadata }: { readonly metadata: object }): boolean =>
  (metadata as { subject_type?: unknown }).subject_type === 'pairwise';

/**
 * Creates the function for subject identifiers. Public clients get the user's id. Pairwise clients get a keyed digest,
 * the same for all clients of a sector and unrelated in others (§8.1). It depends only on the key: nothing is stored,
 * and it does not change.
 * @param key key of pairwise subjects
 */
export function createSubjectIdentifier(key: Key): SubjectIdentifier {
  return (client, subjectId) =>
    isPairwise(client)
      ? keyedDigest(key(), JSON.stringify([client.tenant, sectorOf(client), subjectId])).toString('base64url')
      : subjectId;
}

/**
 * Returns the sector: the host of the sector identifier document, or the host that all redirect URIs share. Loopback
 * addresses and custom schemes do not identify an operator, so a client with them is a sector of its own.
 */
function sectorOf(client: Identifying & Pick<Client, 'clientId'>): string {
  const { sector_identifier_uri: uri } = client.metadata as { sector_identifier_uri?: unknown };
  if (typeof uri === 'string') return `host:${new URL(uri).hostname}`;
  const hosts = new Set(client.redirectUris.map((uri) => hostOf(uri)));
  const [host] = hosts;
  return hosts.size === 1 && host !== undefined ? `host:${host}` : `client:${client.clientId}`;
}

/**
 * Reports whether a changed registration gives the client other subject identifiers than its tokens contain. The tokens
 * of a client that becomes pairwise contain the users' ids, which every revocation names.
 */
export const losesIdentifiers = (before: Client, after: Identifying): boolean =>
  isPairwise(before) &&
  (!isPairwise(after) || sectorOf(before) !== sectorOf({ ...after, clientId: before.clientId }));

function hostOf(uri: string): string | undefined {
  const url = new URL(uri);
  return url.protocol === 'https:' ? url.hostname : undefined;
}

/** A sector identifier document (§8.1). */
export interface Sector {
  /** URI of the document. */
  uri: string;
  redirectUris: ReadonlySet<string>;
}

/**
 * Checks a registration against the document at its `sector_identifier_uri`: without it, any client could join any
 * sector.
 * @param sector current document; undefined when none was fetched
 * @throws OAuthError invalid_client_metadata
 */
export function checkSector(
  valid: { redirectUris: readonly string[]; metadata: { sector_identifier_uri?: string } },
  sector: Sector | undefined,
): void {
  const { sector_identifier_uri: uri } = valid.metadata;
  if (uri === undefined) return;
  if (sector?.uri !== uri) {
    throw invalidClientMetadata('The registration was changed concurrently. Try again.');
  }
  if (!valid.redirectUris.every((redirectUri) => sector.redirectUris.has(redirectUri))) {
    throw invalidClientMetadata('Every redirect URI must be listed at sector_identifier_uri.');
  }
}

/**
 * Checks the subject identifier metadata of a client.
 * @throws OAuthError invalid_client_metadata
 */
export function checkSubjectType(input: {
  subjectType: unknown;
  sectorIdentifierUri: unknown;
  redirectUris: readonly string[];
  scopes: readonly string[];
  isOidcScope: (scope: string) => boolean;
}): { subject_type?: 'pairwise'; sector_identifier_uri?: string } {
  const { subjectType = 'public', sectorIdentifierUri, redirectUris, scopes } = input;
  if (subjectType !== 'public' && subjectType !== 'pairwise') {
    throw invalidClientMetadata('subject_type must be one of public, pairwise.');
  }
  const sector =
    sectorIdentifierUri === undefined
      ? {}
      : { sector_identifier_uri: checkDocumentAddress('sector_identifier_uri', sectorIdentifierUri) };
  if (subjectType === 'public') return sector;
  if (sectorIdentifierUri === undefined && new Set(redirectUris.map(hostOf)).size > 1) {
    throw invalidClientMetadata(
      'The redirect URIs of a pairwise client must share one host, or be listed at a sector_identifier_uri.',
    );
  }
  // The API identifies users by their id, which pairwise identifiers must not disclose.
  if (!scopes.every(input.isOidcScope)) {
    throw invalidClientMetadata('A pairwise client can have only scopes of OpenID Connect.');
  }
  return { subject_type: 'pairwise', ...sector };
}
