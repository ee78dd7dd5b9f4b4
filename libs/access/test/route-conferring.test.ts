import { describe, expect, test } from '@jest/globals';
import fastify, { type FastifyRequest } from 'fastify';
import {
  type Assurance,
  conferring,
  insufficientScope,
  type Principal,
  type RouteConferrals,
  requireRouteConferrals,
} from '../src/index.ts';

const app = (declared: Parameters<typeof requireRouteConferrals>[1]) => {
  const made = fastify();
  requireRouteConferrals(made, declared);
  return made;
};
const nothing = async () => ({});

describe('registration of routes that can change data', () => {
  test('A route that can change data is not registered without a declaration, by any of its methods.', () => {
    const undeclared = app(conferring('nothing', 'platform', ['POST /things']));
    expect(() => undeclared.put('/things', nothing)).toThrow('PUT /things lacks @confers');
    expect(() => undeclared.route({ method: ['POST', 'DELETE'], url: '/things', handler: nothing })).toThrow(
      'DELETE /things',
    );
  });

  test('A route that can change data is registered with a declaration, also behind a prefix.', async () => {
    const declared = app(conferring('a thing', 'held scopes', ['POST /of/:tenant/things']));
    await declared.register(
      async (inner) => {
        inner.post('/things', nothing);
        inner.get('/things', nothing);
        inner.route({ method: ['PUT'], url: '/things', config: { refuses: true }, handler: nothing });
      },
      { prefix: '/of/:tenant' },
    );
    await declared.ready();
    await declared.close();
  });

  test('A declaration of a route that does not exist prevents the start of the process.', async () => {
    const declared = app(conferring('a thing', 'held scopes', ['POST /things']));
    await expect(declared.ready()).rejects.toThrow('there is no POST /things');
  });
});

describe('checks before the handler', () => {
  const assurances = {
    'recent sign-in': '/a',
    'own sign-in': '/b',
    'own credential': '/c',
    'token made for it': '/d',
    'held scopes': '/e',
    platform: '/f',
  } satisfies Record<Assurance, string>;
  const declared: RouteConferrals = Object.assign(
    {},
    ...Object.entries(assurances).map(([assurance, url]) =>
      conferring('a thing', assurance as Assurance, [`POST ${url}`, `DELETE ${url}`]),
    ),
  );

  test.each(Object.entries(assurances))(
    'The assurance "%s" of a declared route is checked before the handler.',
    async (assurance, url) => {
      const seen: string[] = [];
      const made = fastify();
      const refuse = () => {
        seen.push('check');
        throw insufficientScope([]);
      };
      requireRouteConferrals(made, declared, { [assurance]: refuse });
      await made.register(async (inner) => {
        const preHandler = async () => void seen.push('guard');
        for (const address of Object.values(assurances))
          inner.route({
            method: ['GET', 'POST', 'DELETE'],
            url: address,
            preHandler,
            handler: async () => void seen.push('handler'),
          });
      });
      for (const method of ['POST', 'DELETE'] as const) {
        expect((await made.inject({ method, url })).statusCode).toBe(403);
        expect(seen.splice(0)).toEqual(['guard', 'check']);
      }
      // A safe method confers nothing.
      expect((await made.inject({ method: 'GET', url })).statusCode).toBe(200);
      expect(seen).toEqual(['guard', 'handler']);
      await made.close();
    },
  );

  test('A route for the platform rejects every other caller, even when its own guard was forgotten.', async () => {
    const made = app(conferring('a thing', 'platform', ['POST /things', 'POST /others']));
    made.post('/things', nothing);
    const preHandler = async (request: FastifyRequest) => {
      request.principal = { kind: 'client' } as Principal;
    };
    made.post('/others', { preHandler }, nothing);
    expect((await made.inject({ method: 'POST', url: '/things' })).statusCode).toBe(401);
    expect((await made.inject({ method: 'POST', url: '/others' })).statusCode).toBe(403);
    await made.close();
  });
});
