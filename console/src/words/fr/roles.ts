import type { Words } from '../en/index.ts';

export const roles: Words['roles'] = {
  title: 'Rôles',
  lead: 'Ce que des personnes peuvent faire dans le tenant au-delà de leur propre compte. Donnés à une personne, ou à tous les membres d’un groupe.',
  names: { TENANT_ADMIN: 'Administrateur du tenant', HELP_DESK: 'Assistance', AUDITOR: 'Auditeur' },
  explanations: {
    TENANT_ADMIN: 'Peut faire tout ce que propose l’API du tenant.',
    HELP_DESK:
      'Trouve les personnes et les groupes, met fin aux sessions des personnes, et leur envoie un lien pour se reconnecter ; pas pour les personnes qui ont elles-mêmes un rôle.',
    AUDITOR: 'Lit tout, y compris le journal d’audit et le journal de provisionnement, et ne modifie rien.',
  },
  scopes: 'Scopes',
  scopesHint:
    'Une application les reçoit pour une personne qui a ce rôle, dans la mesure où ils sont aussi enregistrés pour elle.',
  notHeld: 'non donné par ce rôle',
  people: 'Qui l’a',
  peopleHint:
    'D’après le journal de sécurité : qui a reçu ce rôle, ou un autre, et a celui-ci maintenant. Les personnes qui ne l’ont que par un groupe figurent parmi les membres de celui-ci.',
  noPeople: 'Personne ne l’a reçu nommément.',
  groups: 'Groupes qui le donnent',
  noGroups: 'Aucun groupe ne le donne.',
};
