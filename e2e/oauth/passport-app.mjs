// App with Express and passport-oauth2, which keeps state and PKCE in a session.
// Reads the server's addresses and its registration from APP, and prints its port when it listens.
import { randomBytes } from 'node:crypto';
import express from 'express';
import passport from 'passport';
import { Strategy } from 'passport-oauth2';

const { issuer, clientId, clientSecret, callback, scope } = JSON.parse(process.env.APP ?? '{}');

const sessions = new Map();

/** The part of express-session that passport-oauth2 needs. */
function session(request, response, next) {
  const [, known] = /(?:^|; )app=([\w-]+)/.exec(request.headers.cookie ?? '') ?? [];
  const id = sessions.has(known) ? known : randomBytes(16).toString('base64url');
  if (id !== known) {
    sessions.set(id, {});
    response.cookie('app', id, { httpOnly: true });
  }
  request.session = sessions.get(id);
  next();
}

class Ostiary extends Strategy {
  userProfile(accessToken, done) {
    this._oauth2.get(`${issuer}/userinfo`, accessToken, (error, body) =>
      error ? done(error) : done(null, JSON.parse(String(body))),
    );
  }
}

const strategy = new Ostiary(
  {
    authorizationURL: `${issuer}/authorize`,
    tokenURL: `${issuer}/token`,
    clientID: clientId,
    clientSecret,
    callbackURL: callback,
    scope,
    state: true,
    pkce: 'S256',
  },
  (accessToken, refreshToken, params, profile, done) =>
    done(null, { accessToken, refreshToken, params, profile }),
);
strategy._oauth2.useAuthorizationHeaderforGET(true);
passport.use('ostiary', strategy);

const app = express();
app.use(session, passport.initialize());
app.get('/login', passport.authenticate('ostiary', { session: false }));
app.get('/callback', passport.authenticate('ostiary', { session: false }), (request, response) => {
  response.json(request.user);
});
app.get('/refresh', (request, response) => {
  strategy._oauth2.getOAuthAccessToken(
    request.query.token,
    { grant_type: 'refresh_token' },
    (error, accessToken, refreshToken) =>
      error
        ? response.status(error.statusCode ?? 500).send(error.data)
        : response.json({ accessToken, refreshToken }),
  );
});
app.use((error, _request, response, _next) => {
  response.status(error.status ?? 500).json({ name: error.name, code: error.code, message: error.message });
});

const port = Number(new URL(callback).port);
app.listen(port, '127.0.0.1', () => process.send?.({ port }));
