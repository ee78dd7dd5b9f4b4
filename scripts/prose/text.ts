import { lineAt, type SourceText } from '../structure/sources.ts';

export const surfaces = [
  'GraphQL descriptions',
  'Messages',
  'Labels',
  'Docs',
  'Test titles',
  'Doc comments',
  'Comments',
  'Prisma comments',
  'Deployment files',
  'Monitoring',
  'Commit subjects',
] as const;
export type Surface = (typeof surfaces)[number];

export interface Text {
  readonly surface: Surface;
  readonly file: string;
  readonly line: number;
  readonly text: string;
  /** A description: begins with a verb or a noun. */
  readonly description: boolean;
}

/**
 * Returns the comments of a file without syntax tree; consecutive lines are one text.
 * @param comment matches a line with a comment; its group is the text
 */
export function commentsIn(
  { path, text }: SourceText,
  comment: RegExp,
  surface: Surface,
  description = false,
): Text[] {
  const found: Text[] = [];
  let words: string[] = [];
  for (const [index, line] of [...text.split('\n'), ''].entries()) {
    const value = comment.exec(line)?.[1];
    if (value !== undefined) words.push(value);
    else if (words.length > 0) {
      found.push({ surface, file: path, line: index + 1 - words.length, text: words.join(' '), description });
      words = [];
    }
  }
  return found;
}

/** Returns each match of a pattern, whose group is the text. */
export function matchesIn(
  { path, text }: SourceText,
  pattern: RegExp,
  surface: Surface,
  description = false,
): Text[] {
  return [...text.matchAll(pattern)].map(({ 1: value = '', index }) => ({
    surface,
    file: path,
    line: lineAt(text, index),
    text: value,
    description,
  }));
}
