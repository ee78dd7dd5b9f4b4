import type { Key } from '@ostiary/service';
import { keyedDigest } from '../../keys/index.ts';
import { invalidClientMetadata } from '../../protocol/index.ts';
import type { Client } from './client.ts';
import { checkDocumentAddress } from './document-address.ts';

/** What a client knows a person as (OpenID Connect Core §8). */
export type SubjectIdentifier = (client: Client, subjectId: string) => string;

export const isPairwise = (client: Pick<Client, 'metadata'>): boolean =>
  client.metadata.subject_type === 'pairwise';

/**
 * Public clients of a tenant all see the person's id. A pairwise client sees a keyed digest of it, the same for all
 * clients of its sector and meaningless to every other (§8.1). It follows from a kept key alone: nothing is stored for it, and it never changes.
 * @param key of pairwise subjects
 */
export function createSubjectIdentifier(key: Key): SubjectIdentifier {
  return (client, subjectId) =>
    isPairwise(client)
      ? keyedDigest(key(), JSON.stringify([client.tenant, sectorOf(client), subjectId])).toString('base64url')
      : subjectId;
}

/**
 * The host of the document that lists the redirect URIs, or else the host that all redirect URIs share. What comes back to a person's own machine, or to nowhere, says nothing
 * about who runs the client: such a client is a sector of its own.
 */
function sectorOf(client: Pick<Client, 'clientId' | 'redirectUris' | 'metadata'>): string {
  const { sector_identifier_uri: uri } = client.metadata;
  if (typeof uri === 'string') return `host:${new URL(uri).hostname}`;
  const hosts = new Set(client.redirectUris.map((uri) => hostOf(uri)));
  const [host] = hosts;
  return hosts.size === 1 && host !== undefined ? `host:${host}` : `client:${client.clientId}`;
}

function hostOf(uri: string): string | undefined {
  const url = new URL(uri);
  return url.protocol === 'https:' ? url.hostname : undefined;
}

/** What the owner of a sector says belongs to it (§8.1). */
export interface Sector {
  /** Where the owner says so. */
  uri: string;
  redirectUris: ReadonlySet<string>;
}

/**
 * Holds a registration to the document at its `sector_identifier_uri`: without it, any client could join any sector.
 * @param sector what is there now; undefined when nothing was asked for
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
 * Checks what a client says about its subject identifiers.
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
  // The API names people by their id, which would tell the client what pairwise identifiers are there to keep from it.
  if (!scopes.every(input.isOidcScope)) {
    throw invalidClientMetadata('A pairwise client may only have scopes of OpenID Connect.');
  }
  return { subject_type: 'pairwise', ...sector };
}
