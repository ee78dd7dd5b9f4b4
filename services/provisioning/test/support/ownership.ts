import type { Caller } from '@ostiary/access';
import { uuidv7 } from '@ostiary/service';
import type { FastifyInstance } from 'fastify';
import type { ConnectorOwner, EndCarriedOut, OwnershipEnd } from '../../src/connectors/domain/ownership.ts';

const keyOf = (tenant: string, id: string): string => `${tenant}/${id}`;

/** The authorization server's owners of connectors and ends of ownership: namings and ends share one order. */
export class Ownership {
  /** Whether all requests fail. */
  down = false;
  /** Maximum number of ends in one response. */
  most = Number.POSITIVE_INFINITY;
  readonly carriedOut: EndCarriedOut[] = [];
  readonly #owners = new Map<string, ConnectorOwner>();
  readonly #programs = new Map<string, string>();
  #number = 0;
  #ends: OwnershipEnd[] = [];

  pending(): number {
    return this.#ends.length;
  }

  /** Adds a user or group that can own connectors. @returns its id */
  owner(o: { tenant?: string; kind?: ConnectorOwner['kind']; id?: string } = {}): string {
    const { tenant = 'demo', kind = 'user', id = uuidv7() } = o;
    this.#owners.set(keyOf(tenant, id), { kind, id });
    return id;
  }

  /** Assigns a client to an owner. */
  program(clientId: string, ownerId: string, tenant = 'demo'): void {
    this.#programs.set(keyOf(tenant, clientId), ownerId);
  }

  /** Ends the ownership of an owner. */
  end(
    id: string,
    o: {
      tenant?: string;
      verdict?: OwnershipEnd['verdict'];
      successor?: string;
      stays?: boolean;
      tokensEndAt?: string;
    } = {},
  ): OwnershipEnd {
    const { tenant = 'demo', verdict = 'revoke' } = o;
    const owner = this.#owners.get(keyOf(tenant, id)) ?? { kind: 'user', id };
    if (!o.stays) this.#owners.delete(keyOf(tenant, id));
    const successor = o.successor === undefined ? null : this.#name({ kind: 'user', id: o.successor });
    this.#number += 1;
    const actor = { kind: 'connector', id: 'hr' } as const;
    const end = {
      tenant,
      owner,
      number: this.#number,
      reason: 'owner: departure',
      verdict,
      successor,
      tokensEndAt: o.tokensEndAt ?? null,
      actor,
    };
    this.#ends.push(end);
    return end;
  }

  /** Returns an end again, as if its report had been lost. */
  repeat(end: OwnershipEnd): void {
    this.#ends.push(end);
  }

  routes(app: FastifyInstance): void {
    app.post<{ Params: { tenant: string }; Body: { id: string } }>(
      '/internal/v1/tenants/:tenant/connector-owners',
      async (request, reply) => {
        if (this.down) return reply.code(503).send({});
        const owner = this.#owners.get(keyOf(request.params.tenant, request.body.id));
        return owner ? this.#name(owner) : reply.code(404).send({ error: 'not_found' });
      },
    );
    app.post<{ Params: { tenant: string }; Body: { callers: Caller[]; owning: boolean } }>(
      '/internal/v1/tenants/:tenant/connector-callers',
      async (request, reply) => {
        if (this.down) return reply.code(503).send({});
        const { tenant } = request.params;
        const [caller] = request.body.callers;
        const id = caller?.kind === 'program' ? this.#programs.get(keyOf(tenant, caller.id)) : caller?.id;
        if (id === undefined) return { owner: null, knownTo: [] };
        const owner = this.#owners.get(keyOf(tenant, id));
        if (!owner) return reply.code(409).send({ error: 'conflict' });
        return { owner: request.body.owning ? this.#name(owner) : null, knownTo: [this.#name(owner)] };
      },
    );
    app.get('/internal/v1/ownership-ends', async () => ({
      ends: this.#ends.slice(0, this.most),
    }));
    app.post<{ Body: { ends: EndCarriedOut[] } }>(
      '/internal/v1/ownership-ends/carried-out',
      async (request, reply) => {
        this.carriedOut.push(...request.body.ends);
        const done = new Set(request.body.ends.map((end) => end.number));
        this.#ends = this.#ends.filter((end) => !done.has(end.number));
        return reply.code(204).send();
      },
    );
  }

  #name({ kind, id }: ConnectorOwner) {
    this.#number += 1;
    return { kind, id, named: this.#number };
  }
}
