import type { Words } from '../en/index.ts';

export const signals: Words['signals'] = {
  title: 'Flujos de señales',
  one: 'Flujo de señales',
  titleOf: 'Señales para {app}',
  count: '{count, plural, =0 {ningún flujo} one {# flujo} other {# flujos}}',
  empty: 'Todavía no hay flujos',
  emptyHint:
    'Una aplicación se configura ella misma un flujo de señales compartidas (OpenID Shared Signals Framework 1.0): hace falta un cliente con el ámbito ssf.manage. Se avisa entonces a la aplicación de los cierres de sesión, de los cambios de credenciales y de las bajas.',
  gone: 'No existe ese flujo',
  goneHint: 'Puede que la aplicación lo haya eliminado.',
  app: 'Aplicación',
  description: 'Descripción',
  delivery: 'Entrega',
  deliveries: { PUSH: 'se envían (push)', POLL: 'los recoge la aplicación (poll)' },
  endpoint: 'Dirección',
  state: 'Estado',
  events: 'Eventos',
  eventCount: '{count, plural, one {# tipo de evento} other {# tipos de eventos}}',
  created: 'Añadido',
  changed: 'Modificado',
  id: 'stream_id',
  facts: 'Qué transporta y cómo',
  notified: 'De qué se le avisó',
  allDeliveries: 'Todos los mensajes',
  deadDeliveries: 'Lo que no se pudo entregar',
  failingHint:
    'Por el momento no llega nada allí. Los eventos se conservan y se vuelve a intentar su entrega.',
  stateHints: {
    PAUSED: 'En pausa: lo que se le debe comunicar espera hasta que se active.',
    DISABLED: 'Desactivado: no se le comunica nada y nada lo espera.',
  },
  actions: { ENABLED: 'Activar', PAUSED: 'Pausar', DISABLED: 'Desactivar' },
  actionHints: {
    ENABLED: 'Lo que esperaba se comunica ahora, en su orden.',
    PAUSED:
      'Lo que ocurra desde ahora espera hasta que se active el flujo. Se avisa a la aplicación de que está en pausa.',
    DISABLED:
      'No se le comunica nada más y se pierde para él lo que ocurra entretanto. Lo que espera queda abandonado y se puede volver a enviar. Se avisa de ello a la aplicación.',
  },
  statusTitle: 'El flujo hacia {app}',
  reason: 'Por qué',
  reasonHint: 'Se comunica a la aplicación. Puede quedar vacío.',
  deleteTitle: '¿Eliminar el flujo hacia {app}?',
  deleteHint:
    'La aplicación deja de enterarse de nada, definitivamente; puede configurar otro mientras tenga el ámbito.',
};
