-- Keys of user names are made by PRECIS (RFC 8265) from now on. In ASCII they are what they were; of other names the service makes
-- them anew, because SQL can't. Processes of the release before go on writing the old ones meanwhile.
ALTER TABLE "users" ADD COLUMN "user_name_keyed" TEXT,
ADD COLUMN "user_name_twin" TEXT NOT NULL DEFAULT '';

-- The one without a twin's mark has the name. When they give it up, the oldest of the others gets it, in the same transaction: so the name is
-- never free while somebody goes by it.
CREATE FUNCTION "pass_user_name_on"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE directory.users SET user_name_twin = ''
  WHERE tenant = OLD.tenant AND id = (
    SELECT id FROM directory.users
    WHERE tenant = OLD.tenant AND user_name_key = OLD.user_name_key AND user_name_twin <> '' AND id <> OLD.id
    ORDER BY user_name_key, user_name_twin LIMIT 1);
  RETURN NULL;
END $$;

CREATE TRIGGER "users_name_deleted" AFTER DELETE ON "users" FOR EACH ROW
  WHEN (OLD.user_name_twin = '') EXECUTE FUNCTION "pass_user_name_on"();
CREATE TRIGGER "users_name_changed" AFTER UPDATE OF "user_name_key" ON "users" FOR EACH ROW
  WHEN (OLD.user_name_twin = '' AND OLD.user_name_key <> NEW.user_name_key) EXECUTE FUNCTION "pass_user_name_on"();
