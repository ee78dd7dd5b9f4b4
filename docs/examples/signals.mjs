// Receives shared signals by polling, until SIGTERM or Ctrl-C.
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

async function ask(address, body, method = 'POST') {
  const response = await fetch(address, {
    method,
    headers: {
      authorization: `Bearer ${await token()}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
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
// In production, keep the stream, so that no event is lost while the receiver restarts.
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, async () => {
    await ask(`${transmitter.configuration_endpoint}?stream_id=${stream.stream_id}`, undefined, 'DELETE');
    process.exit();
  });
}
// The verification event is delivered immediately.
await ask(transmitter.verification_endpoint, { stream_id: stream.stream_id, state: 'hello' });

// These errors are permanent. After any other one (keys that cannot be fetched, a failed effect) the token is delivered again.
const wrong = /^ERR_JWS_(INVALID|SIGNATURE_VERIFICATION_FAILED)$|^ERR_JWT_/;
let ack = [];
let setErrs = {};
for (;;) {
  // Waits for an event for at most 20 seconds.
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
      // Acknowledge after the effect is durable. A jti that arrives again only needs another acknowledgement.
      ack.push(jti);
    } catch (error) {
      if (wrong.test(error.code)) setErrs[jti] = { err: 'invalid_request', description: error.message };
      else console.error(error.message);
    }
  }
}
