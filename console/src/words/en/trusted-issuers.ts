export const trustedIssuers = {
  title: 'Trusted issuers',
  one: 'Trusted issuer',
  lead: 'Who outside may say who a person is: its signed assertions give named apps access tokens (RFC 7523).',
  create: 'Trust an issuer',
  warning:
    'Who says who a person is can be anybody. So this takes every scope you give, and the right to write people and roles besides. Assertions count only for people who were bound to a subject, one by one.',
  empty: 'Nobody outside is trusted',
  emptyHint:
    'That is the safe state. Trust an issuer when an app has people’s identities from somewhere else and acts for them here.',
  gone: 'There is no such issuer',
  goneHint: 'The trust in it may have been withdrawn.',
  registration: 'What it is trusted with',
  unchangeable:
    'This can’t be changed: withdraw the trust and give it anew, so that nothing older rests on it.',
  noClients: 'No application has the grant type for it yet. Give one the grant “jwt-bearer” first.',
  delete: 'Withdraw the trust',
  deleteTitle: 'No longer trust “{name}”?',
  deleteLead:
    'Everything that was issued on its word ends at once, for everybody. Its bindings to people are forgotten.',
  fields: {
    name: 'Name',
    issuer: 'Issuer',
    jwksUri: 'Address of its keys',
    jwks: 'Its keys',
    clientIds: 'Apps that may present its assertions',
    scopes: 'Scopes',
    since: 'Since',
  },
  hints: {
    name: 'What administrators call it.',
    issuer: 'The “iss” of its assertions, compared byte for byte.',
    jwksUri: 'Where it publishes its JSON Web Key Set.',
    jwks: 'A JSON Web Key Set, instead of an address.',
    clientIds: 'Those that have the grant “jwt-bearer”.',
    scopes: 'The most that its assertions bring, within your own scopes.',
  },
  bindings: {
    title: 'Whom it means',
    lead: 'A subject of the issuer is bound to one person here. Nobody is looked up by an address or a name.',
    bind: 'Bind a subject to a person',
    empty: 'Nobody is bound yet',
    emptyHint: 'Until somebody is, its assertions get nothing.',
    subject: 'Subject',
    subjectHint: 'The “sub” of its assertions, compared byte for byte.',
    person: 'Person',
    personHint:
      'Begin to type a name or an address. Binding somebody who has a role takes what giving them that role takes.',
    since: 'Since',
    actions: 'Action',
    unbind: 'Unbind',
    unbindSentence: 'Everything that was issued on its word about this person ends at once.',
  },
};
