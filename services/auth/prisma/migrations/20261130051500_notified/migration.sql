-- "notified_at" and "notified" replace "told_at" and "told". Processes of 0.2.0 use the former columns, so triggers keep both
-- equal until a later release drops the former ones.
ALTER TABLE "role_holders" ADD COLUMN "notified_at" TIMESTAMPTZ(3);
ALTER TABLE "ownership_ends" ADD COLUMN "notified_at" TIMESTAMPTZ(3);
ALTER TABLE "privileged_groups" ADD COLUMN "notified" BOOLEAN NOT NULL DEFAULT false;

UPDATE "role_holders" SET "notified_at" = "told_at" WHERE "told_at" IS NOT NULL;
UPDATE "ownership_ends" SET "notified_at" = "told_at" WHERE "told_at" IS NOT NULL;
UPDATE "privileged_groups" SET "notified" = "told" WHERE "told";

CREATE INDEX "role_holders_notified_at_idx" ON "role_holders"("notified_at");
CREATE INDEX "ownership_ends_notified_at_number_idx" ON "ownership_ends"("notified_at", "number");

CREATE FUNCTION equate_notified_at() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN NEW.notified_at := COALESCE(NEW.notified_at, NEW.told_at);
  ELSIF NEW.told_at IS DISTINCT FROM OLD.told_at THEN NEW.notified_at := NEW.told_at;
  END IF;
  NEW.told_at := NEW.notified_at;
  RETURN NEW;
END
$$;

CREATE FUNCTION equate_notified() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN NEW.notified := NEW.notified OR NEW.told;
  ELSIF NEW.told <> OLD.told THEN NEW.notified := NEW.told;
  END IF;
  NEW.told := NEW.notified;
  RETURN NEW;
END
$$;

CREATE TRIGGER role_holders_equate_notified_at BEFORE INSERT OR UPDATE OF "told_at", "notified_at" ON "role_holders"
  FOR EACH ROW EXECUTE FUNCTION equate_notified_at();
CREATE TRIGGER ownership_ends_equate_notified_at BEFORE INSERT OR UPDATE OF "told_at", "notified_at" ON "ownership_ends"
  FOR EACH ROW EXECUTE FUNCTION equate_notified_at();
CREATE TRIGGER privileged_groups_equate_notified BEFORE INSERT OR UPDATE OF "told", "notified" ON "privileged_groups"
  FOR EACH ROW EXECUTE FUNCTION equate_notified();

-- Every change of a direct role is to be reported to the directory.
CREATE OR REPLACE FUNCTION note_role_holder() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  concerned RECORD;
BEGIN
  IF TG_OP = 'DELETE' THEN concerned := OLD; ELSE concerned := NEW; END IF;
  EXECUTE format('INSERT INTO %I.role_holders (tenant, subject_id) VALUES ($1, $2)
                  ON CONFLICT (tenant, subject_id) DO UPDATE SET notified_at = NULL', TG_TABLE_SCHEMA)
    USING concerned.tenant, concerned.subject_id;
  RETURN NULL;
END
$$;
