{{/*
Processes: port (metrics: port + 100; the operator's port is on loopback), called processes, and secrets with their variable and their key in the Secret. With `second`,
`<key>_SECOND` is passed, too, while it exists.
*/}}
{{- define "ostiary.processes" -}}
auth:
  port: 4001
  calls: [directory]
  postgres: true
  secrets:
    - { name: DATABASE_URL, key: DATABASE_URL_AUTH }
    {{- if .Values.secrets.databaseReplica }}
    - { name: DATABASE_REPLICA_URL, key: DATABASE_REPLICA_URL_AUTH }
    {{- end }}
    - { name: REDIS_URL, key: REDIS_URL_AUTH }
    - { name: STREAM_KEY, key: STREAM_KEY, second: true }
    - { name: EVENT_KEY, key: EVENT_KEY, second: true }
    - { name: ENCRYPTION_KEY, key: ENCRYPTION_KEY, second: true }
    - { name: SERVICE_CLIENT_SECRET_DIRECTORY, key: SERVICE_CLIENT_SECRET_DIRECTORY, second: true }
    - { name: SERVICE_CLIENT_SECRET_PROVISIONING, key: SERVICE_CLIENT_SECRET_PROVISIONING, second: true }
    - { name: SERVICE_CLIENT_SECRET_GATEWAY, key: SERVICE_CLIENT_SECRET_GATEWAY, second: true }
    {{- if .Values.secrets.operator }}
    - { name: OPERATOR_CLIENT_SECRET, key: OPERATOR_CLIENT_SECRET, second: true }
    {{- end }}
directory:
  port: 4002
  calls: [auth, provisioning]
  postgres: true
  secrets:
    - { name: DATABASE_URL, key: DATABASE_URL_DIRECTORY }
    {{- if .Values.secrets.databaseReplica }}
    - { name: DATABASE_REPLICA_URL, key: DATABASE_REPLICA_URL_DIRECTORY }
    {{- end }}
    - { name: REDIS_URL, key: REDIS_URL_DIRECTORY }
    - { name: STREAM_KEY, key: STREAM_KEY, second: true }
    - { name: EVENT_KEY, key: EVENT_KEY, second: true }
    - { name: SERVICE_CLIENT_SECRET, key: SERVICE_CLIENT_SECRET_DIRECTORY }
provisioning:
  port: 4003
  calls: [auth, directory]
  postgres: true
  secrets:
    - { name: DATABASE_URL, key: DATABASE_URL_PROVISIONING }
    {{- if .Values.secrets.databaseReplica }}
    - { name: DATABASE_REPLICA_URL, key: DATABASE_REPLICA_URL_PROVISIONING }
    {{- end }}
    - { name: REDIS_URL, key: REDIS_URL_PROVISIONING }
    - { name: STREAM_KEY, key: STREAM_KEY, second: true }
    - { name: EVENT_KEY, key: EVENT_KEY, second: true }
    - { name: TOKEN_KEY, key: TOKEN_KEY, second: true }
    - { name: SERVICE_CLIENT_SECRET, key: SERVICE_CLIENT_SECRET_PROVISIONING }
gateway:
  port: 4000
  operatorPort: 4200
  calls: [auth, directory, provisioning]
  postgres: false
  secrets:
    - { name: REDIS_URL, key: REDIS_URL_GATEWAY }
    - { name: STREAM_KEY, key: STREAM_KEY, second: true }
    - { name: SERVICE_CLIENT_SECRET, key: SERVICE_CLIENT_SECRET_GATEWAY }
{{- if .Values.guard.enabled }}
guard:
  port: 4004
  calls: []
  postgres: false
  secrets:
    - { name: CLIENT_SECRET, key: GUARD_CLIENT_SECRET }
    - { name: GUARD_KEY, key: GUARD_KEY, second: true }
{{- end }}
{{- end }}

{{/* Secrets of the migration of one service's schema. Takes the root and the service. */}}
{{- define "ostiary.migrationSecrets" -}}
- { name: DATABASE_URL, key: {{ index .root.Values.migration.databaseUrlKeys .service }} }
- { name: DATABASE_ROLE_PASSWORD, key: DATABASE_PASSWORD_{{ upper .service }} }
{{- end }}

{{/* Reasons of /readyz that are the same for every pod: the engine is reachable and readable, and rejects writes. */}}
{{- define "ostiary.tolerated" -}}
disk_full,out_of_memory,cannot_save,too_few_replicas
{{- end }}
