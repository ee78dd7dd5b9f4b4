import { createHmac } from 'node:crypto';
import { invalidClientMetadata } from './errors.ts';
import type { Client } from './ports.ts';
import { deriveKey } from './secret.ts';

/** What a client knows a person as (OpenID Connect Core §8). */
export type SubjectIdentifier = (client: Client, subjectId: string) => string;

export const isPairwise = (client: Pick<Client, 'metadata'>): boolean =>
  client.metadata.subject_type === 'pairwise';

/**
 * Public clients of a tenant all see the person's id. A pairwise client sees a keyed digest of it, the same for all
 * clients of its sector and meaningless to every other (§8.1). It follows from the key alone: nothing is stored.
 */
export function createSubjectIdentifier(encryptionKey: Buffer): SubjectIdentifier {
  const key = deriveKey(encryptionKey, 'pairwise-subject');
  return (client, subjectId) =>
    isPairwise(client)
      ? createHmac('sha256', key)
          .update(JSON.stringify([client.tenant, sectorOf(client), subjectId]))
          .digest('base64url')
      : subjectId;
}

/**
 * The host that all redirect URIs share. What comes back to a person's own machine, or to nowhere, says nothing
 * about who runs the client: such a client is a sector of its own.
 */
function sectorOf(client: Pick<Client, 'clientId' | 'redirectUris'>): string {
  const hosts = new Set(client.redirectUris.map((uri) => hostOf(uri)));
  const [host] = hosts;
  return hosts.size === 1 && host !== undefined ? `host:${host}` : `client:${client.clientId}`;
}

function hostOf(uri: string): string | undefined {
  const url = new URL(uri);
  return url.protocol === 'https:' ? url.hostname : undefined;
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
}): { subject_type?: 'pairwise' } {
  const { subjectType = 'public', redirectUris, scopes } = input;
  if (subjectType !== 'public' && subjectType !== 'pairwise') {
    throw invalidClientMetadata('subject_type must be one of public, pairwise.');
  }
  if (input.sectorIdentifierUri !== undefined) {
    throw invalidClientMetadata(
      'sector_identifier_uri is not supported: the sector is the host of the redirect URIs.',
    );
  }
  if (subjectType === 'public') return {};
  if (new Set(redirectUris.map(hostOf)).size > 1) {
    throw invalidClientMetadata('The redirect URIs of a pairwise client must share one host.');
  }
  // The API names people by their id, which would tell the client what pairwise identifiers are there to keep from it.
  if (!scopes.every(input.isOidcScope)) {
    throw invalidClientMetadata('A pairwise client may only have scopes of OpenID Connect.');
  }
  return { subject_type: 'pairwise' };
}
