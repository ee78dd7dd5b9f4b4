import type { Words } from '../en/index.ts';

export const applications: Words['applications'] = {
  title: 'Apps',
  one: 'App',
  count: '{count, plural, =0 {keine Apps} one {# App} other {# Apps}}',
  register: 'App registrieren',
  search: 'Name enthält',
  empty: 'Noch keine Apps',
  emptyHint:
    'Registrieren Sie Ihre erste App. Wählen Sie den Typ und übernehmen Sie dann die Werte und den Codeausschnitt in die App.',
  emptySearch: 'Keine passenden Apps',
  emptySearchHint: 'Ändern Sie den Suchtext oder einen Filter.',
  gone: 'App nicht gefunden',
  goneHint: 'Vielleicht wurde sie gelöscht.',
  columns: { name: 'Name', kind: 'Typ', owner: 'Eigentümer', state: 'Status', created: 'Registriert' },
  filters: {
    all: 'Alle',
    grant: 'Grant-Typ',
    type: 'Client-Typ',
    state: 'Status',
    owner: 'Eigentümer',
    mine: 'Ich',
    owned: 'Mit Eigentümer',
    nobody: 'Ohne Eigentümer',
    named: 'Bestimmter Eigentümer',
  },
  types: { CONFIDENTIAL: 'vertraulich', PUBLIC: 'öffentlich' },
  states: { enabled: 'aktiv', disabled: 'deaktiviert' },
  clientId: 'Client-ID',
  registered: 'Registriert',
  lastUsed: 'Zuletzt verwendet',
  neverUsed: 'noch nicht erfasst',
  edit: 'Bearbeiten',
  editGroup: 'Bearbeiten: {group}',
  any: 'beliebig',
  agent: 'Agent',
  agentLifetime: 'Maximale Lebensdauer der Tokens eines Agenten in Sekunden',
  agentLifetimeHint: 'Von 30 bis 3600. Standard: 300.',
  agentHint:
    'Die App wird als Handelnder genannt und erhält kurzlebige Tokens; Benutzer können ihren Zugriff beenden.',
  impersonation: 'Identitätswechsel erlaubt (Impersonation)',
  impersonationHint:
    'Ohne Identitätswechsel nennt das neue Token auch den Client, der für den Benutzer handelt.',
  subjectType: 'Benutzerkennungen',
  subjectTypes: { PUBLIC: 'für alle Apps gleich (public)', PAIRWISE: 'nur für diese App (pairwise)' },
  tabs: {
    label: 'Bereiche der App',
    registration: 'Registrierung',
    claims: 'Claims',
    connect: 'Anbinden',
    people: 'Benutzer',
    history: 'Verlauf',
  },
  kinds: {
    WEB: {
      title: 'Web-App',
      what: 'Läuft auf einem Server und wird im Browser verwendet.',
      how: 'Vertraulich: Code-Flow mit PKCE und Client-Secret oder eigenem Schlüssel.',
    },
    SINGLE_PAGE: {
      title: 'Single-Page-App',
      what: 'Läuft im Browser, ohne Server, der ein Secret schützen kann.',
      how: 'Öffentlich: Code-Flow mit PKCE, kein Secret.',
    },
    NATIVE: {
      title: 'Native App',
      what: 'Wird auf einem Gerät installiert: mobile App, Desktop-App oder Befehlszeilentool.',
      how: 'Öffentlich: Code-Flow mit PKCE, kein Secret. Eine Loopback-Redirect-URI kann jeden Port verwenden.',
    },
    MACHINE: {
      title: 'Maschine',
      what: 'Ein Dienst oder Job, der in eigenem Namen handelt, ohne Anmeldung eines Benutzers.',
      how: 'Vertraulich: Client Credentials.',
    },
    DEVICE: {
      title: 'Gerät',
      what: 'Hat keinen Browser oder keine Tastatur: Fernseher, Drucker oder entferntes Terminal.',
      how: 'Öffentlich: Benutzer geben einen Code auf einem anderen Gerät ein.',
    },
    MCP: {
      title: 'MCP-Client',
      what: 'Ein Client des Model Context Protocol.',
      how: 'Öffentlich: Ihre Tokens gelten nur für die MCP-Server, die Sie angeben.',
    },
  },
  grants: {
    authorization_code: 'authorization_code: Benutzer melden sich im Browser an',
    refresh_token: 'refresh_token: Zugriff ohne erneute Anmeldung',
    client_credentials: 'client_credentials: Die App handelt in eigenem Namen',
    device_code: 'device_code: Benutzer melden sich auf einem anderen Gerät an',
    token_exchange: 'token-exchange: tauscht Tokens anderer Clients',
    jwt_bearer: 'jwt-bearer: legt Assertions vertrauenswürdiger Issuer vor',
  },
  groups: {
    presentation: 'Branding',
    signIn: 'An- und Abmeldung',
    access: 'Zugriff',
    authentication: 'Client-Authentifizierung',
    security: 'Sicherheitsanforderungen',
    tokens: 'Tokens',
    delegation: 'Delegierung',
  },
  members: {
    name: { label: 'Name', hint: 'Wird auf den Anmelde- und Zustimmungsseiten angezeigt.' },
    clientUri: { label: 'Startseite', hint: 'Die URL der Website der App.' },
    logoUri: {
      label: 'Logo',
      hint: 'Die URL eines Bilds. Der Server speichert eine Kopie und zeigt sie auf den Anmelde- und Zustimmungsseiten an.',
    },
    policyUri: { label: 'Datenschutzerklärung', hint: 'Wird auf der Zustimmungsseite verlinkt.' },
    tosUri: { label: 'Nutzungsbedingungen', hint: 'Werden auf der Zustimmungsseite verlinkt.' },
    redirectUris: {
      label: 'Redirect-URIs',
      hint: 'Wohin der Server Autorisierungsantworten sendet, eine pro Zeile. Die Übereinstimmung muss exakt sein.',
    },
    postLogoutRedirectUris: {
      label: 'Redirect-URIs nach der Abmeldung',
      hint: 'Wohin Benutzer nach der Abmeldung weitergeleitet werden können, eine pro Zeile.',
    },
    applicationType: {
      label: 'App-Typ',
      hint: 'Bestimmt, welche Redirect-URIs gültig sind. Verwenden Sie „native“ für installierte Apps.',
    },
    requireConsent: {
      label: 'Zustimmung der Benutzer verlangen',
      hint: 'Für eigene Apps Ihrer Organisation nicht erforderlich.',
    },
    defaultMaxAge: {
      label: 'Maximale Zeit seit der Anmeldung',
      hint: 'In Sekunden, für Anfragen ohne max_age (default_max_age). Leer: kein Limit.',
    },
    requireAuthTime: {
      label: 'Anmeldezeitpunkt in ID-Tokens verlangen',
      hint: 'ID-Tokens enthalten auth_time immer, wenn sich der Benutzer angemeldet hat.',
    },
    backchannelLogoutUri: {
      label: 'Back-Channel-Logout-URI',
      hint: 'Erhält ein Logout-Token, wenn eine Sitzung endet, in der die App Tokens erhalten hat. Leer: Es wird keines gesendet.',
    },
    backchannelLogoutSessionRequired: {
      label: 'Sitzung in Logout-Tokens angeben',
      hint: 'Ergänzt den Claim sub des Benutzers um den Claim sid.',
    },
    grantTypes: { label: 'Grant-Typen', hint: 'Wie die App Tokens erhalten kann.' },
    scopes: {
      label: 'Scopes',
      hint: 'Die Scopes, die die App anfordern kann. API-Scopes sind zusätzlich durch die Rollen des Benutzers begrenzt.',
    },
    ownScopes: {
      label: 'Eigene API-Scopes',
      hint: 'Scopes Ihrer APIs, die die App für sich selbst anfordern kann, ohne Benutzer (client_credentials).',
    },
    resources: {
      label: 'Ressourcen',
      hint: 'Ressourcen (RFC 8707), für die die App neben der API des Mandanten Tokens anfordern kann. Eine pro Zeile.',
    },
    protectedResources: {
      label: 'Geschützte Ressourcen',
      hint: 'Ressourcen, die die App bereitstellt, eine pro Zeile. Sie kann deren Tokens introspizieren. urn:ostiary:tenant-api steht für die API des Mandanten.',
    },
    tokenEndpointAuthMethod: {
      label: 'Authentifizierung am Token-Endpunkt',
      hint: 'Ein Wechsel zwischen öffentlich und vertraulich widerruft alle Tokens. Ein Verfahren mit einer anderen Art von Secret stellt ein neues Secret aus.',
    },
    tokenEndpointAuthSigningAlg: {
      label: 'Signaturalgorithmus der Assertions',
      hint: 'Mit einem anderen Algorithmus signierte Assertions werden abgelehnt.',
    },
    jwksUri: {
      label: 'URL der öffentlichen Schlüssel',
      hint: 'Die URL des JSON Web Key Set der App (jwks_uri).',
    },
    jwks: { label: 'Öffentliche Schlüssel', hint: 'Ein JSON Web Key Set (RFC 7517), statt einer URL.' },
    profile: { label: 'Sicherheitsprofil', hint: 'fapi2 erzwingt das FAPI 2.0 Security Profile.' },
    codeProtection: {
      label: 'Schutz der Autorisierungscodes',
      hint: 'Bindet einen Code an den Browser, der ihn angefordert hat. Verwenden Sie PKCE, außer eine vertrauliche OpenID-App unterstützt es nicht.',
    },
    dpopBoundAccessTokens: {
      label: 'DPoP-gebundene Zugriffstokens verlangen',
      hint: 'Ein gestohlenes Token ist ohne den Schlüssel der App nicht verwendbar (RFC 9449).',
    },
    requirePushedAuthorizationRequests: {
      label: 'Pushed Authorization Requests verlangen',
      hint: 'Anfragen lassen sich im Browser nicht verändern (RFC 9126).',
    },
    requireSignedRequestObject: {
      label: 'Signierte Authorization Requests verlangen',
      hint: 'Erfordert die öffentlichen Schlüssel der App (RFC 9101).',
    },
    requestObjectSigningAlg: {
      label: 'Signaturalgorithmus der Request Objects',
      hint: 'Mit „none“ kann die App Request Objects ohne Signatur senden.',
    },
    requestUris: {
      label: 'URLs der Request Objects',
      hint: 'URLs, von denen der Server Request Objects abrufen kann (request_uri), eine pro Zeile.',
    },
    idTokenSignedResponseAlg: {
      label: 'Signaturalgorithmus der ID-Tokens',
      hint: 'Verwenden Sie RS256, sofern die App keinen anderen Algorithmus verlangt.',
    },
    userinfoSignedResponseAlg: {
      label: 'Signaturalgorithmus der UserInfo-Antworten',
      hint: 'Mit „beliebig“ sind die Antworten einfaches JSON ohne Signatur.',
    },
    introspectionSignedResponseAlg: {
      label: 'Signaturalgorithmus der Introspection-Antworten',
      hint: 'Wird verwendet, wenn die App eine signierte Antwort anfordert (RFC 9701).',
    },
    profileClaimsInIdToken: {
      label: 'Claims der Scopes in ID-Tokens aufnehmen',
      hint: 'Für Apps, die UserInfo nicht aufrufen.',
    },
    sectorIdentifierUri: {
      label: 'Sector-Identifier-URI',
      hint: 'Nennt die Redirect-URIs aller Apps, die sich Benutzerkennungen teilen. Ein neuer Host ändert die Kennungen aller Benutzer.',
    },
    tokenExchange: {
      label: 'Token-Austausch',
      hint: 'Client-IDs, deren Tokens die App tauschen kann, eine pro Zeile (RFC 8693). Leer: keine.',
    },
    mayAct: {
      label: 'Berechtigter Akteur',
      hint: 'Client-ID des Clients, der mit den Tokens dieser App für Benutzer handeln kann (may_act).',
    },
  },
  secret: {
    label: 'Client-Secret',
    shown: 'Client-Secret',
    rotate: 'Secret rotieren',
    title: 'Secret von „{name}“ rotieren?',
    lead: 'Das neue Secret gilt sofort. Das aktuelle Secret gilt noch eine begrenzte Zeit, damit Sie die App ohne Unterbrechung umstellen können. Ältere Secrets werden jetzt ungültig.',
    overlap: 'Das aktuelle Secret gilt noch',
    overlapHint: 'Planen Sie genug Zeit ein, um das Secret überall dort zu ersetzen, wo die App läuft.',
    overlaps: {
      none: '0 Minuten (endet sofort)',
      hour: '1 Stunde',
      day: '1 Tag',
      week: '1 Woche',
      month: '30 Tage',
    },
    noOverlap:
      'Anfragen mit dem aktuellen Secret schlagen sofort fehl. Wählen Sie dies, wenn das Secret kompromittiert sein könnte.',
  },
  availability: {
    disable: 'Deaktivieren',
    enable: 'Aktivieren',
    delete: 'Löschen',
    disableTitle: '„{name}“ deaktivieren?',
    enableTitle: '„{name}“ aktivieren?',
    deleteTitle: '„{name}“ löschen?',
    ends: 'Alle Zugriffstokens, Aktualisierungstokens und Grants von Benutzern dieser App werden sofort widerrufen.',
    endsOf:
      'Alle Zugriffstokens, Aktualisierungstokens und Grants von Benutzern dieser App werden sofort widerrufen. {count, plural, =0 {Die App hat keine aktiven Grants.} one {Die App hat # aktiven Grant.} other {Die App hat # aktive Grants.}}',
    disableLead:
      'Die Registrierung bleibt erhalten, und Sie können die App später wieder aktivieren. Widerrufene Tokens und Grants werden nicht wiederhergestellt.',
    enableLead:
      'Die App kann wieder Benutzer anmelden und Tokens erhalten. Widerrufene Tokens werden nicht wiederhergestellt: Benutzer müssen sich erneut anmelden.',
    deleteLead:
      'Die Registrierung wird endgültig gelöscht. Wenn Sie die App erneut registrieren, erhält sie eine neue Client-ID.',
    typeName: 'Geben Sie zur Bestätigung den Namen der App ein: {name}',
    wrongName: 'Der Name stimmt nicht überein.',
  },
  connect: {
    values: 'Konfigurationswerte für die App',
    valuesLead:
      'Die meisten Apps benötigen Issuer, Client-ID und Client-Secret und ermitteln die übrigen Werte automatisch.',
    issuer: 'Issuer',
    clientId: 'Client-ID',
    clientSecret: 'Client-Secret',
    noSecret: 'keines: Dies ist eine öffentliche App',
    ownKey: 'keines: Die App signiert Assertions mit ihrem eigenen Schlüssel',
    secretElsewhere: 'nur bei der Erstellung angezeigt; rotieren Sie es, um ein neues zu erhalten',
    redirectUri: 'Redirect-URI',
    discovery: 'Discovery-Dokument',
    endpoints: 'Alle Endpunkte',
    snippets: 'Codeausschnitte',
    framework: 'Framework',
    secretInEnvironment:
      'Der Codeausschnitt liest das Secret aus einer Umgebungsvariablen. Speichern Sie es nicht im Code.',
    notes: {
      secretPost:
        'Dieses Framework sendet das Secret im Body. Setzen Sie „Authentifizierung am Token-Endpunkt“ auf client_secret_post; sonst werden Anfragen abgelehnt.',
      secretBasic:
        'Dieses Framework sendet das Secret im Authorization-Header. Setzen Sie „Authentifizierung am Token-Endpunkt“ auf client_secret_basic; sonst werden Anfragen abgelehnt.',
      redirect:
        'Dieses Framework verwendet einen festen Redirect-Pfad, der nicht registriert ist. Registrieren Sie die URI aus dem Codeausschnitt mit Ihrem Host.',
      pkceBean:
        'Der Server verlangt PKCE. Vor Version 7 aktiviert Spring Security PKCE für vertrauliche Apps nur mit dem zweiten Teil des Codeausschnitts.',
      loopback:
        'Verwenden Sie für Programme auf dem Computer eines Benutzers eine Loopback-Redirect-URI. Wenn Sie http://127.0.0.1/callback registrieren, funktioniert jeder Port.',
      discovery:
        'MCP-Clients ermitteln den Autorisierungsserver automatisch. Sie benötigen die Client-ID, sofern sie sich nicht mit einem Initial-Access-Token registrieren.',
    },
  },
  test: {
    title: 'Anmeldung testen',
    lead: 'Öffnet den Authorization Request dieser App in einem neuen Fenster. Sie sehen dieselben Anmelde- und Zustimmungsseiten wie Ihre Benutzer.',
    after:
      'Am Ende meldet die App einen Fehler, weil sie die Anfrage nicht gestartet hat. Das ist normal. Die URL enthält bei Erfolg „code“ und „state“, sonst „error“ und den Grund.',
    redirectUri: 'Redirect-URI',
    ask: 'Anmeldung',
    prompts: {
      usual: 'Standard: kann Ihre bestehende Sitzung verwenden',
      login: 'immer zur Anmeldung auffordern',
      consent: 'immer nach der Zustimmung fragen',
    },
    open: 'Anmeldung öffnen',
    obstacles: {
      disabled: 'Die App ist deaktiviert, deshalb werden ihre Anfragen abgelehnt. Aktivieren Sie sie zuerst.',
      noRedirect: 'Die App hat keine Redirect-URI. Fügen Sie zuerst eine hinzu.',
      pushed:
        'Die App muss ihre Anfragen mit eigenen Anmeldedaten pushen, deshalb kann die Konsole sie nicht testen.',
      signed:
        'Die App muss ihre Anfragen mit ihrem eigenen Schlüssel signieren, deshalb kann die Konsole sie nicht testen.',
    },
  },
  people: {
    title: 'Benutzer',
    count: '{count, plural, =0 {Keine aktiven Grants} one {# aktiver Grant} other {# aktive Grants}}',
    empty: 'Keine aktiven Benutzer',
    emptyHint:
      'Ein Grant entsteht, wenn sich ein Benutzer bei der App anmeldet. Er endet mit der Sitzung oder mit seinem Ablauf.',
    person: 'Benutzer',
    scopes: 'Scopes',
    since: 'Erteilt',
    until: 'Läuft ab',
    actions: 'Aktion',
    unknown: 'unbekannt',
    revoke: 'Widerrufen',
    revokeTitle: 'Diesen Grant widerrufen?',
    revokeLead:
      '{app} verliert sofort den Zugriff auf das Konto von {person}, und alle Tokens dieses Grants werden widerrufen. Der Benutzer kann den Zugriff erneut erlauben.',
  },
  history: {
    through: 'Aktivität über diese App',
    throughHint: 'Anmeldungen und Änderungen über diese App, aus dem Sicherheitsprotokoll.',
    changes: 'Änderungen an dieser App',
    empty: 'Keine Protokolleinträge',
    action: 'Aktion',
    person: 'Benutzer',
    actor: 'Von',
    address: 'IP-Adresse',
    at: 'Zeit',
  },
  wizard: {
    title: 'App registrieren',
    step: 'Schritt {now} von 3: {name}',
    steps: { kind: 'Typ', needs: 'Einstellungen', values: 'Konfigurationswerte' },
    which:
      'Wählen Sie den Typ der App. Er bestimmt, wie sich Benutzer anmelden und ob die App ein Secret schützen kann.',
    submit: 'Registrieren',
    otherKind: 'Typ ändern',
    done: '„{name}“ ist registriert',
    another: 'Weitere App registrieren',
    open: 'App anzeigen',
    ready: 'Die App ist einsatzbereit. Tragen Sie diese Werte in ihrer Konfiguration ein.',
    redirect: {
      web: 'Wohin der Server Autorisierungsantworten sendet, eine pro Zeile. Verwenden Sie https, oder http auf localhost für die Entwicklung. Die Übereinstimmung muss exakt sein.',
      native:
        'Eine pro Zeile: http://127.0.0.1/callback für Apps, die einen Browser öffnen (jeder Port funktioniert), eine beanspruchte https-URL oder ein privates Schema wie com.example.app:/callback.',
    },
    mcpResources:
      'URLs der MCP-Server, für die die App Tokens anfordern kann, eine pro Zeile. Verwenden Sie die Ressourcen-URL aus den Metadaten des jeweiligen Servers.',
    machineScopes:
      'Der Zugriff der App auf die API des Mandanten, innerhalb Ihrer eigenen Scopes. Wählen Sie keinen, wenn die App nur andere Ressourcen verwendet.',
    method: 'Der Server akzeptiert nur das ausgewählte Verfahren.',
    methods: {
      CLIENT_SECRET: 'Secret im Header oder Body (Standard)',
      CLIENT_SECRET_BASIC: 'client_secret_basic: Secret im Authorization-Header (die meisten Frameworks)',
      CLIENT_SECRET_POST: 'client_secret_post: Secret im Body (ASP.NET Core)',
      PRIVATE_KEY_JWT: 'private_key_jwt: Die App signiert mit ihrem eigenen Schlüssel, ohne Secret',
    },
    own: 'App Ihrer Organisation: keine Zustimmung der Benutzer verlangen',
    ownHint:
      'Nur für vertrauenswürdige Apps: Die App erhält jeden Scope, den sie anfordert und anfordern darf.',
  },
};
