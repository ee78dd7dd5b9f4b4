import type { Words } from '../en/index.ts';

export const trustedIssuers: Words['trustedIssuers'] = {
  title: 'Émetteurs de confiance',
  one: 'Émetteur de confiance',
  lead: 'Émetteurs externes dont certaines applications peuvent échanger les assertions signées contre des jetons d’accès (RFC 7523).',
  create: 'Ajouter un émetteur de confiance',
  warning:
    'Un émetteur de confiance peut usurper l’identité de tous les utilisateurs que vous lui associez. Pour en ajouter un, il vous faut chaque scope que vous accordez et l’autorisation d’écrire les utilisateurs et les rôles. Les assertions ne sont acceptées que pour les utilisateurs associés.',
  empty: 'Aucun émetteur de confiance',
  emptyHint:
    'C’est le réglage le plus sûr. N’ajoutez un émetteur que si une application connecte les utilisateurs ailleurs et agit ici pour eux.',
  gone: 'Émetteur de confiance introuvable',
  goneHint: 'Il a peut-être été supprimé.',
  registration: 'Enregistrement',
  unchangeable:
    'Ces réglages ne sont pas modifiables. Pour les modifier, supprimez l’émetteur et ajoutez-le de nouveau ; tous ses jetons sont alors révoqués.',
  noClients:
    'Aucune application n’a le type d’octroi requis. Ajoutez d’abord le type d’octroi jwt-bearer à une application.',
  delete: 'Supprimer l’émetteur',
  deleteTitle: 'Supprimer l’émetteur de confiance « {name} » ?',
  deleteLead:
    'Tous les jetons émis pour ses assertions sont révoqués immédiatement, et ses associations avec des utilisateurs sont supprimées.',
  fields: {
    name: 'Nom',
    issuer: 'Émetteur',
    jwksUri: 'URL des clés (jwks_uri)',
    jwks: 'Clés',
    clientIds: 'Applications autorisées',
    scopes: 'Scopes',
    since: 'Ajouté',
  },
  hints: {
    name: 'Affiché aux administrateurs.',
    issuer: 'Le claim « iss » de ses assertions. La correspondance doit être exacte.',
    jwksUri: 'L’URL de son JSON Web Key Set.',
    jwks: 'Un JSON Web Key Set, à la place d’une URL.',
    clientIds: 'Applications avec le type d’octroi jwt-bearer.',
    scopes: 'Les scopes maximaux pour ses assertions, dans la limite de vos propres scopes.',
  },
  bindings: {
    title: 'Utilisateurs associés',
    lead: 'Chaque sujet de l’émetteur est associé à un utilisateur. Les utilisateurs ne sont jamais mis en correspondance par adresse e-mail ou par nom.',
    bind: 'Associer un utilisateur',
    empty: 'Aucun utilisateur associé pour l’instant',
    emptyHint: 'Associez un utilisateur pour accepter les assertions de cet émetteur.',
    subject: 'Sujet',
    subjectHint: 'Le claim « sub » de ses assertions. La correspondance doit être exacte.',
    person: 'Utilisateur',
    personHint:
      'Saisissez un nom ou une adresse e-mail. Pour associer un utilisateur qui a un rôle, vous devez pouvoir attribuer ce rôle.',
    since: 'Associé',
    actions: 'Action',
    unbind: 'Dissocier',
    unbindSentence: 'Tous les jetons émis via cette association sont révoqués immédiatement.',
  },
};
