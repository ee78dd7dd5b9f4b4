import { describe, expect, test } from '@jest/globals';
import fastify from 'fastify';
import { conferring, requireRouteConferrals } from '../src/index.ts';

const app = (declared: Parameters<typeof requireRouteConferrals>[1]) => {
  const made = fastify();
  requireRouteConferrals(made, declared);
  return made;
};
const nothing = async () => ({});

describe('a route that can change something', () => {
  test('is not registered without a declaration, by any of its methods', () => {
    const undeclared = app(conferring('nothing', 'platform', ['POST /things']));
    expect(() => undeclared.put('/things', nothing)).toThrow('PUT /things does not say what it confers');
    expect(() => undeclared.route({ method: ['POST', 'DELETE'], url: '/things', handler: nothing })).toThrow(
      'DELETE /things',
    );
  });

  test('is, with one, also behind a prefix', async () => {
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

  test('that is declared and not there keeps the process from starting', async () => {
    const declared = app(conferring('a thing', 'held scopes', ['POST /things']));
    await expect(declared.ready()).rejects.toThrow('there is no POST /things');
  });
});
