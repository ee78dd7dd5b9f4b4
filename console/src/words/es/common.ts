import type { Words } from '../en/index.ts';

export const common: Words['common'] = {
  product: 'Consola de Ostiary',
  cancel: 'Cancelar',
  close: 'Cerrar',
  save: 'Guardar',
  delete: 'Eliminar',
  copy: 'Copiar',
  copied: 'Copiado',
  loading: 'Cargando…',
  tryAgain: 'Reintentar',
  locked: 'Permiso necesario',
  needs: 'Requiere {scopes}. Ninguno de sus roles lo incluye.',
  active: 'activo',
  inactive: 'inactivo',
  yes: 'sí',
  no: 'no',
  none: 'sin definir',
  never: 'nunca',
  more: 'Más',
  revoke: 'Revocar',
  of: '{action}: {name}',
  all: 'Todos',
  shownOnce:
    'Este valor solo se muestra una vez. Guárdelo en un lugar seguro antes de continuar: no podrá volver a verlo.',
  stored: 'Lo he guardado',
  noneFound: 'Todavía no hay resultados',
  unknown: 'No disponible en este momento.',
};

export const conflict: Words['conflict'] = {
  title: 'Otro cambio se guardó antes',
  lead: 'Estos valores han cambiado desde que abrió la página. Sus cambios todavía no se han guardado.',
  elsewhere: 'El otro cambio afecta a otros campos. Puede guardar también los suyos.',
  what: 'Campo',
  theirs: 'Valor actual',
  yours: 'Su valor',
  notYours: 'sin cambios',
  takeTheirs: 'Conservar los valores actuales',
  keepYours: 'Guardar mis cambios',
};

export const failures: Words['failures'] = {
  offline: 'No se puede contactar con el servidor. Es posible que esta página no esté actualizada.',
  forbidden: 'No tiene el permiso necesario: {scopes}',
  unavailable: 'No se puede cargar una parte de esta página porque un servicio no responde: {services}',
  limited: 'Demasiadas solicitudes. Vuelva a intentarlo dentro de un minuto.',
  authentication: 'Esta acción requiere un inicio de sesión más reciente o más seguro.',
  other: 'Se ha producido un error: {message}',
  conflict: 'Entretanto se ha guardado otro cambio.',
};

export const start: Words['start'] = {
  starting: 'Iniciando su sesión…',
  elsewhere: 'Ha iniciado sesión. Puede cerrar esta ventana.',
  failed: 'Error al iniciar sesión: {message}',
  choose: 'Elegir una organización',
  title: 'Elija una organización',
  lead: 'Cada organización tiene sus propios usuarios, aplicaciones y claves. Usted inicia sesión en una de ellas.',
  tenant: 'Organización (tenant)',
  tenantHint: 'El ID de la organización, como en la URL de su emisor: /t/…',
  signIn: 'Iniciar sesión',
  notFound: 'Página no encontrada',
  notFoundHint: 'Puede que se haya eliminado o que pertenezca a otra organización.',
};

export const shell: Words['shell'] = {
  console: 'Ostiary',
  skip: 'Saltar al contenido',
  menu: 'Menú',
  navigation: 'Navegación principal',
  otherTenant: 'Cambiar de organización',
  search: 'Buscar',
  searchHint: 'Página, nombre de usuario o correo electrónico',
  results: 'Resultados',
  nothing: 'Sin resultados',
  page: 'Página',
  theme: 'Tema claro u oscuro',
  language: 'Idioma',
  languageName: 'Español',
  signOut: 'Cerrar sesión',
  noRole: 'Ha iniciado sesión',
  noRoleLead: 'Ninguno de sus roles da acceso a esta consola',
  noRoleHint: 'Pida a un administrador de esta organización que le asigne un rol.',
  live: 'en directo',
  lost: 'sin conexión en directo, reconectando…',
  sections: {
    people: 'Usuarios y grupos',
    access: 'Aplicaciones y claves',
    sources: 'Fuentes de identidad',
    outside: 'Entrega de eventos',
    system: 'Organización',
  },
};

export const stepUp: Words['stepUp'] = {
  title: 'Confirme su identidad',
  recent:
    'Esta acción concede acceso y requiere haber iniciado sesión en los últimos minutos. Se abre una ventana de inicio de sesión. Los datos introducidos se conservan.',
  stronger:
    'Esta acción requiere iniciar sesión con un segundo factor. Se abre una ventana de inicio de sesión. Los datos introducidos se conservan.',
  confirm: 'Iniciar sesión de nuevo',
  waiting: 'Inicie sesión en la otra ventana. Esta página continuará automáticamente.',
  again: 'Volver a abrir la ventana',
  failed: 'Error al iniciar sesión: {message}. Vuelva a intentarlo.',
};

export const navigation: Words['navigation'] = {
  overview: 'Resumen',
  users: 'Usuarios',
  groups: 'Grupos',
  roles: 'Roles',
  sources: 'Fuentes de identidad',
  applications: 'Aplicaciones',
  apis: 'API',
  signals: 'Flujos de señales',
  webhooks: 'Webhooks',
  deliveries: 'Entregas',
  serviceAccounts: 'Cuentas de servicio',
  logs: 'Registros',
  trustedIssuers: 'Emisores de confianza',
  initialAccessTokens: 'Tokens de acceso inicial',
  schemas: 'Esquemas de extensión',
  keys: 'Claves de firma',
  system: 'Sistema',
  tenant: 'Ajustes y políticas',
  branding: 'Imagen de marca',
};
