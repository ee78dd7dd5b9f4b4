import type { Client } from '../../clients/index.ts';
import type { AuthorizationRequest } from '../../grants/index.ts';
import { words } from '../../pages/http/index.ts';

/**
 * What stands in an interaction's request when the user only wants to see a page of ours: no client asks, so nothing is
 * granted. `redirectUri` is our own origin, for the page's policy.
 */
export const ownPageRequest = (issuer: string, loginHint?: string): AuthorizationRequest => ({
  clientId: '',
  redirectUri: issuer,
  redirectUriSent: false,
  scopes: [],
  resources: [],
  codeChallenge: '',
  prompts: [],
  ...(loginHint === undefined ? {} : { loginHint }),
});

/** What the sign-in page names when it leads to a page of ours. It is registered nowhere and can ask for nothing. */
export const accountPages = (tenant: string): Client => ({
  tenant,
  clientId: '',
  name: words.account.signInFor,
  type: 'public',
  tokenEndpointAuthMethod: 'none',
  redirectUris: [],
  postLogoutRedirectUris: [],
  grantTypes: [],
  responseTypes: [],
  scopes: [],
  resources: [],
  epoch: 0,
  version: 1,
  disabled: false,
  idTokenSignedResponseAlg: 'ES256',
  requireConsent: false,
  clientUri: null,
  logoUri: null,
  metadata: {},
  createdAt: new Date(0),
});
