// Receives shared signals by polling, in sixty lines.
//   node docs/examples/signals.mjs http://localhost:4000/t/demo CLIENT_ID CLIENT_SECRET
import { createRemoteJWKSet, jwtVerify } from 'jose';

const [issuer, clientId, clientSecret] = process.argv.slice(2);
const { origin, pathname } = new URL(issuer);
const transmitter = await (await fetch(`${origin}/.well-known/ssf-configuration${pathname}`)).json();
const keys = createRemoteJWKSet(new URL(transmitter.jwks_uri));

async function token() {
  const response = await fetch(`${issuer}/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials', scope: 'ssf.manage' }),
  });
  return (await response.json()).access_token;
}

async function ask(address, body) {
  const response = await fetch(address, {
    method: 'POST',
    headers: { authorization: `Bearer ${await token()}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  return response.status === 204 ? undefined : response.json();
}

const caep = 'https://schemas.openid.net/secevent/caep/event-type';
const risc = 'https://schemas.openid.net/secevent/risc/event-type';
const stream = await ask(transmitter.configuration_endpoint, {
  events_requested: [`${caep}/session-revoked`, `${risc}/account-disabled`, `${risc}/account-purged`],
});
// An event that comes at once, whatever else happens.
await ask(transmitter.verification_endpoint, { stream_id: stream.stream_id, state: 'hello' });

// What no repetition changes. Whatever else fails (keys that can't be fetched now, an effect) is met again: the token comes again.
const wrong = /^ERR_JWS_(INVALID|SIGNATURE_VERIFICATION_FAILED)$|^ERR_JWT_/;
let ack = [];
let setErrs = {};
for (;;) {
  // Waits until something happens, at most twenty seconds.
  const { sets } = await ask(stream.delivery.endpoint_url, { ack, setErrs });
  ack = [];
  setErrs = {};
  for (const [jti, set] of Object.entries(sets)) {
    try {
      const { payload } = await jwtVerify(set, keys, {
        issuer: transmitter.issuer,
        audience: stream.aud,
        typ: 'secevent+jwt',
      });
      console.log(JSON.stringify({ about: payload.sub_id, events: payload.events }));
      // Once the effect is safe. The same jti may come again: then there is nothing left to do but to acknowledge it.
      ack.push(jti);
    } catch (error) {
      if (wrong.test(error.code)) setErrs[jti] = { err: 'invalid_request', description: error.message };
      else console.error(error.message);
    }
  }
}
