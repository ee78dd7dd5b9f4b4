import type { Words } from '../en/index.ts';

export const applications: Words['applications'] = {
  title: 'Aplicaciones',
  one: 'Aplicación',
  count: '{count, plural, =0 {ninguna aplicación} one {# aplicación} other {# aplicaciones}}',
  register: 'Registrar aplicación',
  search: 'El nombre contiene',
  empty: 'Todavía no hay aplicaciones',
  emptyHint:
    'Registre su primera aplicación. Elija el tipo y después copie los valores y el fragmento de código en la aplicación.',
  emptySearch: 'No hay aplicaciones que coincidan',
  emptySearchHint: 'Cambie el texto de búsqueda o un filtro.',
  gone: 'No se encontró la aplicación',
  goneHint: 'Puede que se haya eliminado.',
  columns: { name: 'Nombre', kind: 'Tipo', owner: 'Propietario', state: 'Estado', created: 'Registrada' },
  filters: {
    all: 'Todas',
    grant: 'Tipo de concesión',
    type: 'Tipo de cliente',
    state: 'Estado',
    owner: 'Propietario',
    mine: 'Yo',
    owned: 'Con propietario',
    nobody: 'Sin propietario',
    named: 'Un propietario concreto',
  },
  types: { CONFIDENTIAL: 'confidencial', PUBLIC: 'pública' },
  states: { enabled: 'activa', disabled: 'inactiva' },
  clientId: 'ID de cliente',
  registered: 'Registrada',
  lastUsed: 'Último uso',
  neverUsed: 'aún sin registrar',
  edit: 'Editar',
  editGroup: 'Editar: {group}',
  any: 'cualquiera',
  agent: 'Agente',
  agentLifetime: 'Duración máxima de los tokens de un agente en segundos',
  agentLifetimeHint: 'De 30 a 3600. Valor predeterminado: 300.',
  agentHint: 'El token nombra a la aplicación como actor y dura poco; los usuarios pueden quitar su acceso.',
  impersonation: 'Suplantación permitida (impersonation)',
  impersonationHint: 'Sin suplantación, el token nuevo nombra también al cliente que actúa por el usuario.',
  subjectType: 'Identificadores de usuario',
  subjectTypes: {
    PUBLIC: 'los mismos para todas las aplicaciones (public)',
    PAIRWISE: 'exclusivos de esta aplicación (pairwise)',
  },
  tabs: {
    label: 'Secciones de la aplicación',
    registration: 'Registro',
    claims: 'Claims',
    connect: 'Conectar',
    people: 'Usuarios',
    history: 'Historial',
  },
  kinds: {
    WEB: {
      title: 'Aplicación web',
      what: 'Se ejecuta en un servidor y se usa en un navegador.',
      how: 'Confidencial: flujo de código con PKCE y un secreto de cliente o una clave propia.',
    },
    SINGLE_PAGE: {
      title: 'Aplicación SPA',
      what: 'De página única: se ejecuta en el navegador, sin un servidor que pueda guardar un secreto.',
      how: 'Pública: flujo de código con PKCE, sin secreto.',
    },
    NATIVE: {
      title: 'Aplicación nativa',
      what: 'Se instala en un dispositivo: una aplicación móvil, de escritorio o de línea de comandos.',
      how: 'Pública: flujo de código con PKCE, sin secreto. Un URI de redirección de loopback puede usar cualquier puerto.',
    },
    MACHINE: {
      title: 'Máquina',
      what: 'Un servicio o una tarea que actúa en su propio nombre, sin que un usuario inicie sesión.',
      how: 'Confidencial: credenciales de cliente (client credentials).',
    },
    DEVICE: {
      title: 'Dispositivo',
      what: 'No tiene navegador o teclado: un televisor, una impresora o un terminal remoto.',
      how: 'Pública: los usuarios introducen un código en otro dispositivo.',
    },
    MCP: {
      title: 'Cliente MCP',
      what: 'Un cliente del Model Context Protocol.',
      how: 'Pública: sus tokens solo son válidos para los servidores MCP que usted indique.',
    },
  },
  grants: {
    authorization_code: 'authorization_code: los usuarios inician sesión en un navegador',
    refresh_token: 'refresh_token: mantiene el acceso sin un nuevo inicio de sesión',
    client_credentials: 'client_credentials: la aplicación actúa en su propio nombre',
    device_code: 'device_code: los usuarios inician sesión en otro dispositivo',
    token_exchange: 'token-exchange: intercambia tokens de otros clientes',
    jwt_bearer: 'jwt-bearer: presenta aserciones de emisores de confianza',
  },
  groups: {
    presentation: 'Presentación',
    signIn: 'Inicio y cierre de sesión',
    access: 'Acceso',
    authentication: 'Autenticación del cliente',
    security: 'Requisitos de seguridad',
    tokens: 'Tokens',
    delegation: 'Delegación',
  },
  members: {
    name: {
      label: 'Nombre',
      hint: 'Se muestra en las páginas de inicio de sesión y de consentimiento.',
    },
    clientUri: { label: 'Página principal', hint: 'La URL del sitio web de la aplicación.' },
    logoUri: {
      label: 'Logotipo',
      hint: 'La URL de una imagen. El servidor guarda una copia y la muestra en las páginas de inicio de sesión y de consentimiento.',
    },
    policyUri: {
      label: 'Política de privacidad',
      hint: 'Se enlaza desde la página de consentimiento.',
    },
    tosUri: {
      label: 'Condiciones del servicio',
      hint: 'Se enlazan desde la página de consentimiento.',
    },
    redirectUris: {
      label: 'URI de redirección',
      hint: 'Adónde envía el servidor las respuestas de autorización, uno por línea. La coincidencia debe ser exacta.',
    },
    postLogoutRedirectUris: {
      label: 'URI de redirección tras cerrar sesión',
      hint: 'Adónde se puede enviar a los usuarios después de cerrar sesión, uno por línea.',
    },
    applicationType: {
      label: 'Tipo de aplicación',
      hint: 'Determina qué URI de redirección son válidos. Use «native» para aplicaciones instaladas.',
    },
    requireConsent: {
      label: 'Requerir el consentimiento del usuario',
      hint: 'No es necesario para las aplicaciones de su propia organización.',
    },
    defaultMaxAge: {
      label: 'Tiempo máximo desde el inicio de sesión',
      hint: 'En segundos, para solicitudes sin max_age (default_max_age). Vacío: sin límite.',
    },
    requireAuthTime: {
      label: 'Requerir la hora de inicio de sesión en los ID tokens',
      hint: 'Los ID tokens siempre contienen auth_time cuando el usuario ha iniciado sesión.',
    },
    backchannelLogoutUri: {
      label: 'URI de cierre de sesión por canal trasero (back-channel logout)',
      hint: 'Recibe un logout token cuando termina una sesión en la que la aplicación obtuvo tokens. Vacío: no se envía ninguno.',
    },
    backchannelLogoutSessionRequired: {
      label: 'Incluir la sesión en los logout tokens',
      hint: 'Añade el claim sid al claim sub del usuario.',
    },
    grantTypes: { label: 'Tipos de concesión', hint: 'Cómo puede obtener tokens la aplicación.' },
    scopes: {
      label: 'Ámbitos',
      hint: 'Los ámbitos que puede solicitar la aplicación. Los ámbitos de la API también están limitados por los roles del usuario.',
    },
    ownScopes: {
      label: 'Ámbitos de API propios',
      hint: 'Ámbitos de sus API que la aplicación puede solicitar para sí misma, sin un usuario (client_credentials).',
    },
    resources: {
      label: 'Recursos',
      hint: 'Recursos (RFC 8707) para los que la aplicación puede solicitar tokens, además de la API de la organización. Uno por línea.',
    },
    protectedResources: {
      label: 'Recursos protegidos',
      hint: 'Recursos que ofrece la aplicación, uno por línea. Puede hacer introspección de sus tokens. Use urn:ostiary:tenant-api para la API de la organización.',
    },
    tokenEndpointAuthMethod: {
      label: 'Autenticación en el endpoint de tokens',
      hint: 'Un cambio entre pública y confidencial revoca todos los tokens. Un método con otro tipo de secreto emite un secreto nuevo.',
    },
    tokenEndpointAuthSigningAlg: {
      label: 'Algoritmo de firma de las aserciones',
      hint: 'Las aserciones firmadas con otro algoritmo se rechazan.',
    },
    jwksUri: {
      label: 'URL de las claves públicas',
      hint: 'La URL del JSON Web Key Set de la aplicación (jwks_uri).',
    },
    jwks: { label: 'Claves públicas', hint: 'Un JSON Web Key Set (RFC 7517), en lugar de una URL.' },
    profile: { label: 'Perfil de seguridad', hint: 'Use fapi2 para exigir el FAPI 2.0 Security Profile.' },
    codeProtection: {
      label: 'Protección de los códigos de autorización',
      hint: 'Vincula un código al navegador que lo solicitó. Use PKCE, salvo que una aplicación OpenID confidencial no lo admita.',
    },
    dpopBoundAccessTokens: {
      label: 'Requerir tokens de acceso vinculados con DPoP',
      hint: 'Un token robado no se puede usar sin la clave de la aplicación (RFC 9449).',
    },
    requirePushedAuthorizationRequests: {
      label: 'Requerir solicitudes de autorización enviadas previamente (PAR)',
      hint: 'Las solicitudes no se pueden modificar en el navegador (RFC 9126).',
    },
    requireSignedRequestObject: {
      label: 'Requerir solicitudes de autorización firmadas',
      hint: 'Requiere las claves públicas de la aplicación (RFC 9101).',
    },
    requestObjectSigningAlg: {
      label: 'Algoritmo de firma de los objetos de solicitud',
      hint: 'Con «none», la aplicación puede enviar objetos de solicitud sin firma.',
    },
    requestUris: {
      label: 'URL de los objetos de solicitud',
      hint: 'URL de las que el servidor puede obtener objetos de solicitud (request_uri), una por línea.',
    },
    idTokenSignedResponseAlg: {
      label: 'Algoritmo de firma de los ID tokens',
      hint: 'Use RS256, salvo que la aplicación requiera otro algoritmo.',
    },
    userinfoSignedResponseAlg: {
      label: 'Algoritmo de firma de UserInfo',
      hint: 'Con «cualquiera», las respuestas son JSON sin firma.',
    },
    introspectionSignedResponseAlg: {
      label: 'Algoritmo de firma de introspección',
      hint: 'Se usa cuando la aplicación solicita una respuesta firmada (RFC 9701).',
    },
    profileClaimsInIdToken: {
      label: 'Incluir los claims de los ámbitos en los ID tokens',
      hint: 'Para aplicaciones que no llaman a UserInfo.',
    },
    sectorIdentifierUri: {
      label: 'URI de identificador de sector',
      hint: 'Enumera los URI de redirección de todas las aplicaciones que comparten identificadores de usuario. Un host nuevo cambia los identificadores de todos los usuarios.',
    },
    tokenExchange: {
      label: 'Intercambio de tokens',
      hint: 'ID de los clientes cuyos tokens puede intercambiar la aplicación, uno por línea (RFC 8693). Vacío: ninguno.',
    },
    mayAct: {
      label: 'Actor autorizado',
      hint: 'ID del cliente que puede actuar por los usuarios con los tokens de esta aplicación (may_act).',
    },
  },
  secret: {
    label: 'Secreto de cliente',
    shown: 'Secreto de cliente',
    rotate: 'Rotar secreto',
    title: '¿Rotar el secreto de «{name}»?',
    lead: 'El secreto nuevo funciona de inmediato. El secreto actual sigue funcionando un tiempo limitado, para que pueda actualizar la aplicación sin interrupción. Los secretos anteriores dejan de funcionar ahora.',
    overlap: 'El secreto actual sigue funcionando durante',
    overlapHint:
      'Deje tiempo suficiente para actualizar el secreto en todos los lugares donde se ejecuta la aplicación.',
    overlaps: {
      none: '0 minutos (deja de funcionar de inmediato)',
      hour: '1 hora',
      day: '1 día',
      week: '1 semana',
      month: '30 días',
    },
    noOverlap:
      'Las solicitudes con el secreto actual fallan de inmediato. Elija esta opción si el secreto puede estar comprometido.',
  },
  availability: {
    disable: 'Desactivar',
    enable: 'Activar',
    delete: 'Eliminar',
    disableTitle: '¿Desactivar «{name}»?',
    enableTitle: '¿Activar «{name}»?',
    deleteTitle: '¿Eliminar «{name}»?',
    ends: 'Todos los tokens de acceso, los tokens de actualización y las autorizaciones de usuarios de esta aplicación se revocan de inmediato.',
    endsOf:
      'Todos los tokens de acceso, los tokens de actualización y las autorizaciones de usuarios de esta aplicación se revocan de inmediato. {count, plural, =0 {La aplicación no tiene autorizaciones activas.} one {La aplicación tiene # autorización activa.} other {La aplicación tiene # autorizaciones activas.}}',
    disableLead:
      'El registro se conserva y puede volver a activar la aplicación más adelante. Los tokens y las autorizaciones revocados no se restauran.',
    enableLead:
      'La aplicación puede volver a iniciar la sesión de usuarios y a obtener tokens. Los tokens revocados no se restauran: los usuarios deben iniciar sesión de nuevo.',
    deleteLead:
      'El registro se elimina definitivamente. Si vuelve a registrar la aplicación, obtiene un ID de cliente nuevo.',
    typeName: 'Para confirmar, escriba el nombre de la aplicación: {name}',
    wrongName: 'El nombre no coincide.',
  },
  connect: {
    values: 'Valores de configuración de la aplicación',
    valuesLead:
      'La mayoría de las aplicaciones necesitan el emisor, el ID de cliente y el secreto de cliente, y obtienen los demás valores automáticamente.',
    issuer: 'Emisor',
    clientId: 'ID de cliente',
    clientSecret: 'Secreto de cliente',
    noSecret: 'ninguno: es una aplicación pública',
    ownKey: 'ninguno: la aplicación firma aserciones con su propia clave',
    secretElsewhere: 'solo se muestra al crearlo; rótelo para obtener uno nuevo',
    redirectUri: 'URI de redirección',
    discovery: 'Documento de descubrimiento (discovery)',
    endpoints: 'Todos los endpoints',
    snippets: 'Fragmentos de código',
    framework: 'Framework',
    secretInEnvironment: 'El fragmento lee el secreto de una variable de entorno. No lo guarde en el código.',
    notes: {
      secretPost:
        'Este framework envía el secreto en el cuerpo de la solicitud. Configure «Autenticación en el endpoint de tokens» como client_secret_post; de lo contrario, las solicitudes se rechazan.',
      secretBasic:
        'Este framework envía el secreto en la cabecera Authorization. Configure «Autenticación en el endpoint de tokens» como client_secret_basic; de lo contrario, las solicitudes se rechazan.',
      redirect:
        'Este framework usa una ruta de redirección fija que no está registrada. Registre el URI del fragmento con su host.',
      pkceBean:
        'El servidor exige PKCE. Antes de la versión 7, Spring Security solo activa PKCE para aplicaciones confidenciales con la segunda parte del fragmento.',
      loopback:
        'Use un URI de redirección de loopback para programas en el equipo de un usuario. Si registra http://127.0.0.1/callback, funciona cualquier puerto.',
      discovery:
        'Los clientes MCP descubren el servidor de autorización automáticamente. Necesitan el ID de cliente, salvo que se registren con un token de acceso inicial.',
    },
  },
  test: {
    title: 'Probar el inicio de sesión',
    lead: 'Abre la solicitud de autorización de esta aplicación en una ventana nueva. Verá las mismas páginas de inicio de sesión y de consentimiento que sus usuarios.',
    after:
      'Al final, la aplicación muestra un error porque no inició la solicitud. Es lo esperado. La URL contiene «code» y «state» si todo va bien, o «error» y el motivo.',
    redirectUri: 'URI de redirección',
    ask: 'Inicio de sesión',
    prompts: {
      usual: 'predeterminado: puede usar su sesión actual',
      login: 'pedir siempre el inicio de sesión',
      consent: 'pedir siempre el consentimiento',
    },
    open: 'Abrir el inicio de sesión',
    obstacles: {
      disabled: 'La aplicación está desactivada, así que sus solicitudes se rechazan. Actívela primero.',
      noRedirect: 'La aplicación no tiene ningún URI de redirección. Añada uno primero.',
      pushed:
        'La aplicación debe enviar antes sus solicitudes (PAR) con sus propias credenciales, así que la consola no puede probarla.',
      signed:
        'La aplicación debe firmar sus solicitudes con su propia clave, así que la consola no puede probarla.',
    },
  },
  people: {
    title: 'Usuarios',
    count:
      '{count, plural, =0 {Ninguna autorización activa} one {# autorización activa} other {# autorizaciones activas}}',
    empty: 'No hay usuarios activos',
    emptyHint:
      'Una autorización se crea cuando un usuario inicia sesión en la aplicación. Termina con la sesión o cuando caduca.',
    person: 'Usuario',
    scopes: 'Ámbitos',
    since: 'Concedida',
    until: 'Caduca',
    actions: 'Acción',
    unknown: 'desconocido',
    revoke: 'Revocar',
    revokeTitle: '¿Revocar esta autorización?',
    revokeLead:
      '{app} pierde de inmediato el acceso a la cuenta de {person} y se revocan todos los tokens de esta autorización. El usuario puede volver a conceder el acceso.',
  },
  history: {
    through: 'Actividad a través de esta aplicación',
    throughHint: 'Inicios de sesión y cambios a través de esta aplicación, según el registro de seguridad.',
    changes: 'Cambios en esta aplicación',
    empty: 'No hay entradas en el registro',
    action: 'Acción',
    person: 'Usuario',
    actor: 'Por',
    address: 'Dirección IP',
    at: 'Hora',
  },
  wizard: {
    title: 'Registrar aplicación',
    step: 'Paso {now} de 3: {name}',
    steps: {
      kind: 'tipo',
      needs: 'configuración',
      values: 'valores de configuración',
    },
    which:
      'Elija el tipo de aplicación. Determina cómo inician sesión los usuarios y si la aplicación puede guardar un secreto.',
    submit: 'Registrar',
    otherKind: 'Cambiar el tipo',
    done: '«{name}» está registrada',
    another: 'Registrar otra aplicación',
    open: 'Ver la aplicación',
    ready: 'La aplicación está lista para usarse. Introduzca estos valores en su configuración.',
    redirect: {
      web: 'Adónde envía el servidor las respuestas de autorización, uno por línea. Use https, o http en localhost durante el desarrollo. La coincidencia debe ser exacta.',
      native:
        'Uno por línea: http://127.0.0.1/callback para aplicaciones que abren un navegador (funciona cualquier puerto), una URL https propia o un esquema privado como com.example.app:/callback.',
    },
    mcpResources:
      'URL de los servidores MCP para los que la aplicación puede solicitar tokens, una por línea. Use la URL de recurso de los metadatos de cada servidor.',
    machineScopes:
      'El acceso de la aplicación a la API de la organización, dentro de los ámbitos de usted. No seleccione ninguno si la aplicación solo usa otros recursos.',
    method: 'El servidor solo acepta el método que seleccione.',
    methods: {
      CLIENT_SECRET: 'Secreto en la cabecera o en el cuerpo (predeterminado)',
      CLIENT_SECRET_BASIC:
        'client_secret_basic: secreto en la cabecera Authorization (la mayoría de los frameworks)',
      CLIENT_SECRET_POST: 'client_secret_post: secreto en el cuerpo (ASP.NET Core)',
      PRIVATE_KEY_JWT: 'private_key_jwt: la aplicación firma con su propia clave, sin secreto',
    },
    own: 'Pertenece a su organización: no pedir el consentimiento del usuario',
    ownHint:
      'Solo para aplicaciones de confianza: la aplicación obtiene todos los ámbitos que solicita dentro de sus límites.',
  },
};
