import type { Words } from '../en/index.ts';

export const overview: Words['overview'] = {
  title: 'Resumen',
  of: 'Cómo está {tenant} ahora',
  notKnown: 'no se sabe',
  asTable: 'Como tabla',
  done: 'hecho',
  open: 'pendiente',
  figures: {
    people: 'Personas activas',
    peopleHint:
      '{inactive, plural, =0 {nadie está inactivo} one {# está inactiva} other {# están inactivas}}, {groups, plural, one {# grupo} other {# grupos}}',
    sessions: 'Con sesión iniciada ahora',
    sessionsHint:
      '{grants, plural, one {# autorización a una aplicación} other {# autorizaciones a aplicaciones}}',
    signIns: 'Inicios de sesión hoy',
    signInsHint:
      '{refused, plural, =0 {no se rechazó ninguno} one {se rechazó #} other {se rechazaron #}} (UTC)',
    openDoors: 'Puertas abiertas de quienes se fueron',
    openDoorsHint:
      '{people, plural, =0 {todavía no se ha ido nadie} one {de la última persona que se fue, consultado ahora mismo} other {de las últimas # personas que se fueron, consultado ahora mismo}}',
    openDoorsPartly:
      '{unknown, plural, one {de # persona no se puede decir ahora mismo} other {de # personas no se puede decir ahora mismo}}',
    openDoorsUnknown: 'no se puede decir: requiere audit:read o se está consultando',
  },
  signIns: {
    title: 'Inicios de sesión por día',
    day: 'Día (UTC)',
    accepted: 'sesión iniciada',
    refused: 'contraseña incorrecta o usuario desconocido',
    delayed: 'demasiado pronto tras otros intentos',
    summary:
      'Con contraseña, en {days} días: {accepted, number} con éxito, {refused, number} rechazados, {delayed, number} aplazados.',
  },
  growth: {
    title: 'Personas por día',
    day: 'Día (UTC)',
    active: 'activas',
    total: 'todas',
    change: 'cambio',
    summary:
      '{change, plural, =0 {Tantas como hace {days} días.} other {{change, number, ::sign-always} en {days} días.}}',
  },
  departures: {
    title: 'Últimas bajas',
    none: 'Todavía no se ha ido nadie',
    noneHint:
      'Cuando se desactiva o elimina a alguien, aquí o por una fuente de identidad, todas sus puertas se cierran de inmediato. Aquí figura, con los milisegundos que tardó.',
    deleted: 'eliminado: {id}',
    back: 'ha vuelto',
    closed: '{count, plural, =0 {no había nada abierto} one {# puerta cerrada} other {# puertas cerradas}}',
    notified: '{notified} de {all} avisos recibidos fuera',
    asked: 'se supo preguntando',
    ms: '{ms} ms',
    seconds: '{s} s',
    open: '{count, plural, =0 {0 abiertas} one {# abierta} other {# abiertas}}',
    unknown: 'no se sabe',
  },
  attention: {
    title: 'Requiere atención',
    nothing: 'Nada requiere atención.',
    tones: { bad: 'Urgente', warn: 'Pronto', note: 'Para saberlo' },
    kinds: {
      openDoors:
        '{count, plural, one {# puerta de alguien que se fue está abierta} other {# puertas de personas que se fueron están abiertas}}',
      failing: 'A «{name}» no le llega nada',
      receiverOff: 'A «{name}» no se le comunica nada: en pausa o desactivado',
      dead: '{count, plural, one {Se abandonó # mensaje} other {Se abandonaron # mensajes}}',
      lag: '{count, plural, one {# mensaje espera su entrega, desde} other {# mensajes esperan su entrega, el más antiguo desde}}',
      sourceOff: 'La fuente «{name}» está desactivada',
      sourceSilent: 'La fuente «{name}» no da señales; su última solicitud fue',
      sourceUnused: 'La fuente «{name}» nunca ha pedido nada',
      tokenExpires: 'El token de «{name}» caduca',
      failedRequests:
        '{count, plural, one {# solicitud SCIM falló en el último día} other {# solicitudes SCIM fallaron en el último día}}',
      keyExpires: 'Una clave de la cuenta de servicio «{name}» caduca',
      apiKeys:
        '{count, plural, one {# clave de API caduca en las próximas dos semanas} other {# claves de API caducan en las próximas dos semanas}}',
      personalTokens:
        '{count, plural, one {# token de acceso personal caduca en las próximas dos semanas} other {# tokens de acceso personales caducan en las próximas dos semanas}}',
      ownerless: 'La fuente «{name}» no es de nadie, así que ninguna baja la cierra',
      sameUsers:
        '{count, plural, one {# persona comparte su nombre de usuario con otra} other {# personas comparten nombre de usuario}}',
      sameGroups:
        '{count, plural, one {# grupo comparte su nombre con otro} other {# grupos comparten nombre}}',
      noSecondFactor: 'Los administradores pueden iniciar sesión sin un segundo factor',
      partly: 'Solo se han mirado las primeras {count} fuentes y cuentas de servicio',
    },
    ownerlessOf: {
      clients:
        '{count, plural, one {# aplicación no es de nadie, así que ninguna baja la cierra} other {# aplicaciones no son de nadie, así que ninguna baja las cierra}}',
      accounts:
        '{count, plural, one {# cuenta de servicio no es de nadie} other {# cuentas de servicio no son de nadie}}',
      keys: '{count, plural, one {# clave de API no es de nadie} other {# claves de API no son de nadie}}',
    },
  },
  first: {
    title: 'Cuando una persona se va, se cierran todas las puertas, en todas partes, de inmediato',
    lead: 'Ostiary guarda sus personas y grupos, inicia su sesión en las aplicaciones y pone fin a todo lo de una persona en el momento en que se va: sesiones, tokens, claves, lo que permitió y lo que es suyo. Cuatro pasos para verlo.',
    steps: {
      people: 'Conecte el sitio de donde vienen sus personas',
      app: 'Registre la primera aplicación',
      tell: 'Haga que se avise a sus sistemas',
      leave: 'Dé de baja a una persona de prueba',
    },
    hints: {
      people: 'Entra ID, Okta, OneLogin o cualquier fuente SCIM 2.0; o cree un usuario a mano.',
      app: 'Inicio de sesión con OpenID Connect: hay fragmentos de código listos para pegar para los frameworks habituales.',
      tell: 'Un webhook se entera de las bajas en instantes, con mensajes firmados.',
      leave:
        'Abra un usuario, elija darlo de baja y vea cómo se cierran las puertas, cada una con sus milisegundos.',
    },
  },
};
