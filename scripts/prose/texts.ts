/** The texts of the repository that an engineer, administrator or user reads, by surface. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, visit } from 'graphql';
import { parseSync, Visitor } from 'oxc-parser';
import { checkedCommits } from '../hooks/history.mjs';
import { filesOf, lineAt, readTexts, type SourceText } from '../structure/sources.ts';
import { titlesOf } from '../structure/titles.ts';

export const surfaces = [
  'GraphQL descriptions',
  'Messages',
  'Docs',
  'Test titles',
  'Doc comments',
  'Comments',
  'Prisma comments',
  'Commit subjects',
] as const;
export type Surface = (typeof surfaces)[number];

/** Texts of pages and of the console in languages other than English. */
const translations = /\/words\/(?:de|es|fr)\/|\/words\/(?:german|spanish|french)\b/;

export interface Text {
  readonly surface: Surface;
  readonly file: string;
  readonly line: number;
  readonly text: string;
  /** A description: begins with a verb or a noun. */
  readonly description: boolean;
}

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
    ...filesOf(root, ['services/*/prisma/schema.prisma']).map(read).flatMap(prismaCommentsIn),
    ...readTexts(root)
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

function prismaCommentsIn({ path, text }: SourceText): Text[] {
  const lines = text.split('\n');
  const found: Text[] = [];
  for (let index = 0; index < lines.length; index += 1) {
    const first = index;
    const words: string[] = [];
    for (let comment = commentOf(lines[index]); comment !== undefined; comment = commentOf(lines[index])) {
      words.push(comment);
      index += 1;
    }
    if (words.length > 0)
      found.push({
        surface: 'Prisma comments',
        file: path,
        line: first + 1,
        text: words.join(' '),
        description: true,
      });
  }
  return found;
}

const commentOf = (line: string | undefined): string | undefined =>
  /^\s*\/{2,3}\s?(.*)$/.exec(line ?? '')?.[1];

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
  const isProduct = /\/src\//.test(path) && !/\.test\.tsx?$|\/testing\//.test(path);
  for (const { line, title } of titlesOf({ path, text }, parsed)) {
    const value = title.replaceAll(placeholder, 'x');
    found.push({ surface: 'Test titles', file: path, line, text: value, description: false });
  }
  const visitor = new Visitor({
    Literal: ({ value, start }) => {
      if (isProduct && typeof value === 'string' && isSentence(value))
        add('Messages', start, value, !value.trimEnd().endsWith('?'));
    },
    TemplateLiteral: ({ quasis, start }) => {
      const value = quasis.map((part) => part.value.cooked ?? '').join('x');
      if (isProduct && isSentence(value)) add('Messages', start, value, !value.trimEnd().endsWith('?'));
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
