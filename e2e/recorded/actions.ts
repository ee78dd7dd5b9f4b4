import { readFileSync } from 'node:fs';
import { Kind, parse } from 'graphql';
import { securityActions } from '../../services/auth/src/platform/audit/domain/security-log.ts';
import { auditActions } from '../../services/directory/src/audit/domain/audit-log.ts';
import { connectorActions } from '../../services/provisioning/src/connectors/domain/connector-changes.ts';
import type { LogName } from './row.ts';

const root = new URL('../../', import.meta.url);
const api = parse(readFileSync(new URL('gateway/released-api.graphql', root), 'utf8'));

/** Places where the actions of each log are listed: the code, the graph's documentation, a page. */
const places: Record<LogName, { known: readonly string[]; type: string; page: string; heading: string }> = {
  auditLog: {
    known: auditActions,
    type: 'AuditEntry',
    page: 'docs/reference/graph-schema.md',
    heading: '## Audit log',
  },
  securityLog: {
    known: securityActions,
    type: 'SecurityEvent',
    page: 'docs/reference/graph-auth.md',
    heading: '## The security log',
  },
  connectorLog: {
    known: connectorActions,
    type: 'ConnectorLogEntry',
    page: 'docs/reference/scim.md',
    heading: '## Connectors',
  },
};

/** Returns the actions of a log by place. */
export function actionsOf(log: LogName): Record<'code' | 'schema' | 'page', string[]> {
  const { known, type, page, heading } = places[log];
  const text = readFileSync(new URL(page, root), 'utf8').split(`\n${heading}`)[1] ?? '';
  const list = /Actions: ([\s\S]*?)\n\n/.exec(text)?.[1] ?? '';
  const onPage = [...list.matchAll(/`(\w+)\.(?:\{([\w,]+)\}|(\w+))`/g)].flatMap(([, thing, several, one]) =>
    (several ?? one ?? '').split(',').map((what) => `${thing}.${what}`),
  );
  let thing = '';
  const inSchema = [...descriptionOf(type).matchAll(/`(\w*)\.(\w+)`/g)].map(([, named, what]) => {
    thing = named || thing;
    return `${thing}.${what}`;
  });
  return { code: [...known].sort(), schema: inSchema.sort(), page: onPage.sort() };
}

function descriptionOf(type: string): string {
  const found = api.definitions.find(
    (node) => node.kind === Kind.OBJECT_TYPE_DEFINITION && node.name.value === type,
  );
  const fields = found?.kind === Kind.OBJECT_TYPE_DEFINITION ? (found.fields ?? []) : [];
  return fields.find(({ name }) => name.value === 'action')?.description?.value ?? '';
}
