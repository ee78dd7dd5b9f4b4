import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '@ostiary/embedded';
import { emptyDatabase, type IdentityServer, machine, startServer } from './identity-server.ts';
import { appId, createRealm } from './keycloak-realm.ts';

const administrator = { username: 'bench', password: 'bench-password' };

/**
 * Starts the Keycloak of a folder alone.
 * @param home an unpacked distribution; its first start builds it, which takes a minute of CPU
 */
export async function startKeycloak(home: string, databaseUrl: string): Promise<IdentityServer> {
  const database = await emptyDatabase(databaseUrl, 'keycloak');
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const args = [
    'start',
    '--db=postgres',
    `--db-url=jdbc:postgresql://${database.host}${database.pathname}`,
    `--db-username=${decodeURIComponent(database.username)}`,
    `--db-password=${decodeURIComponent(database.password)}`,
    '--cache=local',
    '--http-enabled=true',
    '--http-host=127.0.0.1',
    `--http-port=${port}`,
    `--hostname=${origin}`,
    '--log-level=warn',
  ];
  const server = await startServer(join(home, 'bin', 'kc.sh'), args, {
    env: {
      ...process.env,
      JAVA_OPTS_KC_HEAP: '-Xms1g -Xmx1g',
      KC_BOOTSTRAP_ADMIN_USERNAME: administrator.username,
      KC_BOOTSTRAP_ADMIN_PASSWORD: administrator.password,
    },
    ready: `${origin}/realms/master`,
    seconds: 300,
  });
  try {
    const realm = await createRealm(origin, administrator);
    const endpoints = `${realm.url}/protocol/openid-connect`;
    return {
      name: 'Keycloak',
      pid: javaOf(server.pid),
      tokenUrl: `${endpoints}/token`,
      introspectUrl: `${endpoints}/token/introspect`,
      userinfoUrl: `${endpoints}/userinfo`,
      clientId: appId,
      machine,
      codes: realm.codes,
      stop: server.stop,
    };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

/** Returns the Java process, which the start script starts and waits for. */
function javaOf(script: number): number {
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => parentOf(name) === script);
  return Number(children[0] ?? script);
}

function parentOf(pid: string): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return undefined;
  }
}
