/** Titles of tests: each is a sentence that can be read alone, in a list of failures. */
import { parseSync, Visitor } from 'oxc-parser';
import { lineAt, type SourceText } from './sources.ts';

export interface Title {
  readonly path: string;
  readonly line: number;
  /** Title in the source, with the placeholders of tables and templates. */
  readonly title: string;
}

/** Returns the titles of `test` and `it`, also with tables and modifiers. */
export function titlesOf({ path, text }: SourceText): Title[] {
  const found: Title[] = [];
  const visitor = new Visitor({
    CallExpression: ({ callee, arguments: [title] }) => {
      const isText =
        title?.type === 'TemplateLiteral' || (title?.type === 'Literal' && typeof title.value === 'string');
      if (!isText || !/^(?:test|it)\b/.test(text.slice(callee.start, callee.end))) return;
      const written = text.slice(title.start + 1, title.end - 1);
      found.push({ path, line: lineAt(text, title.start), title: written });
    },
  });
  visitor.visit(parseSync(path, text).program);
  return found;
}

/** Titles may begin with the name of a field, command or program in lower case. */
const beginning = /^(?:[^a-z]|[a-z]+[_.A-Z:\d-]|(?:npm|jwks?|pg|p99)\b)/;

/**
 * Reports whether a title is a sentence: begins with a capital letter or a name, has at least three words, and ends
 * with a full stop. A full stop after `$name` of a table is rejected, because Jest parses it as part of the name.
 */
export const isSentence = (title: string): boolean =>
  beginning.test(title) && title.split(/\s+/).length >= 3 && /[.?]$/.test(title) && !/\$\w+\.$/.test(title);
