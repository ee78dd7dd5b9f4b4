/** Called by the hook commit-msg with the file that holds the message. Runs on Node 20, without dependencies. */
import { readFileSync } from 'node:fs';
import { messageProblems } from './message-rule.mjs';

const message = readFileSync(process.argv[2] ?? '', 'utf8');
const problems = [...messageProblems(message, { draft: true }), ...(await wordProblems(message))];
if (problems.length > 0) {
  process.stderr.write(
    [
      'The commit message is rejected:',
      ...problems.map((problem) => `  ${problem}`),
      '',
      'Expected form (see CONTRIBUTING.md):',
      '  auth: report offboarding of users not yet projected',
      '',
      '  The reason for the change and its effect on users, wrapped at 72.',
      '',
    ].join('\n'),
  );
  process.exitCode = 1;
}

/** Node 20 does not load TypeScript; `npm run lint:prose` counts the words of the history in any case. */
async function wordProblems(text) {
  const rules = await import('../prose/rules.ts').catch(() => undefined);
  const [subject = ''] = text.split('\n');
  return (rules?.markersIn(subject) ?? []).map(({ found, instead }) => `"${found}": write ${instead}.`);
}
