import type { Words } from '../en/index.ts';

export const serviceAccounts: Words['serviceAccounts'] = {
  title: 'Cuentas de servicio',
  one: 'Cuenta de servicio',
  lead: 'Cuentas de programas que llaman a la API con una clave de API o con aserciones que ellos firman.',
  count:
    '{count, plural, =0 {ninguna cuenta de servicio} one {# cuenta de servicio} other {# cuentas de servicio}}',
  create: 'Crear una cuenta de servicio',
  edit: 'Editar',
  editTitle: 'Editar «{name}»',
  gone: 'No existe esa cuenta de servicio',
  goneHint: 'Puede que se haya eliminado.',
  empty: 'No hay cuentas de servicio',
  emptyHint:
    'Un programa que actúa por sí mismo recibe una: una tarea programada, un script, una integración.',
  isDisabled: 'Se rechaza todo lo de esta cuenta: sus claves de API, sus aserciones y sus tokens.',
  tabs: { accounts: 'Cuentas', keys: 'Todas las claves de API' },
  columns: {
    name: 'Nombre',
    scopes: 'Ámbitos',
    owner: 'Propietario',
    state: 'Estado',
    created: 'Creada',
  },
  fields: {
    id: 'ID (sub y client_id)',
    name: 'Nombre',
    description: 'Para qué es',
    scopes: 'Ámbitos',
    scopesHint: 'Lo máximo que puede hacer cualquiera de sus claves, dentro de los ámbitos de usted.',
    scopesEditHint:
      'Lo que se quita desaparece de inmediato, tanto de los tokens como de las claves. Las claves nunca obtienen más de lo que tenían al crearse.',
  },
  enableLead:
    'Sus claves de API y sus claves públicas vuelven a funcionar. Los tokens de acceso anteriores, no.',
  disableLead:
    'Todo lo suyo se rechaza de inmediato: claves de API, aserciones firmadas, tokens de acceso. Se puede volver a activar.',
  deleteLead:
    '{keys, plural, =0 {La cuenta se elimina definitivamente, con todos los tokens que se le emitieron.} one {La cuenta se elimina definitivamente, con su clave y todos los tokens que se le emitieron.} other {La cuenta se elimina definitivamente, con sus # claves y todos los tokens que se le emitieron.}}',
  expiry: { never: 'nunca', over: 'caducada' },
  keys: {
    title: 'Claves de API',
    lead: 'El programa envía una como token de portador (bearer). Puede haber cincuenta vigentes a la vez.',
    create: 'Crear una clave de API',
    none: 'No hay claves de API',
    noneHint: 'Cree una, o deje que el programa firme aserciones con una clave propia, que nunca sale de él.',
    shown: 'La clave de API',
    label: 'Clave de API',
    shownHint: 'El programa la envía como «Authorization: Bearer …».',
    name: 'Nombre',
    nameHint: 'Para qué es, de modo que se distinga de las demás.',
    lifetime: 'Caduca por sí sola',
    lifetimeHint: 'Una clave que caduca a tiempo no puede quedar olvidada durante años en algún sitio.',
    days: '{days, plural, one {dentro de # día} other {dentro de # días}}',
    scopes: 'Ámbitos',
    scopesHint: 'Los de la cuenta o menos.',
    ends: 'Caduca:',
    used: 'Último uso:',
    revoke: 'Revocar',
    revokeSentence: 'La clave deja de servir de inmediato en todas partes. Lo que aún la use falla.',
    which: 'Cuáles',
    whiches: {
      all: 'Todas las que funcionan',
      expiring: 'Caducan dentro de 30 días',
      unused: 'Sin usar desde hace 90 días',
      ownerless: 'De nadie',
    },
    count: '{count, plural, =0 {ninguna clave de API} one {# clave de API} other {# claves de API}}',
    empty: 'No hay claves de API así',
    emptyHint: 'Se crean en la página de una cuenta de servicio.',
    columns: {
      name: 'Nombre',
      hint: 'Termina en',
      owner: 'Propietario',
      used: 'Último uso',
      expires: 'Caduca',
    },
  },
  publicKeys: {
    title: 'Claves públicas',
    lead: 'El programa firma aserciones con la parte privada, que no tiene nadie más, y obtiene a cambio tokens de acceso (RFC 7523).',
    add: 'Añadir una clave pública',
    none: 'No hay claves públicas',
    noneHint: 'EC P-256, RSA de al menos 2048 bits o Ed25519.',
    jwk: 'JSON Web Key',
    jwkHint: 'La parte pública, en JSON (RFC 7517). Sin «kid» se la nombra por su huella (thumbprint).',
    private:
      'Esta es la parte privada. Que se quede en el programa; pegue la pública. No se ha enviado nada.',
    remove: 'Quitar',
    removeSentence:
      'Desde ahora se rechazan las aserciones firmadas con esta clave y dejan de servir los tokens de acceso de la cuenta.',
  },
};
