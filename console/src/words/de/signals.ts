import type { Words } from '../en/index.ts';

export const signals: Words['signals'] = {
  title: 'Signalströme',
  one: 'Signalstrom',
  titleOf: 'Signale an {app}',
  count: '{count, plural, =0 {kein Strom} one {# Strom} other {# Ströme}}',
  empty: 'Noch kein Strom',
  emptyHint:
    'Einen Strom gemeinsamer Signale richtet eine App für sich selbst ein (OpenID Shared Signals Framework 1.0); dazu braucht der Client den Scope ssf.manage. Die App erfährt dann von Abmeldungen, geänderten Anmeldemitteln und Austritten.',
  gone: 'Diesen Strom gibt es nicht',
  goneHint: 'Vielleicht hat ihn die App gelöscht.',
  app: 'App',
  description: 'Beschreibung',
  delivery: 'Zustellung',
  deliveries: { PUSH: 'per Push', POLL: 'von der App abgeholt' },
  endpoint: 'Adresse',
  state: 'Zustand',
  events: 'Ereignisse',
  eventCount: '{count, plural, one {# Ereignistyp} other {# Ereignistypen}}',
  created: 'Hinzugefügt',
  changed: 'Geändert',
  id: 'stream_id',
  facts: 'Was er überträgt, und wie',
  notified: 'Was gemeldet wurde',
  allDeliveries: 'Alle Nachrichten',
  deadDeliveries: 'Was nicht zustellbar war',
  failingHint:
    'Zurzeit kommt dort nichts an. Die Ereignisse werden aufbewahrt, und die Zustellung wird weiter versucht.',
  stateHints: {
    PAUSED: 'Pausiert: Was zu melden ist, wartet bis zum Aktivieren.',
    DISABLED: 'Deaktiviert: Nichts wird gemeldet, und nichts wartet.',
  },
  actions: { ENABLED: 'Aktivieren', PAUSED: 'Pausieren', DISABLED: 'Deaktivieren' },
  actionHints: {
    ENABLED: 'Was wartete, wird jetzt in seiner Reihenfolge gemeldet.',
    PAUSED:
      'Was ab jetzt geschieht, wartet, bis der Strom wieder aktiv ist. Die App erfährt, dass er pausiert ist.',
    DISABLED:
      'Nichts wird mehr gemeldet, und was inzwischen geschieht, geht für die App verloren. Was wartet, gilt als aufgegeben und lässt sich erneut senden. Die App erfährt davon.',
  },
  statusTitle: 'Der Strom an {app}',
  reason: 'Grund',
  reasonHint: 'Wird der App mitgeteilt. Darf leer sein.',
  deleteTitle: 'Strom an {app} löschen?',
  deleteHint:
    'Die App erfährt endgültig nichts mehr; solange sie den Scope hat, kann sie einen neuen Strom einrichten.',
};
