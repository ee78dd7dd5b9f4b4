/** Values that the programs contain. */
export interface Protected {
  issuer: string;
  audience: string;
  /** Scope of the example's route; undefined if the API has none. */
  scope: string | undefined;
}

export interface Protection {
  id: string;
  title: string;
  text: string;
}

/** A JavaScript string literal: administrators choose the identifiers and scopes of APIs. */
const literal = (text: string): string => `'${JSON.stringify(text).slice(1, -1).replaceAll("'", "\\'")}'`;

/** A word of a POSIX shell. */
const shellWord = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

const verifier = ({ issuer, audience }: Protected): string => `const verify = ostiary({
  issuer: ${literal(issuer)},
  audience: ${literal(audience)},
  clientId: process.env.API_ID,
  clientSecret: process.env.API_SECRET,
});`;

const ruleOf = ({ scope }: Protected): string =>
  scope === undefined ? '' : `, { scopes: [${literal(scope)}] }`;

/** Returns the programs of the guide *Protect an API* with the values of an API. */
export const protections = (values: Protected): Protection[] => [
  {
    id: 'fastify',
    title: 'Fastify',
    text: `import { ostiary } from '@ostiary/verifier';
import { protectedResource, requireToken } from '@ostiary/verifier/fastify';
import fastify from 'fastify';

${verifier(values)}

const app = fastify();
app.register(protectedResource, { verify });
app.get('/orders', { onRequest: requireToken(verify${ruleOf(values)}) }, async ({ principal }) => ({ kind: principal.kind }));

await verify.ready();
await app.listen({ port: Number(process.env.PORT ?? 8080) });
`,
  },
  {
    id: 'express',
    title: 'Express',
    text: `import { ostiary } from '@ostiary/verifier';
import { protectedResource, requireToken } from '@ostiary/verifier/express';
import express from 'express';

${verifier(values)}

const app = express();
app.use(protectedResource(verify));
app.get('/orders', requireToken(verify${ruleOf(values)}), ({ principal }, response) => response.json({ kind: principal.kind }));

await verify.ready();
app.listen(Number(process.env.PORT ?? 8080));
`,
  },
  {
    id: 'introspection',
    title: 'HTTP (RFC 7662)',
    text: `curl -s ${shellWord(`${values.issuer}/introspect`)} -u "$API_ID:$API_SECRET" -d "token=$TOKEN"
`,
  },
];
