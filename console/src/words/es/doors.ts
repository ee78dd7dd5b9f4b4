import type { Words } from '../en/index.ts';

export const doors: Words['doors'] = {
  showAll: 'Mostrar {count}',
  moreScopes: '{count} más',
  sessions: {
    title: 'Sesiones',
    empty: 'Sin sesión iniciada en ningún sitio.',
    browser: '{browser} en {system}',
    unknown: 'Navegador desconocido',
    yours: 'esta es la suya',
    since: 'desde el <time></time>',
    seen: 'última actividad <time></time>',
    with: 'con {methods}',
    close: 'Cerrar',
    closeHint:
      'La sesión termina ahora, con todo lo que se autorizó en ella. La persona puede volver a iniciar sesión.',
  },
  grants: {
    title: 'Aplicaciones que pueden actuar en su nombre',
    empty: 'Ninguna aplicación puede actuar en su nombre.',
    since: 'desde el <time></time>',
    until: 'caduca <time></time>',
    offline: 'también sin sesión',
    close: 'Revocar',
    closeHint: 'La aplicación pierde todos los tokens que se apoyan en esto. Tiene que volver a pedirlo.',
  },
  tokens: {
    title: 'Tokens de acceso personales',
    empty: 'Ninguno.',
    until: 'hasta el <time></time>',
    used: 'usado por última vez <time></time>',
    unused: 'nunca usado',
    closeHint:
      'El token deja de servir de inmediato en todas partes. Los scripts que lo usan dejan de funcionar.',
  },
  credentials: {
    title: 'Con qué inicia sesión',
    empty:
      'Nunca ha podido iniciar sesión: invite a la persona o deje que entre por una fuente de identidad.',
    password: 'Contraseña',
    noPassword: 'ninguna',
    set: 'establecida',
    changed: 'desde el <time></time>',
    passkey: 'Llave de acceso',
    passkeyNamed: 'Llave de acceso «{name}»',
    app: 'Aplicación de autenticación',
    codes: 'Códigos de recuperación',
    codesLeft: '{count, plural, =0 {no queda ninguno} one {queda #} other {quedan #}}',
    added: 'añadida el <time></time>',
    used: 'usada por última vez <time></time>',
    unused: 'nunca usada',
    synced: 'se sincroniza entre dispositivos',
    bound: 'en un solo dispositivo',
    oneFactor: 'Sin segundo factor ni llave de acceso.',
    remove: 'Quitar',
    removePasskey:
      'La persona ya no puede iniciar sesión con esta llave de acceso. Su única manera de iniciar sesión no se puede quitar: restablezca en su lugar el acceso.',
    removeApp: 'A partir de entonces basta con su contraseña para iniciar sesión.',
  },
  known: {
    title: 'Secretos que conoce',
    empty:
      'No conoce ningún secreto, token ni clave de un cliente, una cuenta de servicio, una fuente de identidad, un emisor o un webhook.',
    kinds: {
      CLIENT_SECRET: 'Secreto de un cliente',
      CLIENT_KEYS: 'Claves públicas de un cliente',
      REGISTRATION_ACCESS_TOKEN: 'Token de acceso de registro',
      INITIAL_ACCESS_TOKEN: 'Token de acceso inicial',
      SERVICE_ACCOUNT_KEY: 'Clave pública de una cuenta de servicio',
      API_KEY: 'Clave de API',
      TRUSTED_ISSUER: 'Emisor de confianza',
      ISSUER_SUBJECT: 'Vínculo de un sujeto',
      INVITATION: 'Enlace de invitación',
      WEBHOOK_ENDPOINT: 'Dirección de un webhook',
      WEBHOOK_SECRET: 'Secreto de firma de un webhook',
      STREAM_ENDPOINT: 'Dirección de un flujo',
      CONNECTOR_TOKEN: 'Token de una fuente de identidad',
    },
  },
  owned: {
    title: 'Lo que es suyo',
    empty: 'No tiene clientes, cuentas de servicio, claves de API ni fuentes de identidad.',
    kinds: {
      CLIENT: 'Cliente',
      SERVICE_ACCOUNT: 'Cuenta de servicio',
      API_KEY: 'Clave de API',
      CONNECTOR: 'Fuente de identidad',
    },
    closed: 'sin servicio',
    disable: 'Desactivar',
    disableHint:
      'Se rechaza desde la próxima solicitud y deja de servir todo lo que se le emitió. Se puede volver a activar.',
    revoke: 'Revocar',
    revokeHint: 'La clave deja de servir de inmediato en todas partes.',
    handOver: 'Traspasar',
    handOverOf: 'Traspasar {name}',
    more: 'Hay más: vea las páginas de cada tipo.',
  },
  signOut: {
    title: '¿Cerrar la sesión de {name} en todas partes?',
    submit: 'Cerrar sesión en todas partes',
    lead: 'Terminan todas sus sesiones, con todos los tokens que se le emitieron: los de las aplicaciones y los propios. Puede volver a iniciar sesión de inmediato.',
  },
};

export const departure: Words['departure'] = {
  empty: 'Nunca se ha ido',
  emptyHint:
    'Cuando {name} se vaya, se verá aquí qué puertas se cerraron, tras cuántos milisegundos y a quién se avisó.',
  waiting: 'Las puertas se están cerrando…',
  which: 'Baja',
  report: 'Baja de {name}',
  closedIn: 'Todas las puertas de {name} se cerraron en',
  notified:
    '{count, plural, one {{delivered} de # mensaje ha llegado} other {{delivered} de # mensajes han llegado}}',
  print: 'Imprimir',
  download: 'Descargar como JSON',
  durations: { milliseconds: '{value} ms', seconds: '{value} s', minutes: '{value} min' },
  facts: {
    title: 'Sobre esta baja',
    person: 'Usuario',
    id: 'ID del usuario',
    trigger: 'Se supo por',
    actor: 'Dado de baja por',
    leftAt: 'El directorio avisó el',
    closedAt: 'Todo terminó el',
    event: 'Entrada en el registro de seguridad',
    trace: 'Traza',
  },
  triggers: {
    DIRECTORY_ASKED: 'una consulta al directorio',
    USER_DEACTIVATED: 'la desactivación',
    USER_DELETED: 'la eliminación',
    USER_REACTIVATED: 'el regreso, que se adelantó a la noticia de la baja',
  },
  doors: {
    title: 'Qué se cerró',
    count: '{count, plural, one {# estaba abierta} other {# estaban abiertas}}',
    absent: 'De estas no había ninguna abierta: {doors}.',
    names: {
      ACCESS_TOKENS: 'Tokens de acceso',
      API_KEYS: 'Claves de API',
      AUTHORIZATION_CODES: 'Códigos de autorización',
      CLIENTS: 'Clientes de su propiedad',
      CONNECTORS: 'Fuentes de identidad de su propiedad',
      DEVICE_CODES: 'Códigos de dispositivo',
      EXCHANGED_TOKENS: 'Tokens intercambiados',
      GRANTS: 'Autorizaciones a aplicaciones',
      INITIAL_ACCESS_TOKENS: 'Tokens de acceso inicial',
      INVITATIONS: 'Invitaciones y enlaces de restablecimiento',
      KNOWN_SECRETS: 'Otros secretos que conocían',
      PERSONAL_ACCESS_TOKENS: 'Tokens de acceso personales',
      REFRESH_TOKENS: 'Tokens de actualización',
      SERVICE_ACCOUNTS: 'Cuentas de servicio de su propiedad',
      SESSIONS: 'Sesiones',
      SIGN_IN: 'Inicio de sesión',
      SUBSCRIPTIONS: 'Suscripciones abiertas',
    },
  },
  deliveries: {
    title: 'A quién se avisó',
    empty: 'No había que avisar a nadie de fuera, o las entregas ya no se conservan.',
    attempts: '{count, plural, one {# intento} other {# intentos}}',
    kinds: { BACKCHANNEL_LOGOUT: 'Back-Channel Logout', SSF: 'Shared Signals', WEBHOOK: 'Webhook' },
    states: { DEAD: 'abandonado', DELIVERED: 'llegó', HELD: 'en espera', PENDING: 'en camino' },
  },
  offboard: {
    title: '¿Dar de baja a {name} ahora?',
    submit: 'Cerrar todas las puertas',
    lead: 'Todo lo de {name} termina en una sola transacción, en todas partes, y ya no puede iniciar sesión.',
    yourself: 'Es usted: también se cierra su sesión aquí y otra persona tiene que readmitirle.',
    list: 'Qué se cierra',
    signIn: 'El inicio de sesión, con lo que sepa o tenga',
    issued:
      'Todos los tokens de acceso, tokens de actualización, códigos y enlaces que se le emitieron, y las suscripciones abiertas',
    after:
      'Después se ve cómo se cierra cada puerta y a quién se avisa. Readmitir más tarde a la persona no vuelve a abrir nada de esto.',
    counts: {
      sessions: '{count, plural, one {# sesión} other {# sesiones}}',
      grants:
        '{count, plural, one {# aplicación que puede actuar en su nombre} other {# aplicaciones que pueden actuar en su nombre}}',
      tokens: '{count, plural, one {# token de acceso personal} other {# tokens de acceso personales}}',
      passkeys:
        '{count, plural, one {# llave de acceso, rechazada desde ahora} other {# llaves de acceso, rechazadas desde ahora}}',
      clients: '{count, plural, one {# cliente de su propiedad} other {# clientes de su propiedad}}',
      serviceAccounts:
        '{count, plural, one {# cuenta de servicio de su propiedad} other {# cuentas de servicio de su propiedad}}',
      apiKeys:
        '{count, plural, one {# clave de API de su propiedad} other {# claves de API de su propiedad}}',
      connectors:
        '{count, plural, one {# fuente de identidad de su propiedad} other {# fuentes de identidad de su propiedad}}',
    },
    owned: {
      HAND_OVER: 'Lo que es solo suyo se traspasa, según la política de la organización.',
      REVOKE: 'Lo que es solo suyo se revoca, según la política de la organización.',
      SUSPEND:
        'Lo que es solo suyo se suspende hasta que alguien se haga cargo, según la política de la organización.',
    },
  },
  delete: {
    title: '¿Eliminar a {name}?',
    submit: 'Eliminar',
    lead: 'Se cierran todas las puertas como al dar de baja y el usuario se elimina: definitivamente o, si la política de eliminación de la organización es SOFT, de modo que se pueda restaurar durante 30 días.',
  },
};
