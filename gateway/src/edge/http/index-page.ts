import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyPluginAsync } from 'fastify';

export interface IndexPageOptions {
  publicOrigin: string;
  /** Whether the console is served at /console/. */
  console: boolean;
  /** Whether GraphiQL is served at /graphiql. */
  graphiql: boolean;
  /** Ids of tenants whose account pages are linked. */
  tenants: readonly string[];
}

/** The colours of the account pages, which meet WCAG AA in both colour schemes. */
const style = `
:root{color-scheme:light dark;--ground:#f4f5f2;--card:#fff;--ink:#1d2420;--soft:#57615b;--line:#d7dcd6;--accent:#1f6b4f;--wash:#eaf2ee}
@media (prefers-color-scheme:dark){:root{--ground:#121614;--card:#1a201d;--ink:#e9eeea;--soft:#a3afa8;--line:#2f3833;--accent:#7fd0ab;--wash:#20302a}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;padding:clamp(1rem,6vh,4rem) 1rem;background:var(--ground);color:var(--ink);font:1rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,Arial,sans-serif}
main{max-width:42rem;margin:0 auto;padding:clamp(1.25rem,5vw,2rem);background:var(--card);border:1px solid var(--line);border-radius:1rem}
h1{margin:0;font-size:1.5rem;font-weight:650}
p{margin:.5rem 0 0;color:var(--soft)}
ul{margin:1.5rem 0 0;padding:0;list-style:none}
li+li{margin-top:.5rem}
li a{display:block;padding:.75rem 1rem;border-radius:.5rem;background:var(--wash);font-weight:600;text-decoration:none}
a{color:var(--accent);text-underline-offset:.15em}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
dl{margin:1.5rem 0 0}
dt{margin-top:1rem;font-weight:600}
dd{margin:.125rem 0 0}
code{font:.875rem/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;overflow-wrap:anywhere}
`;
const styleHash = `'sha256-${createHash('sha256').update(style).digest('base64')}'`;

/** Serves a page at the origin that links the pages for browsers and names the addresses of the APIs. */
export function indexPage(options: IndexPageOptions): FastifyPluginAsync {
  const page = markup(options);
  return async (app: FastifyInstance) => {
    app.get('/', async (_request, reply) =>
      reply
        .header('content-type', 'text/html; charset=utf-8')
        .header(
          'content-security-policy',
          `default-src 'none'; style-src ${styleHash}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
        )
        .header('x-content-type-options', 'nosniff')
        .header('referrer-policy', 'no-referrer')
        .send(page),
    );
  };
}

function markup({ publicOrigin, console, graphiql, tenants }: IndexPageOptions): string {
  const links = [
    ...(console ? [['/console/', 'Console']] : []),
    ...tenants.map((tenant) => [
      `/t/${encodeURIComponent(tenant)}/account`,
      `Account page of tenant ${tenant}`,
    ]),
    ...(graphiql ? [['/graphiql', 'GraphiQL']] : []),
  ];
  const addresses = [
    ['GraphQL', `${publicOrigin}/graphql`],
    ['GraphQL (tenant)', `${publicOrigin}/t/{tenant}/graphql`],
    ['OpenID Connect discovery', `${publicOrigin}/t/{tenant}/.well-known/openid-configuration`],
    ['SCIM 2.0', `${publicOrigin}/t/{tenant}/scim/v2`],
  ];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Ostiary</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>Ostiary</h1>
<p>Identity platform: OAuth 2.1 and OpenID Connect, SCIM 2.0, and a directory behind one GraphQL API.</p>
${links.length === 0 ? '' : `<ul>\n${links.map(([href, text]) => `<li><a href="${href}">${escaped(text)}</a></li>`).join('\n')}\n</ul>`}
<dl>
${addresses.map(([name, address]) => `<dt>${name}</dt><dd><code>${escaped(address)}</code></dd>`).join('\n')}
<dt>Readiness</dt><dd><a href="/readyz"><code>/readyz</code></a></dd>
</dl>
</main>
</body>
</html>
`;
}

const escaped = (text = ''): string =>
  text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
