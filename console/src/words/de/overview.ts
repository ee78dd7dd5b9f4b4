import type { Words } from '../en/index.ts';

export const overview: Words['overview'] = {
  title: 'Übersicht',
  of: 'Wie es {tenant} jetzt geht',
  notKnown: 'nicht bekannt',
  asTable: 'Als Tabelle',
  done: 'erledigt',
  open: 'zu tun',
  figures: {
    people: 'Aktive Personen',
    peopleHint:
      '{inactive, plural, =0 {niemand ist inaktiv} one {# ist inaktiv} other {# sind inaktiv}}, {groups, plural, one {# Gruppe} other {# Gruppen}}',
    sessions: 'Jetzt angemeldet',
    sessionsHint: '{grants, plural, one {# Grant an eine App gilt} other {# Grants an Apps gelten}}',
    signIns: 'Anmeldungen heute',
    signInsHint:
      '{refused, plural, =0 {keine wurde abgewiesen} one {# wurde abgewiesen} other {# wurden abgewiesen}} (UTC)',
    openDoors: 'Offene Türen nach Austritt',
    openDoorsHint:
      '{people, plural, =0 {noch ist niemand gegangen} one {der zuletzt gegangenen Person, gerade nachgesehen} other {der # zuletzt gegangenen Personen, gerade nachgesehen}}',
    openDoorsPartly:
      '{unknown, plural, one {bei # Person lässt es sich gerade nicht sagen} other {bei # Personen lässt es sich gerade nicht sagen}}',
    openDoorsUnknown: 'lässt sich nicht sagen: Es erfordert audit:read, oder es wird gerade nachgesehen',
  },
  signIns: {
    title: 'Anmeldungen nach Tag',
    day: 'Tag (UTC)',
    accepted: 'angemeldet',
    refused: 'falsches Passwort oder unbekannt',
    delayed: 'zu schnell nach anderen',
    summary:
      'Mit Passwort, in {days} Tagen: {accepted, number} angemeldet, {refused, number} abgewiesen, {delayed, number} verzögert.',
  },
  growth: {
    title: 'Personen nach Tag',
    day: 'Tag (UTC)',
    active: 'aktiv',
    total: 'alle',
    change: 'Änderung',
    summary:
      '{change, plural, =0 {So viele wie vor {days} Tagen.} other {{change, number, ::sign-always} in {days} Tagen.}}',
  },
  departures: {
    title: 'Wer zuletzt gegangen ist',
    none: 'Noch ist niemand gegangen',
    noneHint:
      'Wird jemand deaktiviert oder gelöscht, hier oder durch eine Identitätsquelle, schließen sich sofort alle Türen dieser Person. Das steht dann hier, mit den Millisekunden, die es gedauert hat.',
    deleted: 'gelöscht: {id}',
    back: 'wieder da',
    closed: '{count, plural, =0 {nichts war offen} one {# Tür geschlossen} other {# Türen geschlossen}}',
    notified: '{notified} von {all} nach außen gemeldet',
    asked: 'durch Nachfrage erfahren',
    ms: '{ms} ms',
    seconds: '{s} s',
    open: '{count, plural, =0 {0 offen} other {# offen}}',
    unknown: 'nicht bekannt',
  },
  attention: {
    title: 'Braucht Aufmerksamkeit',
    nothing: 'Nichts braucht Aufmerksamkeit.',
    tones: { bad: 'Dringend', warn: 'Bald', note: 'Zur Kenntnis' },
    kinds: {
      openDoors:
        '{count, plural, one {# Tür einer gegangenen Person ist offen} other {# Türen gegangener Personen sind offen}}',
      failing: 'Bei {name} kommt nichts an',
      receiverOff: '{name} bekommt nichts gemeldet: pausiert oder deaktiviert',
      dead: '{count, plural, one {# Nachricht wurde aufgegeben} other {# Nachrichten wurden aufgegeben}}',
      lag: '{count, plural, one {# Nachricht wartet auf Zustellung, entstanden} other {# Nachrichten warten auf Zustellung, die älteste entstanden}}',
      sourceOff: 'Die Quelle {name} ist deaktiviert',
      sourceSilent: 'Die Quelle {name} schweigt; ihre letzte Anfrage kam',
      sourceUnused: 'Die Quelle {name} hat noch nie etwas angefragt',
      tokenExpires: 'Das Token von {name} endet',
      failedRequests:
        '{count, plural, one {# SCIM-Anfrage schlug am letzten Tag fehl} other {# SCIM-Anfragen schlugen am letzten Tag fehl}}',
      keyExpires: 'Ein Schlüssel des Dienstkontos {name} endet',
      apiKeys:
        '{count, plural, one {# API-Schlüssel endet binnen zwei Wochen} other {# API-Schlüssel enden binnen zwei Wochen}}',
      personalTokens:
        '{count, plural, one {# persönliches Zugriffstoken endet binnen zwei Wochen} other {# persönliche Zugriffstokens enden binnen zwei Wochen}}',
      ownerless: 'Die Quelle {name} gehört niemandem, also schließt kein Austritt sie',
      sameUsers:
        '{count, plural, one {# Person teilt sich einen Benutzernamen mit jemandem} other {# Personen teilen sich einen Benutzernamen}}',
      sameGroups:
        '{count, plural, one {# Gruppe heißt wie eine andere} other {# Gruppen teilen sich einen Namen}}',
      noSecondFactor: 'Die Administration darf sich ohne zweiten Faktor anmelden',
      partly: 'Nur die ersten {count} Quellen und Dienstkonten wurden angesehen',
    },
    ownerlessOf: {
      clients:
        '{count, plural, one {# App gehört niemandem, also schließt kein Austritt sie} other {# Apps gehören niemandem, also schließt kein Austritt sie}}',
      accounts:
        '{count, plural, one {# Dienstkonto gehört niemandem} other {# Dienstkonten gehören niemandem}}',
      keys: '{count, plural, one {# API-Schlüssel gehört niemandem} other {# API-Schlüssel gehören niemandem}}',
    },
  },
  first: {
    title: 'Wenn eine Person geht, schließt sich jede Tür, überall, sofort',
    lead: 'Ostiary führt Ihre Personen und Gruppen, meldet sie bei Ihren Apps an und beendet alles von einer Person in dem Moment, in dem sie geht: Sitzungen, Tokens, Schlüssel, was sie erlaubt hat und was ihr gehört. In vier Schritten ist es zu sehen.',
    steps: {
      people: 'Verbinden, woher Ihre Personen kommen',
      app: 'Die erste App registrieren',
      tell: 'Ihren Systemen Bescheid geben lassen',
      leave: 'Eine Testperson gehen lassen',
    },
    hints: {
      people: 'Entra ID, Okta, OneLogin oder jede SCIM-2.0-Quelle; oder einen Benutzer von Hand anlegen.',
      app: 'Anmeldung mit OpenID Connect: Für gängige Frameworks gibt es Codeausschnitte zum Einfügen.',
      tell: 'Ein Webhook erfährt binnen Augenblicken von Austritten, signiert.',
      leave:
        'Einen Benutzer öffnen, seinen Austritt vollziehen und zusehen, wie sich die Türen schließen, jede mit ihren Millisekunden.',
    },
  },
};
