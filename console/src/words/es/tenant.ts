import type { Words } from '../en/index.ts';

export const tenant: Words['tenant'] = {
  title: 'Ajustes y política',
  tabs: { policy: 'Política', tenant: 'Organización', signIn: 'Sesiones y tokens' },
  policy: {
    lead: 'Lo que la organización fija para sí misma. Lo que deja abierto lo decide la instalación.',
    untouched: 'Aquí todavía no se ha fijado nada: todo está como lo tiene la instalación.',
    changed: 'Último cambio:',
    edit: 'Cambiar',
    change: 'Cambiar: {name}',
    default: 'como lo tiene la instalación',
    toDefault: 'Volver a lo que rige en esta instalación',
    andMore: '{shown} y {count, plural, one {# más} other {# más}}',
    groups: { people: 'Personas', apps: 'Aplicaciones', directory: 'Directorio' },
    settings: {
      requireSecondFactorForAdministrators: {
        label: 'Un rol solo cuenta con un segundo factor',
        explanation:
          'Quien tiene un rol y ha iniciado sesión con un solo factor tiene lo que tienen todos, y nada del rol. Nadie se queda fuera: el segundo factor se configura en la página de la cuenta.',
      },
      bannedPasswordWords: {
        label: 'Palabras que no sirven de contraseña',
        explanation:
          'Se rechazan las contraseñas formadas por ellas, además de las conocidas por filtraciones: el nombre de la organización, sus productos, su calle.',
      },
      ownedCredentialsOnOffboarding: {
        label: 'Qué pasa con lo que alguien configuró cuando se va',
        explanation:
          'Clientes, cuentas de servicio, claves de API y conectores cuyo único propietario se da de baja o pierde el rol que le permitía tenerlos.',
      },
      requiredClientProfile: {
        label: 'Perfil de seguridad que debe cumplir toda aplicación',
        explanation:
          'Con FAPI 2.0, las aplicaciones envían antes sus solicitudes (PAR), se autentican con una clave y tienen tokens vinculados a una clave. Las demás se rechazan.',
      },
      introspectionByAnyClient: {
        label: 'Las aplicaciones pueden hacer introspección de tokens ajenos',
        explanation:
          'Si no, una aplicación solo puede hacer introspección (RFC 7662) de los tokens que se emitieron a ella o para ella. Solo para servidores de recursos antiguos.',
      },
      webOrigins: {
        label: 'Orígenes de aplicaciones web',
        explanation:
          'Las páginas de estos orígenes pueden usar el grafo y los endpoints de tokens desde un navegador (CORS), además de las de los URI de redirección de las aplicaciones.',
      },
      knownSecretOverlapDays: {
        label: 'Días que siguen válidos los secretos conocidos',
        explanation:
          'Los secretos de clientes, cuentas de servicio, conectores y webhooks de otros propietarios que conoce un usuario dado de baja siguen siendo válidos estos días, para que los propietarios los sustituyan: de 0 a 30. Con 0 terminan de inmediato.',
      },
      signInRetentionDays: {
        label: 'Días que se conservan los inicios de sesión',
        explanation:
          'Los intentos de inicio de sesión, con o sin éxito, se eliminan pasados estos días: de 1 a 3650.',
      },
      uniqueGroupNames: {
        label: 'Dos grupos no pueden tener el mismo nombre',
        explanation:
          'SCIM lo permite y algunas fuentes de identidad los crean. Si se activa, el segundo se rechaza.',
      },
      scimSecurityEvents: {
        label: 'SCIM anuncia los eventos de seguridad',
        explanation:
          'ServiceProviderConfig tiene entonces securityEvents (RFC 9967). Desactívelo para clientes con tipos fijos que no pueden leer lo que no conocen.',
      },
    },
    secondFactorNote:
      'Al activarlo deja de servir lo que las aplicaciones de los administradores obtuvieron con inicios de sesión de un solo factor. Su propia consola también le pide un segundo factor.',
    profiles: {
      STANDARD: 'OAuth 2.1, como lo tiene siempre este servidor',
      FAPI2: 'FAPI 2.0 Security Profile',
    },
    owned: {
      REVOKE: 'Se revoca',
      SUSPEND: 'Se desactiva hasta que alguien lo active',
      HAND_OVER: 'Se traspasa',
    },
    receiver: 'Quién lo recibe',
    receiverHint: 'Un usuario activo o un grupo. Empiece a escribir un nombre o una dirección.',
    originsHint:
      'Por ejemplo, https://app.example.com, uno por línea. http solo para direcciones de loopback.',
    days: '{count, plural, one {# día} other {# días}}',
    wordsHint: 'Una por línea, de 3 a 64 caracteres.',
  },
  settings: {
    title: 'La organización',
    edit: 'Editar',
    id: 'ID',
    name: 'Nombre',
    status: 'Estado',
    statuses: { ACTIVE: 'en uso', SUSPENDED: 'suspendida' },
    deletionPolicy: 'Usuarios y grupos eliminados',
    policies: {
      SOFT: 'se pueden restaurar durante 30 días',
      HARD: 'desaparecen definitivamente al instante',
    },
    deletionHint:
      'En cualquier caso desaparecen de inmediato para todos: se cierran todas las puertas. Aquí se trata de poder recuperarlos.',
    hardWarning:
      'A partir de entonces nadie puede recuperar lo que se elimine por error. Lo que se eliminó antes aún se puede restaurar.',
    retention: 'Registro de auditoría del directorio',
    days: '{days, plural, =0 {se conserva para siempre} one {se conserva # día} other {se conserva # días}}',
    retentionHint: 'Días que se conservan las entradas, de 30 a 36500. Vacío: para siempre.',
    created: 'Creada',
    changed: 'Modificada',
  },
  signIn: {
    lead: 'Igual para todas las organizaciones de esta instalación; lo fija quien la opera.',
    characters: '{count, plural, one {# carácter} other {# caracteres}}',
    groups: { sessions: 'Sesiones', tokens: 'Tokens', others: 'Invitaciones, registros, contraseñas' },
    names: {
      sessionIdleSeconds: 'Termina si no se usa durante',
      sessionAbsoluteSeconds: 'Termina tras el inicio de sesión, como muy tarde',
      accessTokenSeconds: 'Token de acceso',
      idTokenSeconds: 'ID token',
      refreshTokenIdleSeconds: 'Autorización que no se renueva',
      refreshTokenAbsoluteSeconds: 'Autorización, como muy tarde',
      invitationSeconds: 'Invitación',
      securityLogRetentionSeconds: 'Registro de seguridad',
      passwordMinLength: 'Longitud mínima de una contraseña nueva',
    },
  },
};
