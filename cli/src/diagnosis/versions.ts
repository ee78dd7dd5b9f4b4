import { ask } from '../http.ts';
import { version } from '../version.ts';
import { type Finding, skipped, well, wrong } from './finding.ts';

const neededMajor = 24;
/** Difference between METRICS_PORT and PORT, unless METRICS_PORT is set. */
const metricsDistance = 100;

export function ownVersions(): Finding {
  const major = Number(process.versions.node.split('.')[0]);
  const found = `ostiary ${version}, Node.js ${process.versions.node}`;
  return major >= neededMajor
    ? well('versions', found)
    : wrong('versions', found, `Install Node.js ${neededMajor} or newer.`);
}

/** Reads the version of a process from its metrics port. An unreachable port is not a fault: it may be internal. */
export async function versionOf(url: string): Promise<Finding> {
  const check = `${url}: version`;
  const metrics = new URL(url);
  metrics.port = String(Number(metrics.port || 80) + metricsDistance);
  const answer = await ask(`${metrics.origin}/metrics`, { timeoutMs: 2_000 }).catch(() => undefined);
  const [, found] = /^build_info\{[^}]*\bversion="([^"]*)"/m.exec(answer?.text ?? '') ?? [];
  if (found === undefined) return skipped(check, `not available at ${metrics.origin}/metrics`);
  return found === version
    ? well(check, found)
    : wrong(
        check,
        `${found}, while this command line is ${version}`,
        'Replace the processes of the previous version, and use the command line of the same release: docs/guides/upgrade.md.',
      );
}
