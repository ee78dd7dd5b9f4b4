import { invalidClientMetadata } from '../../protocol/index.ts';
import type { Client, ClientType } from './client.ts';
import type { ClientMetadata } from './client-registry.ts';
import { checkDocumentAddress } from './document-address.ts';

/** Where and how a client is told that a session has ended (OpenID Connect Back-Channel Logout §2.2). */
export interface BackchannelLogoutMetadata {
  backchannel_logout_uri?: string;
  /** Only ever true: absent means that whose session it is may be enough. */
  backchannel_logout_session_required?: true;
}

/**
 * Checks what a client says about being told of logouts. Plain http is for confidential clients (§2.2), and only where nothing
 * has to be encrypted on its way.
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
  // checkDocumentAddress lets an empty fragment pass, which an address that is only ever sent to needn't have either.
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

/** Whether a client wants to be told when a session has ended in which it was given tokens. */
export const isNotifiedOfLogout = (client: Pick<Client, 'metadata'>): boolean =>
  typeof client.metadata.backchannel_logout_uri === 'string';
