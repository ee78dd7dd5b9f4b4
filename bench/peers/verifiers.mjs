// Many verifiers of one company API, as in as many processes. Reports when each of them was notified of the end of a
// token.
import { ostiary } from '@ostiary/verifier';

const {
  AUDIENCE: audience,
  CLIENT_ID: clientId,
  CLIENT_SECRET: clientSecret,
  COUNT,
  ISSUER: issuer,
} = process.env;
const verifiers = Array.from({ length: Number(COUNT) }, () =>
  ostiary({ issuer, audience, clientId, clientSecret, onProblem: (error) => console.error(error.message) }),
);
for (const verify of verifiers) await verify.ready();

/** Unix milliseconds at which each verifier rejected the token. */
let ends = [];
const commands = {
  async watch({ token }) {
    ends = [];
    for (const verify of verifiers) {
      const principal = await verify(`Bearer ${token}`);
      ends.push(
        new Promise((resolve) => {
          verify.onRevoked(principal, () => resolve(performance.timeOrigin + performance.now()));
        }),
      );
    }
    return 'watching';
  },
  ended: () => Promise.all(ends),
};
process.on('message', async (message) => process.send(await commands[message.command](message)));
process.send('ready');
