/** Titles of tests: each is a sentence that can be read alone, in a list of failures. */
import { type Expression, parseSync, Visitor } from 'oxc-parser';
import { lineAt, type SourceText } from './sources.ts';

export interface Title {
  readonly path: string;
  readonly line: number;
  /** Title in the source, with the placeholders of tables and templates. */
  readonly title: string;
  readonly of: 'test' | 'group';
}

const modifier = /^(?:each|skip|only|failing|concurrent|todo)$/;

/**
 * Returns the titles of tests and groups, also with tables and modifiers, and under other names: constants for `test`,
 * `it` or `describe`, such as `const onLinux = isLinux ? test : test.skip`, and imports such as `describeProcesses`.
 */
export function titlesOf({ path, text }: SourceText, { program } = parseSync(path, text)): Title[] {
  const found: Title[] = [];
  const names = new Map<string, Title['of']>([
    ['test', 'test'],
    ['it', 'test'],
    ['describe', 'group'],
  ]);
  const meaningOf = (expression: Expression): Title['of'] | undefined => {
    switch (expression.type) {
      case 'Identifier':
        return names.get(expression.name) ?? (/^describe[A-Z]/.test(expression.name) ? 'group' : undefined);
      case 'ConditionalExpression':
        return meaningOf(expression.consequent) ?? meaningOf(expression.alternate);
      case 'MemberExpression':
        return modifier.test(text.slice(expression.property.start, expression.property.end))
          ? meaningOf(expression.object)
          : undefined;
      case 'CallExpression':
        return meaningOf(expression.callee);
      case 'TaggedTemplateExpression':
        return meaningOf(expression.tag);
      default:
        return undefined;
    }
  };
  const visitor = new Visitor({
    VariableDeclarator: ({ id, init }) => {
      const meaning = init ? meaningOf(init) : undefined;
      if (id.type === 'Identifier' && meaning) names.set(id.name, meaning);
    },
    CallExpression: ({ callee, arguments: [title] }) => {
      const isText =
        title?.type === 'TemplateLiteral' || (title?.type === 'Literal' && typeof title.value === 'string');
      const of = isText ? meaningOf(callee) : undefined;
      if (of === undefined || title === undefined) return;
      const written = text.slice(title.start + 1, title.end - 1);
      found.push({ path, line: lineAt(text, title.start), title: written, of });
    },
  });
  visitor.visit(program);
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
