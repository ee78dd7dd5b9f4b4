#!/bin/sh
# Created by node scripts/redis-users.ts: one user per process, with the minimum rights. Passwords come from the environment.
set -eu
umask 077
cat > /tmp/users.acl <<EOF
user default on nopass resetkeys resetchannels -@all +ping
user ostiary_auth reset on >${REDIS_PASSWORD_AUTH} resetkeys resetchannels ~ostiary:authorization_code:* ~ostiary:auth:device_code:* ~ostiary:auth:user_code:* ~ostiary:auth:devices_waiting:* ~ostiary:auth:pushed_request:* ~ostiary:auth:interaction:* ~ostiary:auth:kept:* ~ostiary:auth:known-network:* ~ostiary:auth:attempts:* ~ostiary:dpop_proof:* ~{ostiary}:dpop-rate:* ~{ostiary}:events-auth:* ~{ostiary}:revocations ~{ostiary}:live ~{ostiary}:live:* -@all +@read +@write +@connection +@blocking +@transaction +eval +evalsha +script|exists +script|load -@dangerous -@admin -scan -randomkey -dbsize +info +cluster|slots +cluster|info +time
user ostiary_directory reset on >${REDIS_PASSWORD_DIRECTORY} resetkeys resetchannels ~ostiary:dpop_proof:* ~{ostiary}:dpop-rate:* ~{ostiary}:events-auth:* ~{ostiary}:events-provisioning:* %R~{ostiary}:revocations ~{ostiary}:live ~{ostiary}:live:* -@all +@read +@write +@connection +@blocking +@transaction +eval +evalsha +script|exists +script|load -@dangerous -@admin -scan -randomkey -dbsize +info +cluster|slots +cluster|info +time
user ostiary_provisioning reset on >${REDIS_PASSWORD_PROVISIONING} resetkeys resetchannels ~ostiary:dpop_proof:* ~{ostiary}:dpop-rate:* ~{ostiary}:events-provisioning:* %R~{ostiary}:revocations ~{ostiary}:live ~{ostiary}:live:* ~{ostiary}:scim-rate:* -@all +@read +@write +@connection +@blocking +@transaction +eval +evalsha +script|exists +script|load -@dangerous -@admin -scan -randomkey -dbsize +info +cluster|slots +cluster|info +time
user ostiary_gateway reset on >${REDIS_PASSWORD_GATEWAY} resetkeys resetchannels ~ostiary:dpop_proof:* ~{ostiary}:dpop-rate:* %R~{ostiary}:revocations %R~{ostiary}:live ~{ostiary}:graph-rate:* ~ostiary:graph:apq:* -@all +@read +@write +@connection +@blocking +@transaction +eval +evalsha +script|exists +script|load -@dangerous -@admin -scan -randomkey -dbsize +info +cluster|slots +cluster|info +time
EOF
# Queues must survive a restart and must not lose jobs to eviction.
exec valkey-server --aclfile /tmp/users.acl --dir /data \
  --appendonly yes --appendfsync everysec --maxmemory-policy noeviction
