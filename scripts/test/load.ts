/** Artificial load: processes that compute without pause. */
import { type ChildProcess, spawn } from 'node:child_process';

/** Ends when its standard input closes, which happens with the end of the starting process. */
const busy = `
  process.stdin.on('end', () => process.exit()).resume();
  const spin = () => {
    const until = Date.now() + 50;
    while (Date.now() < until);
    setImmediate(spin);
  };
  spin();
`;

/** Starts busy processes. {@link stopLoad} ends them. */
export function startLoad(count: number): ChildProcess[] {
  return Array.from({ length: count }, () =>
    spawn(process.execPath, ['-e', busy], { stdio: ['pipe', 'ignore', 'ignore'] }),
  );
}

export function stopLoad(processes: readonly ChildProcess[]): void {
  for (const child of processes) child.kill('SIGKILL');
}
