import type { Words } from '../en/index.ts';

export const deliveries: Words['deliveries'] = {
  title: 'Zustellungen',
  one: 'Zustellung',
  count: '{count, plural, =0 {keine Zustellungen} one {# Zustellung} other {# Zustellungen}}',
  all: 'Alle',
  state: 'Status',
  states: { DEAD: 'fehlgeschlagen', PENDING: 'ausstehend', HELD: 'wartet', DELIVERED: 'zugestellt' },
  stateHints: {
    DEAD: 'Nach allen Versuchen nicht zugestellt. Sie können sie erneut senden.',
    PENDING:
      'Die Zustellung wird wiederholt, bis sie gelingt oder die maximale Anzahl von Versuchen erreicht ist.',
    HELD: 'Wartet auf eine frühere Zustellung oder auf ihren Empfänger.',
    DELIVERED: 'Der Empfänger hat die Nachricht bestätigt.',
  },
  kind: 'Empfängertyp',
  kinds: { WEBHOOK: 'Webhook', SSF: 'Signalstrom', BACKCHANNEL_LOGOUT: 'Logout-Token' },
  receiver: 'Empfänger',
  receivers: { ENABLED: 'aktiv', PAUSED: 'pausiert', DISABLED: 'deaktiviert', failing: 'gestört, erstmals' },
  type: 'Ereignistyp',
  about: 'Gegenstand',
  created: 'Erstellt',
  attempts: 'Versuche',
  attemptCount: '{count, plural, =0 {noch keiner} one {#} other {#}}',
  lastAnswer: 'Letzte Antwort',
  lastStatus: 'Letzter HTTP-Status',
  lastError: 'Fehlerursache',
  next: 'Nächster Versuch',
  finished: 'Zugestellt oder fehlgeschlagen',
  id: 'Nachrichten-ID',
  none: 'Noch keine Zustellungen',
  noneSuch: 'Keine passenden Zustellungen',
  noneHint:
    'Nachrichten an Webhooks, Signalströme und Apps mit Logout-Endpunkt erscheinen hier mit ihrem Status.',
  noneDead: 'Keine fehlgeschlagenen Zustellungen',
  noneDeadHint:
    'Nachrichten, die nach der maximalen Anzahl von Versuchen fehlschlagen, erscheinen hier. Sie können sie erneut senden.',
  onlySubject: 'Gefiltert nach Gegenstand: {id}',
  allSubjects: 'Filter löschen',
  gone: 'Nachricht nicht gefunden. Sie wurde verworfen oder ihre Aufbewahrungszeit ist abgelaufen.',
  replay: 'Erneut senden',
  replayAll: 'Alle fehlgeschlagenen erneut senden',
  replayAllTitle: 'Fehlgeschlagene Nachrichten erneut an {name} senden',
  replayHint:
    'Nachrichten werden der Reihe nach mit ihren ursprünglichen IDs gesendet. Empfänger ignorieren bereits verarbeitete Nachrichten.',
  span: 'Zeitraum',
  spans: {
    all: 'Alle gespeicherten Nachrichten',
    week: 'Letzte 7 Tage',
    day: 'Letzte 24 Stunden',
    hour: 'Letzte Stunde',
  },
  deadCount:
    '{count, plural, =0 {Keine fehlgeschlagenen Nachrichten.} one {# Nachricht wird erneut gesendet.} other {# Nachrichten werden erneut gesendet.}}',
  replayed:
    '{count, plural, =0 {Keine Nachrichten zu senden.} one {# Nachricht ist wieder in der Warteschlange.} other {# Nachrichten sind wieder in der Warteschlange.}}',
  discard: 'Verwerfen',
  discardHint: 'Der Empfänger erhält diese Nachricht nie. Die nächste ausstehende Nachricht wird gesendet.',
  discardNow: 'Nachricht verwerfen',
  keep: 'Nachricht behalten',
};
