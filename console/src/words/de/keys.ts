import type { Words } from '../en/index.ts';

export const keys: Words['keys'] = {
  title: 'Signaturschlüssel',
  lead: 'Schlüssel, mit denen die Tokens des Mandanten signiert werden. Sie werden automatisch rotiert.',
  rotate: 'Jetzt rotieren',
  compromised: 'Kompromittierte Schlüssel entfernen',
  empty: 'Noch keine Signaturschlüssel',
  emptyHint: 'Schlüssel werden bei der ersten Anmeldung automatisch erstellt.',
  made: 'Erstellt:',
  signs: 'Aktiv seit:',
  willSign: 'Aktiv ab:',
  retired: 'Abgelöst:',
  states: { NEXT: 'nächster', CURRENT: 'aktuell', RETIRED: 'abgelöst' },
  stateHints: {
    NEXT: 'Vorab veröffentlicht, damit prüfende Apps den Schlüssel erhalten, bevor er signiert.',
    CURRENT: 'Signiert neue Tokens.',
    RETIRED: 'Signiert nicht mehr. Veröffentlicht, bis alle damit signierten Tokens abgelaufen sind.',
  },
  noneHints: { NEXT: 'Keiner.', CURRENT: 'Keiner.', RETIRED: 'Keiner.' },
  jwks: 'Öffentliche Schlüssel',
  jwksLead:
    'Die öffentlichen Schlüssel als JSON Web Key Set. Apps, die Tokens prüfen, rufen es automatisch ab.',
  algorithms: 'Algorithmen',
  rotateLead:
    'Neue Schlüssel werden jetzt veröffentlicht und signieren, sobald prüfende Apps sie abrufen konnten. Alle Tokens bleiben gültig, und alle Benutzer bleiben angemeldet.',
  compromisedTitle: 'Kompromittierte Schlüssel entfernen?',
  compromisedLead:
    'Entfernen Sie Schlüssel nur, wenn ein Angreifer sie haben könnte. Das lässt sich nicht rückgängig machen.',
  compromisedEnds:
    'Die Schlüssel werden sofort entfernt. Alle damit signierten Tokens werden abgelehnt, für alle Benutzer und Apps.',
  compromisedVerifiers:
    'Apps, die Tokens lokal prüfen, lehnen sie ab, sobald sie die neuen Schlüssel abrufen.',
  compromisedYou: 'Auch Ihre eigenen Tokens werden abgelehnt. Sie müssen sich eventuell erneut anmelden.',
  compromisedSubmit: 'Schlüssel entfernen und Tokens ungültig machen',
  understood: 'Ich verstehe, dass die Tokens aller Benutzer ungültig werden.',
  notUnderstood: 'Aktivieren Sie zur Bestätigung das Kontrollkästchen.',
  typeTenant: 'Geben Sie zur Bestätigung die Mandanten-ID ein: {tenant}',
  wrongTenant: 'Die Mandanten-ID stimmt nicht überein.',
};
