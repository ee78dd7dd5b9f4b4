-- Groups that received or were handed a secret: they are found when no active member could manage it any longer.
CREATE TABLE "group_knowers" (
    "tenant" TEXT NOT NULL,
    "group_id" UUID NOT NULL,
    "noted" BIGSERIAL NOT NULL,

    CONSTRAINT "group_knowers_pkey" PRIMARY KEY ("tenant", "group_id")
);

INSERT INTO group_knowers (tenant, group_id)
SELECT DISTINCT k.tenant, k.id FROM (
    SELECT tenant, unnest(keys_known_to) AS id FROM clients
    UNION ALL SELECT tenant, unnest(known_to) FROM client_secrets
    UNION ALL SELECT tenant, unnest(known_to) FROM client_registrations
    UNION ALL SELECT tenant, unnest(known_to) FROM initial_access_tokens
    UNION ALL SELECT tenant, unnest(known_to) FROM service_account_keys
    UNION ALL SELECT tenant, unnest(known_to) FROM api_tokens
    UNION ALL SELECT tenant, unnest(known_to) FROM trusted_issuers
    UNION ALL SELECT tenant, unnest(known_to) FROM issuer_subjects
    UNION ALL SELECT tenant, unnest(known_to) FROM invitations
  ) k WHERE NOT EXISTS (SELECT FROM subjects s WHERE s.tenant = k.tenant AND s.id = k.id);
