import type { Words } from '../en/index.ts';

export const system: Words['system'] = {
  title: 'System',
  lead: 'Worauf das hier läuft, Stand jetzt, soweit ein Mandant es wissen kann.',
  installation: 'Diese Installation',
  version: 'Version',
  issuer: 'Issuer',
  graph: 'Graph',
  roundTrip: 'Antwortzeit des Graphen von hier aus',
  roundTripValue:
    '{last} ms; der Median der letzten {count, plural, one {Messung} other {# Messungen}} ist {median} ms',
  measuring: 'wird gemessen …',
  events: 'Live-Ereignisse',
  live: {
    live: 'verbunden',
    connecting: 'keine auf dieser Seite',
    lost: 'Verbindung verloren, wird neu aufgebaut',
  },
  services: 'Dienste und was sie brauchen',
  asked: 'abgefragt',
  readinessUnknown:
    'Der Zustand des Gateways ist nicht lesbar: Es antwortet nicht unter /readyz, oder die Konsole kommt von einem anderen Origin. Das heißt nicht, dass etwas ausgefallen ist.',
  statuses: {
    ready: 'bereit',
    degraded: 'eingeschränkt: Etwas Optionales fehlt',
    unavailable: 'nicht bereit',
  },
  draining: 'Es beendet sich gerade und nimmt keine neuen Anfragen an.',
  required: 'erforderlich',
  up: 'verfügbar',
  down: 'ausgefallen',
  oneGateway:
    'So sagt es das Gateway, das gerade geantwortet hat, und so hört es das von den Diensten. Andere sehen es vielleicht anders.',
  dependencies: {
    auth: 'der Authorization-Server: Anmeldungen, Tokens, Apps, Signale',
    directory: 'Personen und Gruppen',
    provisioning: 'SCIM und Identitätsquellen',
    access: 'weiß, welche Tokens gelten',
    redis: 'überträgt Ereignisse und zählt Anfragen',
    revocations: 'erfährt von vorzeitig beendeten Tokens',
    'service-credential': 'die eigenen Zugangsdaten des Gateways',
    installation: 'ist installiert',
    live: 'bringt Live-Ereignisse zu den Abonnenten',
    supergraph: 'der Graph ist geladen',
    startup: 'jeder Dienst war einmal da',
    'supergraph-file': 'die Datei, aus der der Graph gelesen wird',
  },
  keys: 'Signaturschlüssel',
  toKeys: 'Zu den Schlüsseln',
  keyStates: { CURRENT: 'signiert', NEXT: 'nächster', RETIRED: 'abgelöst' },
  keysOld:
    '{count, plural, one {# Schlüssel signiert seit mehr als einem Jahr: Rotieren Sie ihn.} other {# Schlüssel signieren seit mehr als einem Jahr: Rotieren Sie sie.}}',
  keysHint:
    'Seit wann jeder signiert, oder wann er erstellt wurde. Wann eine Rotation fällig ist, sagt der Graph nicht.',
  unknown: 'Was sich von hier aus nicht sagen lässt',
  unknownLead: 'Das sagen weder der Graph noch /readyz. Auskunft gibt, wer die Installation betreibt.',
  unknowns: {
    versions: 'Die Version jedes Dienstes: Die obige ist die des Gateways, das die Konsole ausgeliefert hat.',
    engines:
      'PostgreSQL und Valkey: Versionen, Datenträger, Verbindungen und Rückstand. Ein Dienst ohne seine Datenbank erscheint als ausgefallen.',
    others: 'Wie viele Prozesse jedes Dienstes es gibt und wie es jedem davon geht.',
    invariants: 'Ob die Prüfung der Invarianten bestanden ist und wann sie zuletzt lief (ostiary audit).',
    replicas: 'Wie weit Read-Replicas und Konsumenten von Ereignissen zurückliegen.',
  },
};
