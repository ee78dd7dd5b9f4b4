import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { routeOf } from '@ostiary/access';
import { find, type Manifest, ofKind, podOf, processesOf, root, workloadsIn } from './rendered.ts';
import { variants } from './variants.ts';

interface Peer {
  podSelector?: { matchLabels?: Record<string, string> };
  namespaceSelector?: { matchLabels?: Record<string, string> };
  ipBlock?: { cidr: string; except?: string[] };
}

interface Rule {
  from?: Peer[];
  to?: Peer[];
  ports?: { protocol: string; port: number }[];
}

interface Policy {
  podSelector: { matchLabels?: Record<string, string> };
  policyTypes: string[];
  ingress?: Rule[];
  egress?: Rule[];
}

/** Source or destination of a connection. */
interface Place {
  /** Labels of a pod of this namespace. */
  pod?: Record<string, string>;
  /** Labels of another namespace. */
  namespace?: Record<string, string>;
  address?: string;
}

const isWithin = (labels: Record<string, string> | undefined, wanted: Record<string, string> = {}): boolean =>
  labels !== undefined && Object.entries(wanted).every(([name, value]) => labels[name] === value);

const numberOf = (address: string): number =>
  address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);

function inRange(address: string, cidr: string): boolean {
  const [start = '', bits = '32'] = cidr.split('/');
  if (!/^[\d.]+$/.test(address) || !/^[\d.]+$/.test(start)) return false;
  const size = 2 ** (32 - Number(bits));
  return Math.floor(numberOf(address) / size) === Math.floor(numberOf(start) / size);
}

function isPeer(peer: Peer, place: Place): boolean {
  if (peer.ipBlock) {
    const { cidr, except = [] } = peer.ipBlock;
    const { address } = place;
    return address !== undefined && inRange(address, cidr) && !except.some((one) => inRange(address, one));
  }
  if (peer.namespaceSelector) return isWithin(place.namespace, peer.namespaceSelector.matchLabels);
  return isWithin(place.pod, peer.podSelector?.matchLabels);
}

/**
 * Reports whether the policies permit a connection between a pod with these labels and a place at a port. Policies are
 * additive, as in Kubernetes.
 */
function mayPass(
  manifests: readonly Manifest[],
  direction: 'ingress' | 'egress',
  pod: Record<string, string>,
  place: Place,
  port: number,
): boolean {
  const policies = ofKind(manifests, 'NetworkPolicy')
    .map(({ spec }) => spec as Policy)
    .filter((policy) => isWithin(pod, policy.podSelector.matchLabels))
    .filter(({ policyTypes }) => policyTypes.some((type) => type.toLowerCase() === direction));
  if (policies.length === 0) return true;
  return policies.some((policy) =>
    (policy[direction] ?? []).some(({ from, to, ports }) => {
      const peers = direction === 'ingress' ? from : to;
      return (
        (peers === undefined || peers.some((peer) => isPeer(peer, place))) &&
        (ports === undefined || ports.some((one) => one.port === port))
      );
    }),
  );
}

const labelsOf = (manifests: readonly Manifest[], name: string): Record<string, string> =>
  podOf(find(manifests, 'Deployment', name)).metadata.labels;

const ingress = { namespace: { 'ostiary.dev/role': 'ingress' } };
const monitoring = { namespace: { 'ostiary.dev/role': 'monitoring' } };
const ports = { gateway: 4000, auth: 4001, directory: 4002, provisioning: 4003, guard: 4004 } as const;
/** Ports on which our pods may listen, and others that attackers try. */
const tried = [
  ...Object.values(ports),
  ...Object.values(ports).map((port) => port + 100),
  4200,
  22,
  80,
  443,
  8080,
  9229,
];

describe.each(variants)('network access in %s', (_variant, manifests) => {
  const isDirect = JSON.stringify(find(manifests, 'NetworkPolicy', 'auth')).includes(
    'ostiary.dev/role":"ingress',
  );
  const processes = processesOf(manifests);
  const outer = [
    'gateway',
    ...(isDirect ? ['auth', 'provisioning'] : []),
    ...processes.filter((name) => name === 'guard'),
  ];
  const openings = (place: Place) =>
    processes.flatMap((name) =>
      tried
        .filter((port) => mayPass(manifests, 'ingress', labelsOf(manifests, name), place, port))
        .map((port) => `${name} ${port}`),
    );

  test('No port is open to another namespace, to a foreign pod of this namespace or from outside the cluster.', () => {
    expect(openings({ namespace: { 'kubernetes.io/metadata.name': 'default' } })).toEqual([]);
    expect(openings({ pod: { app: 'intruder' } })).toEqual([]);
    expect(openings({ address: '203.0.113.7' })).toEqual([]);
    expect(openings({ address: '10.0.0.7' })).toEqual([]);
  });

  test('The ingress can reach only the public ports of the outer processes.', () => {
    expect(openings(ingress).sort()).toEqual(
      outer.map((name) => `${name} ${ports[name as keyof typeof ports]}`).sort(),
    );
  });

  test('The monitoring namespace can reach only the ports for metrics.', () => {
    expect(openings(monitoring)).toEqual(processes.map((name) => `${name} ${ports[name] + 100}`));
  });

  test("The operator's port is on loopback: no Service, Ingress or policy leads to it.", () => {
    const pod = podOf(find(manifests, 'Deployment', 'gateway'));
    const [container] = pod.spec.containers;
    const env = new Map(container?.env.map(({ name, value }) => [name, value]));
    expect(container?.ports?.find(({ name }) => name === 'operator')?.containerPort).toBe(4200);
    expect([env.get('OPERATOR_PORT'), env.get('OPERATOR_HOST')]).toEqual(['4200', undefined]);
    expect(container?.image).toContain('gateway');
    for (const kind of ['Service', 'Ingress', 'NetworkPolicy', 'PodMonitor'])
      expect(JSON.stringify(ofKind(manifests, kind))).not.toMatch(/4200|"operator"/);
    for (const other of processes.filter((name) => name !== 'gateway'))
      expect(JSON.stringify(find(manifests, 'Deployment', other))).not.toContain('4200');
    // The CLI in the same image uses this address.
    expect(readFileSync(join(root, 'Dockerfile'), 'utf8')).toContain(
      'ENV OPERATOR_PORT=4200 OSTIARY_OPERATOR_URL=http://127.0.0.1:4200\n',
    );
  });

  test('A process can reach only the processes that it calls, and these permit it.', () => {
    for (const name of processes) {
      const called = podOf(find(manifests, 'Deployment', name))
        .spec.containers[0].env.map((variable) => /^([A-Z]+)_URL$/.exec(variable.name)?.[1]?.toLowerCase())
        .filter((one) => one !== undefined && one in ports);
      const reached = processes.flatMap((other) =>
        tried
          .filter(
            (port) =>
              mayPass(
                manifests,
                'egress',
                labelsOf(manifests, name),
                { pod: labelsOf(manifests, other) },
                port,
              ) &&
              mayPass(
                manifests,
                'ingress',
                labelsOf(manifests, other),
                { pod: labelsOf(manifests, name) },
                port,
              ),
          )
          .map((port) => `${other} ${port}`),
      );
      expect([name, reached.sort()]).toEqual([
        name,
        called.map((other) => `${other} ${ports[other as keyof typeof ports]}`).sort(),
      ]);
    }
  });

  test('A compromised process can reach only its engines and DNS, and auth and the guard also public addresses at 443.', () => {
    const outside = '203.0.113.7';
    for (const workload of workloadsIn(manifests)) {
      const { labels } = podOf(workload).metadata;
      const name = workload.kind === 'Job' ? 'migrate' : workload.metadata.name;
      const out = (address: string) =>
        [...tried, 25, 53, 5432, 6379].filter((port) =>
          mayPass(manifests, 'egress', labels, { address }, port),
        );
      const publicly = out(outside).filter((port) => ![5432, 6379, 4318, 26379].includes(port));
      expect([name, publicly]).toEqual([name, ['auth', 'guard'].includes(name) ? [443] : []]);
      // Metadata service of cloud providers, which returns credentials of the pod.
      expect([name, out('169.254.169.254').filter((port) => ![5432, 6379].includes(port))]).toEqual([
        name,
        [],
      ]);
      expect([name, out('10.96.0.1').filter((port) => ![5432, 6379].includes(port))]).toEqual([name, []]);
      if (['gateway', 'guard'].includes(name)) expect(out('10.0.200.1')).not.toContain(5432);
      if (name === 'migrate') expect(out('10.0.200.20')).not.toContain(6379);
      const reachesNames = mayPass(
        manifests,
        'egress',
        labels,
        { namespace: { 'kubernetes.io/metadata.name': 'kube-system' } },
        53,
      );
      expect([name, reachesNames]).toEqual([name, true]);
    }
  });

  test('Every pod is selected by a policy of its own, besides the one that denies everything.', () => {
    for (const workload of workloadsIn(manifests)) {
      const { labels } = podOf(workload).metadata;
      const chosen = ofKind(manifests, 'NetworkPolicy').filter(({ spec }) =>
        isWithin(labels, (spec as Policy).podSelector.matchLabels),
      );
      expect(chosen.map(({ metadata }) => metadata.name)).toEqual([
        'default-deny',
        workload.kind === 'Job' ? 'migrate' : workload.metadata.name,
      ]);
    }
  });
});

interface Route {
  path: string;
  pathType: string;
  backend: { service: { name: string; port: { name: string } } };
}

const routesOf = (manifests: readonly Manifest[]): Route[] =>
  ofKind(manifests, 'Ingress').flatMap(({ spec }) =>
    (spec as { rules: { http: { paths: Route[] } }[] }).rules.flatMap(({ http }) => http.paths),
  );

describe('the Ingress', () => {
  const [, base = []] = variants[0] ?? [];
  const routes = routesOf(base);
  const backendOf = (path: string): string | undefined =>
    routes.find((rule) =>
      rule.pathType === 'Exact' ? rule.path === path : path === rule.path || path.startsWith(`${rule.path}/`),
    )?.backend.service.name;

  test('The Ingress leads to the public port of the gateway only, where the other limits are decided.', () => {
    expect(routes.length).toBeGreaterThan(0);
    for (const { path, pathType, backend } of routes) {
      expect([path, backend.service]).toEqual([path, { name: 'gateway', port: { name: 'http' } }]);
      expect(['Exact', 'Prefix']).toContain(pathType);
    }
  });

  test.each([
    '/graphql',
    '/t/demo/graphql',
    '/t/demo/authorize',
    '/t/demo/scim/v2/Users',
    '/.well-known/oauth-protected-resource/graphql',
    '/.well-known/oauth-authorization-server/t/demo',
    '/.well-known/ssf-configuration/t/demo',
    '/readyz',
    '/console',
    '/console/',
    '/console/demo/users',
  ])('The Ingress routes %s to the gateway.', (path) => expect(backendOf(path)).toBe('gateway'));

  test.each([
    '/',
    '/internal/v1/revocations',
    '/metrics',
    '/livez',
    '/graphiql',
    '/graphql/x',
    '/consoles',
    '/tx/demo',
  ])('The Ingress has no route for %s.', (path) => expect(backendOf(path)).toBeUndefined());

  test.each(['/t/platform/token', '/t/platform/jwks', '/.well-known/oauth-authorization-server/t/platform'])(
    'The path %s ends at the gateway, which has no such route.',
    (path) => {
      expect(backendOf(path)).toBe('gateway');
      expect(routeOf(path)).toBe('unknown');
    },
  );

  test.each(variants)(
    'In %s every route leads to a port of a Service, over TLS for its host.',
    (_name, manifests) => {
      for (const { backend } of routesOf(manifests)) {
        const { ports: named } = find(manifests, 'Service', backend.service.name).spec as {
          ports: { name: string }[];
        };
        expect(named.map(({ name }) => name)).toContain(backend.service.port.name);
      }
      for (const { spec } of ofKind(manifests, 'Ingress')) {
        const { tls, rules } = spec as {
          tls: { hosts: string[]; secretName: string }[];
          rules: { host: string }[];
        };
        expect(tls.flatMap(({ hosts }) => hosts)).toEqual(rules.map(({ host }) => host));
        expect(tls[0]?.secretName).toBe('ostiary-tls');
      }
    },
  );

  test('The outermost process trusts only proxies that the installation names.', () => {
    const trusted = (manifests: readonly Manifest[]) =>
      podOf(find(manifests, 'Deployment', 'gateway')).spec.containers[0].env.find(
        ({ name }) => name === 'TRUSTED_PROXIES',
      )?.value;
    expect(trusted(base)).toBe('');
    expect(trusted(variants[1]?.[1] ?? [])).toBe('10.0.128.0/28');
  });
});
