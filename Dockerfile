# Images of all processes. Build one with `docker build --target auth .`

FROM node:24-bookworm-slim AS source
WORKDIR /app
ENV TURBO_TELEMETRY_DISABLED=1 CHECKPOINT_DISABLE=1 APOLLO_TELEMETRY_DISABLED=1 npm_config_update_notifier=false
COPY package.json package-lock.json .npmrc turbo.json tsconfig.base.json ./
COPY libs ./libs
COPY services ./services
COPY gateway ./gateway
COPY cli ./cli
COPY console ./console
COPY e2e/package.json ./e2e/package.json
COPY bench/package.json ./bench/package.json
COPY scripts ./scripts

# Build stage. Images contain only the files that are copied from it by name.
FROM source AS build
RUN npm ci
RUN npx turbo run build --filter=./libs/* --filter=./services/* --filter=./gateway --filter=./cli
RUN node scripts/bundle.mjs audit-invariants=scripts/audit-invariants.ts reapply-departures=scripts/reapply-departures.ts

# Runtime stage: Node, its shared libraries, and a program of a few files that needs no packages. It has no shell and no package manager. Node is
# the one of the build stage, because the compile cache of a program is valid only for the same V8.
FROM gcr.io/distroless/cc-debian12:nonroot AS runtime
COPY --from=build --chown=root:root /usr/local/bin/node /usr/local/bin/node
COPY --from=build --chown=root:root /usr/local/LICENSE /usr/share/doc/nodejs/LICENSE
ENV NODE_ENV=production HOST=0.0.0.0 APOLLO_TELEMETRY_DISABLED=1
# glibc returns freed memory to the operating system immediately. A process cannot change this setting itself.
ENV MALLOC_MMAP_THRESHOLD_=1048576 MALLOC_TRIM_THRESHOLD_=1048576
WORKDIR /app
# The files belong to root, so the process cannot change its own code. runAsNonRoot of Kubernetes requires a numeric user.
USER 65532:65532
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

FROM runtime AS guard
COPY --from=build --chown=root:root /app/services/guard/package.json ./services/guard/
COPY --from=build --chown=root:root /app/services/guard/dist/main.* ./services/guard/dist/
EXPOSE 4004 4104
CMD ["node", "services/guard/dist/main.js"]

FROM runtime AS gateway
# The image contains the CLI, which creates tenants at the operator port. That port listens on loopback, so only this container can reach it.
ENV OPERATOR_PORT=4200 OSTIARY_OPERATOR_URL=http://127.0.0.1:4200
COPY --from=build --chown=root:root /app/cli/package.json ./cli/
COPY --from=build --chown=root:root /app/cli/dist/main.* ./cli/dist/
COPY --from=build --chown=root:root /app/gateway/package.json /app/gateway/supergraph.graphql ./gateway/
COPY --from=build --chown=root:root /app/gateway/dist/main.* ./gateway/dist/
COPY --from=build --chown=root:root /app/gateway/dist/console ./gateway/dist/console
EXPOSE 4000 4100
CMD ["node", "gateway/dist/main.js"]

# Migrates the three schemas, then exits.
FROM runtime AS migrate
COPY --from=build --chown=root:root /app/services/auth/package.json ./services/auth/
COPY --from=build --chown=root:root /app/services/auth/prisma/migrations ./services/auth/prisma/migrations
COPY --from=build --chown=root:root /app/services/auth/dist/migrate.* /app/services/auth/dist/schema_engine_bg.wasm \
    ./services/auth/dist/
COPY --from=build --chown=root:root /app/services/directory/package.json ./services/directory/
COPY --from=build --chown=root:root /app/services/directory/prisma/migrations ./services/directory/prisma/migrations
COPY --from=build --chown=root:root /app/services/directory/dist/migrate.* /app/services/directory/dist/schema_engine_bg.wasm \
    ./services/directory/dist/
COPY --from=build --chown=root:root /app/services/provisioning/package.json ./services/provisioning/
COPY --from=build --chown=root:root /app/services/provisioning/prisma/migrations ./services/provisioning/prisma/migrations
COPY --from=build --chown=root:root /app/services/provisioning/dist/migrate.* /app/services/provisioning/dist/schema_engine_bg.wasm \
    ./services/provisioning/dist/
COPY --from=build --chown=root:root /app/scripts/migrate.mjs ./scripts/migrate.mjs
CMD ["node", "scripts/migrate.mjs"]

# Verifies the invariants in the databases, then exits. It only reads. The image also contains the program that repeats offboardings after a
# restore, and the CLI.
FROM runtime AS audit
COPY --from=build --chown=root:root /app/package.json ./package.json
COPY --from=build --chown=root:root /app/cli/package.json ./cli/
COPY --from=build --chown=root:root /app/cli/dist/main.* ./cli/dist/
COPY --from=build --chown=root:root /app/dist/audit-invariants.* /app/dist/reapply-departures.* ./dist/
ENTRYPOINT ["node", "dist/audit-invariants.js"]
