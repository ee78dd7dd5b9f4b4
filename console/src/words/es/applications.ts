import type { Words } from '../en/index.ts';

export const applications: Words['applications'] = {
  title: 'Aplicaciones',
  one: 'Aplicación',
  count: '{count, plural, =0 {ninguna aplicación} one {# aplicación} other {# aplicaciones}}',
  register: 'Registrar una aplicación',
  search: 'El nombre contiene',
  empty: 'Todavía no hay aplicaciones',
  emptyHint:
    'Registre la primera: elija de qué tipo es y obtendrá los valores y un fragmento de código listo para pegar.',
  emptySearch: 'Ninguna aplicación coincide',
  emptySearchHint: 'Cambie lo que busca o uno de los filtros.',
  gone: 'No existe esa aplicación',
  goneHint: 'Puede que se haya eliminado.',
  columns: {
    name: 'Nombre',
    kind: 'Tipo',
    owner: 'Propietario',
    state: 'Estado',
    created: 'Registrada',
  },
  filters: {
    all: 'Todas',
    grant: 'Concesión',
    type: 'Secreto',
    state: 'Estado',
    owner: 'Propietario',
    mine: 'Mías',
    owned: 'Con propietario',
    nobody: 'De nadie',
    named: 'De un propietario concreto',
  },
  types: { CONFIDENTIAL: 'confidencial', PUBLIC: 'pública' },
  states: { enabled: 'activa', disabled: 'inactiva' },
  clientId: 'ID de cliente',
  registered: 'Registrada',
  edit: 'Editar',
  editGroup: 'Editar: {group}',
  any: 'cualquiera',
  impersonation: 'como si fuera la propia persona (suplantación)',
  impersonationHint: 'Si no, el token nuevo dice quién actúa por quién.',
  subjectType: 'Identificadores de las personas',
  subjectTypes: {
    PUBLIC: 'los mismos para todas las aplicaciones (public)',
    PAIRWISE: 'propios de ella (pairwise)',
  },
  tabs: {
    label: 'Partes de la aplicación',
    registration: 'Registro',
    connect: 'Conectar',
    people: 'Quién la usa',
    history: 'Historial',
  },
  kinds: {
    WEB: {
      title: 'Aplicación web',
      what: 'Se ejecuta en un servidor; las personas la usan con un navegador.',
      how: 'Confidencial: flujo de código con PKCE y un secreto de cliente o una clave propia.',
    },
    SINGLE_PAGE: {
      title: 'Aplicación SPA',
      what: 'De página única: se ejecuta en el navegador, sin un servidor que pueda guardar un secreto.',
      how: 'Pública: flujo de código con PKCE, sin secreto.',
    },
    NATIVE: {
      title: 'Aplicación nativa',
      what: 'Se instala: una aplicación de móvil, un programa de escritorio, una línea de comandos.',
      how: 'Pública: flujo de código con PKCE, sin secreto. Cualquier puerto de un URI de redirección de loopback.',
    },
    MACHINE: {
      title: 'Máquina',
      what: 'Un servicio o una tarea que actúa por sí misma; nadie inicia sesión.',
      how: 'Confidencial: credenciales de cliente (client credentials).',
    },
    DEVICE: {
      title: 'Dispositivo',
      what: 'No tiene navegador o teclado: un televisor, una impresora, un terminal remoto.',
      how: 'Pública: las personas escriben un código en otro dispositivo.',
    },
    MCP: {
      title: 'Cliente MCP',
      what: 'Un cliente del Model Context Protocol.',
      how: 'Pública: sus tokens son para los servidores MCP que usted indique y para nada más.',
    },
  },
  grants: {
    authorization_code: 'authorization_code: las personas inician sesión con un navegador',
    refresh_token: 'refresh_token: sigue conectada',
    client_credentials: 'client_credentials: actúa por sí misma',
    device_code: 'device_code: las personas inician sesión en otro dispositivo',
    token_exchange: 'token-exchange: intercambia tokens de otros',
    jwt_bearer: 'jwt-bearer: presenta aserciones de emisores de confianza',
  },
  groups: {
    presentation: 'Lo que ven las personas',
    signIn: 'Inicio y cierre de sesión',
    access: 'Lo que puede hacer',
    authentication: 'Cómo se autentica',
    security: 'Qué se le exige',
    tokens: 'Sus tokens',
    delegation: 'Actuar por personas',
  },
  members: {
    name: {
      label: 'Nombre',
      hint: 'Lo que ven las personas donde inician sesión y se les pide consentimiento.',
    },
    clientUri: { label: 'Página principal', hint: 'Una dirección web.' },
    logoUri: {
      label: 'Logotipo',
      hint: 'El servidor lo obtiene y lo guarda; se muestra donde las personas inician sesión y se les pide consentimiento.',
    },
    policyUri: {
      label: 'Política de privacidad',
      hint: 'Se enlaza donde se pide consentimiento a las personas.',
    },
    tosUri: {
      label: 'Condiciones del servicio',
      hint: 'Se enlazan donde se pide consentimiento a las personas.',
    },
    redirectUris: {
      label: 'URI de redirección',
      hint: 'Adónde pueden ir las respuestas, uno por línea. Se comparan byte a byte.',
    },
    postLogoutRedirectUris: {
      label: 'URI de redirección tras cerrar sesión',
      hint: 'Adónde se puede enviar a las personas tras cerrar sesión, uno por línea.',
    },
    applicationType: {
      label: 'Tipo de aplicación',
      hint: 'Dónde se ejecuta y, por tanto, cómo pueden ser sus URI de redirección: native para programas instalados.',
    },
    requireConsent: {
      label: 'Preguntar a las personas antes de que obtenga acceso',
      hint: 'No hace falta para las aplicaciones de la propia organización.',
    },
    defaultMaxAge: {
      label: 'Tiempo máximo desde el inicio de sesión',
      hint: 'En segundos, si la solicitud no lo dice (default_max_age). Vacío: cualquiera.',
    },
    requireAuthTime: {
      label: 'Los ID tokens deben decir cuándo inició sesión la persona',
      hint: 'Todos lo dicen si hubo un inicio de sesión.',
    },
    backchannelLogoutUri: {
      label: 'URI de cierre de sesión por canal trasero (back-channel logout)',
      hint: 'Dónde se le avisa de que ha terminado una sesión en la que obtuvo tokens. Vacío: no se le avisa.',
    },
    backchannelLogoutSessionRequired: {
      label: 'Los logout tokens nombran siempre la sesión',
      hint: 'Y no solo a la persona.',
    },
    grantTypes: { label: 'Tipos de concesión', hint: 'Las maneras en que puede obtener tokens.' },
    scopes: {
      label: 'Ámbitos',
      hint: 'Lo máximo que puede pedir. De la API, una persona no da más de lo que tienen sus roles.',
    },
    resources: {
      label: 'Recursos',
      hint: 'Los recursos (RFC 8707) para los que puede pedir tokens, además de la API de la organización, uno por línea.',
    },
    protectedResources: {
      label: 'Recursos que sirve',
      hint: 'Puede hacer introspección de los tokens destinados a ellos, uno por línea. urn:ostiary:tenant-api representa la API de la propia organización.',
    },
    tokenEndpointAuthMethod: {
      label: 'Autenticación en el endpoint de tokens',
      hint: 'Lo emitido deja de servir cuando pasa a ser pública o deja de serlo. Un método que necesita otro tipo de secreto obtiene uno nuevo.',
    },
    tokenEndpointAuthSigningAlg: {
      label: 'Algoritmo de sus aserciones',
      hint: 'El único con el que se pueden firmar sus aserciones.',
    },
    jwksUri: {
      label: 'Dirección de sus claves públicas',
      hint: 'Dónde publica su JSON Web Key Set (jwks_uri).',
    },
    jwks: { label: 'Claves públicas', hint: 'Un JSON Web Key Set (RFC 7517), en vez de una dirección.' },
    profile: { label: 'Perfil de seguridad', hint: 'fapi2 le exige el FAPI 2.0 Security Profile.' },
    codeProtection: {
      label: 'Protección de los códigos de autorización',
      hint: 'Lo que vincula un código al navegador para el que se emitió. Todo lo que no sea PKCE es solo para aplicaciones OpenID confidenciales que no lo admiten.',
    },
    dpopBoundAccessTokens: {
      label: 'Solo tokens vinculados a una clave (DPoP)',
      hint: 'Quien robe uno de sus tokens no puede usarlo (RFC 9449).',
    },
    requirePushedAuthorizationRequests: {
      label: 'Solo solicitudes de autorización enviadas previamente (PAR)',
      hint: 'Nada de una solicitud se puede cambiar a su paso por el navegador (RFC 9126).',
    },
    requireSignedRequestObject: {
      label: 'Solo solicitudes de autorización firmadas',
      hint: 'Necesita sus claves públicas (RFC 9101).',
    },
    requestObjectSigningAlg: {
      label: 'Algoritmo de sus objetos de solicitud',
      hint: 'none le permite enviarlos sin firmar, como las solicitudes corrientes.',
    },
    requestUris: {
      label: 'Direcciones de sus objetos de solicitud',
      hint: 'De dónde se pueden obtener (request_uri), una por línea.',
    },
    idTokenSignedResponseAlg: {
      label: 'Firma de los ID tokens',
      hint: 'RS256, salvo que su programa quiera otra.',
    },
    userinfoSignedResponseAlg: {
      label: 'Firma de las respuestas de userinfo',
      hint: 'Cualquiera: son JSON corriente, sin firmar.',
    },
    introspectionSignedResponseAlg: {
      label: 'Firma de las respuestas de introspección',
      hint: 'Para quienes las piden firmadas (RFC 9701).',
    },
    profileClaimsInIdToken: {
      label: 'Los ID tokens contienen los claims de sus ámbitos',
      hint: 'Para aplicaciones que nunca consultan userinfo.',
    },
    sectorIdentifierUri: {
      label: 'URI de identificador de sector',
      hint: 'Un documento que enumera los URI de redirección de todas las aplicaciones que comparten sus identificadores de personas. Otro host significa otros identificadores para todo el mundo.',
    },
    tokenExchange: {
      label: 'Clientes cuyos tokens puede intercambiar',
      hint: 'ID de cliente, uno por línea (RFC 8693). Vacío: no puede intercambiar ninguno.',
    },
    mayAct: {
      label: 'Quién puede actuar con sus tokens',
      hint: 'El ID del único cliente que puede actuar por las personas de las que tratan sus tokens (may_act).',
    },
  },
  secret: {
    label: 'Secreto de cliente',
    shown: 'El secreto de cliente',
    rotate: 'Rotar el secreto',
    title: 'Un secreto nuevo para «{name}»',
    lead: 'El secreto nuevo funciona de inmediato. El usado hasta ahora sigue funcionando un tiempo, para poder cambiar la aplicación sin interrupción. Los más antiguos dejan de servir ahora.',
    overlap: 'El secreto actual sigue funcionando durante',
    overlapHint:
      'El tiempo suficiente para llevar el nuevo a todos los sitios donde se ejecuta la aplicación.',
    overlaps: {
      none: 'ningún tiempo: deja de servir ahora',
      hour: 'una hora',
      day: 'un día',
      week: 'una semana',
      month: '30 días',
    },
    noOverlap:
      'Todo lo que aún use el secreto actual falla desde el momento en que pulse el botón. Es lo correcto si puede tenerlo otra persona.',
  },
  availability: {
    disable: 'Desactivar',
    enable: 'Activar',
    delete: 'Eliminar definitivamente',
    disableTitle: '¿Desactivar «{name}»?',
    enableTitle: '¿Activar «{name}»?',
    deleteTitle: '¿Eliminar «{name}»?',
    ends: 'De inmediato deja de servir todo lo que se le emitió: tokens de acceso, tokens de actualización y lo que las personas le permitieron.',
    endsOf:
      'De inmediato deja de servir todo lo que se le emitió: tokens de acceso, tokens de actualización y lo que las personas le permitieron. {count, plural, =0 {Ahora mismo nadie tiene sesión iniciada en ella.} one {Ahora mismo está vigente la autorización de # persona.} other {Ahora mismo están vigentes las autorizaciones de # personas.}}',
    disableLead:
      'El registro se conserva y la aplicación se puede volver a activar. Lo que se le emitió antes seguirá sin servir.',
    enableLead:
      'Puede volver a iniciar la sesión de personas y a obtener tokens. Lo que se le emitió antes de desactivarla sigue sin servir: las personas inician sesión de nuevo.',
    deleteLead:
      'El registro se olvida. Una aplicación con los mismos ajustes sería otra, con otro ID de cliente.',
    typeName: 'Escriba su nombre para confirmar: {name}',
    wrongName: 'Ese no es su nombre.',
  },
  connect: {
    values: 'Valores que hay que introducir en la aplicación',
    valuesLead:
      'La mayoría de los programas necesitan el emisor, el ID de cliente y el secreto de cliente, y encuentran el resto por sí solos.',
    issuer: 'Emisor',
    clientId: 'ID de cliente',
    clientSecret: 'Secreto de cliente',
    noSecret: 'ninguno: la aplicación es pública',
    ownKey: 'ninguno: firma aserciones con una clave propia',
    secretElsewhere: 'se mostró una vez al crearlo; rótelo para obtener uno nuevo',
    redirectUri: 'URI de redirección',
    discovery: 'Documento de descubrimiento (discovery)',
    endpoints: 'Todos los endpoints',
    snippets: 'Listo para pegar',
    framework: 'Framework',
    secretInEnvironment: 'El secreto se toma del entorno: su sitio no es el código.',
    notes: {
      secretPost:
        'Este framework envía el secreto en el cuerpo. Ponga «Autenticación en el endpoint de tokens» en client_secret_post o se rechazará.',
      secretBasic:
        'Este framework envía el secreto en la cabecera Authorization. Ponga «Autenticación en el endpoint de tokens» en client_secret_basic o se rechazará.',
      redirect:
        'Este framework tiene un URI de redirección con una forma propia y no hay ninguno así registrado. Registre el del fragmento, con su host.',
      pkceBean:
        'El servidor exige PKCE. Spring Security anterior a la versión 7 solo lo usa para aplicaciones confidenciales si se le indica, como hace la segunda parte.',
      loopback:
        'Lo mejor para un programa en el equipo de una persona es un URI de redirección de loopback. Registre http://127.0.0.1/callback; el puerto puede ser entonces cualquiera.',
      discovery:
        'Los clientes MCP encuentran el servidor de autorización por sí mismos. Necesitan el ID de cliente, salvo que se registren ellos mismos con un token de acceso inicial.',
    },
  },
  test: {
    title: 'Probar el inicio de sesión',
    lead: 'Abre la solicitud de autorización en una ventana nueva, como lo haría la aplicación. Usted ve lo que ven las personas: el inicio de sesión y la pregunta de si la aplicación puede tener acceso.',
    after:
      'Al final la aplicación recibe una respuesta que no ha pedido y lo dice: es lo correcto. Su dirección tiene entonces «code» y «state», o «error» con el motivo.',
    redirectUri: 'URI de redirección',
    ask: 'Inicio de sesión',
    prompts: {
      usual: 'como lo haría la aplicación: puede que la sesión ya esté iniciada',
      login: 'pedir el inicio de sesión en cualquier caso',
      consent: 'pedir el consentimiento en cualquier caso',
    },
    open: 'Abrir el inicio de sesión',
    obstacles: {
      disabled: 'La aplicación está desactivada, así que se rechaza toda solicitud para ella.',
      noRedirect:
        'La aplicación no tiene ningún URI de redirección, así que no hay adónde ir tras iniciar sesión.',
      pushed:
        'La aplicación debe enviar antes sus solicitudes (PAR) con su propia autenticación, así que nadie más puede hacer una.',
      signed:
        'La aplicación debe firmar sus solicitudes con su propia clave, así que nadie más puede hacer una.',
    },
  },
  people: {
    title: 'Quién la usa',
    count:
      '{count, plural, =0 {Nadie le ha permitido actuar en su nombre} one {# autorización vigente: alguien le ha permitido actuar en su nombre} other {# autorizaciones vigentes: hay personas que le han permitido actuar en su nombre}}',
    empty: 'Ahora mismo no la usa nadie',
    emptyHint:
      'Una autorización se crea cuando alguien inicia sesión en la aplicación, y termina con la sesión o cuando caduca.',
    person: 'Persona',
    scopes: 'Ámbitos',
    since: 'Desde',
    until: 'Hasta',
    actions: 'Acción',
    unknown: 'desconocido',
    revoke: 'Retirar',
    revokeTitle: '¿Retirar esta autorización?',
    revokeLead:
      'Lo que {person} permitió a {app} termina de inmediato, con todos los tokens que se apoyan en ello. Puede volver a permitirlo.',
  },
  history: {
    through: 'Hecho a través de ella',
    throughHint:
      'Lo que consta en el registro de seguridad sobre inicios de sesión y cambios que llegaron por esta aplicación.',
    changes: 'Hecho en ella',
    empty: 'No consta nada en el registro',
    action: 'Qué',
    person: 'Persona',
    actor: 'Por',
    address: 'Dirección',
    at: 'Cuándo',
  },
  wizard: {
    title: 'Registrar una aplicación',
    step: 'Paso {now} de 3: {name}',
    steps: {
      kind: 'de qué tipo es',
      needs: 'qué necesita',
      values: 'los valores que hay que introducir en ella',
    },
    which:
      '¿Qué tipo de aplicación es? Eso decide cómo inicia la sesión de las personas y si puede guardar un secreto.',
    submit: 'Registrar',
    otherKind: 'Otro tipo',
    done: '«{name}» está registrada',
    another: 'Registrar otra',
    open: 'Ir a la aplicación',
    ready: 'Se puede usar ya. Introduzca estos valores en la aplicación.',
    redirect: {
      web: 'Adónde pueden ir las respuestas, uno por línea: https, o http en localhost durante el desarrollo. Se comparan byte a byte.',
      native:
        'Uno por línea: http://127.0.0.1/callback para programas que abren un navegador (vale entonces cualquier puerto), una dirección https propia, o un esquema propio como com.example.app:/callback.',
    },
    mcpResources:
      'Los servidores MCP para los que son sus tokens, uno por línea: la dirección de cada uno tal como figura en sus propios metadatos.',
    machineScopes:
      'Lo que puede hacer en la API de la organización, dentro de los ámbitos de usted. Ninguno, si es para un recurso de otro.',
    method: 'El servidor acepta este método y ningún otro.',
    methods: {
      CLIENT_SECRET: 'Secreto en la cabecera o en el cuerpo (predeterminado)',
      CLIENT_SECRET_BASIC:
        'client_secret_basic: secreto en la cabecera Authorization (la mayoría de los programas)',
      CLIENT_SECRET_POST: 'client_secret_post: secreto en el cuerpo (ASP.NET Core)',
      PRIVATE_KEY_JWT: 'private_key_jwt: firma con una clave propia; no hay secreto',
    },
    own: 'Es de la propia organización: no preguntar a las personas antes de que obtenga acceso',
    ownHint: 'Solo para aplicaciones en las que todos confían: lo que puede pedir, lo obtiene.',
  },
};
