import type { Words } from '../en/index.ts';

export const tenant: Words['tenant'] = {
  title: 'Einstellungen und Richtlinien',
  tabs: { policy: 'Richtlinien', tenant: 'Mandant', signIn: 'Sitzungen und Tokens' },
  policy: {
    lead: 'Was der Mandant für sich festlegt. Was er offen lässt, bestimmt die Installation.',
    untouched: 'Hier wurde noch nichts festgelegt: Alles gilt wie in der Installation.',
    changed: 'Zuletzt geändert:',
    edit: 'Ändern',
    change: 'Ändern: {name}',
    default: 'wie in der Installation',
    toDefault: 'Zurück zu dem, was in dieser Installation gilt',
    andMore: '{shown} und {count, plural, one {# weiteres} other {# weitere}}',
    groups: { people: 'Personen', apps: 'Anwendungen', directory: 'Verzeichnis' },
    settings: {
      requireSecondFactorForAdministrators: {
        label: 'Eine Rolle gilt nur mit zweitem Faktor',
        explanation:
          'Wer eine Rolle hat und sich mit nur einem Faktor angemeldet hat, darf, was alle dürfen, und nichts aus der Rolle. Ausgesperrt wird niemand: Ein zweiter Faktor lässt sich auf der Kontoseite einrichten.',
      },
      bannedPasswordWords: {
        label: 'Wörter, die kein Passwort ergeben',
        explanation:
          'Passwörter aus diesen Wörtern werden abgewiesen, zusätzlich zu den aus Datenlecks bekannten: der Name der Organisation, ihre Produkte, ihre Straße.',
      },
      ownedCredentialsOnOffboarding: {
        label: 'Was beim Austritt aus dem wird, was eine Person eingerichtet hat',
        explanation:
          'Clients, Dienstkonten, API-Schlüssel und Konnektoren, deren einziger Eigentümer austritt oder die Rolle verliert, die ihn dazu berechtigte.',
      },
      requiredClientProfile: {
        label: 'Sicherheitsprofil, das jede App erfüllen muss',
        explanation:
          'Mit FAPI 2.0 pushen Apps ihre Anfragen, authentifizieren sich mit einem Schlüssel und halten an einen Schlüssel gebundene Tokens. Andere werden abgewiesen.',
      },
      introspectionByAnyClient: {
        label: 'Apps dürfen alle Tokens introspizieren',
        explanation:
          'Sonst darf eine App nur Tokens introspizieren (RFC 7662), die an sie oder für sie ausgestellt wurden. Nur für alte Resource-Server.',
      },
      webOrigins: {
        label: 'Origins von Web-Apps',
        explanation:
          'Seiten dieser Origins dürfen den Graphen und die Token-Endpunkte aus dem Browser verwenden (CORS), neben denen der Redirect-URIs von Apps.',
      },
      knownSecretOverlapDays: {
        label: 'Tage, die bekannte Geheimnisse gültig bleiben',
        explanation:
          'Geheimnisse von Clients, Dienstkonten, Konnektoren und Webhooks anderer Eigentümer, die ein ausgeschiedener Benutzer kennt, bleiben so viele Tage gültig, damit die Eigentümer sie ersetzen können: 0 bis 30. Bei 0 enden sie sofort.',
      },
      signInRetentionDays: {
        label: 'Aufbewahrung der Anmeldungen in Tagen',
        explanation:
          'Anmeldeversuche, erfolgreich oder nicht, werden nach so vielen Tagen gelöscht: 1 bis 3650.',
      },
      uniqueGroupNames: {
        label: 'Keine zwei Gruppen dürfen gleich heißen',
        explanation:
          'SCIM erlaubt es, und manche Identitätsquellen legen solche an. Ist das eingeschaltet, wird eine zweite abgewiesen.',
      },
      scimSecurityEvents: {
        label: 'SCIM kündigt Sicherheitsereignisse an',
        explanation:
          'ServiceProviderConfig enthält dann securityEvents (RFC 9967). Aus für typisierte Clients, die nicht lesen können, was sie nicht kennen.',
      },
    },
    secondFactorNote:
      'Das Einschalten beendet, was Apps der Administration aus Anmeldungen mit nur einem Faktor haben. Auch Ihre eigene Konsole fragt dann nach einem zweiten Faktor.',
    profiles: {
      STANDARD: 'OAuth 2.1, wie dieser Server es immer hält',
      FAPI2: 'FAPI 2.0 Security Profile',
    },
    owned: {
      REVOKE: 'Es endet',
      SUSPEND: 'Es bleibt deaktiviert, bis jemand es aktiviert',
      HAND_OVER: 'Es wird übergeben',
    },
    receiver: 'Wer es erhält',
    receiverHint: 'Ein aktiver Benutzer oder eine Gruppe. Anfang des Namens oder der Adresse eingeben.',
    originsHint: 'Zum Beispiel https://app.example.com, eine pro Zeile. http nur für Loopback-Adressen.',
    days: '{count, plural, one {# Tag} other {# Tage}}',
    wordsHint: 'Eines pro Zeile, 3 bis 64 Zeichen.',
  },
  settings: {
    title: 'Der Mandant',
    edit: 'Bearbeiten',
    id: 'ID',
    name: 'Name',
    status: 'Zustand',
    statuses: { ACTIVE: 'in Betrieb', SUSPENDED: 'gesperrt' },
    deletionPolicy: 'Gelöschte Benutzer und Gruppen',
    policies: { SOFT: '30 Tage lang wiederherstellbar', HARD: 'sofort endgültig weg' },
    deletionHint:
      'In jedem Fall sofort weg für alle: Jede Tür schließt sich. Hier geht es nur um das Wiederherstellen.',
    hardWarning:
      'Ab dann holt niemand zurück, was versehentlich gelöscht wurde. Was vorher gelöscht wurde, lässt sich noch wiederherstellen.',
    retention: 'Auditprotokoll des Verzeichnisses',
    days: '{days, plural, =0 {unbegrenzt aufbewahrt} one {# Tag aufbewahrt} other {# Tage aufbewahrt}}',
    retentionHint: 'Wie viele Tage Einträge aufbewahrt werden, 30 bis 36500. Leer: unbegrenzt.',
    created: 'Angelegt',
    changed: 'Geändert',
  },
  signIn: {
    lead: 'Für jeden Mandanten dieser Installation gleich; ihr Betreiber legt es fest.',
    characters: '{count, plural, one {# Zeichen} other {# Zeichen}}',
    groups: { sessions: 'Sitzungen', tokens: 'Tokens', others: 'Einladungen, Protokolle, Passwörter' },
    names: {
      sessionIdleSeconds: 'Endet unbenutzt nach',
      sessionAbsoluteSeconds: 'Endet, ab der Anmeldung, spätestens nach',
      accessTokenSeconds: 'Access-Token',
      idTokenSeconds: 'ID-Token',
      refreshTokenIdleSeconds: 'Nicht erneuerter Grant',
      refreshTokenAbsoluteSeconds: 'Grant, höchstens',
      invitationSeconds: 'Einladung',
      securityLogRetentionSeconds: 'Sicherheitsprotokoll',
      passwordMinLength: 'Mindestlänge eines neuen Passworts',
    },
  },
};
