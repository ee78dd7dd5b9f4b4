import type { Words } from '../en/index.ts';

export const sources: Words['sources'] = {
  title: 'Identitätsquellen',
  one: 'Identitätsquelle',
  lead: 'Systeme, die die Benutzer und Gruppen dieses Mandanten über SCIM anlegen und aktualisieren.',
  count: '{count, plural, =0 {keine Quellen} one {# Quelle} other {# Quellen}}',
  add: 'Quelle verbinden',
  empty: 'Noch keine Identitätsquellen',
  emptyHint:
    'Verbinden Sie Entra ID, Okta, OneLogin oder einen anderen SCIM-2.0-Client, um Benutzer automatisch bereitzustellen und ihr Offboarding auszulösen.',
  gone: 'Identitätsquelle nicht gefunden',
  goneHint: 'Möglicherweise wurde sie gelöscht. Ihre Benutzer, Gruppen und Protokolle bleiben erhalten.',
  nobody: 'keiner',
  nobodyHint:
    'keiner: Die Quelle bleibt nach jedem Offboarding aktiv, und kein Benutzer und keine Gruppe verwaltet sie',
  created: 'Hinzugefügt',
  noActivity: 'noch keine Anfragen',
  neverUsed: 'Noch keine Anfragen mit ihren Tokens',
  lastRequest: 'Letzte Anfrage',
  columns: {
    name: 'Name',
    state: 'Status',
    profile: 'Profil',
    lastActivity: 'Letzte Aktivität',
    owner: 'Eigentümer',
  },
  states: { ACTIVE: 'aktiv', DISABLED: 'deaktiviert' },
  profiles: {
    AUTO: 'Beliebige Quelle',
    ENTRA: 'Entra ID',
    OKTA: 'Okta',
    ONELOGIN: 'OneLogin',
    RFC: 'Strikt nach RFC',
  },
  tabs: {
    requests: 'Anfragen',
    connection: 'Verbindung',
    rights: 'Berechtigungen',
    attributes: 'Attribute',
    compatibility: 'Kompatibilität',
    changes: 'Änderungen',
  },
  actions: {
    enable: 'Aktivieren',
    disable: 'Deaktivieren',
    disableTitle: '{name} deaktivieren?',
    disableHint:
      'Alle Tokens der Quelle werden ab der nächsten Anfrage abgelehnt. Benutzer und Gruppen werden erst nach dem erneuten Aktivieren wieder aktualisiert. Bereitgestellte Benutzer und Gruppen bleiben erhalten.',
    delete: 'Löschen',
    deleteTitle: '{name} löschen?',
    deleteHint:
      'Alle Tokens der Quelle werden endgültig abgelehnt, und die Quelle kann nicht wiederhergestellt werden. Ihre Benutzer, Gruppen und Protokolle bleiben erhalten, werden aber nicht mehr aktualisiert.',
    transfer: 'Eigentümer wechseln',
    transferTitle: 'Eigentümer von {name} wechseln',
    transferHint:
      'Das Offboarding eines Benutzers deaktiviert die Quellen, die ihm gehören, sofern die Richtlinie des Mandanten sie nicht überträgt. Übertragen Sie Quellen, die bestehen bleiben müssen, einer Gruppe. Tokens ändern sich nicht: Rotieren Sie sie, wenn der bisherige Eigentümer den Zugriff verlieren muss.',
    newOwner: 'Aktiver Benutzer oder Gruppe',
    group: 'Gruppe',
  },
  connection: {
    title: 'Verbindungswerte für die Identitätsquelle',
    address: 'SCIM-Basis-URL',
    method: 'Authentifizierung',
    bearer: 'Bearer-Token (HTTP-Header Authorization)',
    client: 'Authentifiziert sich auch als die App',
    tokens: 'Bearer-Tokens',
    token: 'Bearer-Token',
    noToken: 'Kein aktives Token. Erstellen Sie eines, damit sich die Quelle verbinden kann.',
    tokensUnknown: 'Tokens können derzeit nicht geladen werden. Versuchen Sie es später erneut.',
    rotate: 'Token rotieren',
    made: 'Erstellt am',
    current: 'aktuell',
    previous: 'vorheriges',
    unused: 'nie verwendet',
    lastUsed: 'zuletzt verwendet',
    ends: 'läuft ab',
    revoke: 'Widerrufen',
    revokeTitle: 'Dieses Token widerrufen?',
    revokeHint: 'Das Token wird ab der nächsten Anfrage abgelehnt. Das andere Token bleibt aktiv.',
    revokeLast:
      'Dies ist das einzige Token. Die Quelle kann Benutzer weder bereitstellen noch ihr Offboarding auslösen, bis Sie ein neues erstellen.',
    rotateTitle: 'Token von {name} rotieren?',
    rotateHint:
      'Das neue Token wird nur einmal angezeigt. Das aktuelle Token gilt noch für die gewählte Zeit, damit Sie die Quelle ohne Unterbrechung umstellen können. Ältere Tokens werden sofort ungültig.',
    overlap: 'Das aktuelle Token gilt noch',
    overlaps: {
      '0': '0 Minuten (endet sofort)',
      '3600': '1 Stunde',
      '86400': '1 Tag',
      '604800': '1 Woche',
      '2592000': '30 Tage',
    },
    newToken: 'Neues Token von {name}',
    previousEnded: 'Das vorherige Token funktioniert nicht mehr.',
    previousUntil: 'Das vorherige Token gilt bis {at, date, medium}, {at, time, short}.',
  },
  requests: {
    title: 'SCIM-Anfragen',
    locked:
      'Um Anfragen zu sehen, benötigen Sie eine Rolle mit provisioning:read. Wenden Sie sich an die Administration.',
    failedOnly: 'Nur fehlgeschlagene Anfragen',
    what: 'Anfrage',
    status: 'Antwort',
    detail: 'Grund',
    took: 'Dauer',
    at: 'Zeit',
    ms: '{ms} ms',
    about: 'Ressource',
    requestId: 'Anfrage-ID',
    changes: 'Änderungen',
    changesOf: 'Protokolleinträge dieser Anfrage',
    refused: 'Anfrage abgelehnt.',
    resources: { USER: 'Benutzer', GROUP: 'Gruppe' },
    none: 'Noch keine Anfragen',
    noneHint:
      'Anfragen erscheinen hier innerhalb einer Sekunde. Wenn die Quelle bereits Anfragen gesendet hat, prüfen Sie dort Basis-URL und Token. Anfragen mit unbekanntem Token lassen sich keiner Quelle zuordnen.',
    noneFailed: 'Keine fehlgeschlagenen Anfragen',
    noneFailedHint: 'Fehlgeschlagene Anfragen erscheinen hier innerhalb einer Sekunde, mit dem Grund.',
    advice: {
      uniqueness:
        'Ein anderer Benutzer oder eine andere Gruppe hat diesen Wert bereits. Wenn es derselbe Benutzer ist, gleichen Sie über userName ab oder löschen Sie das Duplikat. Ändern Sie andernfalls den Wert in der Quelle.',
      filter:
        'Der Filter ist kein gültiger SCIM-Filter oder verwendet ein nicht filterbares Attribut. Prüfen Sie das Abgleichsattribut in der Quelle; userName funktioniert immer.',
      syntax:
        'Der Anfragetext ist kein gültiges SCIM. Wählen Sie unter „Kompatibilität“ das Profil dieses Produkts oder „Beliebige Quelle“.',
      path: 'Das Attribut oder der Wert existiert nicht. Korrigieren Sie die Zuordnung in der Quelle, oder definieren Sie das Attribut in einem Erweiterungsschema.',
      value:
        'Ein Wert hat den falschen Typ oder das falsche Format, oder ein Pflichtwert fehlt. Korrigieren Sie die Attributzuordnung in der Quelle.',
      mutability:
        'Die Quelle darf dieses Attribut nicht schreiben, oder es ist schreibgeschützt. Entfernen Sie es aus der Zuordnung in der Quelle, oder erlauben Sie es unter „Attribute“.',
      tooMany: 'Der Filter liefert zu viele Ressourcen. Verwenden Sie in der Quelle einen engeren Filter.',
      unauthorized:
        'Das Token ist ungültig. Geben Sie in der Quelle das aktuelle Token ein, oder rotieren Sie es.',
      forbidden:
        'Die Quelle hat keine Berechtigung. Das Konto ist geschützt, hat eine Rolle oder liegt außerhalb ihrer Berechtigungen. Sehen Sie unter „Berechtigungen“ nach. Administratoren verwalten Sie in der Konsole.',
      missing:
        'Der Benutzer oder die Gruppe existiert hier nicht mehr. Starten Sie die Synchronisierung in der Quelle neu, damit sie erneut abgleicht.',
      conflict:
        'Der Wert oder die ID wird bereits verwendet. Suchen Sie den betreffenden Benutzer oder die Gruppe.',
      version:
        'Die Anfrage verwendete eine veraltete Version (ETag). Quellen versuchen es in der Regel automatisch erneut.',
      large: 'Die Anfrage ist zu groß. Verringern Sie die Batchgröße in der Quelle.',
      limited:
        'Zu viele Anfragen pro Minute. Die Quelle versucht es automatisch erneut. Wenn das Problem anhält, erhöhen Sie das Limit unter „Berechtigungen“.',
      ours: 'Der Dienst war vorübergehend nicht verfügbar. Die Quelle versucht es automatisch erneut. Wenn das Problem anhält, sehen Sie unter „System“ nach.',
      unknown: 'Details finden Sie in der Antwort oben.',
    },
  },
  changes: {
    locked:
      'Um Änderungen zu sehen, benötigen Sie eine Rolle mit audit:read. Wenden Sie sich an die Administration.',
    none: 'Keine Änderungen im Protokoll',
  },
  rights: {
    title: 'Berechtigungen',
    edit: 'Bearbeiten',
    editTitle: 'Berechtigungen von {name}',
    name: 'Name',
    nameHint: 'Wird Administratoren angezeigt.',
    access: 'Zugriff',
    accesses: { READ_WRITE: 'lesen und schreiben', READ_ONLY: 'nur lesen' },
    about: 'Ressourcentypen',
    users: 'Benutzer',
    groups: 'Gruppen',
    protectAdministrators: 'Administratoren schützen',
    protectAdministratorsHint:
      'Die Quelle kann Benutzer mit einer Rolle weder ändern noch löschen; ihr Offboarding erfolgt in der Konsole. Andernfalls kann ein Angreifer, der die Quelle kontrolliert, Administratoren aussperren.',
    vouches: 'E-Mail-Adressen der Quelle als bestätigt behandeln',
    vouchesHint:
      'Wählen Sie dies nur, wenn die Quelle prüft, dass die Adressen den Benutzern gehören. Apps erhalten email_verified.',
    protectedUsers: 'Geschützte Benutzer',
    protectedHint: 'IDs von Benutzern, die die Quelle nicht ändern kann, eine pro Zeile.',
    protectedGroups: 'Geschützte Gruppen',
    protectedGroupsHint:
      'IDs von Gruppen, die die Quelle nicht ändern kann, eine pro Zeile. Auch ihre Mitglieder sind geschützt.',
    limits: {
      requestsPerMinute: 'Anfragen pro Minute',
      pageSize: 'Maximale Seitengröße',
      bulkOperations: 'Maximale Operationen pro Bulk-Anfrage',
      bulkPayloadBytes: 'Maximale Größe einer Bulk-Anfrage in Byte',
    },
    limitHint: 'Leer: Standardwert des Dienstes.',
    service: 'Standardwert des Dienstes',
  },
  attributes: {
    title: 'Schreibbare Attribute',
    edit: 'Bearbeiten',
    editTitle: 'Schreibbare Attribute bearbeiten',
    mode: 'Regel',
    all: 'Die Quelle kann alle Attribute schreiben.',
    modes: {
      ONLY: 'Die Quelle kann nur diese Attribute schreiben:',
      EXCEPT: 'Die Quelle kann alle Attribute außer diesen schreiben:',
    },
    paths: 'Attribute',
    pathsHint:
      'SCIM-Pfade, einer pro Zeile: displayName, name.familyName oder ein Pfad mit der URN seines Schemas davor. Eine Schema-URN allein wählt alle ihre Attribute aus.',
    hint: 'Andere Attribute werden in POST- und PUT-Anfragen ignoriert und in PATCH-Anfragen abgelehnt. Die eigene externalId kann die Quelle immer schreiben.',
  },
  preview: {
    title: 'Vorschau für einen Benutzer',
    person: 'Benutzer',
    personHint: 'Wählen Sie einen Benutzer für die Vorschau.',
    readOnly: 'Die Quelle hat nur Lesezugriff und kann daher keine Attribute schreiben.',
    writtenBy: 'aus: {sources}',
    noSource: 'keiner Identitätsquelle',
    attribute: 'Attribut',
    value: 'Aktueller Wert',
    may: 'Durch die Quelle schreibbar',
    unset: 'nicht gesetzt',
    yes: 'ja',
    no: 'nein',
  },
  compatibility: {
    title: 'SCIM-Kompatibilität',
    lead: 'Identitätsquellen weichen von RFC 7643 und RFC 7644 ab. Das Profil bestimmt, welche Abweichungen akzeptiert werden. Sie können jede einzeln festlegen.',
    profile: 'Profil',
    profileHints: {
      AUTO: 'Akzeptiert die Abweichungen aller bekannten Quellen, die den RFCs nicht widersprechen.',
      ENTRA: 'Akzeptiert Anfragen von Microsoft Entra ID.',
      OKTA: 'Akzeptiert Anfragen von Okta.',
      ONELOGIN: 'Akzeptiert Anfragen von OneLogin.',
      RFC: 'Akzeptiert keine Abweichungen von den RFCs.',
    },
    understood: 'akzeptiert',
    refused: 'abgelehnt',
    asProfile: 'Standard des Profils',
    on: 'Akzeptieren',
    off: 'Ablehnen',
    quirks: {
      ANY_CASE_OPERATIONS: 'Operationsnamen in beliebiger Groß-/Kleinschreibung: Replace',
      BARE_MANAGER: 'manager als einfache ID, oder leer zum Entfernen',
      GROUP_PATCH_NO_CONTENT: 'PATCH-Anfragen für Gruppen liefern 204',
      PATH_KEYS: 'Pfade als Schlüssel in einem PATCH ohne path',
      QUOTED_BOOLEANS: 'Boolesche Werte als Zeichenfolgen in Filtern',
      READ_ONLY_KEYS: 'Schreibgeschützte Attribute in einem PATCH ohne path',
      REMOVE_BY_VALUE: 'remove mit path und einer Liste von Werten',
      REPLACE_CREATES_ELEMENT: 'replace eines fehlenden Unterattributs legt den Wert an',
      STRING_BOOLEANS: 'Boolesche Werte als Zeichenfolgen: "False"',
      UNKNOWN_SCHEMAS: 'Unbekannte URNs in schemas',
      DRAFT_SCHEMAS: 'URNs von Entwürfen in schemas',
      WRAPPED_SCALARS: 'Ein einzelner Wert in mehrwertiger Form',
    },
  },
  differences: {
    name: 'Name',
    access: 'Zugriff',
    resourceTypes: 'Ressourcentypen',
    vouchesForEmails: 'E-Mail-Adressen gelten als bestätigt',
    protectedAccounts: 'Geschützte Konten',
    limits: 'Limits',
    attributes: 'Attribute',
    profile: 'Profil',
    quirks: 'Abweichungen',
  },
  arrivals: {
    title: 'Eingehende Anfragen',
    waiting: 'Warten auf die erste Anfrage …',
    arrived: '{count, plural, one {Erste Anfrage empfangen.} other {Die letzten # Anfragen:}}',
    nothing:
      'Anfragen erscheinen hier innerhalb einer Sekunde. Wenn die Quelle einen Fehler meldet, aber keine Anfrage erscheint, prüfen Sie dort URL und Token.',
  },
  wizard: {
    title: 'Identitätsquelle verbinden',
    step: 'Schritt {step} von 3',
    which: 'Identitätsquelle auswählen',
    rights: 'Berechtigungen',
    later: 'Schreibbare Attribute und andere Einstellungen können Sie später ändern.',
    create: 'Quelle und Token erstellen',
    connectTitle: '{kind} verbinden',
    values: 'Verbindungswerte',
    do: 'In {kind}',
    tokenOnce: 'Kopieren Sie das Token jetzt. Sie können es nicht erneut anzeigen.',
    tokenGone:
      'Das Token wurde nur beim Erstellen der Quelle angezeigt. Wenn Sie es nicht haben, erstellen Sie ein neues.',
    rotate: 'Neues Token erstellen',
    try: 'Im Terminal testen',
    done: 'Quelle anzeigen',
    kinds: {
      entra: {
        name: 'Entra ID',
        hint: 'Verzeichnis von Microsoft, auch für Microsoft 365',
        address: 'Mandanten-URL (Tenant URL)',
        token: 'Geheimes Token (Secret token)',
      },
      okta: {
        name: 'Okta',
        hint: 'Okta Workforce Identity',
        address: 'SCIM connector base URL',
        token: 'Authorization: Bearer',
      },
      onelogin: {
        name: 'OneLogin',
        hint: 'OneLogin by One Identity',
        address: 'SCIM base URL',
        token: 'SCIM bearer token',
      },
      scim: {
        name: 'SCIM 2.0',
        hint: 'Jeder andere SCIM-2.0-Client oder ein Skript',
        address: 'Basis-URL',
        token: 'Bearer-Token',
      },
    },
    connect: {
      entra: {
        open: 'Öffnen Sie im Entra Admin Center „Unternehmensanwendungen“ (Enterprise applications) > „Neue Anwendung“ > „Eigene Anwendung erstellen“, und wählen Sie die Option ohne Katalog.',
        paste:
          'Öffnen Sie „Bereitstellung“ (Provisioning) und wählen Sie „Neue Konfiguration“ (New configuration). Fügen Sie die Mandanten-URL und das geheime Token von oben ein.',
        test: 'Wählen Sie „Verbindung testen“, dann „Erstellen“. Entra fragt einen nicht vorhandenen Benutzer ab; die Anfrage erscheint unten mit Status 200.',
        scope:
          'Prüfen Sie die Attributzuordnungen. Weisen Sie unter „Benutzer und Gruppen“ die bereitzustellenden Benutzer und Gruppen zu.',
        start:
          'Testen Sie einen Benutzer mit „Bei Bedarf bereitstellen“ (Provision on demand), und wählen Sie dann „Übersicht“ > „Bereitstellung starten“ (Start provisioning). Entra synchronisiert etwa alle 40 Minuten.',
      },
      okta: {
        open: 'Öffnen Sie in der Okta-Administration „Applications“ > „Browse App Catalog“ und fügen Sie „SCIM 2.0 Test App (OAuth Bearer Token)“ hinzu. Oder aktivieren Sie SCIM in einer eigenen App-Integration.',
        paste:
          'Wählen Sie unter „Provisioning“ „Configure API Integration“, und fügen Sie die Basis-URL und das Token ein. Eine eigene App-Integration braucht außerdem userName als „Unique identifier field“ und die Authentifizierung „HTTP Header“.',
        test: 'Wählen Sie „Test API Credentials“ (in einer eigenen App-Integration „Test Connector Configuration“), dann „Save“. Die Anfragen erscheinen unten.',
        scope:
          'Aktivieren Sie unter „Provisioning“ > „To App“ „Create Users“, „Update User Attributes“ und „Deactivate Users“. Das Offboarding erfordert „Deactivate Users“.',
        start:
          'Weisen Sie unter „Assignments“ Benutzer oder Gruppen zu. Wählen Sie unter „Push Groups“ die bereitzustellenden Gruppen.',
      },
      onelogin: {
        open: 'Öffnen Sie in der OneLogin-Administration „Applications“ > „Add App“, und wählen Sie „SCIM Provisioner with SAML (SCIM v2 Enterprise)“.',
        paste: 'Fügen Sie unter „Configuration“ „SCIM Base URL“ und „SCIM Bearer Token“ ein.',
        test: 'Wählen Sie bei der API-Verbindung „Enable“. Die Anfragen erscheinen unten.',
        scope:
          'Aktivieren Sie unter „Provisioning“ die Bereitstellung. Wählen Sie „Suspend“ oder „Delete“ für Benutzer, die gelöscht werden oder den Zugriff verlieren. Das Offboarding erfordert diese Einstellung.',
        start: 'Wählen Sie unter „Access“ die Rollen, deren Benutzer bereitgestellt werden sollen.',
      },
      scim: {
        open: 'Öffnen Sie die SCIM-Einstellungen der Identitätsquelle.',
        paste: 'Fügen Sie die Basis-URL ein, und legen Sie das Token als Bearer-Token fest.',
        test: 'Testen Sie die Verbindung, falls die Quelle dies unterstützt. Die Anfragen erscheinen unten.',
        scope:
          'Wählen Sie die bereitzustellenden Benutzer und Gruppen. Stellen Sie sicher, dass die Quelle ausscheidende Benutzer deaktiviert (active: false) oder löscht.',
        start: 'Beginnen Sie mit einem Benutzer, und prüfen Sie unten das Ergebnis.',
      },
    },
  },
};
