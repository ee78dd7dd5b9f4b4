import type { Words } from '../en/index.ts';

export const signals: Words['signals'] = {
  title: 'Flux de signaux',
  one: 'Flux de signaux',
  titleOf: 'Signaux vers {app}',
  count: '{count, plural, =0 {aucun flux} other {# flux}}',
  empty: 'Aucun flux pour l’instant',
  emptyHint:
    'Un flux de signaux partagés est mis en place par une application pour elle-même (OpenID Shared Signals Framework 1.0) : il faut un client avec le scope ssf.manage. L’application apprend alors les déconnexions, les changements de moyens de connexion et les départs.',
  gone: 'Ce flux n’existe pas',
  goneHint: 'L’application l’a peut-être supprimé.',
  app: 'Application',
  description: 'Description',
  delivery: 'Transmission',
  deliveries: { PUSH: 'envoyée (push)', POLL: 'récupérée par l’application (poll)' },
  endpoint: 'Adresse',
  state: 'État',
  events: 'Événements',
  eventCount: '{count, plural, one {# type d’événement} other {# types d’événements}}',
  created: 'Ajouté',
  changed: 'Modifié',
  id: 'stream_id',
  facts: 'Ce qu’il transporte, et comment',
  notified: 'Ce qui lui a été annoncé',
  allDeliveries: 'Tous les messages',
  deadDeliveries: 'Ce qui n’a pas pu être remis',
  failingHint: 'Rien n’y arrive en ce moment. Les événements sont gardés, et les tentatives continuent.',
  stateHints: {
    PAUSED: 'En pause : ce qui doit lui être annoncé attend sa réactivation.',
    DISABLED: 'Désactivé : rien ne lui est annoncé, et rien n’attend pour lui.',
  },
  actions: { ENABLED: 'Activer', PAUSED: 'Mettre en pause', DISABLED: 'Désactiver' },
  actionHints: {
    ENABLED: 'Ce qui attendait est annoncé maintenant, dans son ordre.',
    PAUSED:
      'Ce qui se passe à partir de maintenant attend la réactivation du flux. L’application apprend qu’il est en pause.',
    DISABLED:
      'Plus rien ne lui est annoncé, et ce qui se passe entre-temps est perdu pour elle. Ce qui attend est abandonné, et pourra être renvoyé. L’application en est informée.',
  },
  statusTitle: 'Le flux vers {app}',
  reason: 'Raison',
  reasonHint: 'L’application en prend connaissance. Peut rester vide.',
  deleteTitle: 'Supprimer le flux vers {app} ?',
  deleteHint:
    'L’application n’apprend plus rien, définitivement ; elle peut en mettre en place un autre tant qu’elle a le scope.',
};
