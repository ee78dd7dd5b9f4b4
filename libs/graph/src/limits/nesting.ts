import { type DocumentNode, GraphQLError, parse } from 'graphql';
import type { DocumentLimits } from './document-limits.ts';

/**
 * Maximum number of open brackets at one place of a document: three times that of the largest usual
 * introspection query.
 */
export const deepestNesting = 64;

const opening = /[{[(]/;
// Brackets in comments and strings are not part of the document (GraphQL, section 2.1). The lexer ends the document at
// an unterminated one.
const lexeme = /#[^\n\r]*|"""(?:\\"""|[\s\S])*?(?:"""|$)|"(?:\\.|[^"\\\n\r])*"?|[{}[\]()]/g;

/**
 * Reports whether more than `deepestNesting` brackets are open at one place. The parser and later stages
 * recurse with each bracket, so this reads the text once without recursion.
 */
export function isNestedTooDeeply(text: string): boolean {
  if (text.length <= deepestNesting) return false;
  let open = 0;
  for (const [token] of text.matchAll(lexeme)) {
    if (token.length > 1 || token === '#' || token === '"') continue;
    open += opening.test(token) ? 1 : -1;
    if (open > deepestNesting) return true;
  }
  return false;
}

export const nestedTooDeeply = (): GraphQLError =>
  new GraphQLError(
    `Syntax Error: The document is nested too deeply; at most ${deepestNesting} brackets may be open at one place.`,
    { extensions: { code: 'GRAPHQL_PARSE_FAILED', http: { status: 400 } } },
  );

/**
 * Parses a document from a client, with bounds on its nesting and its tokens.
 * @throws GraphQLError
 */
export function parseDocument(text: string, limits: Pick<DocumentLimits, 'tokens'>): DocumentNode {
  if (isNestedTooDeeply(text)) throw nestedTooDeeply();
  return parse(text, { maxTokens: limits.tokens });
}
