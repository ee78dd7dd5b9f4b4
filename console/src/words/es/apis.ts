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
  goneHint: 'Es posible que se haya eliminado.',
  settings: 'Configuración',
  edit: 'Editar',
  remove: 'Quitar',
  undescribed: 'sin descripción',
  usualLifetime: 'valor predeterminado de la instalación',
  description: 'Descripción ({language})',
  deleteTitle: '¿Eliminar {name}?',
  deleteLead:
    'Sus ámbitos se quitan de las aplicaciones y los consentimientos, y sus roles, de los usuarios y grupos. Los tokens de acceso de estas aplicaciones se revocan inmediatamente.',
  fields: {
    name: 'Nombre',
    identifier: 'Identificador',
    scopes: 'Ámbitos',
    tokenFormat: 'Formato de los tokens',
    lifetime: 'Vigencia de los tokens en segundos',
    since: 'Registrada',
  },
  hints: {
    identifier: 'Un URI: la audiencia de sus tokens y el «resource» de las solicitudes. No se puede cambiar.',
    name: 'Se muestra en la página de consentimiento.',
    lifetime: 'Al menos 60. Déjelo vacío para usar el valor predeterminado de la instalación.',
  },
  formats: { JWT: 'JWT', OPAQUE: 'opaco' },
  formatHints: {
    JWT: 'La propia API verifica los tokens.',
    OPAQUE: 'La API verifica los tokens por introspección.',
  },
  tabs: { label: 'Secciones de la API', scopes: 'Ámbitos', roles: 'Roles', connect: 'Conectar' },
  scopes: {
    title: 'Ámbitos',
    lead: 'Acceso que las aplicaciones pueden solicitar. La página de consentimiento muestra las descripciones en el idioma del usuario.',
    add: 'Añadir ámbito',
    edit: 'Editar el ámbito {name}',
    name: 'Ámbito',
    nameHint: 'Por ejemplo, orders:read. No se puede cambiar y es único en el inquilino.',
    descriptionHint:
      'Se muestra en la página de consentimiento, también para idiomas sin descripción propia.',
    empty: 'Todavía no hay ámbitos',
    emptyHint: 'Sin ámbitos, una aplicación obtiene tokens para la API solo por su identificador.',
    removeHint:
      'El ámbito se quita de aplicaciones, consentimientos y concesiones, y los tokens de acceso de estas aplicaciones se revocan inmediatamente.',
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
      'Los usuarios y grupos pierden el rol inmediatamente, y los tokens de acceso de los usuarios afectados se revocan.',
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
      'API_ID y API_SECRET son las credenciales de un cliente que puede introspeccionar los tokens de esta API y seguir su canal de revocaciones.',
    createCredentials: 'Crear credenciales',
    credentialsShown: 'Credenciales para su API',
    verifierName: '{name} (verificación)',
    programs: 'Código para su API',
    framework: 'Framework',
  },
  assigned: {
    title: 'Roles en API',
    empty: 'El usuario no tiene roles en ninguna API.',
    groupTitle: 'Roles de todos los miembros en API',
    groupEmpty: 'El grupo no tiene roles en ninguna API.',
    give: 'Asignar rol de API',
    giveTitle: 'Asignar rol de API',
    giveHint:
      'Los tokens emitidos a partir de ahora contienen el rol. Requiere un inicio de sesión reciente.',
    role: 'Rol',
    roleHint: 'Parte del nombre del rol o de la API.',
    noRoles: 'Ninguna API tiene roles todavía. Añádalos en la página de la API.',
    takeHint: 'El acceso del usuario a esta API se revoca inmediatamente.',
    takeStays: 'El usuario conserva el rol a través de un grupo.',
    groupTakeHint:
      'Los miembros que tienen el rol solo a través de este grupo lo pierden, y su acceso a esta API se revoca inmediatamente.',
  },
};
