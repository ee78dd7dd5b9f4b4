export const applications = {
  title: 'Applications',
  one: 'Application',
  count: '{count, plural, =0 {no application} one {# application} other {# applications}}',
  register: 'Register an application',
  search: 'Name contains',
  empty: 'No applications yet',
  emptyHint: 'Register the first one: you choose what kind it is, and get the values and a snippet to paste.',
  emptySearch: 'No application matches',
  emptySearchHint: 'Change what you search for, or one of the filters.',
  gone: 'There is no such application',
  goneHint: 'It may have been deleted.',
  columns: { name: 'Name', kind: 'Kind', owner: 'Owner', state: 'State', created: 'Registered' },
  filters: {
    all: 'All',
    grant: 'Grant',
    type: 'Secret',
    state: 'State',
    owner: 'Owner',
    mine: 'Mine',
    owned: 'Somebody’s',
    nobody: 'Nobody’s',
    named: 'One owner',
  },
  types: { CONFIDENTIAL: 'confidential', PUBLIC: 'public' },
  states: { enabled: 'enabled', disabled: 'disabled' },
  clientId: 'Client ID',
  registered: 'Registered',
  edit: 'Edit',
  editGroup: 'Edit: {group}',
  any: 'any',
  impersonation: 'as the person themselves (impersonation)',
  impersonationHint: 'Otherwise the new token says who acts for whom.',
  subjectType: 'Identifiers of people',
  subjectTypes: { PUBLIC: 'the same for every app (public)', PAIRWISE: 'its own (pairwise)' },
  tabs: {
    label: 'Parts of the application',
    registration: 'Registration',
    connect: 'Connect',
    people: 'Who uses it',
    history: 'History',
  },
  kinds: {
    WEB: {
      title: 'Web app',
      what: 'Runs on a server; people use it with a browser.',
      how: 'Confidential: code flow with PKCE and a client secret, or a key of its own.',
    },
    SINGLE_PAGE: {
      title: 'Single-page app',
      what: 'Runs in the browser, without a server that could keep a secret.',
      how: 'Public: code flow with PKCE, no secret.',
    },
    NATIVE: {
      title: 'Native app',
      what: 'Is installed: a phone app, a desktop program, a command line.',
      how: 'Public: code flow with PKCE, no secret. Any port of a loopback redirect URI.',
    },
    MACHINE: {
      title: 'Machine',
      what: 'A service or a job that acts for itself; nobody signs in.',
      how: 'Confidential: client credentials.',
    },
    DEVICE: {
      title: 'Device',
      what: 'Has no browser or no keyboard: a TV, a printer, a terminal far away.',
      how: 'Public: people type a code in on another device.',
    },
    MCP: {
      title: 'MCP client',
      what: 'A client of the Model Context Protocol.',
      how: 'Public: its tokens are for the MCP servers you name, and for nothing else.',
    },
  },
  grants: {
    authorization_code: 'authorization_code: people sign in with a browser',
    refresh_token: 'refresh_token: stays connected',
    client_credentials: 'client_credentials: acts for itself',
    device_code: 'device_code: people sign in on another device',
    token_exchange: 'token-exchange: exchanges others’ tokens',
    jwt_bearer: 'jwt-bearer: presents assertions of trusted issuers',
  },
  groups: {
    presentation: 'What people see',
    signIn: 'Signing in and out',
    access: 'What it may do',
    authentication: 'How it authenticates',
    security: 'Security requirements',
    tokens: 'Its tokens',
    delegation: 'Acting for people',
  },
  members: {
    name: { label: 'Name', hint: 'What people see where they sign in and are asked.' },
    clientUri: { label: 'Home page', hint: 'A web address.' },
    logoUri: {
      label: 'Logo',
      hint: 'The server fetches and keeps it; it is shown where people sign in and are asked.',
    },
    policyUri: { label: 'Privacy policy', hint: 'Linked to where people are asked.' },
    tosUri: { label: 'Terms of service', hint: 'Linked to where people are asked.' },
    redirectUris: {
      label: 'Redirect URIs',
      hint: 'Where answers may go, one a line. Compared byte for byte.',
    },
    postLogoutRedirectUris: {
      label: 'Redirect URIs after signing out',
      hint: 'Where people may be sent after signing out, one a line.',
    },
    applicationType: {
      label: 'Application type',
      hint: 'Where it runs, and so what its redirect URIs may be: native for installed programs.',
    },
    requireConsent: {
      label: 'Ask people before it gets access',
      hint: 'Not needed for the organisation’s own apps.',
    },
    defaultMaxAge: {
      label: 'Longest time since the sign-in',
      hint: 'Seconds, when a request doesn’t say (default_max_age). Empty: any.',
    },
    requireAuthTime: {
      label: 'ID tokens must tell when the person signed in',
      hint: 'They all do where there was a sign-in.',
    },
    backchannelLogoutUri: {
      label: 'Back-channel logout URI',
      hint: 'Where it is told that a session has ended in which it was given tokens. Empty: it isn’t told.',
    },
    backchannelLogoutSessionRequired: {
      label: 'Logout tokens always name the session',
      hint: 'And not only the person.',
    },
    grantTypes: { label: 'Grants', hint: 'The ways in which it may get tokens.' },
    scopes: {
      label: 'Scopes',
      hint: 'The most it may ask for. Of the API a person gives no more than their roles have.',
    },
    resources: {
      label: 'Resources',
      hint: 'The resources (RFC 8707) it may ask tokens for, besides the tenant’s API, one a line.',
    },
    protectedResources: {
      label: 'Resources it serves',
      hint: 'It may introspect the tokens that are meant for them, one a line. urn:ostiary:tenant-api stands for the tenant’s own API.',
    },
    tokenEndpointAuthMethod: {
      label: 'Authentication to the token endpoint',
      hint: 'What was issued ends when it becomes public, or stops being so. A way that needs another kind of secret gets a new one.',
    },
    tokenEndpointAuthSigningAlg: {
      label: 'Algorithm of its assertions',
      hint: 'The only one its assertions may be signed with.',
    },
    jwksUri: {
      label: 'Address of its public keys',
      hint: 'Where it publishes its JSON Web Key Set (jwks_uri).',
    },
    jwks: { label: 'Public keys', hint: 'A JSON Web Key Set (RFC 7517), instead of an address.' },
    profile: { label: 'Security profile', hint: 'fapi2 holds it to the FAPI 2.0 Security Profile.' },
    codeProtection: {
      label: 'Protection of authorization codes',
      hint: 'What binds a code to the browser it was issued for. Anything but PKCE is only for confidential OpenID apps that do not support it.',
    },
    dpopBoundAccessTokens: {
      label: 'Only tokens bound to a key (DPoP)',
      hint: 'Whoever steals one of its tokens can’t use it (RFC 9449).',
    },
    requirePushedAuthorizationRequests: {
      label: 'Only pushed authorization requests',
      hint: 'Nothing of a request can be changed on its way through the browser (RFC 9126).',
    },
    requireSignedRequestObject: {
      label: 'Only signed authorization requests',
      hint: 'Needs its public keys (RFC 9101).',
    },
    requestObjectSigningAlg: {
      label: 'Algorithm of its request objects',
      hint: 'none lets it send them unsigned, as plain requests are.',
    },
    requestUris: {
      label: 'Addresses of its request objects',
      hint: 'Where they may be fetched (request_uri), one a line.',
    },
    idTokenSignedResponseAlg: {
      label: 'Signature of ID tokens',
      hint: 'RS256 unless its software wants another.',
    },
    userinfoSignedResponseAlg: {
      label: 'Signature of userinfo answers',
      hint: 'Any: they are plain JSON, not signed.',
    },
    introspectionSignedResponseAlg: {
      label: 'Signature of introspection answers',
      hint: 'For those who ask for signed ones (RFC 9701).',
    },
    profileClaimsInIdToken: {
      label: 'ID tokens hold the claims of its scopes',
      hint: 'For apps that never ask userinfo.',
    },
    sectorIdentifierUri: {
      label: 'Sector identifier URI',
      hint: 'A document that lists the redirect URIs of all apps that share its identifiers for people. Another host means other identifiers for everybody.',
    },
    tokenExchange: {
      label: 'Clients whose tokens it may exchange',
      hint: 'Client IDs, one a line (RFC 8693). Empty: it may not exchange any.',
    },
    mayAct: {
      label: 'Who may act with its tokens',
      hint: 'The client ID of the one client that may act for the people its tokens are about (may_act).',
    },
  },
  secret: {
    label: 'Client secret',
    shown: 'The client secret',
    rotate: 'Rotate the secret',
    title: 'A new secret for “{name}”',
    lead: 'The new secret works at once. The one used until now keeps working for a while, so that the app can be changed over without a gap. Older ones stop now.',
    overlap: 'The present secret keeps working for',
    overlapHint: 'Long enough to bring the new one everywhere the app runs.',
    overlaps: {
      none: 'no time: it stops now',
      hour: 'an hour',
      day: 'a day',
      week: 'a week',
      month: '30 days',
    },
    noOverlap:
      'Whatever still uses the present secret fails from the moment you press the button. That is right when somebody else may have it.',
  },
  availability: {
    disable: 'Disable',
    enable: 'Enable',
    delete: 'Delete for good',
    disableTitle: 'Disable “{name}”?',
    enableTitle: 'Enable “{name}”?',
    deleteTitle: 'Delete “{name}”?',
    ends: 'At once everything ends that was issued to it: access tokens, refresh tokens, and what people allowed it.',
    endsOf:
      'At once everything ends that was issued to it: access tokens, refresh tokens, and what people allowed it. {count, plural, =0 {Nobody is signed in to it right now.} one {# person’s grant holds right now.} other {# people’s grants hold right now.}}',
    disableLead:
      'The registration stays, and the app can be enabled again. What was issued to it before stays worthless then.',
    enableLead:
      'It may sign people in and get tokens again. What was issued to it before it was disabled stays worthless: people sign in anew.',
    deleteLead:
      'The registration is forgotten. An app with the same settings would be another one, with another client ID.',
    typeName: 'Type its name to confirm: {name}',
    wrongName: 'That isn’t its name.',
  },
  connect: {
    values: 'Values to enter in the app',
    valuesLead:
      'Most software needs the issuer, the client ID and the client secret, and finds the rest by itself.',
    issuer: 'Issuer',
    clientId: 'Client ID',
    clientSecret: 'Client secret',
    noSecret: 'none: the app is public',
    ownKey: 'none: it signs assertions with a key of its own',
    secretElsewhere: 'was shown once when it was made; rotate it to get a new one',
    redirectUri: 'Redirect URI',
    discovery: 'Discovery document',
    endpoints: 'All endpoints',
    snippets: 'Ready to paste',
    framework: 'Framework',
    secretInEnvironment: 'The secret is taken from the environment: it doesn’t belong in the code.',
    notes: {
      secretPost:
        'This framework sends the secret in the body. Set “Authentication to the token endpoint” to client_secret_post, or it is refused.',
      secretBasic:
        'This framework sends the secret in the Authorization header. Set “Authentication to the token endpoint” to client_secret_basic, or it is refused.',
      redirect:
        'This framework has a redirect URI of its own form, and none like it is registered. Register the one in the snippet, with your host.',
      pkceBean:
        'The server requires PKCE. Spring Security before 7 uses it for confidential apps only when told to, as the second part does.',
      loopback:
        'A program on a person’s machine best uses a loopback redirect URI. Register http://127.0.0.1/callback; the port may then be any.',
      discovery:
        'MCP clients find the authorization server by themselves. They need the client ID, unless they register themselves with an initial access token.',
    },
  },
  test: {
    title: 'Try the sign-in',
    lead: 'Opens the authorization request in a new window, as the app would. You see what people see: the sign-in, and the question whether the app may have access.',
    after:
      'At the end the app gets an answer that it didn’t ask for, and says so: that is right. Its address then has “code” and “state”, or “error” with the reason.',
    redirectUri: 'Redirect URI',
    ask: 'Sign-in',
    prompts: {
      usual: 'as the app would: you may be signed in already',
      login: 'ask for the sign-in in any case',
      consent: 'ask for access in any case',
    },
    open: 'Open the sign-in',
    obstacles: {
      disabled: 'The app is disabled, so every request for it is refused.',
      noRedirect: 'The app has no redirect URI, so there is nowhere to go after signing in.',
      pushed: 'The app must push its requests with its own authentication, so nobody else can make one.',
      signed: 'The app must sign its requests with its own key, so nobody else can make one.',
    },
  },
  people: {
    title: 'Who uses it',
    count:
      '{count, plural, =0 {Nobody has} one {# grant that holds: somebody has} other {# grants that hold: people have}} allowed it to act for them',
    empty: 'Nobody uses it right now',
    emptyHint: 'A grant is made when somebody signs in to the app, and ends with it, or when it expires.',
    person: 'Person',
    scopes: 'Scopes',
    since: 'Since',
    until: 'Until',
    actions: 'Action',
    unknown: 'unknown',
    revoke: 'Take back',
    revokeTitle: 'Take back this grant?',
    revokeLead:
      'What {person} allowed {app} ends at once, with every token that rests on it. They can allow it again.',
  },
  history: {
    through: 'Done through it',
    throughHint: 'What the security log has of sign-ins and changes that came through this app.',
    changes: 'Done to it',
    empty: 'Nothing in the log',
    action: 'What',
    person: 'Person',
    actor: 'By',
    address: 'Address',
    at: 'When',
  },
  wizard: {
    title: 'Register an application',
    step: 'Step {now} of 3: {name}',
    steps: { kind: 'what kind it is', needs: 'what it needs', values: 'the values to enter in it' },
    which:
      'What kind of application is it? That decides how it signs people in, and whether it can keep a secret.',
    submit: 'Register',
    otherKind: 'Another kind',
    done: '“{name}” is registered',
    another: 'Register another one',
    open: 'To the application',
    ready: 'It can be used right away. Enter these values in the app.',
    redirect: {
      web: 'Where answers may go, one a line: https, or http on localhost while it is developed. Compared byte for byte.',
      native:
        'One a line: http://127.0.0.1/callback for programs that open a browser (any port is right then), a claimed https address, or a scheme of its own such as com.example.app:/callback.',
    },
    mcpResources:
      'The MCP servers its tokens are for, one a line: the address of each as its own metadata has it.',
    machineScopes:
      'What it may do in the tenant’s API, within your own scopes. None, for a resource of another’s.',
    method: 'The server takes this way and no other.',
    methods: {
      CLIENT_SECRET: 'Secret in the header or in the body (default)',
      CLIENT_SECRET_BASIC: 'client_secret_basic: secret in the Authorization header (most software)',
      CLIENT_SECRET_POST: 'client_secret_post: secret in the body (ASP.NET Core)',
      PRIVATE_KEY_JWT: 'private_key_jwt: signs with a key of its own; there is no secret',
    },
    own: 'It is the organisation’s own: don’t ask people before it gets access',
    ownHint: 'Only for apps that everybody trusts: what it may ask for, it gets.',
  },
};
