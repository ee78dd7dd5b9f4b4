import { isUniqueViolation, type Sql } from '@ostiary/database';
import { type Key, uuidv7 } from '@ostiary/service';
import type { Database } from '../../database/data/database.ts';
import { widens } from '../domain/conferred.ts';
import { type Connector, noRules } from '../domain/connector.ts';
import {
  type ChangeRequest,
  type Changes,
  type ChangeTarget,
  ClientTaken,
  type ConnectorAction,
  type ConnectorChanges,
  changesBetween,
  loggedState,
  masked,
  type NewConnector,
  NoSuchConnector,
  NoSuchToken,
  VersionMismatch,
} from '../domain/connector-changes.ts';
import { connectorTokenDigest, newConnectorToken } from '../domain/connector-token.ts';
import type { NamedOwner } from '../domain/ownership.ts';
import { recordChange } from './connector-log.ts';
import { holdOwner, setOwner, shownOwner } from './connector-owners.ts';
import { type ConnectorRow, columns, connectorOf } from './connector-row.ts';

/** Throws unless whoever asks may do all that this connector can: asked of it as it is, or is to be, with its row locked. */
type MayOpen = (connector: Connector) => Promise<void>;

/**
 * Changes of connectors, which count from the next request on. Each is one transaction with its entry of the log, and
 * makes the connector's version one more; what changes nothing leaves neither. Only digests of tokens are stored: a token is
 * readable once, in the answer that creates it.
 */
export class ConnectorAdministration {
  readonly #database: Database;
  readonly #tokenKey: Key;

  constructor(database: Database, tokenKey: Key) {
    this.#database = database;
    this.#tokenKey = tokenKey;
  }

  /**
   * Makes a connector with its first token.
   * @throws ClientTaken, NoSuchOwner, Repeated, KeyReused
   */
  create(by: ChangeRequest, input: NewConnector): Promise<{ connector: Connector; token: string }> {
    const { tenant, claim } = by;
    const id = uuidv7();
    return this.#transaction(async (tx) => {
      await claim?.(tx, tenant, id);
      if (input.owner) await holdOwner(tx, tenant, input.owner);
      await freeClient(tx, tenant, input.clientId);
      const { rows } = await tx.query<ConnectorRow>(
        `INSERT INTO provisioning.connectors AS c (tenant, id, name, profile, client_id, limits, rules, quirks, owner_kind,
           owner_id, owner_named)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) RETURNING ${columns}`,
        [
          tenant,
          id,
          input.name,
          input.profile,
          input.clientId,
          JSON.stringify(input.limits ?? {}),
          JSON.stringify(input.rules ?? noRules),
          JSON.stringify(input.quirks ?? {}),
          input.owner?.kind ?? null,
          input.owner?.id ?? null,
          input.owner?.named ?? null,
        ],
      );
      const connector = connectorOf(rows[0] as ConnectorRow);
      const made = await this.#addToken(tx, connector);
      await recordChange(tx, by, {
        action: 'connector.created',
        connectorId: id,
        connectorVersion: connector.version,
        changes: {
          ...changesBetween(undefined, loggedState(connector)),
          ...changesBetween({}, { tokens: [made.id], token: masked }),
        },
      });
      return { connector, token: made.token };
    });
  }

  /** @throws NoSuchConnector, VersionMismatch, ClientTaken, Repeated, KeyReused, and what `mayOpen` does */
  update(
    by: ChangeRequest,
    target: ChangeTarget,
    changes: ConnectorChanges,
    mayOpen: MayOpen,
  ): Promise<Connector> {
    return this.#change(by, target, async (tx, before) => {
      const after: Connector = { ...before, ...changes, rules: { ...before.rules, ...changes.rules } };
      if (widens(before, after)) await mayOpen(after);
      if (after.clientId !== before.clientId) await freeClient(tx, before.tenant, after.clientId);
      return this.#store(tx, by, 'connector.updated', before, after);
    });
  }

  /**
   * Gives a connector to another owner. To whom it belongs already, nothing changes.
   * @throws NoSuchConnector, NoSuchOwner, VersionMismatch, Repeated, KeyReused, and what `mayOpen` does
   */
  transfer(by: ChangeRequest, target: ChangeTarget, owner: NamedOwner, mayOpen: MayOpen): Promise<Connector> {
    return this.#change(by, target, async (tx, before) => {
      await mayOpen(before);
      await holdOwner(tx, before.tenant, owner);
      await setOwner(tx, before.tenant, before.id, owner);
      const changes = changesBetween({ owner: before.owner }, { owner: shownOwner(owner) });
      // The naming counts from now on even when it names the same.
      if (Object.keys(changes).length === 0) return before;
      return this.#advance(tx, by, 'connector.owner_changed', before, changes);
    });
  }

  /**
   * Disables or enables a connector. Its tokens follow at the next request.
   * @throws NoSuchConnector, VersionMismatch, Repeated, KeyReused, and what `mayOpen` does
   */
  setStatus(
    by: ChangeRequest,
    target: ChangeTarget,
    status: 'active' | 'disabled',
    mayOpen: MayOpen,
  ): Promise<Connector> {
    const action = status === 'active' ? 'connector.enabled' : 'connector.disabled';
    return this.#change(by, target, async (tx, before) => {
      if (status === 'active') await mayOpen(before);
      return this.#store(tx, by, action, before, { ...before, status });
    });
  }

  /**
   * Deletes a connector and revokes its tokens. The row stays: the provisioning log keeps its name, and its OAuth client
   * does not fall back to the rights of a client without a connector.
   * @throws NoSuchConnector, VersionMismatch, Repeated, KeyReused
   */
  async remove(by: ChangeRequest, target: ChangeTarget): Promise<void> {
    await this.#change(by, target, async (tx, before) => {
      const tokens = await liveTokens(tx, before);
      await tx.query(
        `WITH t AS (
           UPDATE provisioning.connector_tokens SET revoked_at = now()
            WHERE tenant = $1 AND connector_id = $2 AND revoked_at IS NULL
         )
         UPDATE provisioning.connectors SET status = 'deleted', version = version + 1, updated_at = now(),
                vouching_ended_at = CASE WHEN $3 THEN now() ELSE vouching_ended_at END
          WHERE tenant = $1 AND id = $2`,
        [before.tenant, before.id, before.rules.vouchesForEmails],
      );
      await recordChange(tx, by, {
        action: 'connector.deleted',
        connectorId: before.id,
        connectorVersion: before.version + 1,
        changes: changesBetween({ ...loggedState(before), tokens }, undefined),
      });
    });
  }

  /**
   * Gives the connector another token. The newest of its live tokens works for `overlapSeconds` more, older ones
   * stop at once: never more than two are live.
   * @throws NoSuchConnector, VersionMismatch, Repeated, KeyReused, and what `mayOpen` does
   */
  rotateToken(
    by: ChangeRequest,
    target: ChangeTarget,
    overlapSeconds: number,
    mayOpen: MayOpen,
  ): Promise<{ connector: Connector; token: string; previousExpiresAt: Date | null }> {
    return this.#change(by, target, async (tx, before) => {
      await mayOpen(before);
      const tokens = await liveTokens(tx, before);
      const kept = await tx.query<{ id: string; expires_at: Date }>(
        `WITH live AS (
           SELECT id, row_number() OVER (ORDER BY id DESC) AS age FROM provisioning.connector_tokens
            WHERE tenant = $1 AND connector_id = $2 AND revoked_at IS NULL
              AND (expires_at IS NULL OR expires_at > now())
         ), revoked AS (
           UPDATE provisioning.connector_tokens t SET revoked_at = now()
             FROM live WHERE t.tenant = $1 AND t.id = live.id AND (live.age > 1 OR $3::int = 0)
         )
         UPDATE provisioning.connector_tokens t
            SET expires_at = least(t.expires_at, now() + make_interval(secs => $3::int))
           FROM live WHERE t.tenant = $1 AND t.id = live.id AND live.age = 1 AND $3::int > 0
         RETURNING t.id, t.expires_at`,
        [before.tenant, before.id, overlapSeconds],
      );
      const previous = kept.rows[0];
      const made = await this.#addToken(tx, before);
      const connector = await this.#advance(tx, by, 'connector.token_rotated', before, {
        ...changesBetween({ tokens }, { tokens: [made.id, ...(previous ? [previous.id] : [])] }),
        ...changesBetween({}, { token: masked, previousTokenExpiresAt: previous?.expires_at }),
      });
      return { connector, token: made.token, previousExpiresAt: previous?.expires_at ?? null };
    });
  }

  /**
   * Ends one token.
   * @throws NoSuchConnector, NoSuchToken, VersionMismatch, Repeated, KeyReused
   */
  revokeToken(by: ChangeRequest, target: ChangeTarget, tokenId: string): Promise<Connector> {
    return this.#change(by, target, async (tx, before) => {
      const tokens = await liveTokens(tx, before);
      const { rows } = await tx.query<{ id: string }>(
        `UPDATE provisioning.connector_tokens SET revoked_at = now()
          WHERE tenant = $1 AND connector_id = $2 AND id = $3 AND revoked_at IS NULL
            AND (expires_at IS NULL OR expires_at > now())
         RETURNING id`,
        [before.tenant, before.id, tokenId],
      );
      const ended = rows[0]?.id;
      if (ended === undefined) throw new NoSuchToken();
      const changes = changesBetween({ tokens }, { tokens: tokens.filter((id) => id !== ended) });
      return this.#advance(tx, by, 'connector.token_revoked', before, changes);
    });
  }

  /** Does one change after the other to a connector: its row is locked, and at the version that is expected. */
  #change<T>(
    { tenant, claim }: ChangeRequest,
    { id, version }: ChangeTarget,
    work: (tx: Sql, before: Connector) => Promise<T>,
  ): Promise<T> {
    return this.#transaction(async (tx) => {
      await claim?.(tx, tenant, id);
      const { rows } = await tx.query<ConnectorRow>(
        `SELECT ${columns} FROM provisioning.connectors c
          WHERE c.tenant = $1 AND c.id = $2 AND c.status <> 'deleted' FOR UPDATE`,
        [tenant, id],
      );
      if (!rows[0]) throw new NoSuchConnector();
      const before = connectorOf(rows[0]);
      if (version !== undefined && version !== before.version) throw new VersionMismatch(before.version);
      return work(tx, before);
    });
  }

  async #transaction<T>(work: (tx: Sql) => Promise<T>): Promise<T> {
    try {
      return await this.#database.transaction(work);
    } catch (error) {
      if (isUniqueViolation(error)) throw new ClientTaken();
      throw error;
    }
  }

  /** Stores what differs, and remembers it. */
  async #store(
    tx: Sql,
    by: ChangeRequest,
    action: ConnectorAction,
    before: Connector,
    after: Connector,
  ): Promise<Connector> {
    const changes = changesBetween(loggedState(before), loggedState(after));
    if (Object.keys(changes).length === 0) return before;
    // What a newer release knows of a connector, and this one doesn't, stays.
    const changed = (name: 'limits' | 'quirks') => (changes[name] ? JSON.stringify(after[name]) : null);
    await tx.query(
      `UPDATE provisioning.connectors
          SET name = $3, profile = $4, client_id = $5, status = $6, limits = coalesce($7::jsonb, limits),
              rules = rules || $8::jsonb, quirks = coalesce($9::jsonb, quirks),
              vouching_ended_at = CASE WHEN $11 THEN NULL WHEN $10 THEN now() ELSE vouching_ended_at END
        WHERE tenant = $1 AND id = $2`,
      [
        before.tenant,
        before.id,
        after.name,
        after.profile,
        after.clientId,
        after.status,
        changed('limits'),
        JSON.stringify(after.rules),
        changed('quirks'),
        before.rules.vouchesForEmails,
        after.rules.vouchesForEmails,
      ],
    );
    return this.#advance(tx, by, action, before, changes);
  }

  async #advance(
    tx: Sql,
    by: ChangeRequest,
    action: ConnectorAction,
    { tenant, id }: Connector,
    changes: Changes,
  ): Promise<Connector> {
    const { rows } = await tx.query<ConnectorRow>(
      `UPDATE provisioning.connectors c SET version = c.version + 1, updated_at = now()
        WHERE c.tenant = $1 AND c.id = $2 RETURNING ${columns}`,
      [tenant, id],
    );
    const connector = connectorOf(rows[0] as ConnectorRow);
    await recordChange(tx, by, { action, connectorId: id, connectorVersion: connector.version, changes });
    return connector;
  }

  async #addToken(tx: Sql, { tenant, id }: Connector): Promise<{ id: string; token: string }> {
    const made = { id: uuidv7(), token: newConnectorToken() };
    await tx.query(
      'INSERT INTO provisioning.connector_tokens (tenant, id, connector_id, digest) VALUES ($1, $2, $3, $4)',
      [tenant, made.id, id, connectorTokenDigest(this.#tokenKey(), made.token)],
    );
    return made;
  }
}

/** A client may go over from a connector that was deleted. */
async function freeClient(tx: Sql, tenant: string, clientId: string | null): Promise<void> {
  if (clientId === null) return;
  await tx.query(
    `UPDATE provisioning.connectors SET client_id = NULL
      WHERE tenant = $1 AND client_id = $2 AND status = 'deleted'`,
    [tenant, clientId],
  );
}

/** Ids of the tokens that are accepted, newest first. */
async function liveTokens(tx: Sql, { tenant, id }: Connector): Promise<string[]> {
  const { rows } = await tx.query<{ id: string }>(
    `SELECT id FROM provisioning.connector_tokens
      WHERE tenant = $1 AND connector_id = $2 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())
      ORDER BY id DESC`,
    [tenant, id],
  );
  return rows.map((row) => row.id);
}
