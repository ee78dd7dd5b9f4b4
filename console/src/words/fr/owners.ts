import type { Words } from '../en/index.ts';

export const owners: Words['owners'] = {
  nobody: 'sans propriétaire',
  group: 'groupe',
  owner: 'Propriétaire',
  transfer: 'Changer de propriétaire',
  transferTitle: 'À qui doit appartenir « {name} » ?',
  transferLead:
    'Au départ du propriétaire, cet objet part avec lui : il prend fin, est suspendu ou change de mains, selon la politique du tenant. Son secret reste ce qu’il est. Renouvelez-le si la personne qui l’avait ne doit plus le connaître.',
  newOwner: 'Nouveau propriétaire',
  newOwnerHint:
    'Un groupe, ou une personne active dont le rôle permet de le gérer. Commencez à saisir un nom ou une adresse.',
  ownerHint: 'Laissé vide, c’est vous. Un groupe le garde quand l’un de ses membres part.',
};
