import { isInsecure, redirectNote, type Snippet, type SnippetContext } from './snippet.ts';

const insecure = (issuer: string): string =>
  isInsecure(issuer) ? '\n  { execute: [client.allowInsecureRequests] }, // only for an http issuer' : '';

/** Single-page applications in the browser. */
export const singlePageSnippets = (context: SnippetContext): Snippet[] => [
  {
    id: 'oidc-client-ts',
    title: 'oidc-client-ts',
    place: 'auth.ts',
    notes: [],
    text: `import { UserManager } from "oidc-client-ts";

const manager = new UserManager({
  authority: "${context.issuer}",
  client_id: "${context.clientId}",
  redirect_uri: "${context.redirectUri ?? 'https://app.example/callback'}",
  response_type: "code",
  scope: "${context.scope}",
});

if (new URL(location.href).searchParams.has("state")) {
  await manager.signinRedirectCallback();
  history.replaceState(null, "", "/");
}
const user = await manager.getUser();
if (!user) await manager.signinRedirect();
`,
  },
];

/** Native applications on devices of users. */
export const nativeSnippets = (context: SnippetContext): Snippet[] => [
  {
    id: 'openid-client',
    title: 'openid-client (Node.js)',
    place: 'sign-in.mjs',
    notes: redirectNote(context, /^http:\/\/(127\.0\.0\.1|\[::1\])/).length > 0 ? ['loopback'] : [],
    text: `import { createServer } from "node:http";
import * as client from "openid-client";

const config = await client.discovery(
  new URL("${context.issuer}"),
  "${context.clientId}",
  undefined,
  client.None(),${insecure(context.issuer)}
);

// Any free port: the port of a loopback redirect URI may differ from the registered one.
const server = createServer();
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const redirect_uri = \`http://127.0.0.1:\${server.address().port}${loopbackPath(context.redirectUri)}\`;

const verifier = client.randomPKCECodeVerifier();
const state = client.randomState();
const address = client.buildAuthorizationUrl(config, {
  redirect_uri,
  scope: "${context.scope}",
  code_challenge: await client.calculatePKCECodeChallenge(verifier),
  code_challenge_method: "S256",
  state,${context.resource === undefined ? '' : `\n  resource: "${context.resource}",`}
});
console.log(\`Open \${address}\`);

server.on("request", async (request, response) => {
  response.end("You can close this window.");
  server.close();
  const tokens = await client.authorizationCodeGrant(config, new URL(request.url, redirect_uri), {
    pkceCodeVerifier: verifier,
    expectedState: state,
  });
  console.log(tokens.claims());
});
`,
  },
];

const loopbackPath = (uri: string | undefined): string =>
  uri !== undefined && URL.canParse(uri) && uri.startsWith('http:') ? new URL(uri).pathname : '/callback';

/** Machine clients that act on their own behalf. */
export const machineSnippets = (context: SnippetContext): Snippet[] => [
  {
    id: 'curl',
    title: 'curl',
    place: 'sh',
    notes: [],
    text: `curl -s ${context.tokenEndpoint} \\
${authentication(context)}  -d grant_type=client_credentials${
      context.scope === '' ? '' : ` \\\n  --data-urlencode "scope=${context.scope}"`
    }${context.resource === undefined ? '' : ` \\\n  --data-urlencode "resource=${context.resource}"`}
`,
  },
  {
    id: 'openid-client',
    title: 'openid-client (Node.js)',
    place: 'token.mjs',
    notes: [],
    text: `import * as client from "openid-client";

const config = await client.discovery(
  new URL("${context.issuer}"),
  "${context.clientId}",
  undefined,
  client.${context.authMethod === 'CLIENT_SECRET_POST' ? 'ClientSecretPost' : 'ClientSecretBasic'}(process.env.OSTIARY_CLIENT_SECRET),${insecure(context.issuer)}
);

const { access_token } = await client.clientCredentialsGrant(config, { scope: "${context.scope}" });
`,
  },
];

const authentication = ({ authMethod, clientId }: SnippetContext): string =>
  authMethod === 'CLIENT_SECRET_POST'
    ? `  -d client_id=${clientId} --data-urlencode "client_secret=$OSTIARY_CLIENT_SECRET" \\\n`
    : authMethod === 'PRIVATE_KEY_JWT' || authMethod === 'CLIENT_SECRET_JWT'
      ? `  -d client_assertion_type=urn:ietf:params:oauth:client-assertion-type:jwt-bearer \\\n  --data-urlencode "client_assertion=$SIGNED_ASSERTION" \\\n`
      : `  -u "${clientId}:$OSTIARY_CLIENT_SECRET" \\\n`;

/** Devices without a browser. */
export const deviceSnippets = (context: SnippetContext): Snippet[] => [
  {
    id: 'curl',
    title: 'curl',
    place: 'sh',
    notes: [],
    text: `# 1. Request a code. Show user_code and verification_uri to the user.
curl -s ${context.deviceEndpoint ?? `${context.issuer}/device_authorization`} \\
  -d client_id=${context.clientId} \\
  --data-urlencode "scope=${context.scope}"

# 2. Returns authorization_pending until the user agrees. Poll every "interval" seconds.
curl -s ${context.tokenEndpoint} \\
  -d grant_type=urn:ietf:params:oauth:grant-type:device_code \\
  -d client_id=${context.clientId} \\
  --data-urlencode "device_code=$DEVICE_CODE"
`,
  },
];

/** Clients of the Model Context Protocol. */
export const mcpSnippets = (context: SnippetContext): Snippet[] => [
  {
    id: 'discovery',
    title: 'Model Context Protocol',
    place: 'sh',
    notes: ['discovery'],
    text: `# The client finds the authorization server at the MCP server (RFC 9728) …
curl -s ${protectedResourceMetadata(context.resource)}
#   { "resource": "${context.resource ?? 'https://mcp.example'}", "authorization_servers": ["${context.issuer}"], … }

# Enter in the settings of the client:
#   client id: ${context.clientId}        (no secret)
#   redirect URI: ${context.redirectUri ?? 'http://127.0.0.1/callback'}
curl -s ${context.issuer}/.well-known/oauth-authorization-server
`,
  },
  ...nativeSnippets(context),
];

function protectedResourceMetadata(resource: string | undefined): string {
  if (resource === undefined || !URL.canParse(resource))
    return 'https://mcp.example/.well-known/oauth-protected-resource';
  const { origin, pathname } = new URL(resource);
  return `${origin}/.well-known/oauth-protected-resource${pathname === '/' ? '' : pathname}`;
}
