import type { Words } from '../en/index.ts';

export const trustedIssuers: Words['trustedIssuers'] = {
  title: 'Émetteurs de confiance',
  one: 'Émetteur de confiance',
  lead: 'Qui, à l’extérieur, peut dire qui est une personne : ses assertions signées donnent des jetons d’accès aux applications désignées (RFC 7523).',
  create: 'Faire confiance à un émetteur',
  warning:
    'Qui dit qui est une personne peut se faire passer pour n’importe qui. Il faut donc avoir chaque scope que vous donnez, et de plus le droit d’écrire les personnes et les rôles. Les assertions ne comptent que pour les personnes liées à un sujet, une par une.',
  empty: 'Personne à l’extérieur n’a cette confiance',
  emptyHint:
    'C’est l’état sûr. Faites confiance à un émetteur quand une application tient d’ailleurs l’identité des personnes et agit ici en leur nom.',
  gone: 'Cet émetteur n’existe pas',
  goneHint: 'La confiance lui a peut-être été retirée.',
  registration: 'Ce qui lui est confié',
  unchangeable:
    'Cela ne peut pas être modifié : retirez la confiance et accordez-la de nouveau, pour que rien de plus ancien n’en dépende.',
  noClients:
    'Aucune application n’a encore le type d’octroi nécessaire. Donnez d’abord à l’une d’elles le type « jwt-bearer ».',
  delete: 'Retirer la confiance',
  deleteTitle: 'Ne plus faire confiance à « {name} » ?',
  deleteLead:
    'Tout ce qui a été délivré sur sa parole prend fin aussitôt, pour tout le monde. Ses liens avec des personnes sont oubliés.',
  fields: {
    name: 'Nom',
    issuer: 'Émetteur',
    jwksUri: 'Adresse de ses clés',
    jwks: 'Ses clés',
    clientIds: 'Applications qui peuvent présenter ses assertions',
    scopes: 'Scopes',
    since: 'Début',
  },
  hints: {
    name: 'Comment les administrateurs l’appellent.',
    issuer: 'Le « iss » de ses assertions, comparé octet par octet.',
    jwksUri: 'Où il publie son JSON Web Key Set.',
    jwks: 'Un JSON Web Key Set, à la place d’une adresse.',
    clientIds: 'Celles qui ont le type d’octroi « jwt-bearer ».',
    scopes: 'Le maximum qu’apportent ses assertions, dans la limite de vos propres scopes.',
  },
  bindings: {
    title: 'De qui il parle',
    lead: 'Un sujet de l’émetteur est lié à une personne ici. Personne n’est cherché d’après une adresse ou un nom.',
    bind: 'Lier un sujet à une personne',
    empty: 'Personne n’est encore lié',
    emptyHint: 'Tant que personne ne l’est, ses assertions n’obtiennent rien.',
    subject: 'Sujet',
    subjectHint: 'Le « sub » de ses assertions, comparé octet par octet.',
    person: 'Personne',
    personHint:
      'Commencez à saisir un nom ou une adresse. Lier quelqu’un qui a un rôle exige ce qu’exige de lui donner ce rôle.',
    since: 'Début',
    actions: 'Action',
    unbind: 'Délier',
    unbindSentence: 'Tout ce qui a été délivré sur sa parole au sujet de cette personne prend fin aussitôt.',
  },
};
