import type { Words } from '../en/index.ts';

export const apis: Words['apis'] = {
  title: 'APIs',
  one: 'API',
  lead: 'Die eigenen APIs Ihrer Organisation. Apps fordern Zugriffstokens für deren Scopes an, und jede API akzeptiert nur Tokens, die für sie ausgestellt sind.',
  register: 'API registrieren',
  empty: 'Noch keine APIs',
  emptyHint:
    'Registrieren Sie eine API, um ihre Scopes und Rollen festzulegen, und erlauben Sie dann Apps, sie anzufordern.',
  gone: 'API nicht gefunden',
  goneHint: 'Möglicherweise wurde sie gelöscht.',
  settings: 'Einstellungen',
  edit: 'Bearbeiten',
  remove: 'Entfernen',
  undescribed: 'keine Beschreibung',
  usualLifetime: 'Standard der Installation',
  description: 'Beschreibung ({language})',
  deleteTitle: '{name} löschen?',
  deleteLead:
    'Ihre Scopes werden aus Apps und Einwilligungen entfernt, ihre Rollen von Benutzern und Gruppen. Die Zugriffstokens dieser Apps werden sofort widerrufen.',
  fields: {
    name: 'Name',
    identifier: 'Kennung',
    scopes: 'Scopes',
    tokenFormat: 'Tokenformat',
    lifetime: 'Lebensdauer der Tokens in Sekunden',
    since: 'Registriert',
  },
  hints: {
    identifier:
      'Eine URI: die Audience ihrer Tokens und „resource“ der Anfragen. Sie lässt sich nicht ändern.',
    name: 'Wird auf der Einwilligungsseite angezeigt.',
    lifetime: 'Mindestens 60. Leer gilt der Standard der Installation.',
  },
  formats: { JWT: 'JWT', OPAQUE: 'opak' },
  formatHints: {
    JWT: 'Die API prüft Tokens selbst.',
    OPAQUE: 'Die API prüft Tokens durch Introspektion.',
  },
  tabs: { label: 'Bereiche der API', scopes: 'Scopes', roles: 'Rollen', connect: 'Verbinden' },
  scopes: {
    title: 'Scopes',
    lead: 'Zugriff, den Apps anfordern können. Die Einwilligungsseite zeigt die Beschreibungen in der Sprache des Benutzers.',
    add: 'Scope hinzufügen',
    edit: 'Scope {name} bearbeiten',
    name: 'Scope',
    nameHint: 'Zum Beispiel orders:read. Er lässt sich nicht ändern und ist im Mandanten eindeutig.',
    descriptionHint: 'Wird auf der Einwilligungsseite angezeigt, auch für Sprachen ohne eigene Beschreibung.',
    empty: 'Noch keine Scopes',
    emptyHint: 'Ohne Scopes erhält eine App Tokens für die API nur über deren Kennung.',
    removeHint:
      'Der Scope wird aus Apps, Einwilligungen und Berechtigungen entfernt, und die Zugriffstokens dieser Apps werden sofort widerrufen.',
    apps: 'Apps mit diesem Scope',
  },
  roles: {
    title: 'Rollen',
    lead: 'Die „roles“ eines Benutzers in Tokens für diese API. Die API entscheidet, was jede Rolle erlaubt.',
    add: 'Rolle hinzufügen',
    edit: 'Rolle {name} bearbeiten',
    name: 'Rolle',
    nameHint: 'Der Wert in Tokens, zum Beispiel editor. Er lässt sich nicht ändern.',
    descriptionHint: 'Wird Administratoren angezeigt.',
    empty: 'Noch keine Rollen',
    emptyHint: 'Rollen sind optional: Scopes begrenzen Apps, Rollen unterscheiden Benutzer.',
    removeHint:
      'Benutzer und Gruppen verlieren die Rolle sofort, und die Zugriffstokens der betroffenen Benutzer werden widerrufen.',
    holdersOf: 'Benutzer und Gruppen anzeigen mit',
    assignHint: 'Weisen Sie Rollen auf der Seite eines Benutzers oder einer Gruppe zu.',
  },
  connect: {
    values: 'Konfigurationswerte',
    valuesLead: 'Tragen Sie diese Werte in Ihrer API ein.',
    issuer: 'Issuer',
    audience: 'Audience',
    feed: 'Widerrufsfeed',
    credentials:
      'API_ID und API_SECRET sind die Zugangsdaten einer App vom Typ Maschine, zu deren geschützten Ressourcen diese Kennung gehört.',
    programs: 'Code für Ihre API',
    framework: 'Framework',
  },
  assigned: {
    title: 'Rollen an APIs',
    empty: 'Der Benutzer hat keine Rollen an APIs.',
    groupTitle: 'Rollen aller Mitglieder an APIs',
    groupEmpty: 'Die Gruppe hat keine Rollen an APIs.',
    give: 'API-Rolle zuweisen',
    giveTitle: 'API-Rolle zuweisen',
    giveHint:
      'Ab jetzt ausgestellte Tokens enthalten die Rolle. Dafür ist eine kürzliche Anmeldung erforderlich.',
    role: 'Rolle',
    roleHint: 'Ein Teil des Namens der Rolle oder der API.',
    noRoles: 'Noch keine API hat Rollen. Fügen Sie sie auf der Seite der API hinzu.',
    takeHint: 'Der Zugriff des Benutzers auf diese API wird sofort widerrufen.',
    takeStays: 'Der Benutzer behält die Rolle über eine Gruppe.',
    groupTakeHint:
      'Mitglieder, die die Rolle nur über diese Gruppe haben, verlieren sie, und ihr Zugriff auf diese API wird sofort widerrufen.',
  },
};
