-- Keys of user names are made by PRECIS (RFC 8265) from now on: those of names that aren't ASCII the service makes anew.
ALTER TABLE "subjects" ADD COLUMN "user_name_keyed" TEXT;
