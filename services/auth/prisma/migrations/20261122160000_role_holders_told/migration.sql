-- CreateTable
CREATE TABLE "role_holders" (
    "tenant" TEXT NOT NULL,
    "subject_id" UUID NOT NULL,
    "version" BIGSERIAL NOT NULL,
    "told_at" TIMESTAMPTZ(3),

    CONSTRAINT "role_holders_pkey" PRIMARY KEY ("tenant","subject_id")
);

-- CreateIndex
CREATE INDEX "role_holders_told_at_idx" ON "role_holders"("told_at");

-- Whichever way somebody comes to a role, or loses it, the directory is to be told.
CREATE FUNCTION note_role_holder() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  concerned RECORD;
BEGIN
  IF TG_OP = 'DELETE' THEN concerned := OLD; ELSE concerned := NEW; END IF;
  EXECUTE format('INSERT INTO %I.role_holders (tenant, subject_id) VALUES ($1, $2)
                  ON CONFLICT (tenant, subject_id) DO UPDATE SET told_at = NULL', TG_TABLE_SCHEMA)
    USING concerned.tenant, concerned.subject_id;
  RETURN NULL;
END
$$;

CREATE TRIGGER role_assignments_note_holder AFTER INSERT OR DELETE ON "role_assignments"
  FOR EACH ROW EXECUTE FUNCTION note_role_holder();

-- Those who have a role already.
INSERT INTO "role_holders" ("tenant", "subject_id") SELECT DISTINCT "tenant", "subject_id" FROM "role_assignments";
