export const applications = {
  title: 'Apps',
  one: 'App',
  count: '{count, plural, =0 {no apps} one {# app} other {# apps}}',
  register: 'Register app',
  search: 'Name contains',
  empty: 'No apps yet',
  emptyHint:
    'Register your first app. Choose its type, then copy the values and the code snippet into the app.',
  emptySearch: 'No matching apps',
  emptySearchHint: 'Change the search text or a filter.',
  gone: 'App not found',
  goneHint: 'It may have been deleted.',
  columns: { name: 'Name', kind: 'Type', owner: 'Owner', state: 'Status', created: 'Registered' },
  filters: {
    all: 'All',
    grant: 'Grant type',
    type: 'Client type',
    state: 'Status',
    owner: 'Owner',
    mine: 'Owned by me',
    owned: 'Has an owner',
    nobody: 'No owner',
    named: 'Specific owner',
  },
  types: { CONFIDENTIAL: 'confidential', PUBLIC: 'public' },
  states: { enabled: 'enabled', disabled: 'disabled' },
  clientId: 'Client ID',
  registered: 'Registered',
  lastUsed: 'Last used',
  neverUsed: 'not recorded yet',
  edit: 'Edit',
  editGroup: 'Edit: {group}',
  any: 'any',
  agent: 'Agent',
  agentLifetime: 'Maximum lifetime of an agent’s tokens in seconds',
  agentLifetimeHint: 'From 30 to 3600. Default: 300.',
  agentHint: 'The app is named as the actor, gets short-lived tokens, and users can end its access.',
  impersonation: 'Impersonation allowed',
  impersonationHint: 'Without impersonation, the new token also names the client that acts for the user.',
  subjectType: 'User identifiers',
  subjectTypes: { PUBLIC: 'the same for every app (public)', PAIRWISE: 'unique to this app (pairwise)' },
  tabs: {
    label: 'App sections',
    registration: 'Registration',
    claims: 'Claims',
    connect: 'Connect',
    people: 'Users',
    history: 'History',
  },
  kinds: {
    WEB: {
      title: 'Web app',
      what: 'Runs on a server and is used in a browser.',
      how: 'Confidential: code flow with PKCE and a client secret or its own key.',
    },
    SINGLE_PAGE: {
      title: 'Single-page app',
      what: 'Runs in the browser, without a server that can keep a secret.',
      how: 'Public: code flow with PKCE, no secret.',
    },
    NATIVE: {
      title: 'Native app',
      what: 'Installed on a device: a mobile app, desktop app or command-line tool.',
      how: 'Public: code flow with PKCE, no secret. A loopback redirect URI can use any port.',
    },
    MACHINE: {
      title: 'Machine',
      what: 'A service or job that acts on its own behalf, without a user who signs in.',
      how: 'Confidential: client credentials.',
    },
    DEVICE: {
      title: 'Device',
      what: 'Has no browser or keyboard: a TV, a printer or a remote terminal.',
      how: 'Public: users enter a code on another device.',
    },
    MCP: {
      title: 'MCP client',
      what: 'A client of the Model Context Protocol.',
      how: 'Public: its tokens are valid only for the MCP servers that you list.',
    },
  },
  grants: {
    authorization_code: 'authorization_code: users sign in in a browser',
    refresh_token: 'refresh_token: access continues without a new sign-in',
    client_credentials: 'client_credentials: the app acts on its own behalf',
    device_code: 'device_code: users sign in on another device',
    token_exchange: 'token-exchange: exchanges tokens of other clients',
    jwt_bearer: 'jwt-bearer: presents assertions of trusted issuers',
  },
  groups: {
    presentation: 'Branding',
    signIn: 'Sign-in and sign-out',
    access: 'Access',
    authentication: 'Client authentication',
    security: 'Security requirements',
    tokens: 'Tokens',
    delegation: 'Delegation',
  },
  members: {
    name: { label: 'Name', hint: 'Shown on the sign-in and consent pages.' },
    clientUri: { label: 'Home page', hint: 'The URL of the app’s website.' },
    logoUri: {
      label: 'Logo',
      hint: 'The URL of an image. The server stores a copy and shows it on the sign-in and consent pages.',
    },
    policyUri: { label: 'Privacy policy', hint: 'Linked from the consent page.' },
    tosUri: { label: 'Terms of service', hint: 'Linked from the consent page.' },
    redirectUris: {
      label: 'Redirect URIs',
      hint: 'Where the server sends authorization responses, one per line. The match must be exact.',
    },
    postLogoutRedirectUris: {
      label: 'Post-logout redirect URIs',
      hint: 'Where users can be sent after they sign out, one per line.',
    },
    applicationType: {
      label: 'App type',
      hint: 'Determines which redirect URIs are valid. Use “native” for installed apps.',
    },
    requireConsent: {
      label: 'Require user consent',
      hint: 'Not needed for your organization’s own apps.',
    },
    defaultMaxAge: {
      label: 'Maximum time since sign-in',
      hint: 'In seconds, for requests without max_age (default_max_age). Leave empty for no limit.',
    },
    requireAuthTime: {
      label: 'Require the sign-in time in ID tokens',
      hint: 'ID tokens always contain auth_time when the user signed in.',
    },
    backchannelLogoutUri: {
      label: 'Back-channel logout URI',
      hint: 'Receives a logout token when a session in which the app received tokens ends. Leave empty to send none.',
    },
    backchannelLogoutSessionRequired: {
      label: 'Include the session in logout tokens',
      hint: 'Adds the sid claim to the user’s sub claim.',
    },
    grantTypes: { label: 'Grant types', hint: 'How the app can obtain tokens.' },
    scopes: {
      label: 'Scopes',
      hint: 'The scopes that the app can request. API scopes are also limited by the user’s roles.',
    },
    ownScopes: {
      label: 'Own API scopes',
      hint: 'Scopes of your APIs that the app can request for itself, without a user (client_credentials).',
    },
    resources: {
      label: 'Resources',
      hint: 'Resources (RFC 8707) for which the app can request tokens, besides the tenant’s API. One per line.',
    },
    protectedResources: {
      label: 'Protected resources',
      hint: 'Resources that the app serves, one per line. It can introspect their tokens. Use urn:ostiary:tenant-api for the tenant’s API.',
    },
    tokenEndpointAuthMethod: {
      label: 'Token endpoint authentication',
      hint: 'A change between public and confidential revokes all tokens. A method with a different kind of secret issues a new secret.',
    },
    tokenEndpointAuthSigningAlg: {
      label: 'Assertion signing algorithm',
      hint: 'Assertions signed with another algorithm are rejected.',
    },
    jwksUri: {
      label: 'Public key URL',
      hint: 'The URL of the app’s JSON Web Key Set (jwks_uri).',
    },
    jwks: { label: 'Public keys', hint: 'A JSON Web Key Set (RFC 7517), instead of a URL.' },
    profile: { label: 'Security profile', hint: 'Use fapi2 to enforce the FAPI 2.0 Security Profile.' },
    codeProtection: {
      label: 'Authorization code protection',
      hint: 'Binds a code to the browser that requested it. Use PKCE unless a confidential OpenID app doesn’t support it.',
    },
    dpopBoundAccessTokens: {
      label: 'Require DPoP-bound access tokens',
      hint: 'A stolen token can’t be used without the app’s key (RFC 9449).',
    },
    requirePushedAuthorizationRequests: {
      label: 'Require pushed authorization requests',
      hint: 'Requests can’t be changed in the browser (RFC 9126).',
    },
    requireSignedRequestObject: {
      label: 'Require signed authorization requests',
      hint: 'Requires the app’s public keys (RFC 9101).',
    },
    requestObjectSigningAlg: {
      label: 'Request object signing algorithm',
      hint: 'With “none”, the app can send request objects without a signature.',
    },
    requestUris: {
      label: 'Request object URLs',
      hint: 'URLs from which the server can fetch request objects (request_uri), one per line.',
    },
    idTokenSignedResponseAlg: {
      label: 'ID token signing algorithm',
      hint: 'Use RS256 unless the app requires another algorithm.',
    },
    userinfoSignedResponseAlg: {
      label: 'UserInfo signing algorithm',
      hint: 'With “any”, responses are plain JSON without a signature.',
    },
    introspectionSignedResponseAlg: {
      label: 'Introspection signing algorithm',
      hint: 'Used when the app requests a signed response (RFC 9701).',
    },
    profileClaimsInIdToken: {
      label: 'Include scope claims in ID tokens',
      hint: 'For apps that don’t call UserInfo.',
    },
    sectorIdentifierUri: {
      label: 'Sector identifier URI',
      hint: 'Lists the redirect URIs of all apps that share user identifiers. A new host changes the identifiers of all users.',
    },
    tokenExchange: {
      label: 'Token exchange',
      hint: 'Client IDs whose tokens the app can exchange, one per line (RFC 8693). Leave empty to allow none.',
    },
    mayAct: {
      label: 'Authorized actor',
      hint: 'Client ID of the client that can act for users with this app’s tokens (may_act).',
    },
  },
  secret: {
    label: 'Client secret',
    shown: 'Client secret',
    rotate: 'Rotate secret',
    title: 'Rotate the secret of “{name}”?',
    lead: 'The new secret works immediately. The current secret keeps working for a limited time, so that you can update the app without downtime. Older secrets stop working now.',
    overlap: 'Current secret keeps working for',
    overlapHint: 'Allow enough time to update the secret everywhere the app runs.',
    overlaps: {
      none: '0 minutes (stops immediately)',
      hour: '1 hour',
      day: '1 day',
      week: '1 week',
      month: '30 days',
    },
    noOverlap:
      'Requests with the current secret fail immediately. Choose this if the secret may be compromised.',
  },
  availability: {
    disable: 'Disable',
    enable: 'Enable',
    delete: 'Delete',
    disableTitle: 'Disable “{name}”?',
    enableTitle: 'Enable “{name}”?',
    deleteTitle: 'Delete “{name}”?',
    ends: 'All access tokens, refresh tokens and user grants of this app are revoked immediately.',
    endsOf:
      'All access tokens, refresh tokens and user grants of this app are revoked immediately. {count, plural, =0 {The app has no active user grants.} one {The app has # active user grant.} other {The app has # active user grants.}}',
    disableLead:
      'The registration is kept, and you can enable the app again later. Revoked tokens and grants are not restored.',
    enableLead:
      'The app can sign users in and obtain tokens again. Revoked tokens are not restored: users must sign in again.',
    deleteLead:
      'The registration is deleted permanently. If you register the app again, it gets a new client ID.',
    typeName: 'To confirm, type the app name: {name}',
    wrongName: 'The name doesn’t match.',
  },
  connect: {
    values: 'App configuration values',
    valuesLead:
      'Most apps need the issuer, client ID and client secret, and discover the other values automatically.',
    issuer: 'Issuer',
    clientId: 'Client ID',
    clientSecret: 'Client secret',
    noSecret: 'none: this is a public app',
    ownKey: 'none: the app signs assertions with its own key',
    secretElsewhere: 'shown only at creation; rotate it to get a new one',
    redirectUri: 'Redirect URI',
    discovery: 'Discovery document',
    endpoints: 'All endpoints',
    snippets: 'Code snippets',
    framework: 'Framework',
    secretInEnvironment: 'The snippet reads the secret from an environment variable. Don’t store it in code.',
    notes: {
      secretPost:
        'This framework sends the secret in the request body. Set “Token endpoint authentication” to client_secret_post; otherwise requests are rejected.',
      secretBasic:
        'This framework sends the secret in the Authorization header. Set “Token endpoint authentication” to client_secret_basic; otherwise requests are rejected.',
      redirect:
        'This framework uses a fixed redirect path that is not registered. Register the URI from the snippet with your host.',
      pkceBean:
        'The server requires PKCE. Before version 7, Spring Security enables PKCE for confidential apps only with the second part of the snippet.',
      loopback:
        'Use a loopback redirect URI for programs on a user’s computer. If you register http://127.0.0.1/callback, any port works.',
      discovery:
        'MCP clients discover the authorization server automatically. They need the client ID unless they register with an initial access token.',
    },
  },
  test: {
    title: 'Test sign-in',
    lead: 'Opens this app’s authorization request in a new window. You see the same sign-in and consent pages as your users.',
    after:
      'At the end, the app reports an error because it didn’t start the request. This is expected. The URL contains “code” and “state” on success, or “error” and the reason.',
    redirectUri: 'Redirect URI',
    ask: 'Sign-in',
    prompts: {
      usual: 'default: may use your existing session',
      login: 'always ask to sign in',
      consent: 'always ask for consent',
    },
    open: 'Open sign-in',
    obstacles: {
      disabled: 'The app is disabled, so its requests are rejected. Enable it first.',
      noRedirect: 'The app has no redirect URI. Add one first.',
      pushed: 'The app must push its requests with its own credentials, so the console can’t test it.',
      signed: 'The app must sign its requests with its own key, so the console can’t test it.',
    },
  },
  people: {
    title: 'Users',
    count:
      '{count, plural, =0 {No active user grants} one {# active user grant} other {# active user grants}}',
    empty: 'No active users',
    emptyHint:
      'A grant is created when a user signs in to the app. It ends when the session ends or the grant expires.',
    person: 'User',
    scopes: 'Scopes',
    since: 'Granted',
    until: 'Expires',
    actions: 'Action',
    unknown: 'unknown',
    revoke: 'Revoke',
    revokeTitle: 'Revoke this grant?',
    revokeLead:
      '{app} loses access to the account of {person} immediately, and all tokens of this grant are revoked. The user can grant access again.',
  },
  history: {
    through: 'Activity through this app',
    throughHint: 'Sign-ins and changes through this app, from the security log.',
    changes: 'Changes to this app',
    empty: 'No log entries',
    action: 'Action',
    person: 'User',
    actor: 'By',
    address: 'IP address',
    at: 'Time',
  },
  wizard: {
    title: 'Register app',
    step: 'Step {now} of 3: {name}',
    steps: { kind: 'type', needs: 'settings', values: 'configuration values' },
    which:
      'Choose the type of app. The type determines how users sign in and whether the app can keep a secret.',
    submit: 'Register',
    otherKind: 'Change type',
    done: '“{name}” is registered',
    another: 'Register another app',
    open: 'View app',
    ready: 'The app is ready to use. Enter these values in its configuration.',
    redirect: {
      web: 'Where the server sends authorization responses, one per line. Use https, or http on localhost for development. The match must be exact.',
      native:
        'One per line: http://127.0.0.1/callback for apps that open a browser (any port works), a claimed https URL, or a private scheme such as com.example.app:/callback.',
    },
    mcpResources:
      'URLs of the MCP servers for which the app can request tokens, one per line. Use the resource URL from each server’s metadata.',
    machineScopes:
      'The app’s access to the tenant’s API, within your own scopes. Select none if the app uses only other resources.',
    method: 'The server accepts only the method that you select.',
    methods: {
      CLIENT_SECRET: 'Secret in the header or body (default)',
      CLIENT_SECRET_BASIC: 'client_secret_basic: secret in the Authorization header (most frameworks)',
      CLIENT_SECRET_POST: 'client_secret_post: secret in the body (ASP.NET Core)',
      PRIVATE_KEY_JWT: 'private_key_jwt: the app signs with its own key, without a secret',
    },
    own: 'Owned by your organization: skip user consent',
    ownHint: 'Only for trusted apps: the app receives every scope that it requests within its limits.',
  },
};
