import type { Words } from '../en/index.ts';

export const roles: Words['roles'] = {
  title: 'Rôles',
  lead: 'Autorisations dans le tenant au-delà du compte de l’utilisateur. Attribuez un rôle à un utilisateur ou à tous les membres d’un groupe.',
  names: { TENANT_ADMIN: 'Administrateur du tenant', HELP_DESK: 'Assistance', AUDITOR: 'Auditeur' },
  explanations: {
    TENANT_ADMIN: 'A un accès complet à l’API du tenant.',
    HELP_DESK:
      'Recherche des utilisateurs et des groupes, déconnecte des utilisateurs et crée des liens de réinitialisation de l’accès. Les utilisateurs qui ont un rôle sont exclus.',
    AUDITOR: 'A un accès en lecture seule, y compris au journal d’audit et au journal de provisionnement.',
  },
  scopes: 'Scopes',
  scopesHint:
    'Une application reçoit ces scopes pour un utilisateur qui a le rôle, si elle est enregistrée pour ces scopes.',
  notHeld: 'non inclus dans ce rôle',
  people: 'Utilisateurs ayant ce rôle',
  peopleHint: 'Attributions actuelles, directes et par des groupes.',
  noPeople: 'Le rôle n’est attribué à aucun utilisateur.',
  groups: 'Groupes ayant ce rôle',
  noGroups: 'Le rôle n’est attribué à aucun groupe.',
};
