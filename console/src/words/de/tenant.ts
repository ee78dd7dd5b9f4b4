import type { Words } from '../en/index.ts';

export const tenant: Words['tenant'] = {
  title: 'Einstellungen und Richtlinien',
  tabs: { policy: 'Richtlinien', tenant: 'Mandant', signIn: 'Sitzungen und Tokens' },
  policy: {
    lead: 'Richtlinien dieses Mandanten. Für nicht festgelegte Richtlinien gelten die Standardwerte der Installation.',
    untouched: 'Es sind keine Richtlinien festgelegt. Es gelten die Standardwerte der Installation.',
    changed: 'Zuletzt geändert:',
    edit: 'Ändern',
    change: 'Ändern: {name}',
    default: 'Standardwert der Installation',
    toDefault: 'Auf den Standardwert der Installation zurücksetzen',
    andMore: '{shown} und {count, plural, one {# weiteres} other {# weitere}}',
    groups: { people: 'Benutzer', apps: 'Apps', directory: 'Verzeichnis' },
    settings: {
      requireSecondFactorForAdministrators: {
        label: 'Zweiten Faktor für Rollen verlangen',
        explanation:
          'Rollen gelten nur für Anmeldungen mit zweitem Faktor. Benutzer können ihn auf ihrer Kontoseite einrichten.',
      },
      bannedPasswordWords: {
        label: 'Gesperrte Passwortwörter',
        explanation:
          'Passwörter aus diesen Wörtern werden abgewiesen, zum Beispiel aus den Namen der Organisation und ihrer Produkte. Aus Datenlecks bekannte Passwörter werden immer abgewiesen.',
      },
      ownedCredentialsOnOffboarding: {
        label: 'Eigene Zugangsdaten beim Austritt',
        explanation:
          'Gilt für Clients, Dienstkonten, API-Schlüssel und Konnektoren, deren einziger Eigentümer austritt oder die erforderliche Rolle verliert.',
      },
      requiredClientProfile: {
        label: 'Erforderliches Sicherheitsprofil für Apps',
        explanation:
          'FAPI 2.0 erfordert Pushed Authorization Requests, schlüsselbasierte Client-Authentifizierung und an einen Schlüssel gebundene Tokens. Andere Apps werden abgewiesen.',
      },
      introspectionByAnyClient: {
        label: 'Apps dürfen alle Tokens introspizieren',
        explanation:
          'Standardmäßig kann eine App nur Tokens introspizieren (RFC 7662), die an sie oder für sie ausgestellt wurden. Nur für ältere Resource-Server aktivieren.',
      },
      webOrigins: {
        label: 'Origins von Web-Apps',
        explanation:
          'Seiten dieser Origins können den Graphen und die Token-Endpunkte aus einem Browser aufrufen (CORS). Origins registrierter Redirect-URIs sind immer zugelassen.',
      },
      knownSecretOverlapDays: {
        label: 'Tage, die bekannte Geheimnisse gültig bleiben',
        explanation:
          'Geheimnisse von Clients, Dienstkonten, Konnektoren und Webhooks anderer Eigentümer, die ein ausgeschiedener Benutzer kennt, bleiben so viele Tage gültig, damit die Eigentümer sie ersetzen können: 0 bis 30. Bei 0 enden sie sofort.',
      },
      signInRetentionDays: {
        label: 'Aufbewahrung der Anmeldungen in Tagen',
        explanation:
          'Erfolgreiche und fehlgeschlagene Anmeldeversuche werden nach dieser Anzahl von Tagen gelöscht: 1 bis 3650.',
      },
      uniqueGroupNames: {
        label: 'Eindeutige Gruppennamen verlangen',
        explanation:
          'Wenn aktiviert, wird eine Gruppe mit doppeltem Namen abgewiesen. SCIM erlaubt Duplikate, und manche Identitätsquellen erstellen sie.',
      },
      scimSecurityEvents: {
        label: 'Sicherheitsereignisse in SCIM bekannt geben',
        explanation:
          'Fügt securityEvents (RFC 9967) zu ServiceProviderConfig hinzu. Deaktivieren Sie es für Clients, die unbekannte Attribute abweisen.',
      },
    },
    secondFactorNote:
      'Beim Aktivieren werden Tokens widerrufen, die Apps durch Anmeldungen von Administratoren mit nur einem Faktor erhalten haben. Auch Ihre Konsole verlangt einen zweiten Faktor.',
    profiles: {
      STANDARD: 'OAuth 2.1',
      FAPI2: 'FAPI 2.0 Security Profile',
    },
    owned: {
      REVOKE: 'Widerrufen',
      SUSPEND: 'Deaktivieren bis zur erneuten Aktivierung',
      HAND_OVER: 'An einen anderen Eigentümer übertragen',
    },
    receiver: 'Neuer Eigentümer',
    receiverHint:
      'Ein aktiver Benutzer oder eine Gruppe. Geben Sie den Anfang eines Namens oder einer E-Mail-Adresse ein.',
    originsHint:
      'Ein Origin pro Zeile, zum Beispiel https://app.example.com. http ist nur für Loopback-Adressen zulässig.',
    days: '{count, plural, one {# Tag} other {# Tage}}',
    wordsHint: 'Ein Wort pro Zeile, 3 bis 64 Zeichen.',
  },
  settings: {
    title: 'Mandant',
    edit: 'Bearbeiten',
    id: 'ID',
    name: 'Name',
    status: 'Status',
    statuses: { ACTIVE: 'aktiv', SUSPENDED: 'gesperrt' },
    deletionPolicy: 'Gelöschte Benutzer und Gruppen',
    policies: { SOFT: 'können 30 Tage lang wiederhergestellt werden', HARD: 'werden endgültig gelöscht' },
    deletionHint:
      'In beiden Fällen werden alle Zugriffe sofort widerrufen. Die Richtlinie legt nur fest, ob eine Löschung rückgängig gemacht werden kann.',
    hardWarning:
      'Neue Löschungen können nicht rückgängig gemacht werden. Zuvor gelöschte Benutzer und Gruppen können weiterhin wiederhergestellt werden.',
    retention: 'Auditprotokoll des Verzeichnisses',
    days: '{days, plural, =0 {unbegrenzt aufbewahrt} one {# Tag aufbewahrt} other {# Tage aufbewahrt}}',
    retentionHint: 'Aufbewahrung in Tagen, 30 bis 36500. Ohne Angabe werden Einträge unbegrenzt aufbewahrt.',
    created: 'Erstellt',
    changed: 'Geändert',
  },
  signIn: {
    lead: 'Diese Werte gelten für alle Mandanten der Installation. Der Betreiber legt sie fest.',
    characters: '{count, plural, one {# Zeichen} other {# Zeichen}}',
    groups: { sessions: 'Sitzungen', tokens: 'Tokens', others: 'Einladungen, Protokolle, Passwörter' },
    names: {
      sessionIdleSeconds: 'Zeitlimit bei Inaktivität',
      sessionAbsoluteSeconds: 'Maximale Dauer',
      accessTokenSeconds: 'Access-Token',
      idTokenSeconds: 'ID-Token',
      refreshTokenIdleSeconds: 'Grant, Zeitlimit bei Inaktivität',
      refreshTokenAbsoluteSeconds: 'Grant, maximale Dauer',
      invitationSeconds: 'Einladung',
      securityLogRetentionSeconds: 'Sicherheitsprotokoll',
      passwordMinLength: 'Mindestlänge von Passwörtern',
    },
  },
};
