/** Environment of the processes that a test run starts, without the settings of a configured or running system. */
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const leaking =
  /^(DATABASE_URL|REDIS_URL|PORT|HOST|PUBLIC_ORIGIN|OSTIARY_HOME|OSTIARY_BEGUN|NODE_ENV|NODE_CHANNEL_.*|NODE_OPTIONS)$/;

export function environment(root: string, folder: string): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !leaking.test(name));
  return {
    ...Object.fromEntries(kept),
    PATH: [join(root, 'node_modules', '.bin'), process.env.PATH].join(delimiter),
    OSTIARY_TEST_FOLDER: folder,
    TURBO_TELEMETRY_DISABLED: '1',
    DO_NOT_TRACK: '1',
    ...found('CHROMIUM_PATH', ['chromium', 'chromium-browser', 'google-chrome']),
    ...found('NGINX_PATH', ['nginx']),
    ...found('HAPROXY_PATH', ['haproxy']),
    ...found('CADDY_PATH', ['caddy']),
    ...found('REDIS_SERVER_PATH', ['redis-server']),
  };
}

/** Returns the path of a program that some tests require; without it they are skipped. */
function found(variable: string, names: readonly string[]): NodeJS.ProcessEnv {
  // Servers are in folders that the PATH of a user often lacks.
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];
  const path =
    process.env[variable] ??
    folders.flatMap((folder) => names.map((name) => join(folder, name))).find((path) => existsSync(path));
  return path === undefined ? {} : { [variable]: path };
}
