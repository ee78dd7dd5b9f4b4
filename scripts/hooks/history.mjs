/** Reads the commits whose messages are checked: those since the hook commit-msg exists. */
import { execFileSync } from 'node:child_process';

const hook = 'scripts/hooks/commit-msg';

/**
 * @typedef {{ id: string, parents: string[], message: string }} Commit
 * @param {string} root
 * @returns {{ commits: Commit[] } | { skipped: string }}
 */
export function checkedCommits(root, env = process.env) {
  const git = (...args) =>
    execFileSync('git', args, {
      cwd: root,
      env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  try {
    if (git('rev-parse', '--show-prefix') !== '')
      return { skipped: 'the folder is not a repository of its own' };
  } catch {
    return { skipped: 'there is no git repository' };
  }
  const head = headOf(git, env);
  const base = git('log', '--diff-filter=A', '--format=%H', head, '--', hook).split('\n').at(-1);
  if (!base) return { skipped: `no commit that adds ${hook} is in the history` };
  const log = git('log', '--format=%H%x00%P%x00%B%x01', `${base}..${head}`);
  const commits = log
    .split('\u0001')
    .map((entry) => entry.trim())
    .filter(Boolean)
    .map((entry) => {
      const [id, parents, message] = entry.split('\0');
      return { id, parents: parents.split(' ').filter(Boolean), message };
    });
  return { commits };
}

/** GitHub checks a pull request out as its merge with the target; the commits of the request are the second parent. */
function headOf(git, { GITHUB_EVENT_NAME }) {
  const [, , second] = git('rev-list', '--parents', '--max-count=1', 'HEAD').split(' ');
  return GITHUB_EVENT_NAME === 'pull_request' && second !== undefined ? second : 'HEAD';
}
