import type { Words } from '../en/index.ts';

export const serviceAccounts: Words['serviceAccounts'] = {
  title: 'Dienstkonten',
  one: 'Dienstkonto',
  lead: 'Konten für Programme. Sie rufen die API mit einem API-Schlüssel oder mit signierten Assertions auf.',
  count: '{count, plural, =0 {kein Dienstkonto} one {# Dienstkonto} other {# Dienstkonten}}',
  create: 'Dienstkonto erstellen',
  edit: 'Bearbeiten',
  editTitle: '„{name}“ bearbeiten',
  gone: 'Dienstkonto nicht gefunden',
  goneHint: 'Möglicherweise wurde es gelöscht.',
  empty: 'Noch keine Dienstkonten',
  emptyHint: 'Erstellen Sie eines für jeden Job, jedes Skript und jede Integration, die die API aufruft.',
  isDisabled: 'Dieses Konto ist deaktiviert. Seine API-Schlüssel, Assertions und Tokens werden abgewiesen.',
  tabs: { accounts: 'Konten', keys: 'Alle API-Schlüssel' },
  columns: { name: 'Name', scopes: 'Scopes', owner: 'Eigentümer', state: 'Status', created: 'Erstellt' },
  fields: {
    id: 'ID (sub und client_id)',
    name: 'Name',
    description: 'Beschreibung',
    scopes: 'Scopes',
    scopesHint: 'Maximale Scopes seiner Schlüssel, innerhalb Ihrer eigenen Scopes.',
    scopesEditHint:
      'Entfernte Scopes werden Tokens und Schlüsseln sofort entzogen. Hinzugefügte Scopes gelten nicht für vorhandene Schlüssel.',
  },
  enableLead:
    'Seine API-Schlüssel und öffentlichen Schlüssel funktionieren wieder. Frühere Access-Tokens bleiben widerrufen.',
  disableLead:
    'Seine API-Schlüssel, signierten Assertions und Access-Tokens werden sofort abgewiesen. Eine erneute Aktivierung ist möglich.',
  deleteLead:
    '{keys, plural, =0 {Das Konto und alle dafür ausgestellten Tokens werden endgültig gelöscht.} one {Das Konto, sein Schlüssel und alle dafür ausgestellten Tokens werden endgültig gelöscht.} other {Das Konto, seine # Schlüssel und alle dafür ausgestellten Tokens werden endgültig gelöscht.}}',
  expiry: { never: 'nie', over: 'abgelaufen' },
  keys: {
    title: 'API-Schlüssel',
    lead: 'Das Programm sendet einen Schlüssel als Bearer-Token. Maximum: 50 aktive Schlüssel.',
    create: 'API-Schlüssel erstellen',
    none: 'Noch keine API-Schlüssel',
    noneHint:
      'Erstellen Sie einen API-Schlüssel, oder fügen Sie einen öffentlichen Schlüssel für signierte Assertions hinzu.',
    shown: 'API-Schlüssel',
    label: 'API-Schlüssel',
    shownHint: 'Senden Sie ihn als „Authorization: Bearer …“.',
    name: 'Name',
    nameHint: 'Beschreibt den Zweck des Schlüssels.',
    lifetime: 'Läuft ab',
    lifetimeHint: 'Ein Ablaufdatum begrenzt das Risiko eines kompromittierten oder vergessenen Schlüssels.',
    days: '{days, plural, one {in # Tag} other {in # Tagen}}',
    scopes: 'Scopes',
    scopesHint: 'Alle Scopes des Kontos oder weniger.',
    ends: 'Läuft ab:',
    used: 'Zuletzt verwendet:',
    revoke: 'Widerrufen',
    revokeSentence:
      'Der Schlüssel wird sofort widerrufen. Programme, die ihn verwenden, funktionieren nicht mehr.',
    which: 'Anzeigen',
    whiches: {
      all: 'Alle aktiven Schlüssel',
      expiring: 'Laufen innerhalb von 30 Tagen ab',
      unused: 'Seit 90 Tagen nicht verwendet',
      ownerless: 'Ohne Eigentümer',
    },
    count: '{count, plural, =0 {kein API-Schlüssel} one {# API-Schlüssel} other {# API-Schlüssel}}',
    empty: 'Keine passenden API-Schlüssel',
    emptyHint: 'Erstellen Sie API-Schlüssel auf der Seite eines Dienstkontos.',
    columns: {
      name: 'Name',
      hint: 'Letzte Zeichen',
      owner: 'Eigentümer',
      used: 'Zuletzt verwendet',
      expires: 'Läuft ab',
    },
  },
  publicKeys: {
    title: 'Öffentliche Schlüssel',
    lead: 'Das Programm signiert Assertions mit seinem privaten Schlüssel und tauscht sie gegen Access-Tokens (RFC 7523).',
    add: 'Öffentlichen Schlüssel hinzufügen',
    none: 'Noch keine öffentlichen Schlüssel',
    noneHint: 'Unterstützt: EC P-256, RSA mit 2048 bis 8192 Bit und Ed25519.',
    jwk: 'JSON Web Key',
    jwkHint: 'Der öffentliche Schlüssel als JSON (RFC 7517). Standard für „kid“: sein Thumbprint.',
    private:
      'Das ist ein privater Schlüssel. Fügen Sie stattdessen den öffentlichen Schlüssel ein. Es wurde nichts gesendet.',
    remove: 'Entfernen',
    removeSentence:
      'Mit diesem Schlüssel signierte Assertions werden abgewiesen, und Access-Tokens des Kontos werden widerrufen.',
  },
};
