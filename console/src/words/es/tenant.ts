import type { Words } from '../en/index.ts';

export const tenant: Words['tenant'] = {
  title: 'Ajustes y políticas',
  tabs: { policy: 'Políticas', tenant: 'Organización', signIn: 'Sesiones y tokens' },
  policy: {
    lead: 'Políticas de esta organización. A las que no se definen se aplican los valores predeterminados de la instalación.',
    untouched: 'No hay políticas definidas. Se aplican los valores predeterminados de la instalación.',
    changed: 'Último cambio:',
    edit: 'Cambiar',
    change: 'Cambiar: {name}',
    default: 'valor predeterminado de la instalación',
    toDefault: 'Restablecer el valor predeterminado de la instalación',
    andMore: '{shown} y {count, plural, one {# más} other {# más}}',
    groups: { people: 'Usuarios', apps: 'Aplicaciones', directory: 'Directorio' },
    settings: {
      requireSecondFactorForAdministrators: {
        label: 'Exigir un segundo factor para los roles',
        explanation:
          'Los roles solo se aplican a los inicios de sesión con un segundo factor. Los usuarios pueden configurarlo en la página de su cuenta.',
      },
      bannedPasswordWords: {
        label: 'Palabras prohibidas en contraseñas',
        explanation:
          'Se rechazan las contraseñas formadas por estas palabras, por ejemplo, los nombres de la organización y de sus productos. Las contraseñas filtradas siempre se rechazan.',
      },
      ownedCredentialsOnOffboarding: {
        label: 'Credenciales propias al dar de baja',
        explanation:
          'Se aplica a los clientes, cuentas de servicio, claves de API y conectores cuyo único propietario se da de baja o pierde el rol necesario.',
      },
      requiredClientProfile: {
        label: 'Perfil de seguridad obligatorio para las aplicaciones',
        explanation:
          'FAPI 2.0 exige solicitudes de autorización enviadas por adelantado (PAR), autenticación de cliente con clave y tokens vinculados a una clave. Las demás aplicaciones se rechazan.',
      },
      introspectionByAnyClient: {
        label: 'Permitir que las aplicaciones hagan introspección de todos los tokens',
        explanation:
          'De forma predeterminada, una aplicación solo puede hacer introspección (RFC 7662) de los tokens emitidos a ella o para ella. Active esta opción solo para servidores de recursos antiguos.',
      },
      webOrigins: {
        label: 'Orígenes de aplicaciones web',
        explanation:
          'Las páginas de estos orígenes pueden llamar al grafo y a los endpoints de tokens desde un navegador (CORS). Los orígenes de los URI de redirección registrados siempre se permiten.',
      },
      knownSecretOverlapDays: {
        label: 'Días que siguen válidos los secretos conocidos',
        explanation:
          'Los secretos de clientes, cuentas de servicio, conectores y webhooks de otros propietarios que conoce un usuario dado de baja siguen siendo válidos estos días, para que los propietarios los sustituyan: de 0 a 30. Con 0 terminan de inmediato.',
      },
      signInRetentionDays: {
        label: 'Retención de los inicios de sesión, en días',
        explanation:
          'Los intentos de inicio de sesión, correctos y fallidos, se eliminan tras este número de días: de 1 a 3650.',
      },
      uniqueGroupNames: {
        label: 'Exigir nombres de grupo únicos',
        explanation:
          'Si se activa, se rechazan los grupos con un nombre duplicado. SCIM permite duplicados y algunas fuentes de identidad los crean.',
      },
      scimSecurityEvents: {
        label: 'Anunciar eventos de seguridad en SCIM',
        explanation:
          'Añade securityEvents (RFC 9967) a ServiceProviderConfig. Desactívelo para clientes que rechacen atributos desconocidos.',
      },
    },
    secondFactorNote:
      'Al activarlo se revocan los tokens que las aplicaciones obtuvieron con inicios de sesión de administradores con un solo factor. Su consola también exige un segundo factor.',
    profiles: {
      STANDARD: 'OAuth 2.1',
      FAPI2: 'FAPI 2.0 Security Profile',
    },
    owned: {
      REVOKE: 'Revocar',
      SUSPEND: 'Desactivar hasta que se vuelvan a activar',
      HAND_OVER: 'Transferir a otro propietario',
    },
    receiver: 'Nuevo propietario',
    receiverHint: 'Un usuario activo o un grupo. Empiece a escribir un nombre o un correo electrónico.',
    originsHint:
      'Un origen por línea, por ejemplo https://app.example.com. http solo se permite para direcciones de loopback.',
    days: '{count, plural, one {# día} other {# días}}',
    wordsHint: 'Una palabra por línea, de 3 a 64 caracteres.',
  },
  settings: {
    title: 'Organización',
    edit: 'Editar',
    id: 'ID',
    name: 'Nombre',
    status: 'Estado',
    statuses: { ACTIVE: 'activa', SUSPENDED: 'suspendida' },
    deletionPolicy: 'Usuarios y grupos eliminados',
    policies: {
      SOFT: 'se pueden restaurar durante 30 días',
      HARD: 'se eliminan definitivamente',
    },
    deletionHint:
      'En ambos casos, todo el acceso se revoca de inmediato. La política solo define si una eliminación se puede deshacer.',
    hardWarning:
      'Las nuevas eliminaciones no se pueden deshacer. Los usuarios y grupos eliminados antes aún se pueden restaurar.',
    retention: 'Registro de auditoría del directorio',
    days: '{days, plural, =0 {se conserva indefinidamente} one {se conserva # día} other {se conserva # días}}',
    retentionHint:
      'Retención en días, de 30 a 36500. Si se deja vacío, las entradas se conservan indefinidamente.',
    created: 'Creada',
    changed: 'Modificada',
  },
  signIn: {
    lead: 'Estos valores se aplican a todas las organizaciones de la instalación. Los define el operador.',
    characters: '{count, plural, one {# carácter} other {# caracteres}}',
    groups: { sessions: 'Sesiones', tokens: 'Tokens', others: 'Invitaciones, registros, contraseñas' },
    names: {
      sessionIdleSeconds: 'Tiempo de inactividad máximo',
      sessionAbsoluteSeconds: 'Duración máxima',
      accessTokenSeconds: 'Token de acceso',
      idTokenSeconds: 'ID token',
      refreshTokenIdleSeconds: 'Autorización, tiempo de inactividad máximo',
      refreshTokenAbsoluteSeconds: 'Autorización, duración máxima',
      invitationSeconds: 'Invitación',
      securityLogRetentionSeconds: 'Registro de seguridad',
      passwordMinLength: 'Longitud mínima de la contraseña',
    },
  },
};
