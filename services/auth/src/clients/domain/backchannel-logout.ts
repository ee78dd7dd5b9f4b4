import { invalidClientMetadata } from '../../platform/index.ts';
import type { Client, ClientType } from './client.ts';
import type { ClientMetadata } from './client-registry.ts';
import { checkDocumentAddress } from './document-address.ts';

/** Logout notification of a client (OpenID Connect Back-Channel Logout §2.2). */
export interface BackchannelLogoutMetadata {
  backchannel_logout_uri?: string;
  /** Absent means that logout tokens need no `sid`. */
  backchannel_logout_session_required?: true;
}

/**
 * Checks the logout notification metadata of a client. Plain http requires a confidential client (§2.2) and `httpsOnly`
 * to be off.
 * @throws OAuthError invalid_client_metadata
 */
export function checkBackchannelLogout(
  input: Pick<ClientMetadata, 'backchannel_logout_uri' | 'backchannel_logout_session_required'>,
  type: ClientType,
  httpsOnly: boolean,
): BackchannelLogoutMetadata {
  const { backchannel_logout_uri: uri, backchannel_logout_session_required: sessionRequired } = input;
  if (sessionRequired !== undefined && typeof sessionRequired !== 'boolean') {
    throw invalidClientMetadata('backchannel_logout_session_required must be true or false.');
  }
  if (uri === undefined) {
    if (sessionRequired !== true) return {};
    throw invalidClientMetadata('backchannel_logout_session_required needs a backchannel_logout_uri.');
  }
  const address = checkDocumentAddress('backchannel_logout_uri', uri);
  // checkDocumentAddress accepts an empty fragment, which this URI must not have either.
  if (address.includes('#')) {
    throw invalidClientMetadata(
      'backchannel_logout_uri must be a web address without credentials or fragment.',
    );
  }
  if (!/^https:/i.test(address) && (httpsOnly || type === 'public')) {
    throw invalidClientMetadata('backchannel_logout_uri must use https.');
  }
  return {
    backchannel_logout_uri: address,
    ...(sessionRequired === true ? { backchannel_logout_session_required: true } : {}),
  };
}

/** Reports whether a client is notified of the end of sessions in which it got tokens. */
export const isNotifiedOfLogout = (client: Client): boolean =>
  typeof client.metadata.backchannel_logout_uri === 'string';
