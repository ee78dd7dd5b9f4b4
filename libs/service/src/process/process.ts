import type { CleanedEnv } from 'envalid';
import type { FastifyInstance } from 'fastify';
import { announceKeepAlive } from '../http/keep-alive.ts';
import { NeighbourProofs } from '../http/neighbours.ts';
import { type StreamKeys, streamSignatures } from '../keys/message-keys.ts';
import { EnvironmentError, parseEnv } from '../kit/env.ts';
import { createKit, type KitOptions, type ServiceKit } from '../kit/kit.ts';
import { latest } from '../kit/secret-files.ts';
import { Certificates, measureCertificates } from '../outgoing/certificates.ts';
import { requireSupportedRedis } from '../redis/required-server.ts';
import type { Sampling } from '../tracing/sampling.ts';
import { startTracing } from '../tracing/tracing.ts';
import { version } from '../version.ts';
import { lookAtEngine } from './engine.ts';
import { closeServer, createMetricsServer, listenOn } from './metrics-server.ts';

export interface ProcessContext<S> {
  env: CleanedEnv<S>;
  kit: ServiceKit;
  /**
   * Checks an engine before the process starts, or once the engine is available.
   * @param look returns whether the engine answered; an error ends the process
   */
  lookAt(look: (begun: boolean) => Promise<boolean>): Promise<void>;
  /** Adds a shutdown step. Steps run after HTTP has drained, in reverse order of addition. */
  onStop(name: string, stop: () => Promise<unknown>): void;
  /** Starts to serve. At shutdown, requests in progress finish before anything else stops. */
  listen(app: FastifyInstance): Promise<void>;
}

export interface ProcessOptions<S> {
  name: string;
  /** Environment specification: `processEnv` and the service's own. Must contain PORT. */
  env: S;
  start(context: ProcessContext<S>): Promise<void>;
}

interface CommonEnv extends Partial<StreamKeys> {
  HOST: string;
  PORT: number;
  METRICS_HOST: string;
  METRICS_PORT?: number | undefined;
  LOG_LEVEL: string;
  DRAIN_SECONDS: number;
  SHUTDOWN_TIMEOUT_SECONDS: number;
  OTEL_EXPORTER_OTLP_ENDPOINT?: string | undefined;
  OTEL_TRACES_SAMPLER: Sampling['name'];
  OTEL_TRACES_SAMPLER_ARG: number;
  REDIS_URL?: string | undefined;
}

/**
 * Runs a process: reads the environment, starts, serves, and drains on SIGTERM or SIGINT. /readyz returns 503
 * immediately and requests are served for DRAIN_SECONDS; then requests and jobs in progress finish within
 * SHUTDOWN_TIMEOUT_SECONDS, and connections close. Exit code 0 after a clean stop, 1 after that timeout or a
 * failed start.
 */
export async function runProcess<S extends object>(options: ProcessOptions<S>): Promise<void> {
  const env = readEnvironment(options);
  const common = env as unknown as CommonEnv;
  const kit = createKit({
    name: options.name,
    logLevel: common.LOG_LEVEL,
    processMetrics: true,
    ...neighboursOf(common),
  });
  measureCertificates(kit.metrics, certificatesOf(options.name, env));
  const running = new RunningProcess(kit, common);
  running.watch();
  try {
    if (common.OTEL_EXPORTER_OTLP_ENDPOINT) {
      const { OTEL_TRACES_SAMPLER: name, OTEL_TRACES_SAMPLER_ARG: ratio } = common;
      const sampling = { ...(name && { name }), ratio };
      running.onStop(
        'traces',
        await startTracing(options.name, common.OTEL_EXPORTER_OTLP_ENDPOINT, sampling),
      );
    }
    const lookAt = async (look: (begun: boolean) => Promise<boolean>): Promise<void> => {
      const end = await lookAtEngine(look, (error) => running.refuse(options.name, error));
      running.onStop('looking at an engine', async () => end());
    };
    // Undeclared variables must not be read.
    const redisUrl = 'REDIS_URL' in env ? common.REDIS_URL : undefined;
    if (redisUrl !== undefined)
      await lookAt((begun) => requireSupportedRedis(latest(redisUrl), kit.log, begun));
    await options.start({
      env,
      kit,
      lookAt,
      onStop: (name, step) => running.onStop(name, step),
      listen: (app) => running.listen(app),
    });
  } catch (error) {
    console.error(startFailure(options.name, common, error));
    kit.log.fatal({ event: 'process.start_failed', err: error }, 'Process could not start');
    await running.stop('could not start', 1);
  }
}

/** Returns the certificates of the engines and, at the edge only, of the public origin. */
function certificatesOf(name: string, env: object): Certificates {
  const given = (variable: string): string | undefined =>
    variable in env ? (env as Record<string, string | undefined>)[variable] : undefined;
  return new Certificates({
    'public origin': name === 'gateway' ? given('PUBLIC_ORIGIN') : undefined,
    postgresql: given('DATABASE_URL'),
    redis: given('REDIS_URL'),
  });
}

/** Shutdown steps of a process, and the signals that start them. */
class RunningProcess {
  readonly #kit: ServiceKit;
  readonly #env: CommonEnv;
  readonly #steps: { name: string; stop: () => Promise<unknown> }[] = [];
  readonly #apps: FastifyInstance[] = [];
  #stopping = false;

  constructor(kit: ServiceKit, env: CommonEnv) {
    this.#kit = kit;
    this.#env = env;
  }

  watch(): void {
    process.on('SIGTERM', () => void this.stop('SIGTERM', 0));
    process.on('SIGINT', () => void this.stop('SIGINT', 0));
    process.on('unhandledRejection', (error) => this.#crash(error));
    process.on('uncaughtException', (error) => this.#crash(error));
  }

  onStop(name: string, stop: () => Promise<unknown>): void {
    this.#steps.push({ name, stop });
  }

  /** Ends the process: an engine that has become available is unsupported. */
  refuse(name: string, error: unknown): void {
    console.error(`${name}: ${error instanceof Error ? error.message : String(error)}`);
    this.#kit.log.fatal(
      { event: 'process.engine_unsupported', err: error },
      'Connected engine is not supported',
    );
    void this.stop('an engine that cannot be worked with', 1);
  }

  async listen(app: FastifyInstance): Promise<void> {
    const { HOST: host, PORT: port } = this.#env;
    await this.#serveMetrics();
    announceKeepAlive(app.server, this.#env.DRAIN_SECONDS);
    await app.listen({ host, port });
    this.#apps.push(app);
    this.#kit.log.info({ event: 'process.listening', host, port, version }, 'Process listening');
  }

  async stop(reason: string, exitCode: number): Promise<void> {
    if (this.#stopping) return;
    this.#stopping = true;
    const { health, log } = this.#kit;
    health.drain();
    log.info({ event: 'process.stopping', reason }, 'Process stopping');
    if (exitCode === 0 && this.#env.DRAIN_SECONDS > 0) await sleep(this.#env.DRAIN_SECONDS * 1000);
    // The timeout starts after the drain, in which serving requests is expected.
    const deadline = setTimeout(() => {
      log.error({ event: 'process.shutdown_timeout' }, 'Shutdown timeout reached; open work is aborted');
      log.flush();
      process.exit(1);
    }, this.#env.SHUTDOWN_TIMEOUT_SECONDS * 1000);
    const failed = await this.#runSteps();
    clearTimeout(deadline);
    log.info({ event: 'process.stopped' }, 'Process stopped');
    log.flush();
    process.exit(failed ? 1 : exitCode);
  }

  /** Runs the shutdown steps in reverse order. @returns whether a step failed */
  async #runSteps(): Promise<boolean> {
    const servers = this.#apps.map((app) => ({ name: 'http', stop: () => app.close() }));
    let failed = false;
    for (const step of [...this.#steps, ...servers].reverse()) {
      try {
        await step.stop();
      } catch (error) {
        failed = true;
        this.#kit.log.error(
          { event: 'process.shutdown_step_failed', err: error, step: step.name },
          'Shutdown step failed',
        );
      }
    }
    return failed;
  }

  /**
   * Ends a process in an unknown state: logs, drains as far as possible, and leaves the restart to the
   * orchestrator.
   */
  #crash(error: unknown): void {
    this.#kit.log.fatal({ event: 'process.unexpected_failure', err: error }, 'Unexpected failure');
    void this.stop('unexpected failure', 1);
  }

  async #serveMetrics(): Promise<void> {
    const server = createMetricsServer(this.#kit);
    await listenOn(server, this.#env.METRICS_HOST, metricsPortOf(this.#env)).catch((error: unknown) => {
      throw new MetricsUnserved(error);
    });
    // Closed last, so that metrics cover the shutdown.
    this.#steps.unshift({ name: 'metrics', stop: () => closeServer(server) });
  }
}

function readEnvironment<S extends object>(options: ProcessOptions<S>): CleanedEnv<S> {
  try {
    return parseEnv(options.env);
  } catch (error) {
    if (!(error instanceof EnvironmentError)) throw error;
    for (const problem of error.problems) console.error(`${options.name}: ${problem}`);
    process.exit(1);
  }
}

/** Returns the port of a process's metrics. */
const metricsPortOf = (env: CommonEnv): number => env.METRICS_PORT ?? env.PORT + 100;

class MetricsUnserved extends Error {
  constructor(cause: unknown) {
    super('the port for metrics could not be opened', { cause });
  }
}

function startFailure(name: string, env: CommonEnv, error: unknown): string {
  if (error instanceof MetricsUnserved) {
    const taken = (error.cause as { code?: string } | null)?.code === 'EADDRINUSE';
    return `${name}: port ${metricsPortOf(env)} for metrics ${taken ? 'is taken' : 'cannot be opened'}; choose another with METRICS_PORT.`;
  }
  const code = (error as { code?: string } | null)?.code;
  if (code === 'EADDRINUSE') return `${name}: port ${env.PORT} is taken; choose another with PORT.`;
  if (code === 'EACCES') return `${name}: no permission to listen on port ${env.PORT}.`;
  return `${name}: could not start: ${error instanceof Error ? error.message : String(error)}`;
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Returns the proofs of a process with STREAM_KEY. */
function neighboursOf(env: CommonEnv): Pick<KitOptions, 'neighbours'> {
  // Undeclared variables cannot be read.
  if (!('STREAM_KEY' in env) || env.STREAM_KEY === undefined) return {};
  const { STREAM_KEY, STREAM_KEY_SECOND } = env;
  const signatures = streamSignatures({ STREAM_KEY, STREAM_KEY_SECOND });
  return { neighbours: new NeighbourProofs(signatures, Date.now) };
}
