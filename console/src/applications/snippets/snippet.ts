/** What a snippet is made of. */
export interface SnippetContext {
  issuer: string;
  clientId: string;
  redirectUri: string | undefined;
  /** Separated by spaces. */
  scope: string;
  isConfidential: boolean;
  /** How it authenticates to the token endpoint, as the graph has it. */
  authMethod: string;
  /** The first resource its tokens are for. */
  resource: string | undefined;
  tokenEndpoint: string;
  deviceEndpoint: string | undefined;
}

/** What has to be known beside the text. */
export type SnippetNote = 'secretPost' | 'secretBasic' | 'redirect' | 'pkceBean' | 'loopback' | 'discovery';

export interface Snippet {
  id: string;
  /** The framework's own name. */
  title: string;
  /** The file or the shell it belongs in. */
  place: string;
  text: string;
  notes: readonly SnippetNote[];
}

export const isInsecure = (issuer: string): boolean => issuer.startsWith('http:');

/** Of a redirect URI what the framework is told: its path. */
export const pathOf = (uri: string | undefined, otherwise: string): string => {
  if (uri === undefined || !URL.canParse(uri)) return otherwise;
  return new URL(uri).pathname;
};

export const originOf = (uri: string | undefined, otherwise: string): string =>
  uri !== undefined && URL.canParse(uri) && new URL(uri).origin !== 'null' ? new URL(uri).origin : otherwise;

/** Which framework needs which way to authenticate: the server takes the registered one only. */
export const secretNote = (
  context: SnippetContext,
  method: 'CLIENT_SECRET_BASIC' | 'CLIENT_SECRET_POST',
): SnippetNote[] =>
  !context.isConfidential || context.authMethod === 'CLIENT_SECRET' || context.authMethod === method
    ? []
    : [method === 'CLIENT_SECRET_POST' ? 'secretPost' : 'secretBasic'];

/** Which redirect URI the framework goes by, unless one like it is registered. */
export const redirectNote = (context: SnippetContext, pattern: RegExp): SnippetNote[] =>
  context.redirectUri !== undefined && pattern.test(context.redirectUri) ? [] : ['redirect'];
