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
  tryAgain: 'Noch einmal versuchen',
  locked: 'Dafür fehlt Ihnen die Berechtigung',
  needs: 'Das erfordert {scopes}; keine Ihrer Rollen gibt das.',
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
    'Das wird nur jetzt gezeigt. Niemand kann es später nachsehen, weder hier noch anderswo: Legen Sie es dort ab, wo es gebraucht wird, bevor Sie weitermachen.',
  stored: 'Ich habe es aufbewahrt',
  noneFound: 'Bisher niemand gefunden',
  unknown: 'Gerade nicht bekannt.',
};

export const conflict: Words['conflict'] = {
  title: 'Jemand anderes war schneller',
  lead: 'Was Sie gerade ändern, wurde seit dem Öffnen geändert. Von Ihnen ist noch nichts gespeichert.',
  elsewhere:
    'Geändert wurde etwas anderes als das, was Sie ändern. Ihre Änderungen lassen sich zusätzlich speichern.',
  what: 'Was',
  theirs: 'Wie es jetzt ist',
  yours: 'Wie Sie es wollen',
  notYours: 'von Ihnen nicht geändert',
  takeTheirs: 'Lassen, wie es jetzt ist',
  keepYours: 'Meines speichern',
};

export const failures: Words['failures'] = {
  offline: 'Der Server ist nicht erreichbar. Was Sie sehen, kann veraltet sein.',
  forbidden: 'Ein Teil dieser Seite steht Ihnen nicht offen: {scopes}',
  unavailable: 'Ein Teil dieser Seite fehlt, weil ein Dienst gerade nicht antwortet: {services}',
  limited: 'Zu viele Anfragen für den Moment. Bitte in einer Minute noch einmal versuchen.',
  authentication: 'Das erfordert eine neuere oder stärkere Anmeldung.',
  other: 'Das hat nicht geklappt: {message}',
  conflict: 'Jemand anderes hat das inzwischen geändert.',
};

export const start: Words['start'] = {
  starting: 'Sie werden angemeldet …',
  elsewhere: 'Sie sind angemeldet. Dieses Fenster kann geschlossen werden.',
  failed: 'Die Anmeldung hat nicht geklappt: {message}',
  choose: 'Mandanten wählen',
  title: 'Welcher Mandant?',
  lead: 'Jede Organisation hat ihre eigenen Personen, Apps und Schlüssel. Sie melden sich bei einer davon an.',
  tenant: 'Mandant',
  tenantHint: 'Seine ID, wie in der Adresse seines Issuers: /t/…',
  signIn: 'Anmelden',
  notFound: 'Unter dieser Adresse ist nichts',
  notFoundHint: 'Vielleicht wurde es gelöscht oder gehört zu einem anderen Mandanten.',
};

export const shell: Words['shell'] = {
  console: 'Ostiary',
  skip: 'Zum Inhalt',
  menu: 'Menü',
  navigation: 'Hauptnavigation',
  otherTenant: 'Anderer Mandant',
  search: 'Suchen',
  searchHint: 'Eine Seite oder Name oder Adresse einer Person',
  results: 'Ergebnisse',
  nothing: 'Nichts gefunden',
  page: 'Seite',
  theme: 'Hell oder dunkel',
  language: 'Sprache',
  languageName: 'Deutsch',
  signOut: 'Abmelden',
  noRole: 'Sie sind angemeldet',
  noRoleLead: 'Aber keine Ihrer Rollen öffnet hier etwas',
  noRoleHint: 'Bitten Sie die Administration dieses Mandanten um eine Rolle.',
  live: 'live',
  lost: 'nicht live, Verbindung wird aufgebaut …',
  sections: {
    people: 'Personen',
    access: 'Apps und Schlüssel',
    sources: 'Identitätsquellen',
    outside: 'Meldungen nach außen',
    system: 'Mandant',
  },
};

export const stepUp: Words['stepUp'] = {
  title: 'Bestätigen Sie, dass Sie es sind',
  recent:
    'Hier entsteht Zugang oder wird vergeben, deshalb ist eine Anmeldung aus den letzten Minuten nötig. Dafür öffnet sich ein Fenster; Ihre Eingaben bleiben erhalten.',
  stronger:
    'Das erfordert eine Anmeldung mit zweitem Faktor. Dafür öffnet sich ein Fenster; Ihre Eingaben bleiben erhalten.',
  confirm: 'Erneut anmelden',
  waiting: 'Melden Sie sich im anderen Fenster an; hier geht es dann von selbst weiter.',
  again: 'Fenster noch einmal öffnen',
  failed: 'Das hat nicht geklappt: {message}. Bitte noch einmal versuchen.',
};

export const navigation: Words['navigation'] = {
  overview: 'Übersicht',
  users: 'Benutzer',
  groups: 'Gruppen',
  roles: 'Rollen',
  sources: 'Identitätsquellen',
  applications: 'Anwendungen',
  signals: 'Signalströme',
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
