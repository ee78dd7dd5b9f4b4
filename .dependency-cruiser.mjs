/**
 * The shape of the code, as rules: surface → domain → data inside a service, no service knows another, and libs know
 * no service.
 */
const service = '^services/([^/]+)/';

export default {
  forbidden: [
    {
      name: 'no-cycles',
      comment: 'Two modules that need each other are one module.',
      severity: 'error',
      from: { pathNot: '/generated/' },
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'no-service-imports-another',
      comment: 'Services meet over HTTP and events; what they share is a contract in libs/.',
      severity: 'error',
      from: { path: service },
      to: {
        path: '^(services/(?!$1/)[^/]+/|gateway/|node_modules/@ostiary/(auth|directory|provisioning|gateway)/)',
      },
    },
    {
      name: 'gateway-imports-no-service',
      severity: 'error',
      from: { path: '^gateway/' },
      to: { path: '^services/' },
    },
    {
      name: 'libs-import-no-service',
      severity: 'error',
      from: { path: '^libs/' },
      to: { path: '^(services|gateway|e2e|bench)/' },
    },
    {
      name: 'no-way-into-a-lib-but-its-front-door',
      comment: 'Import @ostiary/<lib>, not its files.',
      severity: 'error',
      from: { path: '^(services|gateway|e2e|bench)/' },
      to: { path: '^libs/[^/]+/src/' },
    },
    {
      name: 'domain-knows-no-surface-and-no-engine',
      comment:
        'Rules are plain functions over plain values and what src/data offers: no Fastify, Prisma, Redis or BullMQ.',
      severity: 'error',
      from: { path: '^services/[^/]+/src/domain/', pathNot: '\\.test\\.ts$' },
      to: {
        path: '^services/[^/]+/src/(http|graph|jobs)/|/src/(data|database)/generated/|node_modules/(fastify|@fastify/|@prisma/|prisma|pg|ioredis|bullmq|@apollo/)',
      },
    },
    {
      name: 'data-knows-no-surface',
      severity: 'error',
      from: { path: '^services/[^/]+/src/data/' },
      to: { path: '^services/[^/]+/src/(http|graph|jobs)/' },
    },
    {
      name: 'only-data-knows-prisma',
      comment: 'main.ts and migrate.ts wire things together; everything else goes through src/data.',
      severity: 'error',
      from: { path: '^services/[^/]+/src/(http|graph|jobs|domain)/' },
      to: { path: 'node_modules/(@prisma/|prisma|pg/)|/src/(data|database)/generated/' },
    },
    {
      name: 'surfaces-know-no-engine',
      severity: 'error',
      from: { path: '^services/[^/]+/src/(http|graph)/' },
      to: { path: 'node_modules/(ioredis|bullmq)/' },
    },
    {
      name: 'one-module-knows-the-apollo-gateway',
      comment:
        '@apollo/gateway is under the Elastic License 2.0: kept behind one module, so that it can be replaced.',
      severity: 'error',
      from: { path: '/src/', pathNot: '^gateway/src/(federation/graph/federation|schema/graph/compose)\\.ts$|\\.test\\.ts$' },
      to: { path: 'node_modules/@apollo/(gateway|composition|query-planner)' },
    },
    {
      name: 'scim-is-pure',
      comment: 'libs/scim is the protocol: no I/O, no dependency.',
      severity: 'error',
      from: { path: '^libs/scim/src/', pathNot: '\\.test\\.ts$' },
      to: { pathNot: '^libs/scim/' },
    },
    {
      name: 'tests-are-not-imported',
      severity: 'error',
      from: { path: '/src/', pathNot: '\\.test\\.ts$' },
      to: { path: '\\.test\\.ts$|/test/' },
    },
  ],
  options: {
    // Not looked into, but seen: most packages are entered through their dist/, and so are our own libs.
    doNotFollow: { path: ['node_modules', '^(libs|services)/[^/]+/dist/', '^gateway/dist/'] },
    parser: 'swc',
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'node', 'default'],
      extensions: ['.ts', '.js', '.mjs', '.json'],
    },
  },
};
