export const trustedIssuers = {
  title: 'Trusted issuers',
  one: 'Trusted issuer',
  lead: 'External issuers whose signed assertions selected apps can exchange for access tokens (RFC 7523).',
  create: 'Add trusted issuer',
  warning:
    'A trusted issuer can impersonate every user that you link to it. To add one, you need every scope that you grant and permission to write users and roles. Assertions are accepted only for linked users.',
  empty: 'No trusted issuers',
  emptyHint:
    'This is the most secure setting. Add an issuer only if an app signs users in elsewhere and acts for them here.',
  gone: 'Trusted issuer not found',
  goneHint: 'It may have been removed.',
  registration: 'Registration',
  unchangeable:
    'These settings can’t be changed. To change them, remove the issuer and add it again; all its tokens are then revoked.',
  noClients: 'No app has the required grant type. Add the jwt-bearer grant type to an app first.',
  delete: 'Remove issuer',
  deleteTitle: 'Remove trusted issuer “{name}”?',
  deleteLead:
    'All tokens issued for its assertions are revoked immediately, and its links to users are deleted.',
  fields: {
    name: 'Name',
    issuer: 'Issuer',
    jwksUri: 'Key URL (jwks_uri)',
    jwks: 'Keys',
    clientIds: 'Authorized apps',
    scopes: 'Scopes',
    since: 'Added',
  },
  hints: {
    name: 'Shown to administrators.',
    issuer: 'The “iss” claim of its assertions. The match must be exact.',
    jwksUri: 'The URL of its JSON Web Key Set.',
    jwks: 'A JSON Web Key Set, instead of a URL.',
    clientIds: 'Apps with the jwt-bearer grant type.',
    scopes: 'The maximum scopes for its assertions, within your own scopes.',
  },
  bindings: {
    title: 'Linked users',
    lead: 'Each subject of the issuer is linked to one user. Users are never matched by email address or name.',
    bind: 'Link user',
    empty: 'No linked users yet',
    emptyHint: 'Link a user to accept assertions of this issuer.',
    subject: 'Subject',
    subjectHint: 'The “sub” claim of its assertions. The match must be exact.',
    person: 'User',
    personHint:
      'Type a name or email address. To link a user who has a role, you need permission to assign that role.',
    since: 'Linked',
    actions: 'Action',
    unbind: 'Unlink',
    unbindSentence: 'All tokens issued through this link are revoked immediately.',
  },
};
