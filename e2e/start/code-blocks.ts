import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const docs = fileURLToPath(new URL('../../docs', import.meta.url));

export interface CodeBlock {
  /** Path from docs/. */
  page: string;
  language: string;
  text: string;
}

/** Returns the code blocks of pages in order. Blocks in lists are returned without the indentation. */
export function codeBlocksOf(pages: string): CodeBlock[] {
  return globSync(pages, { cwd: docs })
    .toSorted()
    .flatMap((page) =>
      [...readFileSync(join(docs, page), 'utf8').matchAll(/^( *)```(\w*)\n([\s\S]*?)^ *```$/gm)].map(
        ([, indentation = '', language = '', text = '']) => ({
          page,
          language,
          text: text.replaceAll(new RegExp(`^${indentation}`, 'gm'), ''),
        }),
      ),
    );
}

export interface Step {
  script: string;
  /** Lines that the output contains, in this order. */
  output: string[];
}

/** Returns the commands of code blocks. A block of the language `text` shows a part of the output of the block before it. */
export function stepsOf(blocks: readonly CodeBlock[]): Step[] {
  const steps: Step[] = [];
  for (const { language, text } of blocks) {
    if (language === 'sh') steps.push({ script: text, output: [] });
    else if (language === 'text') steps.at(-1)?.output.push(...text.trimEnd().split('\n'));
  }
  return steps;
}
