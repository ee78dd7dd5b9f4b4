import type { Words } from '../en/index.ts';

export const keys: Words['keys'] = {
  title: 'Signaturschlüssel',
  lead: 'Womit die Tokens des Mandanten signiert werden. Die Schlüssel rotieren von selbst; niemand muss etwas tun.',
  rotate: 'Jetzt rotieren',
  compromised: 'Schlüssel wurden gestohlen',
  empty: 'Noch keine Schlüssel',
  emptyHint: 'Sie entstehen mit der ersten Anmeldung.',
  made: 'Erstellt:',
  signs: 'Signiert seit:',
  willSign: 'Signiert ab:',
  retired: 'Signierte bis:',
  states: { NEXT: 'nächster', CURRENT: 'aktuell', RETIRED: 'abgelöst' },
  stateHints: {
    NEXT: 'Veröffentlicht, damit alle, die prüfen, ihn kennen, bevor er signiert.',
    CURRENT: 'Signiert, was jetzt ausgestellt wird.',
    RETIRED: 'Signiert nicht mehr; bleibt veröffentlicht, bis alles abgelaufen ist, was er signiert hat.',
  },
  noneHints: { NEXT: 'Keiner wartet.', CURRENT: 'Keiner.', RETIRED: 'Keiner.' },
  jwks: 'Wo sie veröffentlicht sind',
  jwksLead: 'Die öffentlichen Hälften als JSON Web Key Set. Wer Tokens prüft, ruft es von selbst ab.',
  algorithms: 'Welche',
  rotateLead:
    'Nachfolger werden jetzt veröffentlicht und signieren, sobald alle, die prüfen, sie gesehen haben können. Kein Token wird ungültig, niemand wird abgemeldet.',
  compromisedTitle: 'Gestohlene Schlüssel jetzt entfernen?',
  compromisedLead:
    'Nur wenn ein Schlüssel in fremde Hände geraten sein kann. Das lässt sich nicht rückgängig machen.',
  compromisedEnds:
    'Die Schlüssel werden sofort entfernt. Jedes Token, das sie signiert haben, wird abgewiesen, bei allen Personen und in jeder App.',
  compromisedVerifiers: 'Apps, die selbst prüfen, weisen ab, sobald sie die neuen Schlüssel abrufen.',
  compromisedYou: 'Auch Ihre eigenen Tokens gehören dazu: Sie müssen sich eventuell neu anmelden.',
  compromisedSubmit: 'Schlüssel und alles von ihnen Signierte entfernen',
  understood: 'Ich verstehe, dass die Tokens aller enden.',
  notUnderstood: 'Bestätigen Sie, dass Sie das verstehen.',
  typeTenant: 'Zur Bestätigung die ID des Mandanten eingeben: {tenant}',
  wrongTenant: 'Das ist nicht die ID des Mandanten.',
};
