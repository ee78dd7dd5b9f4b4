import type { Words } from '../en/index.ts';

export const initialAccessTokens: Words['initialAccessTokens'] = {
  title: 'Tokens de acceso inicial',
  lead: 'Con un token de acceso inicial, un programa se registra a sí mismo como aplicación (RFC 7591), dentro de los ámbitos del token.',
  create: 'Crear token',
  shown: 'Token de acceso inicial',
  label: 'Token de acceso inicial',
  shownHint:
    'Dé el token al administrador que instala el programa. Se revoca si a usted se le da de baja o pierde el rol necesario.',
  empty: 'No hay tokens utilizables',
  emptyHint:
    'Cree un token para que un programa pueda registrarse a sí mismo. Sin él, solo los administradores pueden registrar aplicaciones.',
  revoke: 'Revocar',
  revokeSentence: 'El token se revoca de inmediato. Las aplicaciones registradas con él se conservan.',
  how: 'Uso',
  howLead:
    'El programa envía el token una vez y recibe su propio ID de cliente. La aplicación aparece después en «Aplicaciones».',
  lifetimes: {
    hour: 'en 1 hora',
    day: 'en 1 día',
    week: 'en 7 días',
    month: 'en 30 días',
    quarter: 'en 90 días',
  },
  fields: {
    name: 'Nombre',
    scopes: 'Ámbitos',
    uses: 'Máximo de usos',
    usesLeft: 'Usos restantes',
    made: 'Creado',
    ends: 'Caduca',
    action: 'Acción',
  },
  hints: {
    name: 'Describa su finalidad para poder reconocerlo más adelante.',
    uses: 'Número de aplicaciones que se pueden registrar con él, de 1 a 1000.',
    scopes: 'Los ámbitos máximos de las aplicaciones registradas con él.',
  },
};
