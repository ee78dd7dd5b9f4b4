import { type Claim, type Database, statement } from '@ostiary/database';
import { type IdPage, type Key, uuidv7 } from '@ostiary/service';
import type { Knowers, Owners, OwnerToBe } from '../../access/index.ts';
import { setOwner } from '../../access/ownership/data/credential-owners.ts';
import { record } from '../../platform/audit/security-log.data.ts';
import { unlessMissing } from '../../platform/database/data/missing.ts';
import { stretchOf } from '../../platform/database/data/stretch.ts';
import type { Prisma, PrismaClient } from '../../platform/database/generated/client.ts';
import { changesBetween, NoSuchOwner } from '../../platform/index.ts';
import { equalDigests, keyedDigest, randomSecret } from '../../tenancy/index.ts';
import { type Client, isClientId } from '../domain/client.ts';
import type {
  InitialAccessToken,
  RegisteredItself,
  RegistrationStore,
} from '../domain/dynamic-registration.ts';
import { checkSector } from '../domain/subject-identifier.ts';
import type { ValidMetadata } from '../domain/valid-metadata.ts';
import { insertClient } from './client-changes.ts';
import { type ClientSecrets, usesSecret } from './client-secrets.ts';
import type { Clients } from './clients.ts';
import type { SectorDocuments } from './sector-documents.ts';

const selected = {
  id: true,
  name: true,
  scopes: true,
  usesLeft: true,
  createdAt: true,
  expiresAt: true,
} satisfies Prisma.InitialAccessTokenSelect;

const live = () => ({ usesLeft: { gt: 0 }, expiresAt: { gt: new Date() } });

/** Takes one use if one is left. The row lock serializes parallel registrations. */
const takeUse = statement({
  name: 'clients.use_initial_access_token',
  reason: 'atomic',
  text: `UPDATE auth.initial_access_tokens SET uses_left = uses_left - 1
          WHERE tenant = $tenant AND digest = $digest AND uses_left > 0 AND expires_at > now() RETURNING id, scopes`,
  parameters: { tenant: 'text', digest: 'bytea' },
  columns: { id: 'uuid', scopes: 'text[]!' },
});

/** Stores initial access tokens and registration access tokens as digests. */
export class DynamicRegistrations implements RegistrationStore {
  readonly #database: Database<PrismaClient>;
  readonly #clients: Clients;
  readonly #secrets: ClientSecrets;
  readonly #sectors: SectorDocuments;
  readonly #knowers: Knowers;
  readonly #key: Key;

  constructor(o: {
    database: Database<PrismaClient>;
    clients: Clients;
    secrets: ClientSecrets;
    sectors: SectorDocuments;
    knowers: Knowers;
    /** Key of the tokens' digests. */
    key: Key;
  }) {
    this.#database = o.database;
    this.#clients = o.clients;
    this.#secrets = o.secrets;
    this.#sectors = o.sectors;
    this.#knowers = o.knowers;
    this.#key = o.key;
  }

  async createToken(
    tenant: string,
    o: { name: string; scopes: readonly string[]; uses: number; lifetimeSeconds: number },
    claim?: Claim,
    ownerToBe?: OwnerToBe,
  ): Promise<{ token: string; initialAccessToken: InitialAccessToken }> {
    const token = randomSecret('oit_');
    const id = uuidv7();
    const { name, scopes, uses, lifetimeSeconds } = o;
    const initialAccessToken = await this.#database.transaction(async (tx) => {
      const owner = (await ownerToBe?.(tx)) ?? null;
      const knownTo = await this.#knowers.holdKnowers(tx, tenant);
      await claim?.(tx, tenant, id);
      if (owner) await setOwner(tx, tenant, 'initial_access_token', id, owner);
      await record(tx, tenant, {
        action: 'initial_access_token.created',
        resourceType: 'InitialAccessToken',
        resourceId: id,
        changes: changesBetween(undefined, { name, scopes, uses, lifetimeSeconds }),
      });
      const prisma = await tx.prisma();
      return prisma.initialAccessToken.create({
        data: {
          tenant,
          id,
          name,
          digest: new Uint8Array(this.#digest(tenant, token)),
          scopes: [...scopes],
          usesLeft: uses,
          expiresAt: new Date(Date.now() + lifetimeSeconds * 1_000),
          knownTo: knownTo.map((knower) => knower.id),
        },
        select: selected,
      });
    });
    return { token, initialAccessToken };
  }

  async listTokens(tenant: string, page: IdPage): Promise<InitialAccessToken[]> {
    const { beyond, orderBy, take } = stretchOf(page, { newestFirst: true });
    const prisma = await this.#database.sql.prisma();
    const where = { tenant, ...live(), ...beyond };
    return prisma.initialAccessToken.findMany({ where, select: selected, orderBy, take });
  }

  async countTokens(tenant: string): Promise<number> {
    const prisma = await this.#database.sql.prisma();
    return prisma.initialAccessToken.count({ where: { tenant, ...live() } });
  }

  async tokenOf(tenant: string, id: string): Promise<InitialAccessToken | undefined> {
    return (await this.tokensOf(tenant, [id]))[0];
  }

  async tokensOf(tenant: string, ids: readonly string[]): Promise<InitialAccessToken[]> {
    const prisma = await this.#database.sql.prisma();
    return prisma.initialAccessToken.findMany({
      where: { tenant, id: { in: [...ids] }, ...live() },
      select: selected,
    });
  }

  async revokeToken(tenant: string, id: string, claim?: Claim): Promise<boolean> {
    return this.#database.transaction(async (tx) => {
      const prisma = await tx.prisma();
      const gone = await unlessMissing(
        prisma.initialAccessToken.delete({ where: { tenant_id: { tenant, id } }, select: { name: true } }),
      );
      if (!gone) return false;
      await setOwner(tx, tenant, 'initial_access_token', id.toLowerCase(), null);
      await claim?.(tx, tenant, id);
      await record(tx, tenant, {
        action: 'initial_access_token.revoked',
        resourceType: 'InitialAccessToken',
        resourceId: id.toLowerCase(),
        changes: changesBetween({ name: gone.name }, undefined),
      });
      return true;
    });
  }

  async findToken(tenant: string, token: string): Promise<InitialAccessToken | null> {
    const prisma = await this.#database.sql.prisma();
    return prisma.initialAccessToken.findUnique({
      where: { digest: new Uint8Array(this.#digest(tenant, token)), tenant, ...live() },
      select: selected,
    });
  }

  async register(
    tenant: string,
    token: string,
    valid: ValidMetadata,
    owners: Owners,
  ): Promise<RegisteredItself | null> {
    const { sector_identifier_uri: sectorUri } = valid.metadata;
    if (sectorUri !== undefined) checkSector(valid, await this.#sectors.get(sectorUri));
    const clientId = uuidv7();
    const method = valid.tokenEndpointAuthMethod;
    const registrationAccessToken = randomSecret('oct_');
    // The response needs nothing after the commit: a failure would lose the use of the token.
    const registration = this.#database.transaction(async (tx) => {
      // The client belongs to the owner of the token. Owners are locked before the token, in the same order as by an
      // offboarding, which deletes it.
      const presented = await (await tx.prisma()).initialAccessToken.findUnique({
        where: { tenant, digest: new Uint8Array(this.#digest(tenant, token)) },
        select: { id: true },
      });
      if (presented === null) return null;
      const callers = [{ kind: 'program', id: presented.id }] as const;
      const owner = await owners.holdOwnerToBe(tx, tenant, 'client', undefined, callers);
      const knownTo = await this.#knowers.holdKnowers(tx, tenant, callers);
      const used = await takeUse.first(tx, { tenant, digest: this.#digest(tenant, token) });
      if (!used) return null;
      // The holder of the initial access token is not identified further.
      const actor = { kind: 'client', id: clientId, onBehalfOf: used.id } as const;
      const client = await insertClient(tx, tenant, clientId, valid, {
        owner,
        knowers: this.#knowers,
        knownTo,
        actor,
      });
      await (await tx.prisma()).clientRegistration.create({
        data: {
          tenant,
          clientId,
          digest: new Uint8Array(this.#digest(tenant, registrationAccessToken)),
          scopes: used.scopes,
          initialAccessTokenId: used.id,
          knownTo: knownTo.map((knower) => knower.id),
        },
      });
      const secret =
        usesSecret(method) && (await this.#secrets.insert(tx, { tenant, clientId, method }, knownTo));
      return { client, registrationAccessToken, ...(secret && { clientSecret: secret }) };
    });
    return registration.catch((error: unknown) => {
      if (error instanceof NoSuchOwner) return null;
      throw error;
    });
  }

  async findRegistration(
    tenant: string,
    clientId: string,
    registrationAccessToken: string,
  ): Promise<{ client: Client; scopes: string[] } | null> {
    if (!isClientId(clientId)) return null;
    const prisma = await this.#database.sql.prisma();
    const registration = await prisma.clientRegistration.findUnique({
      where: { tenant_clientId: { tenant, clientId } },
      select: { digest: true, scopes: true },
    });
    if (!registration || !equalDigests(registration.digest, this.#digest(tenant, registrationAccessToken))) {
      return null;
    }
    const client = await this.#clients.find(tenant, clientId);
    return client && !client.disabled ? { client, scopes: registration.scopes } : null;
  }

  #digest(tenant: string, token: string): Buffer {
    return keyedDigest(this.#key(), `${tenant}\0${token}`);
  }
}
