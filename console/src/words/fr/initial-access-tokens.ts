import type { Words } from '../en/index.ts';

export const initialAccessTokens: Words['initialAccessTokens'] = {
  title: 'Jetons d’accès initiaux',
  lead: 'Avec un jeton d’accès initial, un logiciel s’enregistre lui-même comme application (RFC 7591), dans la limite des scopes du jeton.',
  create: 'Créer un jeton',
  shown: 'Jeton d’accès initial',
  label: 'Jeton d’accès initial',
  shownHint:
    'Donnez le jeton à l’administrateur qui installe le logiciel. Il est révoqué si vous quittez l’organisation ou perdez le rôle requis.',
  empty: 'Aucun jeton utilisable',
  emptyHint:
    'Créez un jeton pour qu’un logiciel puisse s’enregistrer lui-même. Sans jeton, seuls les administrateurs peuvent enregistrer des applications.',
  revoke: 'Révoquer',
  revokeSentence:
    'Le jeton est révoqué immédiatement. Les applications enregistrées avec lui sont conservées.',
  how: 'Utilisation',
  howLead:
    'Le logiciel envoie le jeton une fois et reçoit son propre ID client. L’application figure ensuite sous Applications.',
  lifetimes: {
    hour: 'dans 1 heure',
    day: 'dans 1 jour',
    week: 'dans 7 jours',
    month: 'dans 30 jours',
    quarter: 'dans 90 jours',
  },
  fields: {
    name: 'Nom',
    scopes: 'Scopes',
    uses: 'Nombre maximal d’utilisations',
    usesLeft: 'Utilisations restantes',
    made: 'Créé',
    ends: 'Expire',
    action: 'Action',
  },
  hints: {
    name: 'Décrivez son usage pour le reconnaître plus tard.',
    uses: 'Nombre d’applications qui peuvent s’enregistrer avec lui, de 1 à 1000.',
    scopes: 'Les scopes maximaux des applications enregistrées avec lui.',
  },
};
