import type { Words } from '../en/index.ts';

export const system: Words['system'] = {
  title: 'Sistema',
  lead: 'Estado de la instalación, según lo visible para una organización.',
  installation: 'Instalación',
  version: 'Versión',
  issuer: 'Emisor',
  graph: 'Grafo',
  roundTrip: 'Tiempo de respuesta del grafo',
  roundTripValue:
    '{last} ms (mediana de {count, plural, one {la última solicitud} other {las últimas # solicitudes}}: {median} ms)',
  measuring: 'midiendo…',
  events: 'Eventos en directo',
  live: {
    live: 'conectado',
    connecting: 'no se usan en esta página',
    lost: 'desconectado, reconectando',
  },
  services: 'Servicios y dependencias',
  asked: 'comprobado el',
  readinessUnknown:
    'El estado del gateway no está disponible: /readyz no responde o la consola se sirve desde otro origen. Es posible que los servicios sigan funcionando.',
  statuses: {
    ready: 'listo',
    degraded: 'degradado: una dependencia opcional no está disponible',
    unavailable: 'no está listo',
  },
  draining: 'Deteniéndose. Las solicitudes nuevas se rechazan.',
  required: 'necesario',
  up: 'funciona',
  down: 'caído',
  oneGateway:
    'Estado notificado por un proceso del gateway. Otros procesos pueden notificar un estado distinto.',
  dependencies: {
    auth: 'servidor de autorización: inicios de sesión, tokens, aplicaciones, señales',
    directory: 'usuarios y grupos',
    provisioning: 'SCIM y fuentes de identidad',
    access: 'verificación de tokens',
    redis: 'eventos y límites de solicitudes',
    revocations: 'revocación de tokens',
    'service-credential': 'credencial del gateway',
    installation: 'instalación completada',
    live: 'eventos en directo para los suscriptores',
    supergraph: 'supergrafo cargado',
    startup: 'todos los servicios respondieron al arrancar',
    'supergraph-file': 'archivo del supergrafo',
  },
  keys: 'Claves de firma',
  toKeys: 'Ver las claves',
  keyStates: { CURRENT: 'actual', NEXT: 'siguiente', RETIRED: 'retirada' },
  keysOld:
    '{count, plural, one {# clave tiene más de un año. Rótela.} other {# claves tienen más de un año. Rótelas.}}',
  keysHint:
    'Momento desde el que firma cada clave o en que se creó. El grafo no indica cuándo toca rotarlas.',
  unknown: 'No se muestra aquí',
  unknownLead:
    'Ni el grafo ni /readyz proporcionan esta información. Consulte al operador de la instalación.',
  unknowns: {
    versions: 'Versión de cada servicio. La versión de arriba es la del gateway.',
    engines:
      'Versiones, discos, conexiones y retraso de PostgreSQL y Valkey. Un servicio sin su base de datos aparece como caído.',
    others: 'Número y estado de los procesos de cada servicio.',
    invariants: 'Hora y resultado de la última auditoría de los invariantes (ostiary audit).',
    replicas: 'Retraso de las réplicas de lectura y de los consumidores de eventos.',
  },
};
