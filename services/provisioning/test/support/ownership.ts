import { uuidv7 } from '@ostiary/service';
import type { FastifyInstance } from 'fastify';
import type { ConnectorOwner, EndCarriedOut, OwnershipEnd } from '../../src/connectors/domain/ownership.ts';

/** Who can own connectors, and whose ownership ended, as the authorization server keeps it: namings and ends have one order. */
export function createOwnership() {
  let number = 0;
  const owners = new Map<string, ConnectorOwner>();
  let ends: OwnershipEnd[] = [];
  const carriedOut: EndCarriedOut[] = [];
  const keyOf = (tenant: string, id: string): string => `${tenant}/${id}`;
  const name = ({ kind, id }: ConnectorOwner) => {
    number += 1;
    return { kind, id, named: number };
  };

  const self = {
    /** It answers nobody. */
    down: false,
    carriedOut,
    pending: () => ends.length,
    /** Somebody who can own connectors; their id. */
    owner(o: { tenant?: string; kind?: ConnectorOwner['kind']; id?: string } = {}): string {
      const { tenant = 'demo', kind = 'user', id = uuidv7() } = o;
      owners.set(keyOf(tenant, id), { kind, id });
      return id;
    },
    /** Somebody owns nothing any more that was theirs until now. */
    end(
      id: string,
      o: { tenant?: string; verdict?: OwnershipEnd['verdict']; successor?: string; stays?: boolean } = {},
    ): OwnershipEnd {
      const { tenant = 'demo', verdict = 'revoke' } = o;
      const owner = owners.get(keyOf(tenant, id)) ?? { kind: 'user', id };
      if (!o.stays) owners.delete(keyOf(tenant, id));
      const successor = o.successor === undefined ? null : name({ kind: 'user', id: o.successor });
      number += 1;
      const actor = { kind: 'connector', id: 'hr' } as const;
      const end = { tenant, owner, number, reason: 'owner: departure', verdict, successor, actor };
      ends.push(end);
      return end;
    },
    /** Says it once more, as when nobody heard that it was carried out. */
    repeat: (end: OwnershipEnd) => void ends.push(end),
    routes(app: FastifyInstance): void {
      app.post<{ Params: { tenant: string }; Body: { id: string } }>(
        '/internal/v1/tenants/:tenant/connector-owners',
        async (request, reply) => {
          if (self.down) return reply.code(503).send({});
          const owner = owners.get(keyOf(request.params.tenant, request.body.id));
          return owner ? name(owner) : reply.code(404).send({ error: 'not_found' });
        },
      );
      app.get('/internal/v1/ownership-ends', async () => ({ ends }));
      app.post<{ Body: { ends: EndCarriedOut[] } }>(
        '/internal/v1/ownership-ends/carried-out',
        async (request, reply) => {
          carriedOut.push(...request.body.ends);
          const done = new Set(request.body.ends.map((end) => end.number));
          ends = ends.filter((end) => !done.has(end.number));
          return reply.code(204).send();
        },
      );
    },
  };
  return self;
}
