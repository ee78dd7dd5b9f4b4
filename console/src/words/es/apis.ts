import type { Words } from '../en/index.ts';

export const apis: Words['apis'] = {
  title: 'API',
  one: 'API',
  lead: 'Las API propias de su organización. Las aplicaciones solicitan tokens de acceso para sus ámbitos, y cada API acepta solo los tokens emitidos para ella.',
  register: 'Registrar API',
  empty: 'Todavía no hay ninguna API',
  emptyHint:
    'Registre una API para definir sus ámbitos y roles, y permita después que las aplicaciones los soliciten.',
  gone: 'API no encontrada',
  goneHint: 'Puede que se haya eliminado.',
  settings: 'Configuración',
  edit: 'Editar',
  remove: 'Quitar',
  removed: 'quitado',
  undescribed: 'sin descripción',
  usualLifetime: 'valor predeterminado de la instalación',
  description: 'Descripción ({language})',
  deleteTitle: '¿Eliminar {name}?',
  deleteLead:
    'Sus ámbitos se quitan de las aplicaciones y los consentimientos, y sus roles, de los usuarios y grupos. Los tokens de acceso de estas aplicaciones se revocan de inmediato.',
  fields: {
    name: 'Nombre',
    identifier: 'Identificador',
    scopes: 'Ámbitos',
    tokenFormat: 'Formato de los tokens',
    lifetime: 'Duración de los tokens en segundos',
    since: 'Registrada',
  },
  hints: {
    identifier: 'Un URI: la audiencia de sus tokens y el «resource» de las solicitudes. No se puede cambiar.',
    name: 'Se muestra en la página de consentimiento.',
    lifetime: 'De 60 al valor predeterminado de la instalación, que se aplica si el campo está vacío.',
  },
  formats: { JWT: 'JWT', OPAQUE: 'opaco' },
  formatHints: {
    JWT: 'La propia API verifica los tokens.',
    OPAQUE: 'La API verifica los tokens por introspección.',
  },
  tabs: {
    label: 'Secciones de la API',
    scopes: 'Ámbitos',
    roles: 'Roles',
    claims: 'Claims',
    connect: 'Conectar',
  },
  scopes: {
    title: 'Ámbitos',
    lead: 'Acceso que las aplicaciones pueden solicitar. La página de consentimiento muestra las descripciones en el idioma del usuario.',
    add: 'Añadir ámbito',
    edit: 'Editar el ámbito {name}',
    name: 'Ámbito',
    nameHint: 'Por ejemplo, orders:read. No se puede cambiar y es único en la organización.',
    descriptionHint:
      'Se muestra en la página de consentimiento, también para idiomas sin descripción propia.',
    empty: 'Todavía no hay ámbitos',
    emptyHint: 'Sin ámbitos, una aplicación obtiene tokens para la API solo por su identificador.',
    removeHint:
      'El ámbito se quita de aplicaciones, consentimientos y autorizaciones, y los tokens de acceso de estas aplicaciones se revocan de inmediato.',
    apps: 'Aplicaciones con este ámbito',
  },
  roles: {
    title: 'Roles',
    lead: 'Los «roles» de un usuario en los tokens para esta API. La API decide qué permite cada rol.',
    add: 'Añadir rol',
    edit: 'Editar el rol {name}',
    name: 'Rol',
    nameHint: 'El valor en los tokens, por ejemplo editor. No se puede cambiar.',
    descriptionHint: 'Se muestra a los administradores.',
    empty: 'Todavía no hay roles',
    emptyHint:
      'Los roles son opcionales: los ámbitos limitan las aplicaciones, los roles distinguen a los usuarios.',
    removeHint:
      'Los usuarios y grupos pierden el rol de inmediato. Si está asignado, se revocan los tokens de acceso de todas las aplicaciones con acceso a esta API.',
    holdersOf: 'Mostrar los usuarios y grupos con',
    assignHint: 'Asigne roles en la página de un usuario o de un grupo.',
  },
  connect: {
    values: 'Valores de configuración',
    valuesLead: 'Introduzca estos valores en su API.',
    issuer: 'Emisor',
    audience: 'Audiencia',
    feed: 'Canal de revocaciones',
    credentials:
      'API_ID y API_SECRET son las credenciales de una aplicación que puede hacer introspección de los tokens de esta API y seguir su canal de revocaciones.',
    createCredentials: 'Crear credenciales',
    credentialsShown: 'Credenciales para su API',
    secretLost:
      'Las credenciales se crearon, pero se perdió la respuesta con el secreto. Rote el secreto en la página de la aplicación.',
    verifierName: '{name} (verificación)',
    programs: 'Código para su API',
    framework: 'Framework',
  },
  assigned: {
    title: 'Roles de API',
    empty: 'El usuario no tiene roles de API.',
    groupTitle: 'Roles de API de todos los miembros',
    groupEmpty: 'El grupo no tiene roles de API.',
    give: 'Asignar rol de API',
    giveTitle: 'Asignar rol de API',
    giveHint:
      'Los tokens emitidos a partir de ahora contienen el rol. Requiere un inicio de sesión reciente.',
    role: 'Rol',
    roleHint: 'Parte del nombre del rol o de la API.',
    notChosen: 'Elija un rol de la lista.',
    groupGiveHint:
      'Después, solo los administradores que pueden asignar este rol pueden añadir miembros. Los tokens emitidos a partir de ahora contienen el rol. Asignar un rol requiere un inicio de sesión reciente.',
    noRoles: 'Ninguna API tiene roles todavía. Añádalos en la página de la API.',
    takeHint: 'El acceso del usuario a esta API se revoca de inmediato.',
    takeStays: 'El usuario conserva el rol a través de un grupo.',
    groupTakeHint:
      'Los miembros que tienen el rol solo a través de este grupo lo pierden, y su acceso a esta API se revoca de inmediato.',
  },
};

export const claims: Words['claims'] = {
  title: 'Claims',
  edit: 'Editar claims',
  editTitle: 'Claims de los tokens',
  empty: 'Sin claims asignados',
  emptyHint: 'Añada un claim para dar a las aplicaciones o API un atributo del usuario.',
  required: 'obligatorio',
  name: 'Claim',
  expression: 'Expresión',
  requiredLabel: 'No emitir ningún token si la expresión no tiene valor',
  row: 'Claim {number}',
  remove: 'Quitar',
  removeRow: 'Quitar el claim {number}',
  add: 'Añadir claim',
  variables:
    'Las expresiones están en Common Expression Language (CEL). Variables: user, groups, groupIds, client, y para las API también roles y api.',
  apiLead:
    'Los tokens de acceso para esta API tienen además estos claims. Un token opaco los tiene en su respuesta de introspección.',
  appLead:
    'Los tokens de identidad y las respuestas de userinfo para esta aplicación tienen además estos claims.',
  preview: {
    title: 'Vista previa',
    lead: 'Muestra los valores que tendrían los tokens emitidos ahora. No se emite ningún token.',
    user: 'Usuario',
    client: 'Aplicación',
    accessToken: 'Token de acceso',
    idToken: 'Token de identidad',
    userinfo: 'Userinfo',
    none: 'Sin claims asignados.',
    notIssued: 'no se emite ningún token',
    reasons: {
      NO_VALUE: 'Sin valor: al usuario le falta un atributo, o el resultado es null.',
      FAILED: 'La evaluación ha fallado.',
      TOO_LARGE: 'El valor es demasiado grande.',
      UNSUPPORTED_VALUE: 'El valor no se puede escribir como JSON.',
      TOO_MANY_GROUPS: 'El usuario tiene más de 1000 grupos.',
    },
  },
};
