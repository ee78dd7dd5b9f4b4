import * as http from 'node:http';
import { run } from './commands/program.ts';
import { version } from './version.ts';

const { env, argv, stdin, stdout, stderr } = process;

// `ostiary … | head` ends when head has read enough.
for (const stream of [stdout, stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit(0);
  });
}
// Requests to the operator port or to `kubectl port-forward` must not pass a proxy.
const onThisMachine = ['localhost', '127.0.0.1', '[::1]'];
const proxy = ['HTTP_PROXY', 'HTTPS_PROXY', 'http_proxy', 'https_proxy'].find((name) => env[name]);
// Absent in earlier versions of Node.js, and in some of 24.
const useProxy: typeof http.setGlobalProxyFromEnv | undefined = http.setGlobalProxyFromEnv;
if (proxy !== undefined && useProxy === undefined)
  stderr.write(`warning: Node.js ${process.versions.node} ignores ${proxy}; a newer version uses it.\n`);
else if (proxy !== undefined)
  useProxy?.({
    ...env,
    no_proxy: [env.no_proxy ?? env.NO_PROXY, ...onThisMachine].filter(Boolean).join(','),
  });

const interruption = new AbortController();
process.on('SIGINT', () => {
  // A second Ctrl-C exits immediately.
  if (interruption.signal.aborted) process.exit(130);
  interruption.abort();
});

run(argv.slice(2), {
  env,
  cwd: process.cwd(),
  streams: { stdin, stdout, stderr },
  signal: interruption.signal,
  version,
}).then((code) => {
  process.exitCode = code;
});
