import type { Words } from '../en/index.ts';

export const trustedIssuers: Words['trustedIssuers'] = {
  title: 'Vertrauenswürdige Issuer',
  one: 'Vertrauenswürdiger Issuer',
  lead: 'Externe Issuer, deren signierte Assertions ausgewählte Apps gegen Zugriffstokens tauschen können (RFC 7523).',
  create: 'Vertrauenswürdigen Issuer hinzufügen',
  warning:
    'Ein vertrauenswürdiger Issuer kann die Identität aller Benutzer annehmen, die Sie mit ihm verknüpfen. Zum Hinzufügen benötigen Sie jeden Scope, den Sie gewähren, und die Berechtigung, Benutzer und Rollen zu schreiben. Assertions werden nur für verknüpfte Benutzer akzeptiert.',
  empty: 'Keine vertrauenswürdigen Issuer',
  emptyHint:
    'Das ist die sicherste Einstellung. Fügen Sie nur dann einen Issuer hinzu, wenn eine App Benutzer anderswo anmeldet und hier für sie handelt.',
  gone: 'Vertrauenswürdiger Issuer nicht gefunden',
  goneHint: 'Möglicherweise wurde er entfernt.',
  registration: 'Registrierung',
  unchangeable:
    'Diese Einstellungen lassen sich nicht ändern. Entfernen Sie dazu den Issuer und fügen Sie ihn erneut hinzu; alle seine Tokens werden dabei widerrufen.',
  noClients:
    'Keine App hat den erforderlichen Grant-Typ. Fügen Sie zuerst einer App den Grant-Typ jwt-bearer hinzu.',
  delete: 'Issuer entfernen',
  deleteTitle: 'Vertrauenswürdigen Issuer „{name}“ entfernen?',
  deleteLead:
    'Alle für seine Assertions ausgestellten Tokens werden sofort widerrufen, und seine Verknüpfungen mit Benutzern werden gelöscht.',
  fields: {
    name: 'Name',
    issuer: 'Issuer',
    jwksUri: 'URL der Schlüssel (jwks_uri)',
    jwks: 'Schlüssel',
    clientIds: 'Berechtigte Apps',
    scopes: 'Scopes',
    since: 'Hinzugefügt',
  },
  hints: {
    name: 'Wird Administratoren angezeigt.',
    issuer: 'Der Claim „iss“ seiner Assertions. Die Übereinstimmung muss exakt sein.',
    jwksUri: 'Die URL seines JSON Web Key Set.',
    jwks: 'Ein JSON Web Key Set, statt einer URL.',
    clientIds: 'Apps mit dem Grant-Typ jwt-bearer.',
    scopes: 'Die maximalen Scopes für seine Assertions, innerhalb Ihrer eigenen Scopes.',
  },
  bindings: {
    title: 'Verknüpfte Benutzer',
    lead: 'Jedes Subject des Issuers ist mit einem Benutzer verknüpft. Benutzer werden nie über E-Mail-Adresse oder Namen zugeordnet.',
    bind: 'Benutzer verknüpfen',
    empty: 'Noch keine verknüpften Benutzer',
    emptyHint: 'Verknüpfen Sie einen Benutzer, um Assertions dieses Issuers zu akzeptieren.',
    subject: 'Subject',
    subjectHint: 'Der Claim „sub“ seiner Assertions. Die Übereinstimmung muss exakt sein.',
    person: 'Benutzer',
    personHint:
      'Geben Sie einen Namen oder eine E-Mail-Adresse ein. Um einen Benutzer mit einer Rolle zu verknüpfen, müssen Sie diese Rolle zuweisen dürfen.',
    since: 'Verknüpft',
    actions: 'Aktion',
    unbind: 'Verknüpfung aufheben',
    unbindSentence: 'Alle über diese Verknüpfung ausgestellten Tokens werden sofort widerrufen.',
  },
};
