import type { Words } from '../en/index.ts';

export const system: Words['system'] = {
  title: 'Système',
  lead: 'Sur quoi tout cela repose, à l’instant, dans la mesure où un tenant peut le savoir.',
  installation: 'Cette installation',
  version: 'Version',
  issuer: 'Émetteur',
  graph: 'Graphe',
  roundTrip: 'Temps de réponse du graphe, d’ici',
  roundTripValue:
    '{last} ms ; médiane {count, plural, one {de la dernière mesure} other {des # dernières mesures}} : {median} ms',
  measuring: 'mesure en cours…',
  events: 'Événements en direct',
  live: { live: 'connectés', connecting: 'aucun sur cette page', lost: 'perdus, reconnexion' },
  services: 'Les services et ce qu’il leur faut',
  asked: 'demandé le',
  readinessUnknown:
    'L’état de la passerelle ne peut pas être lu : elle ne répond pas à /readyz, ou la console est servie depuis une autre origine. Cela ne veut pas dire que quoi que ce soit soit en panne.',
  statuses: {
    ready: 'prête',
    degraded: 'dégradée : un élément facultatif manque',
    unavailable: 'pas prête',
  },
  draining: 'Elle va s’arrêter, et n’accepte plus de nouvelles requêtes.',
  required: 'obligatoire',
  up: 'disponible',
  down: 'indisponible',
  oneGateway:
    'C’est ce que dit la passerelle qui a répondu cette fois, et ce qu’elle apprend des services. D’autres peuvent le voir autrement.',
  dependencies: {
    auth: 'le serveur d’autorisation : connexions, jetons, applications, signaux',
    directory: 'les personnes et les groupes',
    provisioning: 'SCIM, et les sources d’identités',
    access: 'sait quels jetons sont valables',
    redis: 'transporte les événements et compte les requêtes',
    revocations: 'apprend quels jetons ont pris fin avant terme',
    'service-credential': 'les identifiants propres à la passerelle',
    installation: 'l’installation est faite',
    live: 'porte les événements en direct aux abonnés',
    supergraph: 'le graphe est chargé',
    startup: 'chaque service a été présent une fois',
    'supergraph-file': 'le fichier d’où le graphe est lu',
  },
  keys: 'Clés de signature',
  toKeys: 'Vers les clés',
  keyStates: { CURRENT: 'signe', NEXT: 'suivante', RETIRED: 'retirée' },
  keysOld:
    '{count, plural, one {# clé signe depuis plus d’un an : renouvelez-la.} other {# clés signent depuis plus d’un an : renouvelez-les.}}',
  keysHint: 'Depuis quand chacune signe, ou existe. Le graphe ne dit pas quand un renouvellement est prévu.',
  unknown: 'Ce qu’on ne peut pas savoir d’ici',
  unknownLead: 'Le graphe et /readyz ne le disent pas. C’est l’exploitant de l’installation qui le sait.',
  unknowns: {
    versions:
      'La version de chaque service : celle ci-dessus est celle de la passerelle qui a servi la console.',
    engines:
      'PostgreSQL et Valkey : leurs versions, disques, connexions et retards. Un service dont la base de données a disparu apparaît comme indisponible.',
    others: 'Combien de processus compte chaque service, et comment va chacun d’eux.',
    invariants:
      'Si l’audit des invariants a réussi, et quand il a tourné pour la dernière fois (ostiary audit).',
    replicas: 'De combien les réplicas de lecture et les consommateurs d’événements sont en retard.',
  },
};
