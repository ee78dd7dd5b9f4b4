import type { Words } from '../en/index.ts';

export const overview: Words['overview'] = {
  title: 'Übersicht',
  of: 'Aktueller Status von {tenant}',
  notKnown: 'nicht verfügbar',
  asTable: 'Als Tabelle anzeigen',
  done: 'erledigt',
  open: 'zu tun',
  figures: {
    people: 'Aktive Benutzer',
    peopleHint:
      '{inactive, plural, =0 {keine inaktiven Benutzer} one {# inaktiver Benutzer} other {# inaktive Benutzer}}, {groups, plural, one {# Gruppe} other {# Gruppen}}',
    sessions: 'Aktive Sitzungen',
    sessionsHint: '{grants, plural, one {# App-Grant} other {# App-Grants}}',
    signIns: 'Anmeldungen heute',
    signInsHint: '{refused, plural, =0 {keine abgewiesen} one {# abgewiesen} other {# abgewiesen}} (UTC)',
    openDoors: 'Verbliebene Zugriffe nach Austritt',
    openDoorsHint:
      '{users, plural, =0 {noch keine Austritte} one {der einzige ausgetretene Benutzer, gerade geprüft} other {alle # ausgetretenen Benutzer, gerade geprüft}}',
    openDoorsNewest:
      '{users, plural, =0 {kein ausgetretener Benutzer wurde geprüft} one {letzter ausgetretener Benutzer, gerade geprüft; frühere sind nicht geprüft} other {letzte # ausgetretene Benutzer, gerade geprüft; frühere sind nicht geprüft}}',
    openDoorsPartly:
      '{unknown, plural, one {# Benutzer konnte nicht geprüft werden} other {# Benutzer konnten nicht geprüft werden}}',
    openDoorsUnknown: 'nicht verfügbar: erfordert audit:read, oder die Prüfung läuft noch',
  },
  signIns: {
    title: 'Anmeldungen nach Tag',
    titleByHour: 'Anmeldungen nach Stunde',
    byHour: 'Nach Stunde',
    byDay: 'Nach Tag',
    day: 'Tag (UTC)',
    hour: 'Stunde',
    accepted: 'erfolgreich',
    refused: 'unbekannter Benutzer oder falsches Passwort',
    delayed: 'nach wiederholten Versuchen verzögert',
    summary:
      'Anmeldungen mit Passwort in {days} Tagen: {accepted, number} erfolgreich, {refused, number} abgewiesen, {delayed, number} verzögert.',
    summaryByHour:
      'Anmeldungen mit Passwort in {hours} Stunden: {accepted, number} erfolgreich, {refused, number} abgewiesen, {delayed, number} verzögert.',
  },
  growth: {
    title: 'Benutzer nach Tag',
    day: 'Tag (UTC)',
    active: 'aktiv',
    total: 'gesamt',
    change: 'Änderung',
    summary:
      '{change, plural, =0 {Keine Änderung in {days} Tagen.} other {{change, number, ::sign-always} in {days} Tagen.}}',
  },
  departures: {
    title: 'Letzte Austritte',
    none: 'Noch keine Austritte',
    noneHint:
      'Wird ein Benutzer deaktiviert oder gelöscht, werden alle Zugriffe widerrufen. Das Ergebnis und die Dauer erscheinen hier.',
    deleted: 'gelöscht: {id}',
    back: 'reaktiviert',
    closed:
      '{count, plural, =0 {keine Zugriffe vorhanden} one {# Zugriff beendet} other {# Zugriffe beendet}}',
    notified: '{notified} von {all} Nachrichten zugestellt',
    asked: 'bei Prüfung des Verzeichnisses erkannt',
    ms: '{ms} ms',
    seconds: '{s} s',
    open: '{count, plural, one {# offen} other {# offen}}',
    unknown: 'nicht verfügbar',
  },
  attention: {
    title: 'Handlungsbedarf',
    nothing: 'Kein Handlungsbedarf.',
    tones: { bad: 'Dringend', warn: 'Bald', note: 'Zur Information' },
    kinds: {
      openDoors:
        '{count, plural, one {# Zugriff eines ausgetretenen Benutzers besteht noch} other {# Zugriffe ausgetretener Benutzer bestehen noch}}',
      failing: 'Zustellungen an {name} schlagen fehl. Erster Fehler:',
      receiverOff: '{name} empfängt keine Ereignisse: pausiert oder deaktiviert',
      dead: '{count, plural, one {# Zustellung endgültig fehlgeschlagen} other {# Zustellungen endgültig fehlgeschlagen}}',
      lag: '{count, plural, one {# Nachricht ausstehend. Erstellt:} other {# Nachrichten ausstehend. Älteste:}}',
      sourceOff: 'Identitätsquelle {name} ist deaktiviert',
      sourceSilent: 'Identitätsquelle {name} ist inaktiv. Letzte Anfrage:',
      sourceUnused: 'Identitätsquelle {name} hat noch nie eine Anfrage gesendet',
      tokenExpires: 'Token von {name} läuft ab',
      failedRequests:
        '{count, plural, one {# SCIM-Anfrage in den letzten 24 Stunden fehlgeschlagen} other {# SCIM-Anfragen in den letzten 24 Stunden fehlgeschlagen}}',
      keyExpires: 'Ein Schlüssel des Dienstkontos {name} läuft ab',
      apiKeys:
        '{count, plural, one {# API-Schlüssel läuft innerhalb von zwei Wochen ab} other {# API-Schlüssel laufen innerhalb von zwei Wochen ab}}',
      personalTokens:
        '{count, plural, one {# persönliches Zugriffstoken läuft innerhalb von zwei Wochen ab} other {# persönliche Zugriffstokens laufen innerhalb von zwei Wochen ab}}',
      ownerless: 'Identitätsquelle {name} hat keinen Eigentümer: kein Austritt deaktiviert sie',
      sameUsers:
        '{count, plural, one {# Benutzer hat einen doppelten Benutzernamen} other {# Benutzer haben doppelte Benutzernamen}}',
      sameGroups:
        '{count, plural, one {# Gruppe hat einen doppelten Namen} other {# Gruppen haben doppelte Namen}}',
      noSecondFactor: 'Administratoren können sich ohne zweiten Faktor anmelden',
      partly: 'Nur die ersten {count} Identitätsquellen und Dienstkonten wurden geprüft',
    },
    ownerlessOf: {
      clients:
        '{count, plural, one {# App hat keinen Eigentümer: kein Austritt deaktiviert sie} other {# Apps haben keinen Eigentümer: kein Austritt deaktiviert sie}}',
      accounts:
        '{count, plural, one {# Dienstkonto hat keinen Eigentümer} other {# Dienstkonten haben keinen Eigentümer}}',
      keys: '{count, plural, one {# API-Schlüssel hat keinen Eigentümer} other {# API-Schlüssel haben keinen Eigentümer}}',
    },
  },
  first: {
    title: 'Wenn ein Benutzer austritt, werden alle Zugriffe überall in wenigen Augenblicken widerrufen',
    lead: 'Ostiary verwaltet Ihre Benutzer und Gruppen und meldet sie bei Ihren Apps an. Beim Austritt werden Sitzungen, Tokens, Schlüssel und Grants widerrufen. Richten Sie es in vier Schritten ein.',
    steps: {
      people: 'Identitätsquelle verbinden',
      app: 'App registrieren',
      tell: 'Ihre Systeme benachrichtigen',
      leave: 'Austritt eines Testbenutzers durchführen',
    },
    hints: {
      people:
        'Verwenden Sie Entra ID, Okta, OneLogin oder eine andere SCIM-2.0-Quelle, oder erstellen Sie einen Benutzer manuell.',
      app: 'Melden Sie Benutzer mit OpenID Connect an. Codebeispiele für gängige Frameworks sind vorhanden.',
      tell: 'Erstellen Sie einen Webhook. Er empfängt signierte Austrittsereignisse in wenigen Augenblicken.',
      leave:
        'Öffnen Sie einen Benutzer, und führen Sie seinen Austritt durch. Der Bericht zeigt jeden beendeten Zugriff und die Dauer.',
    },
  },
};
