// A small native app: signs a user in with the authorization code flow and PKCE, and prints the tokens.
//   node docs/examples/sign-in.mjs            (set BROWSER to a command that opens a URL, or open it yourself)
// ISSUER and CLIENT_ID name another app than that of the demo tenant.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import * as client from 'openid-client';

const { ISSUER: issuer, CLIENT_ID: clientId } = process.env.ISSUER ? process.env : demo();

// Plain http is for the demo on this machine; remove `execute` for an https issuer.
const config = await client.discovery(new URL(issuer), clientId, undefined, client.None(), {
  execute: [client.allowInsecureRequests],
});

const server = createServer();
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const redirect_uri = `http://127.0.0.1:${server.address().port}/callback`;

const verifier = client.randomPKCECodeVerifier();
const state = client.randomState();
const address = client.buildAuthorizationUrl(config, {
  redirect_uri,
  scope: 'openid profile email offline_access',
  code_challenge: await client.calculatePKCECodeChallenge(verifier),
  code_challenge_method: 'S256',
  state,
});

console.error(`Sign in at\n${address}`);
if (process.env.BROWSER) spawn(process.env.BROWSER, [address.href], { stdio: 'inherit' });

const callback = await new Promise((resolve) => {
  server.on('request', (request, response) => {
    response.end('You are signed in; close this window.');
    resolve(new URL(request.url, redirect_uri));
  });
});
const tokens = await client.authorizationCodeGrant(config, callback, {
  pkceCodeVerifier: verifier,
  expectedState: state,
});
console.log(JSON.stringify({ subject: tokens.claims().sub, ...tokens }, null, 2));
server.close();
server.closeAllConnections();

function demo() {
  const home = process.env.OSTIARY_HOME ?? '.ostiary';
  const { issuer, clients } = JSON.parse(readFileSync(`${home}/demo.json`, 'utf8')).tenants.demo;
  return { ISSUER: issuer, CLIENT_ID: clients.web.client_id };
}
