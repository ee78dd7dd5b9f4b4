import type { Words } from '../en/index.ts';

export const owners: Words['owners'] = {
  nobody: 'sans propriétaire',
  group: 'groupe',
  owner: 'Propriétaire',
  transfer: 'Changer de propriétaire',
  transferTitle: 'Changer le propriétaire de « {name} »',
  transferLead:
    'Au départ du propriétaire, il est révoqué, suspendu ou transféré, selon la politique du tenant. Son secret ne change pas. Renouvelez-le si l’ancien propriétaire ne doit plus le connaître.',
  newOwner: 'Nouveau propriétaire',
  newOwnerHint:
    'Un groupe, ou un utilisateur actif dont le rôle permet de le gérer. Commencez à saisir un nom ou une adresse e-mail.',
  ownerHint: 'Par défaut : vous. Un groupe reste propriétaire quand l’un de ses membres part.',
};
