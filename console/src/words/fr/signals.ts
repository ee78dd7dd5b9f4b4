import type { Words } from '../en/index.ts';

export const signals: Words['signals'] = {
  title: 'Flux de signaux',
  one: 'Flux de signaux',
  titleOf: 'Signaux vers {app}',
  count: '{count, plural, =0 {aucun flux} one {# flux} other {# flux}}',
  empty: 'Aucun flux de signaux pour l’instant',
  emptyHint:
    'Les applications créent leurs propres flux (OpenID Shared Signals Framework 1.0). Donnez à une application le scope ssf.manage pour qu’elle reçoive les événements de déconnexion, de changement d’identifiants et de départ.',
  gone: 'Flux de signaux introuvable',
  goneHint: 'L’application l’a peut-être supprimé.',
  app: 'Application',
  description: 'Description',
  delivery: 'Transmission',
  deliveries: { PUSH: 'push', POLL: 'poll' },
  endpoint: 'URL du point de terminaison',
  state: 'État',
  events: 'Événements',
  eventCount: '{count, plural, one {# type d’événement} other {# types d’événements}}',
  created: 'Créé',
  changed: 'Mis à jour',
  id: 'stream_id',
  facts: 'Événements et transmission',
  notified: 'Envois récents',
  allDeliveries: 'Tous les envois',
  deadDeliveries: 'Envois en échec',
  failingHint: 'La transmission échoue. Les événements sont conservés et renvoyés.',
  stateHints: {
    PAUSED: 'En pause : les événements sont conservés jusqu’à l’activation du flux.',
    DISABLED: 'Désactivé : les événements ne sont ni transmis ni conservés.',
  },
  actions: { ENABLED: 'Activer', PAUSED: 'Mettre en pause', DISABLED: 'Désactiver' },
  actionHints: {
    ENABLED: 'Les événements conservés sont transmis maintenant, dans l’ordre.',
    PAUSED:
      'Les nouveaux événements sont conservés jusqu’à l’activation du flux. L’application est informée de la mise en pause.',
    DISABLED:
      'Les nouveaux événements sont ignorés. Les événements en attente sont marqués en échec et peuvent être renvoyés après l’activation. L’application est informée de la désactivation.',
  },
  statusTitle: 'Flux vers {app}',
  reason: 'Raison',
  reasonHint: 'Facultatif. Envoyé à l’application.',
  deleteTitle: 'Supprimer le flux vers {app} ?',
  deleteHint:
    'L’application ne reçoit plus d’événements de ce flux. Elle peut en créer un autre tant qu’elle a le scope.',
};
