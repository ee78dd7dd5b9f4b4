/**
 * Sets core.hooksPath to this folder; `npm install` runs it. Does nothing outside of the root of a git work tree (images, source archives)
 * and keeps a value that the user has set.
 */
import { execFileSync } from 'node:child_process';

const hooks = 'scripts/hooks';
const git = (...args) =>
  execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();

function configured() {
  try {
    return git('config', '--local', '--get', 'core.hooksPath');
  } catch {
    return '';
  }
}

try {
  const isRoot =
    git('rev-parse', '--is-inside-work-tree') === 'true' && git('rev-parse', '--show-prefix') === '';
  if (isRoot && configured() === '') git('config', '--local', 'core.hooksPath', hooks);
} catch {
  // No git, no repository, or a configuration that cannot be written: an installation does not depend on hooks.
}
