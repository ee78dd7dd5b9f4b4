import type { FastifyInstance, FastifyPluginAsync } from 'fastify';

/** The page at the origin, for a browser: what is served here. */
export function indexPage(publicOrigin: string): FastifyPluginAsync {
  const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Ostiary</title>
<style>
body { font: 1rem/1.6 system-ui, sans-serif; max-width: 42rem; margin: 4rem auto; padding: 0 1rem; color: #1c2430; background: #fdfcf9 }
h1 { font-weight: 600; margin-bottom: 0 } code { background: #efece4; padding: .1em .35em; border-radius: 4px }
dt { margin-top: 1rem; font-weight: 600 } dd { margin: 0 }
@media (prefers-color-scheme: dark) { body { color: #e6e3dc; background: #171a1f } code { background: #2a2f37 } }
</style>
</head>
<body>
<main>
<h1>Ostiary</h1>
<p>The keeper of the doors: an identity platform.</p>
<dl>
<dt>GraphQL</dt><dd><code>${publicOrigin}/graphql</code>, or for one tenant <code>${publicOrigin}/t/{tenant}/graphql</code></dd>
<dt>OpenID Connect discovery of a tenant</dt><dd><code>${publicOrigin}/t/{tenant}/.well-known/openid-configuration</code></dd>
<dt>SCIM 2.0 of a tenant</dt><dd><code>${publicOrigin}/t/{tenant}/scim/v2</code></dd>
<dt>State of this process</dt><dd><a href="/readyz"><code>/readyz</code></a></dd>
</dl>
</main>
</body>
</html>
`;
  return async (app: FastifyInstance) => {
    app.get('/', async (_request, reply) =>
      reply
        .header('content-type', 'text/html; charset=utf-8')
        .header(
          'content-security-policy',
          "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
        )
        .header('x-content-type-options', 'nosniff')
        .header('referrer-policy', 'no-referrer')
        .send(page),
    );
  };
}
