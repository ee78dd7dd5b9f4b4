import type { Words } from '../en/index.ts';

export const initialAccessTokens: Words['initialAccessTokens'] = {
  title: 'Initial-Access-Tokens',
  lead: 'Mit einem Initial-Access-Token registriert sich Software selbst als App (RFC 7591), innerhalb der Scopes des Tokens.',
  create: 'Token erstellen',
  shown: 'Initial-Access-Token',
  label: 'Initial-Access-Token',
  shownHint:
    'Geben Sie das Token der Person, die die Software installiert. Es wird widerrufen, wenn Ihr Offboarding erfolgt oder Sie die erforderliche Rolle verlieren.',
  empty: 'Keine verwendbaren Tokens',
  emptyHint:
    'Erstellen Sie ein Token, damit sich Software selbst registrieren kann. Ohne Token können nur Administratoren Apps registrieren.',
  revoke: 'Widerrufen',
  revokeSentence: 'Das Token wird sofort widerrufen. Damit registrierte Apps bleiben erhalten.',
  how: 'Verwendung',
  howLead:
    'Die Software sendet das Token einmal und erhält eine eigene Client-ID. Die App erscheint dann unter „Apps“.',
  lifetimes: {
    hour: 'in 1 Stunde',
    day: 'in 1 Tag',
    week: 'in 7 Tagen',
    month: 'in 30 Tagen',
    quarter: 'in 90 Tagen',
  },
  fields: {
    name: 'Name',
    scopes: 'Scopes',
    uses: 'Maximale Verwendungen',
    usesLeft: 'Verbleibende Verwendungen',
    made: 'Erstellt',
    ends: 'Läuft ab',
    action: 'Aktion',
  },
  hints: {
    name: 'Beschreiben Sie den Zweck, damit Sie das Token später erkennen.',
    uses: 'Anzahl der Apps, die sich damit registrieren können, 1 bis 1000.',
    scopes: 'Die maximalen Scopes der damit registrierten Apps.',
  },
};
