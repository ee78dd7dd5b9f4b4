import { describe, expect, test } from '@jest/globals';
import { find, type Manifest } from './rendered.ts';
import { kubernetesVersions, problemsOf } from './schemas.ts';
import { variants } from './variants.ts';

const base = variants[0]?.[1] ?? [];

/** Returns a copy of a manifest with one change. */
function changed(kind: string, name: string, change: (spec: Record<string, unknown>) => void): Manifest {
  const copy = structuredClone(find(base, kind, name));
  change(copy.spec as Record<string, unknown>);
  return copy;
}

describe('validation of the manifests', () => {
  test('The schemas are those of Kubernetes 1.30 to 1.37.', () => {
    expect(kubernetesVersions).toEqual([30, 31, 32, 33, 34, 35, 36, 37].map((minor) => `1.${minor}`));
  });

  test.each(
    variants.flatMap(([name, manifests]) =>
      kubernetesVersions.map((version) => [name, version, manifests] as const),
    ),
  )('For %s, Kubernetes %s accepts every manifest.', (_name, version, manifests) => {
    expect(manifests.length).toBeGreaterThan(20);
    const problems = manifests.flatMap((manifest) =>
      problemsOf(version, manifest).map((problem) => `${manifest.kind} ${manifest.metadata.name}${problem}`),
    );
    expect(problems).toEqual([]);
  });

  test.each([
    [
      'a value of another type',
      changed('Deployment', 'auth', (spec) => Object.assign(spec, { replicas: 'three' })),
    ],
    [
      'a field that does not exist',
      changed('Deployment', 'auth', (spec) => Object.assign(spec, { replica: 3 })),
    ],
    [
      'a field that is missing',
      changed('Deployment', 'auth', (spec) => Reflect.deleteProperty(spec, 'selector')),
    ],
    [
      'a field that does not exist far inside',
      changed('NetworkPolicy', 'auth', (spec) =>
        Object.assign((spec.ingress as object[])[0] ?? {}, { form: [] }),
      ),
    ],
  ])('No version accepts a manifest with %s.', (_what, manifest) => {
    for (const version of kubernetesVersions) expect(problemsOf(version, manifest)).not.toEqual([]);
  });

  test('A field of a later version is rejected by earlier versions.', () => {
    const later = changed('Deployment', 'auth', (spec) => {
      const { containers } = (spec.template as { spec: { containers: object[] } }).spec;
      Object.assign(containers[0] ?? {}, { restartPolicyRules: [] });
    });
    const taking = kubernetesVersions.filter((version) => problemsOf(version, later).length === 0);
    expect(taking).toEqual(['1.34', '1.35', '1.36', '1.37']);
  });

  test('A kind that Kubernetes does not have is an error, not a pass.', () => {
    expect(() => problemsOf('1.30', { apiVersion: 'apps/v1', kind: 'Deploymint' })).toThrow(
      'has no apps/v1 Deploymint',
    );
  });
});
