import type { Words } from '../en/index.ts';

export const common: Words['common'] = {
  product: 'Ostiary-Konsole',
  cancel: 'Abbrechen',
  close: 'Schließen',
  save: 'Speichern',
  delete: 'Löschen',
  copy: 'Kopieren',
  copied: 'Kopiert',
  loading: 'Wird geladen …',
  tryAgain: 'Erneut versuchen',
  locked: 'Berechtigung erforderlich',
  needs: 'Erfordert {scopes}. Keine Ihrer Rollen enthält diese Berechtigung.',
  active: 'aktiv',
  inactive: 'inaktiv',
  yes: 'ja',
  no: 'nein',
  none: 'leer',
  never: 'nie',
  more: 'Mehr',
  revoke: 'Widerrufen',
  of: '{action}: {name}',
  all: 'Alle',
  shownOnce:
    'Dieser Wert wird nur einmal angezeigt. Bewahren Sie ihn sicher auf, bevor Sie fortfahren: Er kann nicht erneut angezeigt werden.',
  stored: 'Ich habe ihn gespeichert',
  noneFound: 'Noch keine Ergebnisse',
  unknown: 'Derzeit nicht verfügbar.',
};

export const conflict: Words['conflict'] = {
  title: 'Eine andere Änderung wurde zuerst gespeichert',
  lead: 'Diese Werte wurden geändert, seit Sie die Seite geöffnet haben. Ihre Änderungen sind noch nicht gespeichert.',
  elsewhere: 'Die andere Änderung betrifft andere Felder. Sie können Ihre Änderungen zusätzlich speichern.',
  what: 'Feld',
  theirs: 'Aktueller Wert',
  yours: 'Ihr Wert',
  notYours: 'unverändert',
  takeTheirs: 'Aktuelle Werte behalten',
  keepYours: 'Meine Änderungen speichern',
};

export const failures: Words['failures'] = {
  offline: 'Der Server ist nicht erreichbar. Diese Seite ist möglicherweise nicht aktuell.',
  forbidden: 'Ihnen fehlt die erforderliche Berechtigung: {scopes}',
  unavailable: 'Ein Teil dieser Seite kann nicht geladen werden, weil ein Dienst nicht antwortet: {services}',
  limited: 'Zu viele Anfragen. Versuchen Sie es in einer Minute erneut.',
  authentication: 'Diese Aktion erfordert eine neuere oder stärkere Anmeldung.',
  other: 'Es ist ein Fehler aufgetreten: {message}',
  conflict: 'In der Zwischenzeit wurde eine andere Änderung gespeichert.',
};

export const start: Words['start'] = {
  starting: 'Sie werden angemeldet …',
  elsewhere: 'Sie sind angemeldet. Sie können dieses Fenster schließen.',
  failed: 'Anmeldung fehlgeschlagen: {message}',
  choose: 'Mandanten wählen',
  title: 'Mandanten wählen',
  lead: 'Jede Organisation hat eigene Benutzer, Apps und Schlüssel. Sie melden sich bei einer davon an.',
  tenant: 'Mandant',
  tenantHint: 'Die Mandanten-ID, wie in der Issuer-URL: /t/…',
  signIn: 'Anmelden',
  notFound: 'Seite nicht gefunden',
  notFoundHint: 'Möglicherweise wurde sie gelöscht, oder sie gehört zu einem anderen Mandanten.',
};

export const shell: Words['shell'] = {
  console: 'Ostiary',
  skip: 'Zum Inhalt springen',
  menu: 'Menü',
  navigation: 'Hauptnavigation',
  otherTenant: 'Mandanten wechseln',
  search: 'Suchen',
  searchHint: 'Seite, Benutzername oder E-Mail-Adresse',
  results: 'Ergebnisse',
  nothing: 'Keine Ergebnisse',
  page: 'Seite',
  theme: 'Helles oder dunkles Design',
  language: 'Sprache',
  languageName: 'Deutsch',
  signOut: 'Abmelden',
  noRole: 'Sie sind angemeldet',
  noRoleLead: 'Keine Ihrer Rollen gewährt Zugriff auf diese Konsole',
  noRoleHint: 'Bitten Sie einen Administrator dieses Mandanten, Ihnen eine Rolle zuzuweisen.',
  live: 'live',
  lost: 'nicht live, Verbindung wird wiederhergestellt …',
  sections: {
    people: 'Benutzer und Gruppen',
    access: 'Apps und Schlüssel',
    sources: 'Identitätsquellen',
    outside: 'Ereigniszustellung',
    system: 'Mandant',
  },
};

export const stepUp: Words['stepUp'] = {
  title: 'Bestätigen Sie Ihre Identität',
  recent:
    'Diese Aktion gewährt Zugriff und erfordert eine Anmeldung innerhalb der letzten Minuten. Ein Anmeldefenster wird geöffnet. Ihre Eingaben bleiben erhalten.',
  stronger:
    'Diese Aktion erfordert eine Anmeldung mit zweitem Faktor. Ein Anmeldefenster wird geöffnet. Ihre Eingaben bleiben erhalten.',
  confirm: 'Erneut anmelden',
  waiting: 'Melden Sie sich im anderen Fenster an. Diese Seite wird danach automatisch fortgesetzt.',
  again: 'Fenster erneut öffnen',
  failed: 'Anmeldung fehlgeschlagen: {message}. Versuchen Sie es erneut.',
};

export const navigation: Words['navigation'] = {
  overview: 'Übersicht',
  users: 'Benutzer',
  groups: 'Gruppen',
  roles: 'Rollen',
  sources: 'Identitätsquellen',
  applications: 'Apps',
  apis: 'APIs',
  signals: 'Signal-Streams',
  webhooks: 'Webhooks',
  deliveries: 'Zustellungen',
  serviceAccounts: 'Dienstkonten',
  logs: 'Protokolle',
  trustedIssuers: 'Vertrauenswürdige Issuer',
  initialAccessTokens: 'Initial-Access-Tokens',
  schemas: 'Erweiterungsschemas',
  keys: 'Signaturschlüssel',
  system: 'System',
  tenant: 'Einstellungen und Richtlinien',
  branding: 'Erscheinungsbild',
};
