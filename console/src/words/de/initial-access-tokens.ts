import type { Words } from '../en/index.ts';

export const initialAccessTokens: Words['initialAccessTokens'] = {
  title: 'Initial-Access-Tokens',
  lead: 'Mit einem solchen Token registriert sich Software selbst als Anwendung (RFC 7591), innerhalb seiner Scopes.',
  create: 'Token erstellen',
  shown: 'Das Initial-Access-Token',
  label: 'Initial-Access-Token',
  shownHint:
    'Für die Person, die die Software installiert. Es endet, wenn Sie gehen oder die Rolle dafür verlieren.',
  empty: 'Keine verwendbaren Tokens',
  emptyHint: 'Ohne ein solches Token registriert nur die Administration Anwendungen.',
  revoke: 'Widerrufen',
  revokeSentence: 'Das Token endet sofort. Damit registrierte Anwendungen bleiben.',
  how: 'So wird es verwendet',
  howLead:
    'Die Software sendet es einmal. Sie erhält dafür eine eigene Client-ID und steht dann unter „Anwendungen“.',
  lifetimes: {
    hour: 'in einer Stunde',
    day: 'in einem Tag',
    week: 'in einer Woche',
    month: 'in 30 Tagen',
    quarter: 'in 90 Tagen',
  },
  fields: {
    name: 'Name',
    scopes: 'Scopes',
    uses: 'Wie oft es verwendbar ist',
    usesLeft: 'Noch verwendbar',
    made: 'Erstellt',
    ends: 'Endet',
    action: 'Aktion',
  },
  hints: {
    name: 'Wofür es ist, zur Unterscheidung von anderen.',
    uses: 'Wie viele Anwendungen sich damit registrieren dürfen: 1 bis 1000.',
    scopes: 'Das Höchste, worum eine damit registrierte Anwendung bitten darf.',
  },
};
