-- A second wall between organizations, behind the conditions that every statement has: a transaction that does what an
-- organization's path names sees the rows of that organization, and no others, whatever its statements forget to say.
-- It does so as a role of this database's own; whoever owns the tables (devices are served so) meets no policy, and pays
-- nothing.

-- What a transaction behind the wall may see; NULL: nothing.
CREATE FUNCTION tenant() RETURNS bigint LANGUAGE sql STABLE PARALLEL SAFE
AS $$ SELECT nullif(current_setting('usher.organization', true), '')::bigint $$;

-- Confines the rest of the transaction to an organization. False: there is no wall (see `build_walls`).
CREATE FUNCTION confine(organization bigint) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  -- By the policy, since a copy of this database may have another name.
  tenants name := (SELECT r.rolname FROM pg_policy p JOIN pg_roles r ON r.oid = p.polroles[1]
    WHERE p.polrelid = 'public.organization'::regclass AND p.polname = 'tenant');
BEGIN
  IF tenants IS NULL THEN RETURN false; END IF;
  PERFORM set_config('usher.organization', organization::text, true), set_config('role', tenants, true);
  RETURN true;
EXCEPTION WHEN insufficient_privilege OR invalid_parameter_value THEN
  RETURN false;
END $$;

-- Puts what is not behind the wall there. A migration that makes a table or a view calls it at its end. Where the role may
-- not be made, whoever administers the database makes it, grants it, and calls this.
CREATE FUNCTION build_walls() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  -- Of this database alone: who is a member for the sake of another database sees nothing here.
  tenants  name := left(current_database(), 56) || '_tenant';
  place    record;
  subject  text;
  own      text;
BEGIN
  IF to_regrole(quote_ident(tenants)) IS NULL THEN
    BEGIN
      EXECUTE format('CREATE ROLE %I NOLOGIN', tenants);
    EXCEPTION WHEN insufficient_privilege THEN
      RAISE WARNING 'there is no second wall between organizations: % may not create the role %', current_user, tenants;
      RETURN;
    END;
  END IF;
  IF NOT pg_has_role(current_user, tenants, 'MEMBER') THEN
    BEGIN
      EXECUTE format('GRANT %I TO %I', tenants, current_user);
    EXCEPTION WHEN insufficient_privilege THEN
      RAISE WARNING 'there is no second wall between organizations: % is no member of the role %', current_user, tenants;
    END;
  END IF;
  EXECUTE format('GRANT USAGE ON SCHEMA public TO %I', tenants);
  FOR place IN
    SELECT c.oid::regclass AS name, c.relname, c.relkind, EXISTS (SELECT FROM pg_attribute a
        WHERE a.attrelid = c.oid AND a.attname = 'organization_id' AND NOT a.attisdropped) AS is_owned,
      EXISTS (SELECT FROM pg_policy p WHERE p.polrelid = c.oid AND p.polname = 'tenant'
        AND p.polroles = ARRAY[to_regrole(quote_ident(tenants))::oid]) AS is_built
    FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p', 'v')
      AND NOT c.relispartition
  LOOP
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %s TO %I', place.name, tenants);
    IF place.relkind = 'v' THEN
      EXECUTE format('ALTER VIEW %s SET (security_invoker = true)', place.name);
      CONTINUE;
    END IF;
    subject := CASE WHEN place.relname = 'organization' THEN 'id' WHEN place.is_owned THEN 'organization_id' END;
    CONTINUE WHEN subject IS NULL OR place.is_built;
    -- Not a plain equation, of which the planner would conclude that few rows are left, and that joining by the organization
    -- will do: of what may be null it takes for granted that it hardly ever is, so that the plan is the one without a wall.
    -- Who only inherits from the role (a server that does not own the tables) is not meant.
    own := format('CASE WHEN %I = (SELECT public.tenant()) OR current_user <> %L THEN true END IS NOT NULL', subject, tenants);
    EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', place.name);
    EXECUTE format('DROP POLICY IF EXISTS anyone ON %s', place.name);
    EXECUTE format('CREATE POLICY anyone ON %s USING (true)', place.name);
    EXECUTE format('DROP POLICY IF EXISTS tenant ON %s', place.name);
    -- The audit trail names the operators' tokens.
    EXECUTE format('CREATE POLICY tenant ON %s AS RESTRICTIVE TO %I USING (%s%s) WITH CHECK (%3$s)', place.name, tenants,
      own, CASE WHEN place.relname = 'api_token' THEN ' OR organization_id IS NULL' ELSE '' END);
  END LOOP;
END $$;

SELECT build_walls();

-- By a plain column: an index over an expression is of no use behind the wall.
CREATE INDEX api_token_organization ON api_token (organization_id, id) WHERE revoked_at IS NULL;
