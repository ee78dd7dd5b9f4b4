/** Titles of tests: each is a sentence that can be read alone, as it stands in a list of failures. */
import { parseSync, Visitor } from 'oxc-parser';
import { lineAt, type SourceText } from './sources.ts';

export interface Title {
  readonly path: string;
  readonly line: number;
  /** As written, with the placeholders of tables and templates. */
  readonly title: string;
}

/** What `test` and `it` are given first, in tables and with modifiers too. */
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

/** Names of fields, commands and programs are written as they are. */
const beginning = /^(?:[^a-z]|[a-z]+[_.A-Z:\d-]|(?:npm|jwks?|pg|p99)\b)/;

/**
 * A sentence begins with a capital letter or with something that has a name of its own, has at least three words, and ends with a full
 * stop; not behind `$name` of a table, which Jest takes for part of the name.
 */
export const isSentence = (title: string): boolean =>
  beginning.test(title) && title.split(/\s+/).length >= 3 && /[.?]$/.test(title) && !/\$\w+\.$/.test(title);
