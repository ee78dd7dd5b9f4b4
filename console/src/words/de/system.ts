import type { Words } from '../en/index.ts';

export const system: Words['system'] = {
  title: 'System',
  lead: 'Status der Installation, soweit für einen Mandanten sichtbar.',
  installation: 'Installation',
  version: 'Version',
  issuer: 'Issuer',
  graph: 'Graph',
  roundTrip: 'Antwortzeit des Graphen',
  roundTripValue:
    '{last} ms (Median der letzten {count, plural, one {Anfrage} other {# Anfragen}}: {median} ms)',
  measuring: 'wird gemessen …',
  events: 'Live-Ereignisse',
  live: {
    live: 'verbunden',
    connecting: 'auf dieser Seite nicht verwendet',
    lost: 'getrennt, Verbindung wird wiederhergestellt',
  },
  services: 'Dienste und Abhängigkeiten',
  asked: 'geprüft',
  readinessUnknown:
    'Der Status des Gateways ist nicht verfügbar: /readyz antwortet nicht, oder die Konsole wird von einem anderen Origin bereitgestellt. Die Dienste laufen möglicherweise trotzdem.',
  statuses: {
    ready: 'bereit',
    degraded: 'eingeschränkt: eine optionale Abhängigkeit ist nicht verfügbar',
    unavailable: 'nicht bereit',
  },
  draining: 'Wird heruntergefahren. Neue Anfragen werden abgewiesen.',
  required: 'erforderlich',
  up: 'verfügbar',
  down: 'ausgefallen',
  oneGateway:
    'Status laut einem Gateway-Prozess. Andere Prozesse melden möglicherweise einen anderen Status.',
  dependencies: {
    auth: 'Authorization-Server: Anmeldungen, Tokens, Apps, Signale',
    directory: 'Benutzer und Gruppen',
    provisioning: 'SCIM und Identitätsquellen',
    access: 'Prüfung von Tokens',
    redis: 'Ereignisse und Anfragelimits',
    revocations: 'Widerruf von Tokens',
    'service-credential': 'Zugangsdaten des Gateways',
    installation: 'Installation abgeschlossen',
    live: 'Live-Ereignisse für Abonnenten',
    supergraph: 'Supergraph geladen',
    startup: 'alle Dienste beim Start einmal erreicht',
    'supergraph-file': 'Supergraph-Datei',
  },
  keys: 'Signaturschlüssel',
  toKeys: 'Schlüssel anzeigen',
  keyStates: { CURRENT: 'aktuell', NEXT: 'nächster', RETIRED: 'außer Betrieb' },
  keysOld:
    '{count, plural, one {# Schlüssel ist älter als ein Jahr. Rotieren Sie ihn.} other {# Schlüssel sind älter als ein Jahr. Rotieren Sie sie.}}',
  keysHint:
    'Zeitpunkt, seit dem jeder Schlüssel signiert oder an dem er erstellt wurde. Der Graph meldet nicht, wann eine Rotation fällig ist.',
  unknown: 'Hier nicht angezeigt',
  unknownLead:
    'Der Graph und /readyz liefern diese Informationen nicht. Wenden Sie sich an den Betreiber der Installation.',
  unknowns: {
    versions: 'Version jedes Dienstes. Die Version oben ist die des Gateways.',
    engines:
      'Versionen, Datenträger, Verbindungen und Rückstand von PostgreSQL und Valkey. Ein Dienst ohne seine Datenbank wird als ausgefallen angezeigt.',
    others: 'Anzahl und Status der Prozesse jedes Dienstes.',
    invariants: 'Zeitpunkt und Ergebnis der letzten Prüfung der Invarianten (ostiary audit).',
    replicas: 'Rückstand von Read-Replicas und Ereigniskonsumenten.',
  },
};
