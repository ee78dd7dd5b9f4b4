import { redeem, signInAndAllow, startTestService, type TestService, tenant, token } from './service.ts';

export interface GraphAnswer {
  // biome-ignore lint/suspicious/noExplicitAny: each test knows the shape it asked for
  data: any;
  errors?: { message: string; extensions: { code: string } }[];
}

/** The service, and callers of its graph. */
export interface Asking {
  service: TestService;
  /** Returns a token of a client that acts for itself. */
  machine(scope: string, of?: string): Promise<string>;
  /** Creates a user, signs the user in and returns the token. */
  signedIn(userName: string, of?: string): Promise<{ id: string; accessToken: string }>;
  ask(query: string, variables: object, accessToken: string): Promise<GraphAnswer>;
}

/** @param env variables that differ from the default */
export async function startAsking(env: Record<string, string> = {}): Promise<Asking> {
  const service = await startTestService({ env });
  const apps = new Map<string, Awaited<ReturnType<TestService['client']>>>();
  return {
    service,
    async machine(scope, of = tenant) {
      const machine = await service.client(
        {
          token_endpoint_auth_method: 'client_secret_post',
          grant_types: ['client_credentials'],
          redirect_uris: [],
          scope,
        },
        of,
      );
      const answer = await token(service, machine, {
        grant_type: 'client_credentials',
        client_secret: machine.secret ?? '',
      });
      return answer.body.access_token ?? '';
    },
    async signedIn(userName, of = tenant) {
      const app = apps.get(of) ?? (await service.client({ require_consent: false }, of));
      apps.set(of, app);
      const { id } = await service.person(userName, { tenant: of });
      const { body } = await redeem(service, app, await signInAndAllow(service.browser(), app, userName));
      return { id, accessToken: body.access_token ?? '' };
    },
    async ask(query, variables, accessToken) {
      const response = await fetch(`${service.origin}/graphql`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'user-agent': 'asking/1.0',
          ...(accessToken === '' ? {} : { authorization: `Bearer ${accessToken}` }),
        },
        body: JSON.stringify({ query, variables }),
      });
      return (await response.json()) as GraphAnswer;
    },
  };
}

export const codesOf = (answer: GraphAnswer): string[] | undefined =>
  answer.errors?.map((error) => error.extensions.code);
