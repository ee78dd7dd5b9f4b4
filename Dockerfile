# syntax=docker/dockerfile:1

# One image recipe for every process. Build one with `docker build --target auth .`

FROM node:24-bookworm-slim AS source
WORKDIR /app
ENV TURBO_TELEMETRY_DISABLED=1 CHECKPOINT_DISABLE=1 APOLLO_TELEMETRY_DISABLED=1 npm_config_update_notifier=false
COPY package.json package-lock.json .npmrc turbo.json tsconfig.base.json ./
COPY libs ./libs
COPY services ./services
COPY gateway ./gateway
COPY e2e/package.json ./e2e/package.json
COPY bench/package.json ./bench/package.json
COPY scripts ./scripts

# Everything, to compile with.
FROM source AS build
RUN npm ci
RUN npx turbo run build --filter=./libs/* --filter=./services/* --filter=./gateway

# What isn't bundled stands on packages: no compiler, no test tools, no embedded databases.
FROM source AS dependencies
RUN npm ci --omit=dev --workspace=services/auth --workspace=services/directory \
    --workspace=services/provisioning --workspace=gateway

# Only what runs: a program is a few files that need no packages. What V8 compiled of it fits because build and run time have one Node.
FROM node:24-bookworm-slim AS runtime
ENV NODE_ENV=production HOST=0.0.0.0 APOLLO_TELEMETRY_DISABLED=1
# How glibc keeps memory, which a process can't say of itself: what is freed at once is given back.
ENV MALLOC_MMAP_THRESHOLD_=1048576 MALLOC_TRIM_THRESHOLD_=1048576
WORKDIR /app
# The files belong to root and the process doesn't: it can't change its own code.
USER node
STOPSIGNAL SIGTERM

FROM runtime AS auth
COPY --from=build --chown=root:root /app/services/auth/package.json ./services/auth/
COPY --from=build --chown=root:root /app/services/auth/dist/main.* /app/services/auth/dist/query_compiler*.wasm \
    /app/services/auth/dist/argon2.node ./services/auth/dist/
EXPOSE 4001 4101
CMD ["node", "services/auth/dist/main.js"]

FROM runtime AS directory
COPY --from=build --chown=root:root /app/services/directory/package.json ./services/directory/
COPY --from=build --chown=root:root /app/services/directory/dist/main.* /app/services/directory/dist/query_compiler*.wasm \
    ./services/directory/dist/
EXPOSE 4002 4102
CMD ["node", "services/directory/dist/main.js"]

FROM runtime AS provisioning
COPY --from=build --chown=root:root /app/services/provisioning/package.json ./services/provisioning/
COPY --from=build --chown=root:root /app/services/provisioning/dist/main.* /app/services/provisioning/dist/query_compiler*.wasm \
    ./services/provisioning/dist/
EXPOSE 4003 4103
CMD ["node", "services/provisioning/dist/main.js"]

FROM runtime AS gateway
COPY --from=build --chown=root:root /app/gateway/package.json /app/gateway/supergraph.graphql ./gateway/
COPY --from=build --chown=root:root /app/gateway/dist/main.* ./gateway/dist/
EXPOSE 4000 4100
CMD ["node", "gateway/dist/main.js"]

# Runs once and ends: brings the three schemas up to date.
FROM runtime AS migrate
COPY --from=build --chown=root:root /app/services/auth/package.json ./services/auth/
COPY --from=build --chown=root:root /app/services/auth/prisma/migrations ./services/auth/prisma/migrations
COPY --from=build --chown=root:root /app/services/auth/dist/migrate.* /app/services/auth/dist/*.wasm ./services/auth/dist/
COPY --from=build --chown=root:root /app/services/directory/package.json ./services/directory/
COPY --from=build --chown=root:root /app/services/directory/prisma/migrations ./services/directory/prisma/migrations
COPY --from=build --chown=root:root /app/services/directory/dist/migrate.* /app/services/directory/dist/*.wasm ./services/directory/dist/
COPY --from=build --chown=root:root /app/services/provisioning/package.json ./services/provisioning/
COPY --from=build --chown=root:root /app/services/provisioning/prisma/migrations ./services/provisioning/prisma/migrations
COPY --from=build --chown=root:root /app/services/provisioning/dist/migrate.* /app/services/provisioning/dist/*.wasm ./services/provisioning/dist/
COPY --from=build --chown=root:root /app/scripts/migrate.mjs ./scripts/migrate.mjs
CMD ["node", "scripts/migrate.mjs"]

# Runs once and ends: says whether what is promised holds in the databases. Only reads.
FROM runtime AS audit
COPY --from=dependencies --chown=root:root /app/package.json ./package.json
COPY --from=dependencies --chown=root:root /app/node_modules ./node_modules
COPY --from=build --chown=root:root /app/libs ./libs
COPY --from=build --chown=root:root /app/services ./services
COPY --from=build --chown=root:root /app/scripts/audit-invariants.ts ./scripts/audit-invariants.ts
COPY --from=build --chown=root:root /app/scripts/invariants ./scripts/invariants
ENTRYPOINT ["node", "--enable-source-maps", "--disable-warning=ExperimentalWarning", "scripts/audit-invariants.ts"]
