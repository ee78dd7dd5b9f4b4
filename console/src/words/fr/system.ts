import type { Words } from '../en/index.ts';

export const system: Words['system'] = {
  title: 'Système',
  lead: 'État de l’installation, tel que visible par un tenant.',
  installation: 'Installation',
  version: 'Version',
  issuer: 'Émetteur',
  graph: 'Graphe',
  roundTrip: 'Temps de réponse du graphe',
  roundTripValue:
    '{last} ms (médiane {count, plural, one {de la dernière requête} other {des # dernières requêtes}} : {median} ms)',
  measuring: 'mesure en cours…',
  events: 'Événements en direct',
  live: { live: 'connectés', connecting: 'non utilisés sur cette page', lost: 'déconnectés, reconnexion' },
  services: 'Services et dépendances',
  asked: 'vérifié le',
  readinessUnknown:
    'L’état de la passerelle n’est pas disponible : /readyz ne répond pas, ou la console est servie depuis une autre origine. Les services fonctionnent peut-être quand même.',
  statuses: {
    ready: 'prête',
    degraded: 'dégradée : une dépendance facultative est indisponible',
    unavailable: 'pas prête',
  },
  draining: 'Arrêt en cours. Les nouvelles requêtes sont refusées.',
  required: 'obligatoire',
  up: 'disponible',
  down: 'indisponible',
  oneGateway:
    'État signalé par un processus de la passerelle. D’autres processus peuvent signaler un état différent.',
  dependencies: {
    auth: 'serveur d’autorisation : connexions, jetons, applications, signaux',
    directory: 'utilisateurs et groupes',
    provisioning: 'SCIM et sources d’identités',
    access: 'vérification des jetons',
    redis: 'événements et limites de requêtes',
    revocations: 'révocation des jetons',
    'service-credential': 'identifiants de la passerelle',
    installation: 'installation terminée',
    live: 'événements en direct vers les abonnés',
    supergraph: 'supergraphe chargé',
    startup: 'tous les services joints au démarrage',
    'supergraph-file': 'fichier du supergraphe',
  },
  keys: 'Clés de signature',
  toKeys: 'Afficher les clés',
  keyStates: { CURRENT: 'actuelle', NEXT: 'suivante', RETIRED: 'retirée' },
  keysOld:
    '{count, plural, one {# clé a plus d’un an. Renouvelez-la.} other {# clés ont plus d’un an. Renouvelez-les.}}',
  keysHint:
    'Moment depuis lequel chaque clé signe, ou de sa création. Le graphe n’indique pas quand un renouvellement est prévu.',
  unknown: 'Non affiché ici',
  unknownLead:
    'Ni le graphe ni /readyz ne fournissent ces informations. Adressez-vous à l’exploitant de l’installation.',
  unknowns: {
    versions: 'Version de chaque service. La version ci-dessus est celle de la passerelle.',
    engines:
      'Versions, disques, connexions et retard de PostgreSQL et Valkey. Un service sans sa base de données apparaît comme indisponible.',
    others: 'Nombre et état des processus de chaque service.',
    invariants: 'Heure et résultat du dernier audit des invariants (ostiary audit).',
    replicas: 'Retard des réplicas de lecture et des consommateurs d’événements.',
  },
};
