import {
  isInsecure,
  originOf,
  pathOf,
  redirectNote,
  type Snippet,
  type SnippetContext,
  secretNote,
} from './snippet.ts';

const authJs = (context: SnippetContext): Snippet => {
  const provider = /\/api\/auth\/callback\/([^/?#]+)$/.exec(context.redirectUri ?? '')?.[1] ?? 'ostiary';
  return {
    id: 'auth-js',
    title: 'Auth.js',
    place: 'auth.ts',
    notes: [
      ...secretNote(context, 'CLIENT_SECRET_BASIC'),
      ...redirectNote(context, /\/api\/auth\/callback\//),
    ],
    text: `import NextAuth from "next-auth";

// Redirect URI: ${originOf(context.redirectUri, 'https://app.example')}/api/auth/callback/${provider}
export const { handlers, auth, signIn, signOut } = NextAuth({
  providers: [
    {
      id: "${provider}",
      name: "Ostiary",
      type: "oidc",
      issuer: "${context.issuer}",
      clientId: "${context.clientId}",
      clientSecret: process.env.OSTIARY_CLIENT_SECRET,
      authorization: { params: { scope: "${context.scope}" } },
      checks: ["pkce", "state", "nonce"],
    },
  ],
});
`,
  };
};

const openidClient = (context: SnippetContext): Snippet => ({
  id: 'openid-client',
  title: 'openid-client (Node.js)',
  place: 'auth.mjs',
  notes: secretNote(context, 'CLIENT_SECRET_BASIC'),
  text: `import * as client from "openid-client";

const config = await client.discovery(
  new URL("${context.issuer}"),
  "${context.clientId}",
  undefined,
  client.ClientSecretBasic(process.env.OSTIARY_CLIENT_SECRET),${
    isInsecure(context.issuer)
      ? '\n  { execute: [client.allowInsecureRequests] }, // only for an http issuer'
      : ''
  }
);

// 1. Redirect the browser to the sign-in page. Store verifier and state in the user's session.
export async function begin(session) {
  session.verifier = client.randomPKCECodeVerifier();
  session.state = client.randomState();
  return client.buildAuthorizationUrl(config, {
    redirect_uri: "${context.redirectUri ?? 'https://app.example/callback'}",
    scope: "${context.scope}",
    code_challenge: await client.calculatePKCECodeChallenge(session.verifier),
    code_challenge_method: "S256",
    state: session.state,
  });
}

// 2. At the redirect URI, pass the full URL of the request.
export async function complete(session, address) {
  const tokens = await client.authorizationCodeGrant(config, new URL(address), {
    pkceCodeVerifier: session.verifier,
    expectedState: session.state,
  });
  return tokens.claims(); // sub, name, email, …
}
`,
});

const springBoot = (context: SnippetContext): Snippet => {
  const registration = /\/login\/oauth2\/code\/([^/?#]+)$/.exec(context.redirectUri ?? '')?.[1] ?? 'ostiary';
  return {
    id: 'spring-boot',
    title: 'Spring Boot',
    place: 'application.yaml, SecurityConfiguration.java',
    notes: [
      'pkceBean',
      ...secretNote(context, 'CLIENT_SECRET_BASIC'),
      ...redirectNote(context, /\/login\/oauth2\/code\//),
    ],
    text: `# application.yaml
spring:
  security:
    oauth2:
      client:
        registration:
          ${registration}:
            client-id: ${context.clientId}
            client-secret: \${OSTIARY_CLIENT_SECRET}
            client-authentication-method: client_secret_basic
            authorization-grant-type: authorization_code
            redirect-uri: "{baseUrl}/login/oauth2/code/${registration}"
            scope: [${context.scope.split(' ').join(', ')}]
        provider:
          ${registration}:
            issuer-uri: ${context.issuer}

// SecurityConfiguration.java
@Bean
SecurityFilterChain security(HttpSecurity http, ClientRegistrationRepository clients) throws Exception {
  var resolver = new DefaultOAuth2AuthorizationRequestResolver(clients, "/oauth2/authorization");
  resolver.setAuthorizationRequestCustomizer(OAuth2AuthorizationRequestCustomizers.withPkce());
  return http
      .authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
      .oauth2Login(login -> login.authorizationEndpoint(endpoint -> endpoint.authorizationRequestResolver(resolver)))
      .build();
}
`,
  };
};

const aspNetCore = (context: SnippetContext): Snippet => ({
  id: 'asp-net-core',
  title: 'ASP.NET Core',
  place: 'Program.cs',
  notes: secretNote(context, 'CLIENT_SECRET_POST'),
  text: `using Microsoft.AspNetCore.Authentication.Cookies;
using Microsoft.AspNetCore.Authentication.OpenIdConnect;

builder.Services
    .AddAuthentication(options =>
    {
        options.DefaultScheme = CookieAuthenticationDefaults.AuthenticationScheme;
        options.DefaultChallengeScheme = OpenIdConnectDefaults.AuthenticationScheme;
    })
    .AddCookie()
    .AddOpenIdConnect(options =>
    {
        options.Authority = "${context.issuer}";
        options.ClientId = "${context.clientId}";
        options.ClientSecret = builder.Configuration["Ostiary:ClientSecret"];
        options.ResponseType = "code";
        options.UsePkce = true;
        options.CallbackPath = "${pathOf(context.redirectUri, '/signin-oidc')}";
        options.MapInboundClaims = false;
        options.GetClaimsFromUserInfoEndpoint = true;
        options.Scope.Clear();
${context.scope
  .split(' ')
  .map((scope) => `        options.Scope.Add("${scope}");`)
  .join(
    '\n',
  )}${isInsecure(context.issuer) ? '\n        options.RequireHttpsMetadata = false; // only for an http issuer' : ''}
    });
`,
});

const oauth2Proxy = (context: SnippetContext): Snippet => ({
  id: 'oauth2-proxy',
  title: 'oauth2-proxy',
  place: 'oauth2-proxy.cfg',
  notes: [...secretNote(context, 'CLIENT_SECRET_BASIC'), ...redirectNote(context, /\/oauth2\/callback$/)],
  text: `# The secrets come from OAUTH2_PROXY_CLIENT_SECRET and OAUTH2_PROXY_COOKIE_SECRET.
provider = "oidc"
oidc_issuer_url = "${context.issuer}"
client_id = "${context.clientId}"
redirect_url = "${originOf(context.redirectUri, 'https://app.example')}/oauth2/callback"
scope = "${context.scope}"
code_challenge_method = "S256"
email_domains = ["*"]
upstreams = ["http://127.0.0.1:8080/"]
http_address = "127.0.0.1:4180"
`,
});

export const webSnippets = (context: SnippetContext): Snippet[] =>
  [authJs, openidClient, springBoot, aspNetCore, oauth2Proxy].map((of) => of(context));
