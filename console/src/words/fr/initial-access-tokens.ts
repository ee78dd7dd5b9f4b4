import type { Words } from '../en/index.ts';

export const initialAccessTokens: Words['initialAccessTokens'] = {
  title: 'Jetons d’accès initiaux',
  lead: 'Avec l’un d’eux, un logiciel s’enregistre lui-même comme application (RFC 7591), dans la limite des scopes du jeton.',
  create: 'Créer un jeton',
  shown: 'Le jeton d’accès initial',
  label: 'Jeton d’accès initial',
  shownHint:
    'Donnez-le à la personne qui installe le logiciel. Il prend fin quand vous partez, ou perdez le rôle qui le permet.',
  empty: 'Aucun jeton encore utilisable',
  emptyHint: 'Sans un tel jeton, seuls les administrateurs enregistrent des applications.',
  revoke: 'Révoquer',
  revokeSentence: 'Le jeton prend fin aussitôt. Les applications enregistrées avec lui restent.',
  how: 'Comment on s’en sert',
  howLead: 'Le logiciel l’envoie une fois. Il reçoit un ID client à lui, qui figure sous Applications.',
  lifetimes: {
    hour: 'dans une heure',
    day: 'dans un jour',
    week: 'dans une semaine',
    month: 'dans 30 jours',
    quarter: 'dans 90 jours',
  },
  fields: {
    name: 'Nom',
    scopes: 'Scopes',
    uses: 'Nombre d’utilisations possibles',
    usesLeft: 'Utilisations restantes',
    made: 'Créé',
    ends: 'Expire',
    action: 'Action',
  },
  hints: {
    name: 'À quoi il sert, pour le distinguer des autres.',
    uses: 'Combien d’applications il permet d’enregistrer : 1 à 1000.',
    scopes: 'Le maximum que peut demander une application enregistrée avec lui.',
  },
};
