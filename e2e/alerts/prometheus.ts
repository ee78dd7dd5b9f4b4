import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '@ostiary/embedded';
import { eventually } from '@ostiary/service/testing';
import { parse, stringify } from 'yaml';
import type { Target } from './exposition.ts';

export interface Alert {
  labels: Record<string, string>;
  annotations: Record<string, string>;
  state: 'pending' | 'firing';
}

const rules = fileURLToPath(new URL('../../docs/monitoring/alerts.yaml', import.meta.url));

/** Prometheus on loopback with the documented rules. It scrapes and evaluates every second. */
export class Prometheus {
  readonly #url: string;
  readonly #home: string;
  readonly #process: ChildProcess;

  private constructor(home: string, port: number, process: ChildProcess) {
    this.#home = home;
    this.#url = `http://127.0.0.1:${port}`;
    this.#process = process;
  }

  static async start(targets: readonly Target[]): Promise<Prometheus> {
    const home = await mkdtemp(join(tmpdir(), 'ostiary-prometheus-'));
    const port = await freePort();
    const text = await readFile(rules, 'utf8');
    const shipped = parse(text) as { groups: { interval: string }[] };
    // Only the evaluation interval differs from the documented rules.
    for (const group of shipped.groups) group.interval = '1s';
    await writeFile(join(home, 'alerts.yaml'), stringify(shipped));
    const settings = {
      global: { scrape_interval: '1s', scrape_timeout: '1s', evaluation_interval: '1s' },
      rule_files: ['alerts.yaml'],
      scrape_configs: [
        {
          job_name: 'ostiary',
          static_configs: targets.map(({ url, instance }) => ({
            targets: [new URL(url).host],
            labels: { instance },
          })),
        },
      ],
    };
    await writeFile(join(home, 'prometheus.yml'), stringify(settings));
    const child = spawn(
      'prometheus',
      [
        `--config.file=${join(home, 'prometheus.yml')}`,
        `--storage.tsdb.path=${join(home, 'data')}`,
        `--web.listen-address=127.0.0.1:${port}`,
        '--log.level=error',
      ],
      { stdio: 'ignore' },
    );
    const server = new Prometheus(home, port, child);
    await eventually(() =>
      fetch(`${server.#url}/-/ready`).then(
        ({ ok }) => ok,
        () => false,
      ),
    );
    return server;
  }

  async alerts(): Promise<Alert[]> {
    const answer = await fetch(`${this.#url}/api/v1/alerts`);
    return ((await answer.json()) as { data: { alerts: Alert[] } }).data.alerts;
  }

  /** Resolves with the alert with these labels when it fires. */
  async fires(alertname: string, labels: Readonly<Record<string, string>>): Promise<Alert> {
    const found = await eventually(
      () => this.#find(alertname, labels),
      (alert) => alert?.state === 'firing',
    );
    if (found === undefined) throw new Error(`${alertname} does not fire`);
    return found;
  }

  /** Resolves when no alert with these labels is left. */
  async resolves(alertname: string, labels: Readonly<Record<string, string>>): Promise<void> {
    await eventually(
      () => this.#find(alertname, labels),
      (alert) => alert === undefined,
    );
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.#process.once('exit', resolve));
    if (this.#process.kill('SIGKILL')) await ended;
    await rm(this.#home, { recursive: true, force: true });
  }

  async #find(alertname: string, labels: Readonly<Record<string, string>>): Promise<Alert | undefined> {
    return (await this.alerts()).find((alert) =>
      Object.entries({ alertname, ...labels }).every(([name, value]) => alert.labels[name] === value),
    );
  }
}
