import { spawn } from 'node:child_process';
import { guardian } from './guardian.ts';
import { program } from './program.ts';

/** Runs a program of the release to its end; returns its exit code and the end of its output. */
export function runOnce(
  main: string,
  cwd: string,
  env: Record<string, string>,
): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve) => {
    const child = spawn(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', `--import=${program('parent-watch').href}`, main],
      {
        cwd,
        env: { ...env, OSTIARY_PARENT_FD: '3' },
        detached: true,
        stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
      },
    );
    const { pid } = child;
    if (pid !== undefined) guardian.watch(pid, { rank: 0, signal: 'SIGTERM', patienceMs: 5_000 });
    let output = '';
    const collect = (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-10_000);
    };
    child.stdout?.on('data', collect);
    child.stderr?.on('data', collect);
    const settle = (code: number | null) => {
      if (pid !== undefined) guardian.release(pid);
      resolve({ code, output });
    };
    child.once('error', (error) => {
      output += error.message;
      settle(null);
    });
    child.once('close', settle);
  });
}
