/** Values that are inserted into snippets. */
export interface SnippetContext {
  issuer: string;
  clientId: string;
  redirectUri: string | undefined;
  /** Separated by spaces. */
  scope: string;
  isConfidential: boolean;
  /** Token endpoint authentication method, as an enum value of the graph. */
  authMethod: string;
  /** First resource of its tokens. */
  resource: string | undefined;
  tokenEndpoint: string;
  deviceEndpoint: string | undefined;
}

/** Hints that are shown below a snippet. */
export type SnippetNote = 'secretPost' | 'secretBasic' | 'redirect' | 'pkceBean' | 'loopback' | 'discovery';

export interface Snippet {
  id: string;
  /** Name of the framework. */
  title: string;
  /** File or shell in which the snippet is used. */
  place: string;
  text: string;
  notes: readonly SnippetNote[];
}

export const isInsecure = (issuer: string): boolean => issuer.startsWith('http:');

/** Returns the path of a redirect URI, which frameworks are configured with. */
export const pathOf = (uri: string | undefined, otherwise: string): string => {
  if (uri === undefined || !URL.canParse(uri)) return otherwise;
  return new URL(uri).pathname;
};

export const originOf = (uri: string | undefined, otherwise: string): string =>
  uri !== undefined && URL.canParse(uri) && new URL(uri).origin !== 'null' ? new URL(uri).origin : otherwise;

/**
 * Returns a note if the framework requires another authentication method: the server accepts only the registered one.
 */
export const secretNote = (
  context: SnippetContext,
  method: 'CLIENT_SECRET_BASIC' | 'CLIENT_SECRET_POST',
): SnippetNote[] =>
  !context.isConfidential || context.authMethod === 'CLIENT_SECRET' || context.authMethod === method
    ? []
    : [method === 'CLIENT_SECRET_POST' ? 'secretPost' : 'secretBasic'];

/** Returns a note if no redirect URI of the framework's pattern is registered. */
export const redirectNote = (context: SnippetContext, pattern: RegExp): SnippetNote[] =>
  context.redirectUri !== undefined && pattern.test(context.redirectUri) ? [] : ['redirect'];
