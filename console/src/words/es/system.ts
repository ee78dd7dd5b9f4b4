import type { Words } from '../en/index.ts';

export const system: Words['system'] = {
  title: 'Sistema',
  lead: 'Sobre qué funciona esto, en este momento y hasta donde una organización puede saberlo.',
  installation: 'Esta instalación',
  version: 'Versión',
  issuer: 'Emisor',
  graph: 'Grafo',
  roundTrip: 'El grafo responde desde aquí en',
  roundTripValue:
    '{last} ms; la mediana de {count, plural, one {la última vez} other {las últimas # veces}} es de {median} ms',
  measuring: 'midiendo…',
  events: 'Eventos en directo',
  live: {
    live: 'conectado',
    connecting: 'ninguno en esta página',
    lost: 'conexión perdida, conectando de nuevo',
  },
  services: 'Los servicios y lo que necesitan',
  asked: 'consultado el',
  readinessUnknown:
    'No se puede leer el estado del gateway: no responde en /readyz, o la consola se sirve desde otro origen. Eso no significa que haya algo caído.',
  statuses: {
    ready: 'listo',
    degraded: 'degradado: falta algo opcional',
    unavailable: 'no está listo',
  },
  draining: 'Está a punto de detenerse y no admite solicitudes nuevas.',
  required: 'necesario',
  up: 'funciona',
  down: 'caído',
  oneGateway:
    'Es lo que dice el gateway que ha respondido y lo que él sabe de los servicios. Otros pueden verlo de otro modo.',
  dependencies: {
    auth: 'el servidor de autorización: inicios de sesión, tokens, aplicaciones, señales',
    directory: 'personas y grupos',
    provisioning: 'SCIM y fuentes de identidad',
    access: 'sabe qué tokens son válidos',
    redis: 'transporta eventos y cuenta solicitudes',
    revocations: 'se entera de los tokens que terminaron antes de tiempo',
    'service-credential': 'la credencial propia del gateway',
    installation: 'está instalado',
    live: 'lleva los eventos en directo a los suscriptores',
    supergraph: 'el grafo está cargado',
    startup: 'todos los servicios han estado disponibles alguna vez',
    'supergraph-file': 'el archivo del que se lee el grafo',
  },
  keys: 'Claves de firma',
  toKeys: 'Ir a las claves',
  keyStates: { CURRENT: 'firma', NEXT: 'siguiente', RETIRED: 'retirada' },
  keysOld:
    '{count, plural, one {# clave firma desde hace más de un año: rótela.} other {# claves firman desde hace más de un año: rótelas.}}',
  keysHint: 'Desde cuándo firma cada una o cuándo se creó. El grafo no dice cuándo toca rotarlas.',
  unknown: 'Lo que no se puede saber desde aquí',
  unknownLead: 'Ni el grafo ni /readyz dicen estas cosas. Las sabe quien opera la instalación.',
  unknowns: {
    versions: 'La versión de cada servicio: la de arriba es la del gateway que sirvió la consola.',
    engines:
      'PostgreSQL y Valkey: sus versiones, discos, conexiones y retraso. Un servicio que se ha quedado sin base de datos aparece como caído.',
    others: 'Cuántos procesos hay de cada servicio y cómo está cada uno.',
    invariants:
      'Si la auditoría de los invariantes dio buen resultado y cuándo se ejecutó por última vez (ostiary audit).',
    replicas: 'Cuánto retraso llevan las réplicas de lectura y los consumidores de eventos.',
  },
};
