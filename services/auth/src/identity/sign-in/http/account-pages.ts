import type { AuthorizationRequest } from '../../../access/index.ts';
import type { Client } from '../../../clients/index.ts';
import { words } from '../../../platform/pages/http/words.ts';

/**
 * Returns the request of an interaction for a page of this service: without client and grant. `redirectUri` is the
 * own origin, for the page's content security policy.
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

/**
 * Returns the client that the sign-in page displays for a page of this service. It is not registered and cannot
 * request anything.
 */
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
