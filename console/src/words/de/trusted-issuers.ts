import type { Words } from '../en/index.ts';

export const trustedIssuers: Words['trustedIssuers'] = {
  title: 'Vertrauenswürdige Issuer',
  one: 'Vertrauenswürdiger Issuer',
  lead: 'Wer von außen sagen darf, wer eine Person ist: Signierte Assertions geben bestimmten Apps Access-Tokens (RFC 7523).',
  create: 'Einem Issuer vertrauen',
  warning:
    'Wer sagt, wer eine Person ist, kann jede Person sein. Deshalb erfordert das jeden Scope, den Sie geben, und zusätzlich das Recht, Personen und Rollen zu schreiben. Assertions gelten nur für Personen, die einzeln an ein Subject gebunden wurden.',
  empty: 'Niemandem von außen wird vertraut',
  emptyHint:
    'Das ist der sichere Zustand. Vertrauen Sie einem Issuer, wenn eine App die Identitäten von Personen von anderswo hat und hier für sie handelt.',
  gone: 'Diesen Issuer gibt es nicht',
  goneHint: 'Vielleicht wurde das Vertrauen zurückgenommen.',
  registration: 'Was ihm anvertraut ist',
  unchangeable:
    'Das lässt sich nicht ändern: Nehmen Sie das Vertrauen zurück und geben Sie es neu, damit nichts Älteres darauf beruht.',
  noClients: 'Noch keine Anwendung hat den Grant-Typ dafür. Geben Sie zuerst einer den Grant „jwt-bearer“.',
  delete: 'Vertrauen zurücknehmen',
  deleteTitle: '„{name}“ nicht länger vertrauen?',
  deleteLead:
    'Alles, was auf sein Wort hin ausgestellt wurde, endet sofort, für alle. Seine Bindungen an Personen werden vergessen.',
  fields: {
    name: 'Name',
    issuer: 'Issuer',
    jwksUri: 'Adresse seiner Schlüssel',
    jwks: 'Seine Schlüssel',
    clientIds: 'Apps, die seine Assertions vorlegen dürfen',
    scopes: 'Scopes',
    since: 'Seit',
  },
  hints: {
    name: 'Wie ihn die Administration nennt.',
    issuer: 'Das „iss“ seiner Assertions, Byte für Byte verglichen.',
    jwksUri: 'Wo er sein JSON Web Key Set veröffentlicht.',
    jwks: 'Ein JSON Web Key Set, statt einer Adresse.',
    clientIds: 'Die mit dem Grant „jwt-bearer“.',
    scopes: 'Das Höchste, was seine Assertions bringen, innerhalb Ihrer eigenen Scopes.',
  },
  bindings: {
    title: 'Wen er meint',
    lead: 'Ein Subject des Issuers ist hier an genau eine Person gebunden. Niemand wird über Adresse oder Namen gesucht.',
    bind: 'Subject an eine Person binden',
    empty: 'Noch niemand ist gebunden',
    emptyHint: 'Bis dahin erhält niemand etwas für seine Assertions.',
    subject: 'Subject',
    subjectHint: 'Das „sub“ seiner Assertions, Byte für Byte verglichen.',
    person: 'Person',
    personHint:
      'Anfang des Namens oder der Adresse eingeben. Jemanden mit einer Rolle zu binden erfordert, was das Vergeben dieser Rolle erfordert.',
    since: 'Seit',
    actions: 'Aktion',
    unbind: 'Bindung lösen',
    unbindSentence: 'Alles, was auf sein Wort hin über diese Person ausgestellt wurde, endet sofort.',
  },
};
