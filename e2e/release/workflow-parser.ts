/** GitHub's workflow parser (actions/languageservices), which also checks the contexts of expressions. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { build } from 'esbuild';

interface Parser {
  parseWorkflow(
    file: { name: string; content: string },
    trace: unknown,
  ): { context: { errors: { getErrors(): { message: string }[] } }; value?: unknown };
  convertWorkflowTemplate(context: unknown, value: unknown): Promise<{ errors?: { Message: string }[] }>;
  NoOperationTraceWriter: new () => unknown;
}

/**
 * @param folder for a copy of the parser: it imports JSON like bundlers do, which Node.js rejects
 * @returns a function that returns the errors of a workflow
 */
export async function workflowParser(
  folder: string,
): Promise<(name: string, content: string) => Promise<string[]>> {
  const outfile = join(folder, 'workflow-parser.cjs');
  await build({
    stdin: { contents: "export * from '@actions/workflow-parser';", resolveDir: import.meta.dirname },
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    logLevel: 'error',
  });
  const parser = createRequire(import.meta.url)(outfile) as Parser;
  return async (name, content) => {
    const { context, value } = parser.parseWorkflow({ name, content }, new parser.NoOperationTraceWriter());
    const template = value === undefined ? {} : await parser.convertWorkflowTemplate(context, value);
    const said = context.errors.getErrors().map(({ message }) => message);
    return [...new Set([...said, ...(template.errors ?? []).map(({ Message }) => Message)])];
  };
}
