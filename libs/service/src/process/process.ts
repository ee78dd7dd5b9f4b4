import type { CleanedEnv } from 'envalid';
import type { FastifyInstance } from 'fastify';
import { EnvironmentError, parseEnv } from '../kit/env.ts';
import { createKit, type ServiceKit } from '../kit/kit.ts';
import { startTracing } from '../tracing/tracing.ts';
import { closeServer, createMetricsServer, listenOn } from './metrics-server.ts';

export interface ProcessContext<S> {
  env: CleanedEnv<S>;
  kit: ServiceKit;
  /** Adds a step to the shutdown. Steps run after HTTP has drained, the last added first. */
  onStop(name: string, stop: () => Promise<unknown>): void;
  /** Starts to serve; at shutdown, requests in flight finish before anything else stops. */
  listen(app: FastifyInstance): Promise<void>;
}

export interface ProcessOptions<S> {
  name: string;
  /** Environment specification: `processEnv` and what the service adds. Must contain PORT. */
  env: S;
  start(context: ProcessContext<S>): Promise<void>;
}

interface CommonEnv {
  HOST: string;
  PORT: number;
  METRICS_HOST: string;
  METRICS_PORT?: number | undefined;
  LOG_LEVEL: string;
  DRAIN_SECONDS: number;
  SHUTDOWN_TIMEOUT_SECONDS: number;
  OTEL_EXPORTER_OTLP_ENDPOINT?: string | undefined;
}

/**
 * The life of a process: read the environment, start, serve, and on SIGTERM or SIGINT drain: /readyz turns 503
 * at once, requests and jobs in flight finish, then connections close. Exit code 0 after a clean stop, 1 when the
 * deadline passed or the start failed.
 */
export async function runProcess<S extends object>(options: ProcessOptions<S>): Promise<void> {
  const env = readEnvironment(options);
  const common = env as unknown as CommonEnv;
  const kit = createKit({ name: options.name, logLevel: common.LOG_LEVEL, processMetrics: true });
  const stops: { name: string; stop: () => Promise<unknown> }[] = [];
  const apps: FastifyInstance[] = [];
  let stopping = false;

  const stop = async (reason: string, exitCode: number): Promise<void> => {
    if (stopping) return;
    stopping = true;
    kit.health.drain();
    kit.log.info({ reason }, 'stopping');
    const deadline = setTimeout(() => {
      kit.log.error('shutdown took too long; giving up what is still open');
      process.exit(1);
    }, common.SHUTDOWN_TIMEOUT_SECONDS * 1000);
    if (exitCode === 0 && common.DRAIN_SECONDS > 0) await sleep(common.DRAIN_SECONDS * 1000);
    let code = exitCode;
    for (const step of [
      ...stops,
      ...apps.map((app) => ({ name: 'http', stop: () => app.close() })),
    ].reverse()) {
      try {
        await step.stop();
      } catch (error) {
        code = 1;
        kit.log.error({ err: error, step: step.name }, 'a step of the shutdown failed');
      }
    }
    clearTimeout(deadline);
    kit.log.info('stopped');
    kit.log.flush();
    process.exit(code);
  };

  process.on('SIGTERM', () => void stop('SIGTERM', 0));
  process.on('SIGINT', () => void stop('SIGINT', 0));
  process.on('unhandledRejection', (error) => crash(error));
  process.on('uncaughtException', (error) => crash(error));

  // A process in an unknown state must not go on answering: log, drain what can be drained, let it be restarted.
  function crash(error: unknown): void {
    kit.log.fatal({ err: error }, 'unexpected failure');
    void stop('unexpected failure', 1);
  }

  async function serveMetrics(): Promise<void> {
    const server = createMetricsServer(kit.metrics);
    await listenOn(server, common.METRICS_HOST, metricsPortOf(common)).catch((error: unknown) => {
      throw new MetricsUnserved(error);
    });
    // The last thing to go: how a shutdown comes along is worth knowing, too.
    stops.unshift({ name: 'metrics', stop: () => closeServer(server) });
  }

  try {
    if (common.OTEL_EXPORTER_OTLP_ENDPOINT) {
      stops.push({
        name: 'traces',
        stop: await startTracing(options.name, common.OTEL_EXPORTER_OTLP_ENDPOINT),
      });
    }
    await options.start({
      env,
      kit,
      onStop: (name, step) => void stops.push({ name, stop: step }),
      listen: async (app) => {
        await serveMetrics();
        await app.listen({ host: common.HOST, port: common.PORT });
        apps.push(app);
        kit.log.info({ host: common.HOST, port: common.PORT }, 'serving');
      },
    });
  } catch (error) {
    console.error(startFailure(options.name, common, error));
    kit.log.fatal({ err: error }, 'could not start');
    await stop('could not start', 1);
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

/** Where the metrics of a process are. */
const metricsPortOf = (env: CommonEnv): number => env.METRICS_PORT ?? env.PORT + 100;

class MetricsUnserved extends Error {
  constructor(cause: unknown) {
    super('the port for metrics could not be opened', { cause });
  }
}

function startFailure(name: string, env: CommonEnv, error: unknown): string {
  if (error instanceof MetricsUnserved) {
    const taken = (error.cause as { code?: string } | null)?.code === 'EADDRINUSE';
    return `${name}: port ${metricsPortOf(env)} for metrics ${taken ? 'is taken' : "can't be opened"}; choose another with METRICS_PORT.`;
  }
  const code = (error as { code?: string } | null)?.code;
  if (code === 'EADDRINUSE') return `${name}: port ${env.PORT} is taken; choose another with PORT.`;
  if (code === 'EACCES') return `${name}: no permission to listen on port ${env.PORT}.`;
  return `${name}: could not start: ${error instanceof Error ? error.message : String(error)}`;
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
