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

/** An address in which a shell, or a string of a language, would find nothing to do. */
const isPlain = (uri: string): boolean => /^[\w.~:/?#@%=+,[\]-]*$/.test(uri);

const plain = (uri: string | undefined): string | undefined =>
  uri !== undefined && isPlain(uri) ? uri : undefined;

/**
 * What to paste into an app of a kind. Who pastes it is somebody else than who registered the app: an address that would be more than an
 * address there is left out, as if none were registered.
 */
export const snippetsOf = (kind: ClientKind, context: SnippetContext): Snippet[] =>
  snippets[kind]({
    ...context,
    redirectUri: plain(context.redirectUri),
    resource: plain(context.resource),
  });
export type { Snippet, SnippetContext } from './snippet.ts';
