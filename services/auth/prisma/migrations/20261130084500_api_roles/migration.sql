-- CreateTable
CREATE TABLE "api_roles" (
    "tenant" TEXT NOT NULL,
    "api_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "position" INTEGER NOT NULL,
    "descriptions" JSONB NOT NULL DEFAULT '{}',

    CONSTRAINT "api_roles_pkey" PRIMARY KEY ("tenant","api_id","name")
);

-- AddForeignKey
ALTER TABLE "api_roles" ADD CONSTRAINT "api_roles_tenant_api_id_fkey" FOREIGN KEY ("tenant", "api_id") REFERENCES "apis"("tenant", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- The directory protects the identifiers of users with a role of the tenant, not of those with a role of an API.
CREATE TRIGGER role_assignments_note_new_holder AFTER INSERT ON "role_assignments"
  FOR EACH ROW WHEN (NEW.role NOT LIKE 'api:%') EXECUTE FUNCTION note_role_holder();
CREATE TRIGGER role_assignments_note_former_holder AFTER DELETE ON "role_assignments"
  FOR EACH ROW WHEN (OLD.role NOT LIKE 'api:%') EXECUTE FUNCTION note_role_holder();
DROP TRIGGER role_assignments_note_holder ON "role_assignments";
