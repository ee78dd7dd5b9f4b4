/** Code of the guides that is shown and not run by their test, with the reason. */
export const notRun: readonly { page: string; code: RegExp; because: string }[] = [
  {
    page: 'start/first-tenant.md',
    code: /^ostiary\(\) \{ kubectl /m,
    because: 'takes a cluster; e2e/command-line/tenants.test.ts hands in a secret by stdin',
  },
  {
    page: 'start/first-tenant.md',
    code: /^ostiary\(\) \{ docker /m,
    because: 'takes Docker; e2e/system/compose.test.ts runs it with processes instead of containers',
  },
  ...['first-administrator', 'first-app', 'first-identity-source'].map((name) => ({
    page: `start/${name}.md`,
    code: /./,
    because: 'needs the account of the administrator; e2e/start/first-steps.test.ts runs all of it',
  })),
  {
    page: 'start/docker-compose.md',
    code: /./,
    because: 'takes Docker; e2e/system/compose.test.ts runs all of it with processes instead of containers',
  },
  {
    page: 'start/production.md',
    code: /./,
    because: 'takes servers of its own; e2e/start/production.test.ts runs all of it',
  },
  {
    page: 'start/kubernetes.md',
    code: /./,
    because:
      'takes a cluster and a registry; e2e/repository/kubernetes/schemas.test.ts validates what is applied',
  },
  ...['add-sign-in', 'protect-an-api'].map((name) => ({
    page: `guides/${name}-other-languages.md`,
    code: /./,
    because: `needs users and programs of its own; e2e/languages/${name}.test.ts runs all of it`,
  })),
  ...['add-sign-in', 'add-sign-in-to-clients'].map((name) => ({
    page: `guides/${name}.md`,
    code: /./,
    because: `needs an app at an origin of its own; e2e/start/${name}.test.ts runs all of it, and e2e/browser/sign-in-library.test.ts what runs in a browser`,
  })),
  {
    page: 'guides/migrate-the-databases.md',
    code: /^node scripts\/migrate\.mjs/m,
    because: 'takes servers of its own; e2e/start/stock-servers.test.ts makes the roles and the schemas',
  },
  {
    page: 'guides/back-up-and-restore.md',
    code: /^(psql|pg_basebackup) /m,
    because:
      'takes servers of its own; e2e/start/stock-servers.test.ts runs it, and restores what came of it',
  },
  {
    page: 'guides/back-up-and-restore.md',
    code: /reapply-departures/,
    because: 'takes a backup; e2e/system/restored-backup.test.ts restores one',
  },
  {
    page: 'guides/runbook.md',
    code: /^(psql|pg_rewind|node scripts\/redis-users\.ts) /m,
    because: 'takes servers of its own; e2e/start/stock-servers.test.ts runs all of it',
  },
  {
    page: 'guides/replace-a-key.md',
    code: /^(psql|kubectl) /m,
    because: 'takes servers and a cluster; e2e/upgrade/secret-rotation.test.ts replaces every login',
  },
  {
    page: 'guides/secrets-in-danger.md',
    code: /^kubectl /m,
    because: 'takes a cluster; e2e/upgrade/secret-rotation.test.ts replaces the secrets of processes',
  },
  {
    page: 'guides/upgrade.md',
    code: /^npm run upgrade-test/m,
    because: 'takes half an hour; e2e/upgrade/orders.test.ts tries what it does first',
  },
  {
    page: 'guides/upgrade.md',
    code: /^ROLLING_RESTART_REQUESTS=/m,
    because: 'writes a page; e2e/upgrade/secret-rotation.test.ts runs with fewer requests',
  },
  {
    page: 'guides/audit-the-invariants.md',
    code: /^docker run /m,
    because: 'takes Docker; every end-to-end test ends with the audit',
  },
  {
    page: 'guides/change-the-schema.md',
    code: /@deprecated\(reason: /,
    because: 'a field of a schema; gateway/test/schema/evolution.test.ts tries it',
  },
];
