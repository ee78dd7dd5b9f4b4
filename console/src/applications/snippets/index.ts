import type { ClientKind } from '../generated/applications.ts';
import {
  deviceSnippets,
  machineSnippets,
  mcpSnippets,
  nativeSnippets,
  singlePageSnippets,
} from './programs.ts';
import type { Snippet, SnippetContext } from './snippet.ts';
import { webSnippets } from './web.ts';

const snippets: Readonly<Record<ClientKind, (context: SnippetContext) => Snippet[]>> = {
  WEB: webSnippets,
  SINGLE_PAGE: singlePageSnippets,
  NATIVE: nativeSnippets,
  MACHINE: machineSnippets,
  DEVICE: deviceSnippets,
  MCP: mcpSnippets,
};

/** Reports whether a URI contains no characters with a meaning in a shell or a string literal. */
const isPlain = (uri: string): boolean => /^[\w.~:/?#@%=+,[\]-]*$/.test(uri);

const plain = (uri: string | undefined): string | undefined =>
  uri !== undefined && isPlain(uri) ? uri : undefined;

/**
 * Returns the snippets for a kind of application. The user who pastes a snippet may differ from the one who registered
 * the client, so URIs with special characters are omitted, as if none were registered.
 */
export const snippetsOf = (kind: ClientKind, context: SnippetContext): Snippet[] =>
  snippets[kind]({
    ...context,
    redirectUri: plain(context.redirectUri),
    resource: plain(context.resource),
  });
export type { Snippet, SnippetContext } from './snippet.ts';
