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
  tryAgain: 'Volver a intentarlo',
  locked: 'Usted no tiene permiso',
  needs: 'Requiere {scopes}, que ninguno de sus roles concede.',
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
    'Solo se muestra ahora. Nadie podrá volver a consultarlo, ni aquí ni en ningún otro sitio: guárdelo donde haga falta antes de continuar.',
  stored: 'Lo he guardado',
  noneFound: 'Todavía no se ha encontrado a nadie',
  unknown: 'Ahora mismo no se sabe.',
};

export const conflict: Words['conflict'] = {
  title: 'Alguien se ha adelantado',
  lead: 'Lo que va a cambiar se ha modificado desde que lo abrió. Todavía no se ha guardado nada suyo.',
  elsewhere: 'Lo que se modificó no es lo que usted cambia. Sus cambios se pueden guardar encima.',
  what: 'Qué',
  theirs: 'Como está ahora',
  yours: 'Como usted lo quiere',
  notYours: 'sin cambios suyos',
  takeTheirs: 'Dejarlo como está ahora',
  keepYours: 'Guardar lo mío',
};

export const failures: Words['failures'] = {
  offline: 'No se puede contactar con el servidor. Lo que ve puede no estar al día.',
  forbidden: 'Una parte de esta página no está a su alcance: {scopes}',
  unavailable: 'Falta una parte de esta página porque un servicio no responde ahora mismo: {services}',
  limited: 'Demasiadas solicitudes por el momento. Vuelva a intentarlo dentro de un minuto.',
  authentication: 'Esto requiere un inicio de sesión más reciente o más fuerte.',
  other: 'No ha funcionado: {message}',
  conflict: 'Alguien lo ha modificado entretanto.',
};

export const start: Words['start'] = {
  starting: 'Iniciando su sesión…',
  elsewhere: 'Ha iniciado sesión. Puede cerrar esta ventana.',
  failed: 'No se pudo iniciar sesión: {message}',
  choose: 'Elegir una organización',
  title: '¿Qué organización?',
  lead: 'Cada organización tiene sus propias personas, aplicaciones y claves. Usted inicia sesión en una de ellas.',
  tenant: 'Organización (tenant)',
  tenantHint: 'Su ID, tal como figura en la dirección de su emisor: /t/…',
  signIn: 'Iniciar sesión',
  notFound: 'En esta dirección no hay nada',
  notFoundHint: 'Puede que se haya eliminado o que pertenezca a otra organización.',
};

export const shell: Words['shell'] = {
  console: 'Ostiary',
  skip: 'Ir al contenido',
  menu: 'Menú',
  navigation: 'Navegación principal',
  otherTenant: 'Otra organización',
  search: 'Buscar',
  searchHint: 'Una página, o el nombre o la dirección de una persona',
  results: 'Resultados',
  nothing: 'No se ha encontrado nada',
  page: 'Página',
  theme: 'Claro u oscuro',
  language: 'Idioma',
  languageName: 'Español',
  signOut: 'Cerrar sesión',
  noRole: 'Ha iniciado sesión',
  noRoleLead: 'Pero ninguno de sus roles da acceso a nada de aquí',
  noRoleHint: 'Pida a un administrador de esta organización que le dé un rol.',
  live: 'en directo',
  lost: 'sin conexión en directo, conectando…',
  sections: {
    people: 'Personas',
    access: 'Aplicaciones y claves',
    sources: 'Fuentes de identidad',
    outside: 'Avisos a otros sistemas',
    system: 'Organización',
  },
};

export const stepUp: Words['stepUp'] = {
  title: 'Confirme que es usted',
  recent:
    'Esto crea o entrega acceso, por lo que requiere haber iniciado sesión en los últimos minutos. Se abre una ventana para ello; lo que ha escrito se conserva.',
  stronger:
    'Esto requiere haber iniciado sesión con un segundo factor. Se abre una ventana para ello; lo que ha escrito se conserva.',
  confirm: 'Iniciar sesión de nuevo',
  waiting: 'Inicie sesión en la otra ventana; esta continúa por sí sola.',
  again: 'Abrir la ventana de nuevo',
  failed: 'No ha funcionado: {message}. Vuelva a intentarlo.',
};

export const navigation: Words['navigation'] = {
  overview: 'Resumen',
  users: 'Usuarios',
  groups: 'Grupos',
  roles: 'Roles',
  sources: 'Fuentes de identidad',
  applications: 'Aplicaciones',
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
  tenant: 'Ajustes y política',
  branding: 'Imagen de marca',
};
