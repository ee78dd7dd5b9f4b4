import type { Words } from '../en/index.ts';

export const signals: Words['signals'] = {
  title: 'Signalströme',
  one: 'Signalstrom',
  titleOf: 'Signale an {app}',
  count: '{count, plural, =0 {keine Ströme} one {# Strom} other {# Ströme}}',
  empty: 'Noch keine Signalströme',
  emptyHint:
    'Apps richten ihre Ströme selbst ein (OpenID Shared Signals Framework 1.0). Geben Sie einer App den Scope ssf.manage, damit sie Ereignisse zu Abmeldungen, geänderten Anmeldedaten und Offboarding empfängt.',
  gone: 'Signalstrom nicht gefunden',
  goneHint: 'Vielleicht hat ihn die App gelöscht.',
  app: 'App',
  description: 'Beschreibung',
  delivery: 'Zustellung',
  deliveries: { PUSH: 'Push', POLL: 'Poll' },
  endpoint: 'Endpunkt-URL',
  state: 'Status',
  events: 'Ereignisse',
  eventCount: '{count, plural, one {# Ereignistyp} other {# Ereignistypen}}',
  created: 'Erstellt',
  changed: 'Aktualisiert',
  id: 'stream_id',
  facts: 'Ereignisse und Zustellung',
  notified: 'Letzte Zustellungen',
  allDeliveries: 'Alle Zustellungen',
  deadDeliveries: 'Fehlgeschlagene Zustellungen',
  failingHint: 'Die Zustellung schlägt fehl. Ereignisse werden gespeichert und erneut zugestellt.',
  stateHints: {
    PAUSED: 'Pausiert: Ereignisse werden gespeichert, bis der Strom aktiviert wird.',
    DISABLED: 'Deaktiviert: Ereignisse werden weder zugestellt noch gespeichert.',
  },
  actions: { ENABLED: 'Aktivieren', PAUSED: 'Pausieren', DISABLED: 'Deaktivieren' },
  actionHints: {
    ENABLED: 'Gespeicherte Ereignisse werden jetzt in ihrer Reihenfolge zugestellt.',
    PAUSED:
      'Neue Ereignisse werden gespeichert, bis der Strom aktiviert wird. Die App wird über die Pause benachrichtigt.',
    DISABLED:
      'Neue Ereignisse werden verworfen. Ausstehende Ereignisse werden als fehlgeschlagen markiert und können nach dem Aktivieren erneut gesendet werden. Die App wird über die Deaktivierung benachrichtigt.',
  },
  statusTitle: 'Strom an {app}',
  reason: 'Grund',
  reasonHint: 'Optional. Wird an die App gesendet.',
  deleteTitle: 'Strom an {app} löschen?',
  deleteHint:
    'Die App empfängt keine Ereignisse mehr aus diesem Strom. Solange sie den Scope hat, kann sie einen neuen Strom einrichten.',
};
