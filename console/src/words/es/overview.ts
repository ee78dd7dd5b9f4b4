import type { Words } from '../en/index.ts';

export const overview: Words['overview'] = {
  title: 'Resumen',
  of: 'Estado actual de {tenant}',
  notKnown: 'no disponible',
  asTable: 'Mostrar como tabla',
  done: 'hecho',
  open: 'pendiente',
  figures: {
    people: 'Usuarios activos',
    peopleHint:
      '{inactive, plural, =0 {ningún usuario inactivo} one {# usuario inactivo} other {# usuarios inactivos}}, {groups, plural, one {# grupo} other {# grupos}}',
    sessions: 'Sesiones activas',
    sessionsHint:
      '{grants, plural, one {# autorización a una aplicación} other {# autorizaciones a aplicaciones}}',
    signIns: 'Inicios de sesión hoy',
    signInsHint: '{refused, plural, =0 {ninguno rechazado} one {# rechazado} other {# rechazados}} (UTC)',
    openDoors: 'Accesos restantes de usuarios dados de baja',
    openDoorsHint:
      '{users, plural, =0 {todavía no hay bajas} one {el único usuario dado de baja, comprobado ahora} other {los # usuarios dados de baja, comprobados ahora}}',
    openDoorsNewest:
      '{users, plural, =0 {no se comprobó ningún usuario dado de baja} one {último usuario dado de baja, comprobado ahora; los anteriores no se comprueban} other {últimos # usuarios dados de baja, comprobados ahora; los anteriores no se comprueban}}',
    openDoorsPartly:
      '{unknown, plural, one {no se pudo comprobar # usuario} other {no se pudieron comprobar # usuarios}}',
    openDoorsUnknown: 'no disponible: requiere audit:read o la comprobación está en curso',
  },
  signIns: {
    title: 'Inicios de sesión por día',
    titleByHour: 'Inicios de sesión por hora',
    byHour: 'Por hora',
    byDay: 'Por día',
    day: 'Día (UTC)',
    hour: 'Hora',
    accepted: 'correctos',
    refused: 'usuario desconocido o contraseña incorrecta',
    delayed: 'aplazados tras varios intentos',
    summary:
      'Inicios de sesión con contraseña en {days} días: {accepted, number} correctos, {refused, number} rechazados, {delayed, number} aplazados.',
    summaryByHour:
      'Inicios de sesión con contraseña en {hours} horas: {accepted, number} correctos, {refused, number} rechazados, {delayed, number} aplazados.',
  },
  growth: {
    title: 'Usuarios por día',
    day: 'Día (UTC)',
    active: 'activos',
    total: 'total',
    change: 'cambio',
    summary:
      '{change, plural, =0 {Sin cambios en {days} días.} other {{change, number, ::sign-always} en {days} días.}}',
  },
  departures: {
    title: 'Últimas bajas',
    none: 'Todavía no hay bajas',
    noneHint:
      'Cuando se desactiva o elimina un usuario, se revoca todo su acceso. El resultado y el tiempo empleado aparecen aquí.',
    deleted: 'eliminado: {id}',
    back: 'reactivado',
    closed:
      '{count, plural, =0 {ningún acceso que revocar} one {# acceso cerrado} other {# accesos cerrados}}',
    notified: '{notified} de {all} mensajes entregados',
    asked: 'detectado al comprobar el directorio',
    ms: '{ms} ms',
    seconds: '{s} s',
    open: '{count, plural, one {# abierto} other {# abiertos}}',
    unknown: 'no disponible',
  },
  attention: {
    title: 'Requiere atención',
    nothing: 'Nada requiere atención.',
    tones: { bad: 'Urgente', warn: 'Pronto', note: 'Información' },
    kinds: {
      openDoors:
        '{count, plural, one {# acceso de un usuario dado de baja sigue abierto} other {# accesos de usuarios dados de baja siguen abiertos}}',
      failing: 'Las entregas a «{name}» fallan. Primer error:',
      receiverOff: '«{name}» no recibe eventos: en pausa o desactivado',
      dead: '{count, plural, one {# entrega falló definitivamente} other {# entregas fallaron definitivamente}}',
      lag: '{count, plural, one {# mensaje pendiente. Creado:} other {# mensajes pendientes. El más antiguo:}}',
      sourceOff: 'La fuente de identidad «{name}» está desactivada',
      sourceSilent: 'La fuente de identidad «{name}» está inactiva. Última solicitud:',
      sourceUnused: 'La fuente de identidad «{name}» nunca ha enviado una solicitud',
      tokenExpires: 'El token de «{name}» caduca',
      failedRequests:
        '{count, plural, one {# solicitud SCIM falló en las últimas 24 horas} other {# solicitudes SCIM fallaron en las últimas 24 horas}}',
      keyExpires: 'Una clave de la cuenta de servicio «{name}» caduca',
      apiKeys:
        '{count, plural, one {# clave de API caduca en las próximas dos semanas} other {# claves de API caducan en las próximas dos semanas}}',
      personalTokens:
        '{count, plural, one {# token de acceso personal caduca en las próximas dos semanas} other {# tokens de acceso personales caducan en las próximas dos semanas}}',
      ownerless: 'La fuente de identidad «{name}» no tiene propietario: ninguna baja la desactiva',
      sameUsers:
        '{count, plural, one {# usuario tiene un nombre de usuario duplicado} other {# usuarios tienen nombres de usuario duplicados}}',
      sameGroups:
        '{count, plural, one {# grupo tiene un nombre duplicado} other {# grupos tienen nombres duplicados}}',
      noSecondFactor: 'Los administradores pueden iniciar sesión sin un segundo factor',
      partly: 'Solo se han comprobado las primeras {count} fuentes de identidad y cuentas de servicio',
    },
    ownerlessOf: {
      clients:
        '{count, plural, one {# aplicación no tiene propietario: ninguna baja la desactiva} other {# aplicaciones no tienen propietario: ninguna baja las desactiva}}',
      accounts:
        '{count, plural, one {# cuenta de servicio no tiene propietario} other {# cuentas de servicio no tienen propietario}}',
      keys: '{count, plural, one {# clave de API no tiene propietario} other {# claves de API no tienen propietario}}',
    },
  },
  first: {
    title: 'Cuando un usuario se va, todo su acceso se revoca en todas partes en instantes',
    lead: 'Ostiary guarda sus usuarios y grupos e inicia su sesión en las aplicaciones. Al darlos de baja se revocan sus sesiones, tokens, claves y autorizaciones. Configúrelo en cuatro pasos.',
    steps: {
      people: 'Conecte una fuente de identidad',
      app: 'Registre una aplicación',
      tell: 'Notifique a sus sistemas',
      leave: 'Dé de baja a un usuario de prueba',
    },
    hints: {
      people: 'Use Entra ID, Okta, OneLogin o cualquier fuente SCIM 2.0, o cree un usuario manualmente.',
      app: 'Inicie la sesión de los usuarios con OpenID Connect. Hay fragmentos de código para los frameworks habituales.',
      tell: 'Cree un webhook. Recibe eventos de baja firmados en instantes.',
      leave: 'Abra un usuario y delo de baja. El informe muestra cada acceso revocado y el tiempo empleado.',
    },
  },
};
