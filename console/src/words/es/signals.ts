import type { Words } from '../en/index.ts';

export const signals: Words['signals'] = {
  title: 'Flujos de señales',
  one: 'Flujo de señales',
  titleOf: 'Señales para {app}',
  count: '{count, plural, =0 {ningún flujo} one {# flujo} other {# flujos}}',
  empty: 'Todavía no hay flujos de señales',
  emptyHint:
    'Las aplicaciones crean sus propios flujos (OpenID Shared Signals Framework 1.0). Dé a una aplicación el ámbito ssf.manage para que reciba eventos sobre cierres de sesión, cambios de credenciales y bajas.',
  gone: 'No se encontró el flujo de señales',
  goneHint: 'Puede que la aplicación lo haya eliminado.',
  app: 'Aplicación',
  description: 'Descripción',
  delivery: 'Entrega',
  deliveries: { PUSH: 'push', POLL: 'poll' },
  endpoint: 'URL del endpoint',
  state: 'Estado',
  events: 'Eventos',
  eventCount: '{count, plural, one {# tipo de evento} other {# tipos de eventos}}',
  created: 'Creado',
  changed: 'Actualizado',
  id: 'stream_id',
  facts: 'Eventos y entrega',
  notified: 'Entregas recientes',
  allDeliveries: 'Todas las entregas',
  deadDeliveries: 'Entregas fallidas',
  failingHint: 'La entrega está fallando. Los eventos se guardan y se reintentan.',
  stateHints: {
    PAUSED: 'En pausa: los eventos se guardan hasta que se active el flujo.',
    DISABLED: 'Desactivado: los eventos no se entregan ni se guardan.',
  },
  actions: { ENABLED: 'Activar', PAUSED: 'Pausar', DISABLED: 'Desactivar' },
  actionHints: {
    ENABLED: 'Los eventos guardados se entregan ahora, en orden.',
    PAUSED:
      'Los eventos nuevos se guardan hasta que se active el flujo. Se notifica a la aplicación que el flujo está en pausa.',
    DISABLED:
      'Los eventos nuevos se descartan. Los eventos pendientes se marcan como fallidos y se pueden volver a enviar cuando active el flujo. Se notifica a la aplicación que el flujo está desactivado.',
  },
  statusTitle: 'Flujo hacia {app}',
  reason: 'Motivo',
  reasonHint: 'Opcional. Se envía a la aplicación.',
  deleteTitle: '¿Eliminar el flujo hacia {app}?',
  deleteHint:
    'La aplicación deja de recibir eventos de este flujo. Puede crear otro mientras tenga el ámbito.',
};
