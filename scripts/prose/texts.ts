/** The texts of the repository that an engineer, administrator or user reads, by surface. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, visit } from 'graphql';
import { parseSync, Visitor } from 'oxc-parser';
import { checkedCommits } from '../hooks/history.mjs';
import { filesOf, lineAt, readTexts, type SourceText } from '../structure/sources.ts';
import { titlesOf } from '../structure/titles.ts';
import { deploymentTexts } from './deployment.ts';
import { commentsIn, type Surface, type Text } from './text.ts';

export { type Surface, surfaces, type Text } from './text.ts';

/** Texts of pages and of the console in languages other than English. */
const translations = /\/words\/(?:de|es|fr)\/|\/words\/(?:german|spanish|french)\b/;
/** The same texts in English, of which each string is shown to users. */
const shownTexts = /\/words\/(?:en\/|english\b)/;

/** Programs that are not TypeScript: scripts, configuration of tests, and examples of the docs. */
const programs = [
  '*.mjs',
  '{libs,services}/*/*.mjs',
  '{gateway,e2e,bench,scripts}/**/*.{mjs,cjs}',
  'docs/**/*.mjs',
];

/** Reads every text. @param root absolute path of the repository */
export function readProse(root: string): Text[] {
  const read = (path: string): SourceText => ({ path, text: readFileSync(join(root, path), 'utf8') });
  return [
    ...filesOf(root, ['{services/*,libs/*,gateway}/src/**/*.graphql']).map(read).flatMap(descriptionsIn),
    ...filesOf(root, [
      '*.md',
      'docs/**/*.md',
      '{libs,services}/*/README.md',
      '{gateway,cli,console,bench,e2e}/README.md',
    ])
      .filter((path) => path !== 'CHANGELOG.md')
      .map(read)
      .flatMap(paragraphsIn),
    ...filesOf(root, ['services/*/prisma/schema.prisma'])
      .map(read)
      .flatMap((source) => commentsIn(source, /^\s*\/{2,3}\s?(.*)$/, 'Prisma comments', true)),
    ...deploymentTexts(root),
    ...[...readTexts(root), ...filesOf(root, programs).map(read)]
      .filter(({ path }) => !path.startsWith('scripts/prose/') && !translations.test(path))
      .flatMap(textsInCode),
    ...subjects(root),
  ];
}

function descriptionsIn({ path, text }: SourceText): Text[] {
  const found: Text[] = [];
  const add = (value: string, offset: number): void => {
    found.push({
      surface: 'GraphQL descriptions',
      file: path,
      line: lineAt(text, offset),
      text: value,
      description: true,
    });
  };
  visit(parse(text), {
    enter: (node) => {
      if ('description' in node && node.description)
        add(node.description.value, node.description.loc?.start ?? 0);
    },
  });
  return found;
}

/** Paragraphs of Markdown outside of code; a table's cells are part of its paragraph. */
function paragraphsIn({ path, text }: SourceText): Text[] {
  const prose = text.replaceAll(/^(```|~~~)[\s\S]*?^\1.*$/gm, (block) => block.replaceAll(/[^\n]/g, ''));
  const found: Text[] = [];
  for (const match of prose.matchAll(/(?:^.*\S.*$\n?)+/gm)) {
    found.push({
      surface: 'Docs',
      file: path,
      line: lineAt(prose, match.index),
      text: match[0],
      description: false,
    });
  }
  return found;
}

/** Value of a table or a template in a title. */
const placeholder = /\$\{[^}]*\}|\$\w+/g;

function textsInCode({ path, text }: SourceText): Text[] {
  const parsed = parseSync(path, text);
  const found: Text[] = [];
  const add = (surface: Surface, offset: number, value: string, description = false): void => {
    found.push({ surface, file: path, line: lineAt(text, offset), text: value, description });
  };
  for (const comment of joined(parsed.comments, text)) {
    const value = comment.value.replaceAll(/^\s*\*? ?/gm, '').trim();
    if (/^(?:biome-ignore|@ts-|eslint|istanbul|language=)/.test(value)) continue;
    const isDoc = comment.type === 'Block' && comment.value.startsWith('*');
    add(isDoc ? 'Doc comments' : 'Comments', comment.start, isDoc ? withoutTags(value) : value, isDoc);
  }
  const isProduct =
    /\/src\/|^scripts\/|^e2e\/\w+\/main\.ts$/.test(path) && !/\.test\.tsx?$|\/testing\//.test(path);
  const isShown = shownTexts.test(path);
  for (const { line, title } of titlesOf({ path, text }, parsed)) {
    const value = title.replaceAll(placeholder, 'x');
    found.push({ surface: 'Test titles', file: path, line, text: value, description: false });
  }
  const keys = new Set<number>();
  const addString = (value: string, start: number): void => {
    if (isProduct && isSentence(value)) add('Messages', start, value, !value.trimEnd().endsWith('?'));
    else if (isShown && !keys.has(start) && !value.startsWith('.')) add('Labels', start, value);
  };
  const visitor = new Visitor({
    Property: ({ key }) => void keys.add(key.start),
    Literal: ({ value, start }) => {
      if (typeof value === 'string') addString(value, start);
    },
    TemplateLiteral: ({ quasis, start }) =>
      addString(quasis.map((part) => part.value.cooked ?? '').join('x'), start),
    JSXText: ({ value, start }) => {
      if (/\p{L}/u.test(value)) add('Labels', start, value);
    },
  });
  visitor.visit(parsed.program);
  return found;
}

interface Comment {
  readonly type: 'Line' | 'Block';
  readonly value: string;
  readonly start: number;
  readonly end: number;
}

/** Joins consecutive line comments into one text. */
function joined(comments: readonly Comment[], text: string): Comment[] {
  const result: Comment[] = [];
  for (const comment of comments) {
    const last = result.at(-1);
    const between = last && text.slice(last.end, comment.start);
    if (last?.type === 'Line' && comment.type === 'Line' && /^\n[ \t]*$/.test(between ?? ''))
      result[result.length - 1] = {
        ...last,
        value: `${last.value} ${comment.value.trim()}`,
        end: comment.end,
      };
    else result.push(comment);
  }
  return result;
}

const withoutTags = (value: string): string =>
  value.replaceAll(/@(?:param|returns?|throws|see)\b(?: \S+)?/g, '. ');

/** Reports whether a string has at least three words and is not SQL, markup, a path or a pattern. */
function isSentence(value: string): boolean {
  if (
    /^\s*(?:SELECT|INSERT|UPDATE|DELETE|WITH|CREATE|ALTER|DROP|SET|LOCK|GRANT|BEGIN|query|mutation|subscription|fragment)\b/.test(
      value,
    )
  )
    return false;
  if (/\b(?:FROM|WHERE|VALUES|AND|ON CONFLICT|ORDER BY|redis\.call|RETURNING)\b/.test(value)) return false;
  const words =
    value.replaceAll(/<[^>]*>/g, ' ').match(/(?<=^|[\s("'])[A-Za-z][a-z']*(?=$|[\s.,:;!?)"'])/g) ?? [];
  return words.length >= 3;
}

function subjects(root: string): Text[] {
  const history = checkedCommits(root);
  if (!('commits' in history)) return [];
  return history.commits.map(({ id, message }) => ({
    surface: 'Commit subjects',
    file: id.slice(0, 8),
    line: 1,
    text: message.split('\n')[0] ?? '',
    description: false,
  }));
}
