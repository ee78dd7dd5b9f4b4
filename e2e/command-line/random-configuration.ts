import { deflateSync } from 'node:zlib';

/** User names that the configuration may contain; the test creates the users. */
export const users = ['ada', 'grace'];
export const groups = ['Board', 'Support, 2nd line'];

/** Pseudorandom numbers from a seed. */
class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  below(limit: number): number {
    this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((this.#state / 2 ** 32) * limit);
  }

  flag(): boolean {
    return this.below(2) === 1;
  }

  one<Value>(of: readonly Value[]): Value {
    return of[this.below(of.length)] as Value;
  }

  some<Value>(of: readonly Value[]): Value[] {
    return of.filter(() => this.flag());
  }

  /** Returns at least one element. */
  few<Value>(of: readonly Value[]): Value[] {
    const found = this.some(of);
    return found.length > 0 ? found : [this.one(of)];
  }

  times<Value>(limit: number, make: (at: number) => Value): Value[] {
    return Array.from({ length: 1 + this.below(limit) }, (_, at) => make(at));
  }
}

/** Names that are easily confused, and names with characters that need escaping. */
const names = ['Portal', 'Portal#2', 'Büro „Nord“', '部門', 'a: b', 'Zoë \\ "quoted"', '🦊', 'Portal'];

const crc = (bytes: Buffer): number => {
  let sum = 0xffffffff;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1;
  }
  return (sum ^ 0xffffffff) >>> 0;
};

/** Returns a PNG of one pixel in a random colour. */
function logo(dice: Dice): string {
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const framed = Buffer.alloc(body.length + 8);
    framed.writeUInt32BE(data.length, 0);
    body.copy(framed, 4);
    framed.writeUInt32BE(crc(body), body.length + 4);
    return framed;
  };
  const header = Buffer.from([0, 0, 0, 1, 0, 0, 0, 1, 8, 2, 0, 0, 0]);
  const pixel = Buffer.from([0, dice.below(256), dice.below(256), dice.below(256)]);
  const png = Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(pixel)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
  return `data:image/png;base64,${png.toString('base64')}`;
}

const successor = (dice: Dice) => (dice.flag() ? { user: dice.one(users) } : { group: dice.one(groups) });

function settings(dice: Dice) {
  const ended = dice.one(['HAND_OVER', 'REVOKE', 'SUSPEND']);
  return {
    settings: { deletionPolicy: dice.one(['SOFT', 'HARD']), auditRetentionDays: 30 + dice.below(700) },
    policy: {
      bannedPasswordWords: dice.some(['acme', 'straße', 'tiger']),
      handOverCredentialsTo: ended === 'HAND_OVER' || dice.flag() ? successor(dice) : null,
      introspectionByAnyClient: dice.flag(),
      knownSecretOverlapDays: dice.below(31),
      ownedCredentialsOnOffboarding: ended,
      requireSecondFactorForAdministrators: dice.flag(),
      scimSecurityEvents: dice.flag(),
      signInRetentionDays: 1 + dice.below(3650),
      uniqueGroupNames: dice.flag(),
      webOrigins: dice.some(['https://app.acme.example', 'https://intern.acme.example:8443']),
    },
    branding: {
      name: dice.one(names),
      color: `#${dice.below(0x1000000).toString(16).padStart(6, '0')}`,
      logo: dice.flag() ? logo(dice) : null,
    },
  };
}

interface Apis {
  identifier: string;
  scopes: { name: string }[];
  roles: { name: string }[];
}

/** Returns scopes or roles with descriptions in some languages. */
const described = (dice: Dice, name: string) => ({
  name,
  descriptions: dice.some(['de', 'en', 'pt-br']).map((language) => ({
    language,
    text: dice.one(['Bestellungen „ändern“', 'See orders', '注文']),
  })),
});

function apis(dice: Dice) {
  return dice.times(3, (at) => ({
    // The scopes of another identifier would move, which takes two steps.
    identifier: ['https://api.acme.example', 'https://acme.example/apis/1', 'urn:acme:2'][at] ?? '',
    name: dice.one(names),
    scopes: dice.few(['read', 'write', 'admin']).map((action) => described(dice, `area${at}:${action}`)),
    roles: dice.few(['reader', 'approver', 'buyer']).map((name) => described(dice, name)),
    tokenLifetimeSeconds: dice.one([null, 60, 300]),
    tokenFormat: dice.one(['JWT', 'OPAQUE']),
    claims: mappings(dice),
  }));
}

/** Returns claims that tokens have in addition. */
const mappings = (dice: Dice) =>
  dice.some(['plan', 'https://acme.example/team', 'dept']).map((name) => ({
    name,
    expression: dice.one(['"gold"', 'user.department', 'groups.filter(g, g.startsWith("Büro „Nord“"))']),
    required: dice.flag(),
  }));

const namesOf = (named: readonly { name: string }[]): string[] => named.map(({ name }) => name);

function client(dice: Dice, at: number, defined: readonly Apis[]) {
  const ofApis = namesOf(defined.flatMap(({ scopes }) => scopes));
  const isProgram = dice.flag();
  return {
    name: dice.one(names),
    disabled: dice.flag(),
    requireConsent: dice.flag(),
    ...(isProgram
      ? {
          grantTypes: ['client_credentials'],
          scopes: dice.some(['users:read', 'groups:read', 'audit:read']),
          ownScopes: dice.some(ofApis),
        }
      : {
          grantTypes: ['authorization_code', ...dice.some(['refresh_token'])],
          redirectUris: [`https://app${at}.acme.example/callback`],
          postLogoutRedirectUris: dice.some([`https://app${at}.acme.example/`]),
          ...(dice.flag()
            ? {
                subjectType: 'PUBLIC',
                scopes: ['openid', ...dice.some(['email', 'profile']), ...dice.some(ofApis)],
              }
            : { subjectType: 'PAIRWISE', scopes: ['openid', ...dice.some(['email', 'profile'])] }),
          defaultMaxAge: dice.one([null, 600, 86_400]),
          claims: mappings(dice),
        }),
  };
}

const schema = (dice: Dice) => ({
  id: `urn:example:hr:2.0:${dice.one(['User', 'Group'])}`,
  name: dice.one(names),
  description: dice.one(['', 'What HR knows']),
  required: false,
  resourceType: dice.one(['USER', 'GROUP']),
  attributes: dice.times(3, (at) => ({
    name: `field${at}`,
    type: dice.one(['STRING', 'INTEGER', 'BOOLEAN']),
    multiValued: dice.flag(),
  })),
});

const connector = (dice: Dice) => ({
  name: dice.one(names),
  access: dice.one(['READ_ONLY', 'READ_WRITE']),
  disabled: dice.flag(),
  profile: dice.one(['AUTO', 'RFC', 'ENTRA', 'OKTA']),
  protectAdministrators: dice.flag(),
  protectedGroups: dice.some(groups),
  protectedUsers: dice.some(users),
  vouchesForEmails: dice.flag(),
});

/** Returns a configuration with every section. */
export function randomConfiguration(seed: number) {
  const dice = new Dice(seed);
  const defined = apis(dice);
  return {
    ostiary: 1,
    ...settings(dice),
    clientDocumentPolicy: {
      hosts: dice.some(['*', 'agents.acme.example', 'app.acme.example:8443']),
      registration: dice.one(['OFF', 'TOKEN', 'OPEN']),
      redirectHosts: dice.some(['app.acme.example', 'intern.acme.example']),
      scopes: dice.few(['email', 'openid', 'profile']),
      apis: dice.some(defined.map(({ identifier }) => identifier)).sort(),
    },
    apis: defined,
    schemas: [schema(dice)],
    clients: dice.times(4, (at) => client(dice, at, defined)),
    connectors: dice.times(2, () => connector(dice)),
    webhooks: dice.times(2, (at) => ({
      name: dice.one(names),
      endpoint: `https://hooks.acme.example/${at}`,
      status: dice.one(['ENABLED', 'PAUSED', 'DISABLED']),
      types: dice.few(['USER_CREATED', 'USER_DEACTIVATED', 'GROUP_UPDATED']),
    })),
    trustedIssuers: [
      {
        name: dice.one(names),
        issuer: `https://issuer${dice.below(9)}.example`,
        clientIds: ['Administration'],
        scopes: dice.few(['openid', 'email']),
        jwksUri: 'https://issuer.example/jwks',
      },
    ],
    serviceAccounts: dice.times(2, () => ({
      name: dice.one(names),
      description: dice.one(['', 'Nightly']),
      disabled: dice.flag(),
      scopes: dice.few(['users:read', 'groups:read']),
    })),
    groupRoles: dice.few(groups).map((group) => ({
      group,
      role: dice.one(['AUDITOR', 'HELP_DESK', 'TENANT_ADMIN']),
      managedBySources: dice.flag(),
    })),
    groupApiRoles: dice.few(groups).flatMap((group) =>
      dice.few(defined).map(({ identifier, roles }) => ({
        group,
        api: identifier,
        role: dice.one(namesOf(roles)),
        managedBySources: dice.flag(),
      })),
    ),
  };
}
