import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@ostiary/embedded';
import { eventually } from '@ostiary/service/testing';
import { type Backend, ingressAnnotations, ingressRules } from './ingress.ts';

/** Path of nginx. Debian's package installs /usr/sbin/nginx. */
export const nginxPath = process.env.NGINX_PATH || undefined;

export const why = 'NGINX_PATH names no nginx (apt: nginx)';

/** nginx, configured like ingress-nginx for `k8s/overlays/direct`, without TLS. */
export class Nginx {
  readonly port: number;
  readonly #folder: string;
  readonly #process: ChildProcess;

  private constructor(port: number, folder: string, process: ChildProcess) {
    this.port = port;
    this.#folder = folder;
    this.#process = process;
  }

  static async start(urls: Readonly<Record<Backend, string>>): Promise<Nginx> {
    if (nginxPath === undefined) throw new Error(why);
    const folder = await mkdtemp(join(tmpdir(), 'ostiary-nginx-'));
    const port = await freePort();
    const configuration = join(folder, 'nginx.conf');
    await writeFile(configuration, configurationOf(folder, port, urls));
    const args = ['-p', folder, '-e', join(folder, 'error.log'), '-c', configuration];
    const nginx = new Nginx(port, folder, spawn(nginxPath, args, { stdio: 'ignore' }));
    await eventually(
      () =>
        fetch(`http://127.0.0.1:${port}/`).then(
          ({ status }) => status,
          () => 0,
        ),
      (status) => status === 404,
    );
    return nginx;
  }

  async stop(): Promise<void> {
    const ended = once(this.#process, 'exit');
    this.#process.kill();
    await ended;
    await rm(this.#folder, { recursive: true, force: true });
  }
}

/**
 * Configuration that ingress-nginx generates from an Ingress with its defaults (template `nginx.tmpl`): a location for
 * each path, longest first, matched against the normalized path, while the original path is forwarded.
 */
function configurationOf(folder: string, port: number, urls: Readonly<Record<Backend, string>>): string {
  const said = ingressAnnotations();
  const locations = ingressRules().map(({ path, backend }) => locationOf(path, urls[backend], said));
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  return `
daemon off;
master_process off;
pid ${folder}/pid;
events { worker_connections 1024; }
http {
  ${temporary.map((name) => `${name}_temp_path ${folder}/${name};`).join(' ')}
  access_log off;
  server_tokens off;
  underscores_in_headers off;
  ignore_invalid_headers on;
  client_header_buffer_size 1k;
  large_client_header_buffers 4 8k;
  client_header_timeout 60s;
  client_body_buffer_size 8k;
  client_body_timeout 60s;
  keepalive_timeout 75s;
  keepalive_requests 1000;
  map $http_upgrade $connection_upgrade { default upgrade; '' ''; }
  map $http_x_request_id $req_id { default $http_x_request_id; '' $request_id; }
  server {
    listen 127.0.0.1:${port};
    ${locations.join('\n')}
    location / { return 404; }
  }
}
`;
}

const locationOf = (path: string, origin: string, said: Readonly<Record<string, string>>): string => `
    location ~* "^${path}" {
      client_max_body_size ${said['proxy-body-size']};
      proxy_set_header Host $http_host;
      proxy_set_header Upgrade $http_upgrade;
      proxy_set_header Connection $connection_upgrade;
      proxy_set_header X-Request-ID $req_id;
      proxy_set_header X-Real-IP $remote_addr;
      proxy_set_header X-Forwarded-For $remote_addr;
      proxy_set_header X-Forwarded-Host $http_host;
      proxy_set_header X-Forwarded-Port $server_port;
      proxy_set_header X-Forwarded-Proto $scheme;
      proxy_set_header X-Forwarded-Scheme $scheme;
      proxy_set_header X-Scheme $scheme;
      proxy_set_header X-Original-Forwarded-For $http_x_forwarded_for;
      proxy_set_header Proxy "";
      proxy_connect_timeout 5s;
      proxy_send_timeout 60s;
      proxy_read_timeout ${said['proxy-read-timeout']}s;
      proxy_buffering off;
      proxy_buffer_size 4k;
      proxy_request_buffering on;
      proxy_http_version 1.1;
      proxy_next_upstream ${said['proxy-next-upstream']};
      proxy_redirect off;
      proxy_pass ${origin};
    }`;
