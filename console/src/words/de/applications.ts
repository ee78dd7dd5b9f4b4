import type { Words } from '../en/index.ts';

export const applications: Words['applications'] = {
  title: 'Anwendungen',
  one: 'Anwendung',
  count: '{count, plural, =0 {keine Anwendung} one {# Anwendung} other {# Anwendungen}}',
  register: 'Anwendung registrieren',
  search: 'Name enthält',
  empty: 'Noch keine Anwendungen',
  emptyHint:
    'Registrieren Sie die erste: Sie wählen ihre Art und erhalten die Werte und einen Codeausschnitt zum Einfügen.',
  emptySearch: 'Keine Anwendung passt',
  emptySearchHint: 'Ändern Sie die Suche oder einen der Filter.',
  gone: 'Diese Anwendung gibt es nicht',
  goneHint: 'Vielleicht wurde sie gelöscht.',
  columns: { name: 'Name', kind: 'Art', owner: 'Eigentümer', state: 'Zustand', created: 'Registriert' },
  filters: {
    all: 'Alle',
    grant: 'Grant',
    type: 'Secret',
    state: 'Zustand',
    owner: 'Eigentümer',
    mine: 'Meine',
    owned: 'Mit Eigentümer',
    nobody: 'Ohne Eigentümer',
    named: 'Ein bestimmter Eigentümer',
  },
  types: { CONFIDENTIAL: 'vertraulich', PUBLIC: 'öffentlich' },
  states: { enabled: 'aktiv', disabled: 'deaktiviert' },
  clientId: 'Client-ID',
  registered: 'Registriert',
  edit: 'Bearbeiten',
  editGroup: 'Bearbeiten: {group}',
  any: 'beliebig',
  impersonation: 'als die Person selbst (Impersonation)',
  impersonationHint: 'Sonst sagt das neue Token, wer für wen handelt.',
  subjectType: 'Kennungen von Personen',
  subjectTypes: { PUBLIC: 'für alle Apps gleich (public)', PAIRWISE: 'eigene (pairwise)' },
  tabs: {
    label: 'Teile der Anwendung',
    registration: 'Registrierung',
    connect: 'Anbinden',
    people: 'Wer sie nutzt',
    history: 'Verlauf',
  },
  kinds: {
    WEB: {
      title: 'Web-App',
      what: 'Läuft auf einem Server; Personen nutzen sie im Browser.',
      how: 'Vertraulich: Code-Flow mit PKCE und Client-Secret oder eigenem Schlüssel.',
    },
    SINGLE_PAGE: {
      title: 'Single-Page-App',
      what: 'Läuft im Browser, ohne Server, der ein Secret hüten könnte.',
      how: 'Öffentlich: Code-Flow mit PKCE, kein Secret.',
    },
    NATIVE: {
      title: 'Native App',
      what: 'Ist installiert: auf dem Telefon, auf dem Desktop, auf der Kommandozeile.',
      how: 'Öffentlich: Code-Flow mit PKCE, kein Secret. Jeder Port einer Loopback-Redirect-URI.',
    },
    MACHINE: {
      title: 'Maschine',
      what: 'Ein Dienst oder Job, der für sich selbst handelt; niemand meldet sich an.',
      how: 'Vertraulich: Client Credentials.',
    },
    DEVICE: {
      title: 'Gerät',
      what: 'Hat keinen Browser oder keine Tastatur: Fernseher, Drucker, entferntes Terminal.',
      how: 'Öffentlich: Ein Code wird auf einem anderen Gerät eingegeben.',
    },
    MCP: {
      title: 'MCP-Client',
      what: 'Ein Client des Model Context Protocol.',
      how: 'Öffentlich: Seine Tokens gelten für die genannten MCP-Server und für nichts sonst.',
    },
  },
  grants: {
    authorization_code: 'authorization_code: Anmeldung im Browser',
    refresh_token: 'refresh_token: bleibt verbunden',
    client_credentials: 'client_credentials: handelt für sich selbst',
    device_code: 'device_code: Anmeldung auf einem anderen Gerät',
    token_exchange: 'token-exchange: tauscht Tokens anderer',
    jwt_bearer: 'jwt-bearer: legt Assertions vertrauenswürdiger Issuer vor',
  },
  groups: {
    presentation: 'Was Personen sehen',
    signIn: 'An- und Abmelden',
    access: 'Was sie darf',
    authentication: 'Wie sie sich authentifiziert',
    security: 'Woran sie gebunden ist',
    tokens: 'Tokens',
    delegation: 'Handeln für Personen',
  },
  members: {
    name: { label: 'Name', hint: 'Was Personen sehen, wo sie sich anmelden und gefragt werden.' },
    clientUri: { label: 'Startseite', hint: 'Eine Webadresse.' },
    logoUri: {
      label: 'Logo',
      hint: 'Der Server ruft es ab und bewahrt es auf; es erscheint, wo Personen sich anmelden und gefragt werden.',
    },
    policyUri: { label: 'Datenschutzerklärung', hint: 'Verlinkt, wo Personen gefragt werden.' },
    tosUri: { label: 'Nutzungsbedingungen', hint: 'Verlinkt, wo Personen gefragt werden.' },
    redirectUris: {
      label: 'Redirect-URIs',
      hint: 'Wohin Antworten gehen dürfen, eine pro Zeile. Verglichen wird Byte für Byte.',
    },
    postLogoutRedirectUris: {
      label: 'Redirect-URIs nach dem Abmelden',
      hint: 'Wohin es nach dem Abmelden gehen darf, eine pro Zeile.',
    },
    applicationType: {
      label: 'Anwendungstyp',
      hint: 'Wo sie läuft, und damit, welche Redirect-URIs sie haben darf: native für installierte Programme.',
    },
    requireConsent: {
      label: 'Personen fragen, bevor sie Zugriff erhält',
      hint: 'Bei eigenen Apps der Organisation nicht nötig.',
    },
    defaultMaxAge: {
      label: 'Längste Zeit seit der Anmeldung',
      hint: 'In Sekunden, wenn eine Anfrage nichts sagt (default_max_age). Leer: beliebig.',
    },
    requireAuthTime: {
      label: 'ID-Tokens müssen den Zeitpunkt der Anmeldung nennen',
      hint: 'Das tun sie immer, wenn es eine Anmeldung gab.',
    },
    backchannelLogoutUri: {
      label: 'Back-Channel-Logout-URI',
      hint: 'Wo sie erfährt, dass eine Sitzung geendet hat, in der sie Tokens erhielt. Leer: Sie erfährt es nicht.',
    },
    backchannelLogoutSessionRequired: {
      label: 'Logout-Tokens nennen immer die Sitzung',
      hint: 'Und nicht nur die Person.',
    },
    grantTypes: { label: 'Grants', hint: 'Auf welchen Wegen sie Tokens erhalten darf.' },
    scopes: {
      label: 'Scopes',
      hint: 'Das Höchste, worum sie bitten darf. Von der API gibt eine Person nie mehr, als ihre Rollen haben.',
    },
    resources: {
      label: 'Ressourcen',
      hint: 'Für welche Ressourcen (RFC 8707) sie außer der API des Mandanten Tokens erbitten darf, eine pro Zeile.',
    },
    protectedResources: {
      label: 'Ressourcen, die sie bedient',
      hint: 'Tokens für diese Ressourcen darf sie introspizieren, eine pro Zeile. urn:ostiary:tenant-api steht für die API des Mandanten selbst.',
    },
    tokenEndpointAuthMethod: {
      label: 'Authentifizierung am Token-Endpunkt',
      hint: 'Wird sie öffentlich oder hört auf, es zu sein, endet alles Ausgestellte. Ein Verfahren mit anderer Art von Secret bekommt ein neues.',
    },
    tokenEndpointAuthSigningAlg: {
      label: 'Algorithmus ihrer Assertions',
      hint: 'Der einzige, mit dem ihre Assertions signiert sein dürfen.',
    },
    jwksUri: {
      label: 'Adresse ihrer öffentlichen Schlüssel',
      hint: 'Wo sie ihr JSON Web Key Set veröffentlicht (jwks_uri).',
    },
    jwks: { label: 'Öffentliche Schlüssel', hint: 'Ein JSON Web Key Set (RFC 7517), statt einer Adresse.' },
    profile: { label: 'Sicherheitsprofil', hint: 'fapi2 bindet sie an das FAPI 2.0 Security Profile.' },
    codeProtection: {
      label: 'Schutz der Autorisierungscodes',
      hint: 'Was einen Code an den Browser bindet, für den er ausgestellt wurde. Anderes als PKCE ist nur für vertrauliche OpenID-Anwendungen, die es nicht unterstützen.',
    },
    dpopBoundAccessTokens: {
      label: 'Nur an einen Schlüssel gebundene Tokens (DPoP)',
      hint: 'Wer eines ihrer Tokens stiehlt, kann nichts damit anfangen (RFC 9449).',
    },
    requirePushedAuthorizationRequests: {
      label: 'Nur Pushed Authorization Requests',
      hint: 'Auf dem Weg durch den Browser lässt sich an einer Anfrage nichts ändern (RFC 9126).',
    },
    requireSignedRequestObject: {
      label: 'Nur signierte Authorization Requests',
      hint: 'Braucht ihre öffentlichen Schlüssel (RFC 9101).',
    },
    requestObjectSigningAlg: {
      label: 'Algorithmus ihrer Request Objects',
      hint: 'Mit none darf sie sie unsigniert senden, wie es einfache Anfragen sind.',
    },
    requestUris: {
      label: 'Adressen ihrer Request Objects',
      hint: 'Wo sie abgerufen werden dürfen (request_uri), eine pro Zeile.',
    },
    idTokenSignedResponseAlg: {
      label: 'Signatur der ID-Tokens',
      hint: 'RS256, falls ihre Software nichts anderes verlangt.',
    },
    userinfoSignedResponseAlg: {
      label: 'Signatur der UserInfo-Antworten',
      hint: 'Beliebig: einfaches JSON, nicht signiert.',
    },
    introspectionSignedResponseAlg: {
      label: 'Signatur der Introspection-Antworten',
      hint: 'Für alle, die signierte verlangen (RFC 9701).',
    },
    profileClaimsInIdToken: {
      label: 'ID-Tokens enthalten die Claims ihrer Scopes',
      hint: 'Für Apps, die UserInfo nie abfragen.',
    },
    sectorIdentifierUri: {
      label: 'Sector-Identifier-URI',
      hint: 'Ein Dokument mit den Redirect-URIs aller Apps, die sich ihre Kennungen für Personen teilen. Ein anderer Host bedeutet andere Kennungen für alle.',
    },
    tokenExchange: {
      label: 'Clients, deren Tokens sie tauschen darf',
      hint: 'Client-IDs, eine pro Zeile (RFC 8693). Leer: Sie darf keine tauschen.',
    },
    mayAct: {
      label: 'Wer mit ihren Tokens handeln darf',
      hint: 'Die Client-ID des einen Clients, der für die Personen ihrer Tokens handeln darf (may_act).',
    },
  },
  secret: {
    label: 'Client-Secret',
    shown: 'Das Client-Secret',
    rotate: 'Secret rotieren',
    title: 'Neues Secret für „{name}“',
    lead: 'Das neue Secret gilt sofort. Das bisherige gilt noch eine Zeit lang, damit die App ohne Lücke umgestellt werden kann. Ältere enden jetzt.',
    overlap: 'Das jetzige Secret gilt noch',
    overlapHint: 'Lang genug, um das neue überall hinzubringen, wo die App läuft.',
    overlaps: {
      none: 'gar nicht: Es endet jetzt',
      hour: 'eine Stunde',
      day: 'einen Tag',
      week: 'eine Woche',
      month: '30 Tage',
    },
    noOverlap:
      'Was das jetzige Secret noch verwendet, schlägt ab dem Knopfdruck fehl. Das ist richtig, wenn jemand anderes es haben könnte.',
  },
  availability: {
    disable: 'Deaktivieren',
    enable: 'Aktivieren',
    delete: 'Endgültig löschen',
    disableTitle: '„{name}“ deaktivieren?',
    enableTitle: '„{name}“ aktivieren?',
    deleteTitle: '„{name}“ löschen?',
    ends: 'Sofort endet alles, was für sie ausgestellt war: Access-Tokens, Refresh-Tokens und was Personen ihr erlaubt haben.',
    endsOf:
      'Sofort endet alles, was für sie ausgestellt war: Access-Tokens, Refresh-Tokens und was Personen ihr erlaubt haben. {count, plural, =0 {Zurzeit ist niemand bei ihr angemeldet.} one {Zurzeit gilt der Grant einer Person.} other {Zurzeit gelten die Grants von # Personen.}}',
    disableLead:
      'Die Registrierung bleibt, und die App lässt sich wieder aktivieren. Was vorher für sie ausgestellt wurde, bleibt dann wertlos.',
    enableLead:
      'Sie darf wieder Personen anmelden und Tokens erhalten. Was vor dem Deaktivieren ausgestellt wurde, bleibt wertlos: Personen melden sich neu an.',
    deleteLead:
      'Die Registrierung wird vergessen. Eine App mit denselben Einstellungen wäre eine andere, mit anderer Client-ID.',
    typeName: 'Zur Bestätigung den Namen eingeben: {name}',
    wrongName: 'Das ist nicht ihr Name.',
  },
  connect: {
    values: 'In der App einzutragende Werte',
    valuesLead:
      'Die meiste Software braucht Issuer, Client-ID und Client-Secret und findet den Rest von selbst.',
    issuer: 'Issuer',
    clientId: 'Client-ID',
    clientSecret: 'Client-Secret',
    noSecret: 'keines: Die App ist öffentlich',
    ownKey: 'keines: Sie signiert Assertions mit einem eigenen Schlüssel',
    secretElsewhere: 'wurde bei der Erstellung einmal gezeigt; durch Rotieren entsteht ein neues',
    redirectUri: 'Redirect-URI',
    discovery: 'Discovery-Dokument',
    endpoints: 'Alle Endpunkte',
    snippets: 'Fertig zum Einfügen',
    framework: 'Framework',
    secretInEnvironment: 'Das Secret kommt aus der Umgebung: In den Code gehört es nicht.',
    notes: {
      secretPost:
        'Dieses Framework sendet das Secret im Body. Stellen Sie „Authentifizierung am Token-Endpunkt“ auf client_secret_post, sonst wird es abgewiesen.',
      secretBasic:
        'Dieses Framework sendet das Secret im Authorization-Header. Stellen Sie „Authentifizierung am Token-Endpunkt“ auf client_secret_basic, sonst wird es abgewiesen.',
      redirect:
        'Dieses Framework hat eine Redirect-URI eigener Form, und keine solche ist registriert. Registrieren Sie die aus dem Codeausschnitt, mit Ihrem Host.',
      pkceBean:
        'Der Server verlangt PKCE. Spring Security vor Version 7 verwendet es bei vertraulichen Apps nur auf Anweisung, wie im zweiten Teil.',
      loopback:
        'Ein Programm auf dem Rechner einer Person verwendet am besten eine Loopback-Redirect-URI. Registrieren Sie http://127.0.0.1/callback; der Port ist dann beliebig.',
      discovery:
        'MCP-Clients finden den Authorization-Server von selbst. Sie brauchen die Client-ID, falls sie sich nicht mit einem Initial-Access-Token selbst registrieren.',
    },
  },
  test: {
    title: 'Anmeldung ausprobieren',
    lead: 'Öffnet den Authorization Request in einem neuen Fenster, wie es die App täte. Sie sehen, was Personen sehen: die Anmeldung und die Frage, ob die App Zugriff haben darf.',
    after:
      'Am Ende erhält die App eine Antwort, um die sie nicht gebeten hat, und sagt das auch: So ist es richtig. In der Adresse stehen dann „code“ und „state“, oder „error“ mit dem Grund.',
    redirectUri: 'Redirect-URI',
    ask: 'Anmeldung',
    prompts: {
      usual: 'wie es die App täte: Sie sind vielleicht schon angemeldet',
      login: 'auf jeden Fall nach der Anmeldung fragen',
      consent: 'auf jeden Fall nach dem Zugriff fragen',
    },
    open: 'Anmeldung öffnen',
    obstacles: {
      disabled: 'Die App ist deaktiviert, deshalb wird jede Anfrage für sie abgewiesen.',
      noRedirect: 'Die App hat keine Redirect-URI, nach der Anmeldung führt also kein Weg weiter.',
      pushed:
        'Die App muss ihre Anfragen mit eigener Authentifizierung pushen, deshalb kann niemand sonst eine stellen.',
      signed:
        'Die App muss ihre Anfragen mit eigenem Schlüssel signieren, deshalb kann niemand sonst eine stellen.',
    },
  },
  people: {
    title: 'Wer sie nutzt',
    count:
      '{count, plural, =0 {Niemand hat ihr erlaubt, für sich zu handeln} one {# gültiger Grant: Jemand hat ihr erlaubt, für sich zu handeln} other {# gültige Grants: Personen haben ihr erlaubt, für sie zu handeln}}',
    empty: 'Zurzeit nutzt sie niemand',
    emptyHint:
      'Ein Grant entsteht, wenn sich jemand bei der App anmeldet. Er endet mit der Anmeldung, oder wenn er abläuft.',
    person: 'Person',
    scopes: 'Scopes',
    since: 'Seit',
    until: 'Bis',
    actions: 'Aktion',
    unknown: 'unbekannt',
    revoke: 'Zurücknehmen',
    revokeTitle: 'Diesen Grant zurücknehmen?',
    revokeLead:
      'Was {person} der App {app} erlaubt hat, endet sofort, mit jedem Token, das darauf beruht. Die Person kann es wieder erlauben.',
  },
  history: {
    through: 'Durch sie geschehen',
    throughHint: 'Was das Sicherheitsprotokoll an Anmeldungen und Änderungen über diese App verzeichnet.',
    changes: 'An ihr geschehen',
    empty: 'Nichts im Protokoll',
    action: 'Was',
    person: 'Person',
    actor: 'Von',
    address: 'Adresse',
    at: 'Wann',
  },
  wizard: {
    title: 'Anwendung registrieren',
    step: 'Schritt {now} von 3: {name}',
    steps: { kind: 'welche Art sie ist', needs: 'was sie braucht', values: 'was dort einzutragen ist' },
    which:
      'Welche Art von Anwendung ist es? Davon hängt ab, wie sie Personen anmeldet und ob sie ein Secret hüten kann.',
    submit: 'Registrieren',
    otherKind: 'Andere Art',
    done: '„{name}“ ist registriert',
    another: 'Weitere registrieren',
    open: 'Zur Anwendung',
    ready: 'Sie ist sofort verwendbar. Tragen Sie diese Werte in der App ein.',
    redirect: {
      web: 'Wohin Antworten gehen dürfen, eine pro Zeile: https, oder während der Entwicklung http auf localhost. Verglichen wird Byte für Byte.',
      native:
        'Eine pro Zeile: http://127.0.0.1/callback für Programme, die einen Browser öffnen (dann passt jeder Port), eine beanspruchte https-Adresse oder ein eigenes Schema wie com.example.app:/callback.',
    },
    mcpResources:
      'Die MCP-Server, für die ihre Tokens gelten, einer pro Zeile: jeweils die Adresse aus seinen eigenen Metadaten.',
    machineScopes:
      'Was sie in der API des Mandanten darf, innerhalb Ihrer eigenen Scopes. Keine, wenn sie für eine fremde Ressource ist.',
    method: 'Der Server nimmt nur diesen Weg an.',
    methods: {
      CLIENT_SECRET: 'Secret im Header oder im Body (Standard)',
      CLIENT_SECRET_BASIC: 'client_secret_basic: Secret im Authorization-Header (die meiste Software)',
      CLIENT_SECRET_POST: 'client_secret_post: Secret im Body (ASP.NET Core)',
      PRIVATE_KEY_JWT: 'private_key_jwt: signiert mit eigenem Schlüssel; es gibt kein Secret',
    },
    own: 'Es ist eine eigene App der Organisation: nicht fragen, bevor sie Zugriff erhält',
    ownHint: 'Nur für Apps, denen alle vertrauen: Worum sie bitten darf, das erhält sie.',
  },
};
