CREATE DOMAIN public.config_map AS jsonb NOT NULL DEFAULT '{}'::jsonb
	CONSTRAINT config_map_check CHECK (((jsonb_typeof(VALUE) = 'object'::text) AND (pg_column_size(VALUE) <= 65536)));

CREATE DOMAIN public.feature_map AS jsonb NOT NULL DEFAULT '{}'::jsonb
	CONSTRAINT feature_map_check CHECK (((jsonb_typeof(VALUE) = 'object'::text) AND (NOT jsonb_path_exists(VALUE, 'strict $.*?((@.type() == "object" || @.type() == "array") || @.type() == "null")'::jsonpath))));

CREATE TYPE public.seat_answer AS (
	request integer,
	outcome text,
	loss text,
	license_id bigint,
	license uuid,
	kind smallint,
	overdraft boolean,
	generation bigint,
	revision bigint,
	granted_at timestamp with time zone,
	expires_at timestamp with time zone,
	stated_at timestamp with time zone,
	lease_seconds integer,
	grace_seconds integer,
	ends_at timestamp with time zone,
	features jsonb,
	seats integer,
	held integer,
	retry_at timestamp with time zone,
	lent_until timestamp with time zone,
	config jsonb,
	candidates jsonb,
	beside bigint
);

CREATE FUNCTION public.is_string_map(value jsonb) RETURNS boolean
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN CASE WHEN (jsonb_typeof(value) <> 'object'::text) THEN false ELSE (SELECT COALESCE((bool_and((jsonb_typeof(e.value) = 'string'::text)) AND (sum((octet_length(e.key) + octet_length((e.value #>> '{}'::text[])))) <= 4096)), true) AS "coalesce" FROM jsonb_each(is_string_map.value) e(key, value)) END;

CREATE DOMAIN public.string_map AS jsonb NOT NULL DEFAULT '{}'::jsonb
	CONSTRAINT string_map_check CHECK (public.is_string_map(VALUE));

CREATE FUNCTION public.announce() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
DECLARE row_now jsonb := to_jsonb(NEW);
BEGIN
  INSERT INTO public.change (kind, organization_id, key)
  VALUES (TG_ARGV[0]::smallint, (row_now ->> TG_ARGV[1])::bigint, (row_now ->> TG_ARGV[2])::bigint);
  RETURN NULL;
END $$;

CREATE FUNCTION public.build_walls() RETURNS void
    LANGUAGE plpgsql
    AS $_$
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
END $_$;

CREATE FUNCTION public.certificate_key() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('certificate key ' || encode(NEW.spki_sha256, 'hex'), NEW.organization_id));
  IF EXISTS (SELECT FROM public.certificate c WHERE c.spki_sha256 = NEW.spki_sha256
             AND c.organization_id = NEW.organization_id AND c.identity_id <> NEW.identity_id) THEN
    RAISE 'another identity has a certificate over this key'
      USING ERRCODE = 'unique_violation', CONSTRAINT = 'certificate_key_holder';
  END IF;
  RETURN NEW;
END $$;

CREATE FUNCTION public.certificate_pinned() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  RAISE 'a certificate can only be revoked' USING ERRCODE = 'integrity_constraint_violation';
END $$;

CREATE FUNCTION public.certificate_revoked() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  NEW.revoked_xid := pg_current_xact_id();
  RETURN NEW;
END $$;

CREATE FUNCTION public.confine(organization bigint) RETURNS boolean
    LANGUAGE plpgsql
    AS $$
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

CREATE FUNCTION public.counter_inserted() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  IF NEW.in_use <> 0 THEN RAISE 'a license begins without seats in use' USING ERRCODE = 'check_violation'; END IF;
  PERFORM FROM public.license l WHERE l.organization_id = NEW.organization_id AND l.product_id = NEW.product_id
    AND l.id = NEW.license_id FOR KEY SHARE;
  IF NOT FOUND THEN RAISE 'a counter of no license' USING ERRCODE = 'foreign_key_violation'; END IF;
  RETURN NEW;
END $$;

CREATE FUNCTION public.event_prune(o bigint, past timestamp with time zone, most bigint) RETURNS bigint
    LANGUAGE plpgsql
    AS $$
DECLARE
  chain    public.event_chain;
  before   bigint;
  through  bigint;
BEGIN
  SELECT * INTO chain FROM public.event_chain c WHERE c.organization_id = o FOR UPDATE;
  before := coalesce(chain.pruned_position, 0);
  SELECT least(before + most, coalesce((SELECT s.position - 1 FROM public.sealed_event s
    WHERE s.organization_id = o AND s.at >= past ORDER BY s.at LIMIT 1), chain.position)) INTO through;
  IF through IS NULL OR through <= before THEN RETURN 0; END IF;
  UPDATE public.event_chain c SET pruned_position = through, pruned_digest = s.digest FROM public.sealed_event s
   WHERE c.organization_id = o AND s.organization_id = o AND s.position = through;
  DELETE FROM public.event e USING public.sealed_event s WHERE s.organization_id = o AND s.position <= through
    AND e.organization_id = o AND e.at = s.at AND e.id = s.event_id;
  DELETE FROM public.sealed_event s WHERE s.organization_id = o AND s.position <= through;
  INSERT INTO public.event (organization_id, type, detail)
  VALUES (o, 'events.pruned', jsonb_build_object('through', through::text));
  RETURN through - before;
END $$;

CREATE FUNCTION public.license_lendable(license bigint, seats integer, unborrowable integer, t timestamp with time zone) RETURNS bigint
    LANGUAGE sql STABLE
    AS $$
  SELECT greatest(0, seats - unborrowable - count(*)) FROM public.seat s
   WHERE s.license_id = license AND s.lent_until IS NOT NULL AND s.lent_until > t
$$;

CREATE FUNCTION public.license_limit(o bigint, p bigint, license bigint, seats integer, overdraft integer, overdraft_until timestamp with time zone) RETURNS void
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    AS $$
#variable_conflict use_variable
DECLARE locked record;
BEGIN
  SELECT * INTO locked FROM public.seat_lock(o, p);
  UPDATE public.license_counter c SET generation = locked.generation + 1,
      revision = CASE c.license_id WHEN license THEN locked.generation + 1 ELSE c.revision END,
      seats = CASE c.license_id WHEN license THEN license_limit.seats ELSE c.seats END,
      overdraft = CASE c.license_id WHEN license THEN license_limit.overdraft ELSE c.overdraft END,
      overdraft_until = CASE c.license_id WHEN license THEN license_limit.overdraft_until ELSE c.overdraft_until END
   WHERE c.organization_id = o AND c.product_id = p;
END $$;

CREATE FUNCTION public.license_objection(r record, product_features jsonb, ask jsonb, t timestamp with time zone) RETURNS text
    LANGUAGE plpgsql STABLE
    AS $$
BEGIN
  IF ask ->> 'license' <> r.license::text THEN RETURN 'license-required'; END IF;
  IF EXISTS (SELECT FROM jsonb_array_elements_text(ask -> 'features') f(name)
      WHERE coalesce((product_features || r.features) -> f.name, 'false') = 'false') THEN
    RETURN 'license-required';
  END IF;
  RETURN coalesce(r.state, CASE WHEN NOT r.is_open THEN 'seat-not-assigned' END,
    public.loan_objection(r, (ask ->> 'until')::bigint, t));
END $$;

CREATE FUNCTION public.license_reserve(o bigint, p bigint, license bigint, identities bigint[]) RETURNS boolean
    LANGUAGE plpgsql
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    AS $$
#variable_conflict use_variable
DECLARE t timestamptz; wanted bigint; has_room boolean;
BEGIN
  SELECT l.t INTO t FROM public.seat_lock(o, p) l;
  DELETE FROM public.reservation r WHERE r.organization_id = o AND r.product_id = p AND r.license_id = license
    AND r.until IS NULL AND r.identity_id <> ALL (identities);
  UPDATE public.reservation r SET until = NULL WHERE r.organization_id = o AND r.product_id = p
    AND r.license_id = license AND r.until IS NOT NULL AND r.identity_id = ANY (identities);
  PERFORM public.seat_reclaim(o, p, ARRAY[license], t, cardinality(identities));
  SELECT count(*) INTO wanted FROM unnest(identities) x(id)
   WHERE NOT EXISTS (SELECT FROM public.reservation r WHERE r.organization_id = o AND r.product_id = p
       AND r.identity_id = x.id AND r.license_id = license)
     AND NOT EXISTS (SELECT FROM public.seat s WHERE s.organization_id = o AND s.product_id = p
       AND s.identity_id = x.id AND s.license_id = license);
  SELECT wanted = 0 OR c.in_use + c.reserved + wanted <= c.seats INTO has_room FROM public.license_counter c
   WHERE c.organization_id = o AND c.product_id = p AND c.license_id = license;
  IF has_room THEN
    INSERT INTO public.reservation (organization_id, product_id, identity_id, license_id)
    SELECT o, p, x.id, license FROM unnest(identities) x(id) ON CONFLICT DO NOTHING;
  END IF;
  RETURN has_room;
END $$;

CREATE FUNCTION public.license_rooms(o bigint, p bigint, t timestamp with time zone) RETURNS TABLE(license_id bigint, license uuid, state text, is_open boolean, seats integer, overdraft integer, in_use integer, reserved integer, kind smallint, lease_seconds integer, grace_seconds integer, ends_at timestamp with time zone, features jsonb, config jsonb, revision bigint, max_borrow_seconds integer, unborrowable_seats integer)
    LANGUAGE sql STABLE
    AS $$
  SELECT c.license_id, l.public_id, s.state, s.state IS NULL AND (l.model = 1 OR l.assignment = 2),
    c.seats, CASE WHEN c.overdraft_until <= t THEN 0 ELSE c.overdraft END, c.in_use, c.reserved,
    (CASE l.model WHEN 1 THEN 1 ELSE 2 END)::smallint, l.lease_seconds, l.grace_seconds, l.ends_at, l.features::jsonb,
    l.config::jsonb, c.revision, l.max_borrow_seconds, l.unborrowable_seats
  FROM public.license_counter c
  CROSS JOIN LATERAL (SELECT l.* FROM public.license l
    WHERE l.organization_id = c.organization_id AND l.id = c.license_id OFFSET 0) l
  CROSS JOIN LATERAL (SELECT CASE WHEN l.status = 2 THEN 'license-suspended' WHEN l.ends_at <= t THEN 'license-expired'
    WHEN l.starts_at > t THEN 'license-not-started' END AS state) s
  WHERE c.organization_id = o AND c.product_id = p AND l.status < 3
$$;

CREATE FUNCTION public.license_usage(o bigint, p bigint, license bigint, since timestamp with time zone, past timestamp with time zone) RETURNS TABLE(minute timestamp with time zone, peak bigint, final bigint, grants bigint, denials jsonb)
    LANGUAGE sql STABLE
    AS $$
  WITH dead AS MATERIALIZED (
      SELECT date_trunc('minute', e.at) AS minute, count(*) AS count FROM (
        SELECT s.expires_at AS at FROM public.seat s WHERE s.license_id = license
           AND s.reclaim_at <= statement_timestamp() AND s.expires_at <= statement_timestamp()
        UNION ALL
        SELECT greatest(s.lent_until, l.ends_at) FROM public.license l
          JOIN public.seat s ON s.license_id = l.id AND s.reclaim_at = 'infinity' AND s.kind = 2
         WHERE l.organization_id = o AND l.id = license AND l.ends_at <= statement_timestamp()
           AND (s.lent_until > statement_timestamp()) IS NOT TRUE) e
       GROUP BY 1),
    refused AS MATERIALIZED (
      SELECT d.minute, jsonb_object_agg(d.reason, d.count) AS reasons FROM public.denial_minute d
       WHERE d.organization_id = o AND d.product_id = p AND d.license_id = license
         AND d.minute >= date_trunc('minute', since) AND d.minute < past GROUP BY 1),
    told AS (
      SELECT m.minute FROM public.usage_minute m WHERE m.organization_id = o AND m.license_id = license
         AND m.minute >= date_trunc('minute', since) AND m.minute < past
      UNION SELECT d.minute FROM dead d WHERE d.minute >= date_trunc('minute', since) AND d.minute < past
      UNION SELECT r.minute FROM refused r
      UNION SELECT date_trunc('minute', since) WHERE since > 'epoch'),
    stated AS (
      SELECT t.minute, coalesce(CASE WHEN m.minute = t.minute THEN m.peak ELSE m.final END, 0) AS peak,
        coalesce(m.final, 0) AS final, CASE WHEN m.minute = t.minute THEN m.grants ELSE 0 END AS grants
      FROM told t LEFT JOIN LATERAL (
        SELECT * FROM public.usage_minute m WHERE m.organization_id = o AND m.license_id = license
           AND m.minute <= t.minute ORDER BY m.minute DESC LIMIT 1) m ON true)
  SELECT s.minute, s.peak - coalesce((SELECT sum(d.count) FROM dead d WHERE d.minute < s.minute), 0)::bigint,
    s.final - coalesce((SELECT sum(d.count) FROM dead d WHERE d.minute <= s.minute), 0)::bigint, s.grants::bigint,
    coalesce(r.reasons, '{}')
  FROM stated s LEFT JOIN refused r ON r.minute = s.minute
$$;

CREATE FUNCTION public.loan_objection(r record, until bigint, t timestamp with time zone) RETURNS text
    LANGUAGE plpgsql IMMUTABLE
    AS $$
DECLARE at timestamptz := timestamptz 'epoch' + until * interval '1 microsecond';
BEGIN
  IF until IS NULL THEN RETURN NULL; END IF;
  IF r.max_borrow_seconds = 0 THEN RETURN 'borrow-not-permitted'; END IF;
  IF at <= t OR at > t + r.max_borrow_seconds * interval '1 second' OR at > r.ends_at THEN
    RETURN 'borrow-out-of-range';
  END IF;
  RETURN NULL;
END $$;

CREATE FUNCTION public.make_event_partition(month timestamp with time zone) RETURNS boolean
    LANGUAGE plpgsql
    SET "TimeZone" TO 'UTC'
    AS $$
DECLARE
  first timestamptz := date_trunc('month', month);
  past  timestamptz := date_trunc('month', month) + interval '1 month';
  part  text := to_char(month, '"event_"YYYY_MM');
BEGIN
  IF to_regclass('public.' || part) IS NOT NULL THEN RETURN false; END IF;
  LOCK TABLE public.event_default IN ACCESS EXCLUSIVE MODE;  -- two at once: the second looks again
  IF to_regclass('public.' || part) IS NOT NULL THEN RETURN false; END IF;
  EXECUTE format('CREATE TABLE public.%I (LIKE public.event INCLUDING DEFAULTS INCLUDING CONSTRAINTS)', part);
  EXECUTE format('WITH moved AS (DELETE FROM public.event_default WHERE at >= %L AND at < %L RETURNING *)
    INSERT INTO public.%I SELECT * FROM moved', first, past, part);
  EXECUTE format('ALTER TABLE public.event ATTACH PARTITION public.%I FOR VALUES FROM (%L) TO (%L)', part, first, past);
  RETURN true;
END $$;

CREATE FUNCTION public.refusal_rank(reason text) RETURNS integer
    LANGUAGE sql IMMUTABLE
    RETURN array_position(ARRAY['no-seat-available'::text, 'seat-not-assigned'::text, 'not-permitted'::text, 'borrow-out-of-range'::text, 'borrow-not-permitted'::text, 'license-suspended'::text, 'license-expired'::text, 'license-not-started'::text, 'license-required'::text], reason);

CREATE FUNCTION public.refuse() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  RAISE '%', TG_ARGV[0] USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;
END $$;

CREATE FUNCTION public.reservation_added() RETURNS trigger
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    AS $$
BEGIN
  UPDATE public.seat s SET reserved = true WHERE s.organization_id = NEW.organization_id
    AND s.product_id = NEW.product_id AND s.identity_id = NEW.identity_id AND s.license_id = NEW.license_id;
  IF NOT FOUND THEN
    UPDATE public.license_counter c SET reserved = c.reserved + 1 WHERE c.organization_id = NEW.organization_id
      AND c.product_id = NEW.product_id AND c.license_id = NEW.license_id;
    IF NOT FOUND THEN RAISE 'a reservation of no license' USING ERRCODE = 'foreign_key_violation'; END IF;
  END IF;
  RETURN NULL;
END $$;

CREATE FUNCTION public.reservation_removed() RETURNS trigger
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    AS $$
BEGIN
  UPDATE public.seat s SET reserved = false WHERE s.organization_id = OLD.organization_id
    AND s.product_id = OLD.product_id AND s.identity_id = OLD.identity_id AND s.license_id = OLD.license_id;
  IF NOT FOUND THEN
    UPDATE public.license_counter c SET reserved = c.reserved - 1 WHERE c.organization_id = OLD.organization_id
      AND c.product_id = OLD.product_id AND c.license_id = OLD.license_id;
  END IF;
  RETURN NULL;
END $$;

CREATE FUNCTION public.revocation_list_forward() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  RAISE 'a revocation list must have a greater number than the one before' USING ERRCODE = 'integrity_constraint_violation';
END $$;

CREATE FUNCTION public.seat_added() RETURNS trigger
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    AS $$
DECLARE x record;
BEGIN
  FOR x IN SELECT a.organization_id, a.product_id, a.license_id, count(*)::integer AS count,
        (count(*) FILTER (WHERE a.reserved))::integer AS reserved
      FROM added a GROUP BY 1, 2, 3 ORDER BY 1, 2, 3 LOOP
    WITH counter AS (
      UPDATE public.license_counter c SET in_use = c.in_use + x.count, reserved = c.reserved - x.reserved
       WHERE c.organization_id = x.organization_id AND c.product_id = x.product_id AND c.license_id = x.license_id
      RETURNING c.*)
    INSERT INTO public.usage_minute AS m (organization_id, license_id, minute, peak, final, grants)
    SELECT c.organization_id, c.license_id, date_trunc('minute', c.last_at), c.in_use, c.in_use, x.count FROM counter c
    ON CONFLICT (organization_id, license_id, minute)
    DO UPDATE SET peak = greatest(m.peak, excluded.final), final = excluded.final, grants = m.grants + excluded.grants;
    IF NOT FOUND THEN RAISE 'a seat of no license' USING ERRCODE = 'foreign_key_violation'; END IF;
  END LOOP;
  RETURN NULL;
END $$;

CREATE FUNCTION public.seat_assign(o bigint, p bigint, license bigint, identity bigint, actor_kind smallint, actor bigint) RETURNS SETOF public.seat_answer
    LANGUAGE plpgsql
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    AS $$
#variable_conflict use_variable
DECLARE t timestamptz; g bigint; own public.seat; room record; result text; is_kept boolean; granted integer;
BEGIN
  SELECT l.t, l.generation INTO t, g FROM public.seat_lock(o, p) l;
  SELECT * INTO room FROM public.license_rooms(o, p, t) r WHERE r.license_id = license;
  SELECT * INTO own FROM public.seat s WHERE s.organization_id = o AND s.product_id = p AND s.identity_id = identity;
  IF own.expires_at <= t THEN
    DELETE FROM public.seat s WHERE s.organization_id = o AND s.product_id = p AND s.identity_id = identity;
    INSERT INTO public.event (organization_id, at, type, license_id, identity_id, generation)
    VALUES (o, own.expires_at, 'seat.expired', own.license_id, identity, own.generation);
    own := NULL;
  END IF;
  IF room.license_id IS NULL OR room.state = 'license-expired' THEN
    result := 'license-expired';
  ELSIF own.license_id = license THEN
    result := CASE own.kind WHEN 2 THEN 'renewed' ELSE 'granted' END;
    IF own.kind <> 2 THEN
      g := g + 1;
      UPDATE public.seat s SET kind = 2, at_risk = false, revision = g, expires_at = 'infinity', reclaim_at = 'infinity'
       WHERE s.organization_id = o AND s.product_id = p AND s.identity_id = identity;
      INSERT INTO public.event (organization_id, at, type, actor_kind, actor_id, license_id, identity_id, generation,
        detail)
      VALUES (o, t, 'seat.assigned', actor_kind, actor, license, identity, own.generation, '{"from": "lease"}');
    END IF;
  ELSIF own.lent_until > t THEN
    result := 'seat-borrowed';  -- elsewhere, and nobody can call it back
  ELSE
    PERFORM public.seat_reclaim(o, p, ARRAY[license], t, 1);
    is_kept := EXISTS (SELECT FROM public.reservation r WHERE r.organization_id = o AND r.product_id = p
      AND r.identity_id = identity AND r.license_id = license);
    SELECT count(*) INTO granted FROM public.seat_grant(o, p, t, g, ARRAY[license], is_kept, own.license_id IS NOT NULL, ARRAY[1], ARRAY[identity],
      ARRAY[0::bigint], ARRAY[NULL::jsonb], 2::smallint, NULL, actor_kind, actor);
    g := g + granted;
    result := CASE granted WHEN 1 THEN 'granted' ELSE 'no-seat-available' END;
  END IF;
  UPDATE public.license_counter c SET generation = g
   WHERE c.organization_id = o AND c.product_id = p AND c.generation < g;
  IF result = 'granted' THEN
    UPDATE public.seat_loss b SET blocked_until = NULL
     WHERE b.organization_id = o AND b.product_id = p AND b.identity_id = identity AND b.blocked_until IS NOT NULL;
  END IF;
  RETURN QUERY SELECT 1, result, NULL::text, r.license_id, r.license,
    CASE WHEN s.lent_until > t THEN 3::smallint ELSE s.kind END, s.overdraft, s.generation,
    greatest(s.revision, r.revision), s.granted_at, r.ends_at, t, r.lease_seconds, r.grace_seconds, r.ends_at,
    d.features || r.features, r.seats, r.in_use, CASE result WHEN 'no-seat-available' THEN (
      SELECT nullif(min(e.expires_at), 'infinity') FROM (
        SELECT s.expires_at FROM public.seat s WHERE s.license_id = license
         ORDER BY s.reclaim_at LIMIT 64) e) END, CASE WHEN s.lent_until > t THEN s.lent_until END,
    z.config || r.config || i.config, NULL::jsonb, z.revision + d.revision + i.revision
    FROM public.license_rooms(o, p, t) r JOIN public.product d ON d.id = p JOIN public.organization z ON z.id = o
    JOIN public.identity i ON i.organization_id = o AND i.id = identity
    LEFT JOIN public.seat s ON s.organization_id = o AND s.product_id = p AND s.identity_id = identity
      AND s.license_id = r.license_id
   WHERE r.license_id = license;
END $$;

CREATE FUNCTION public.seat_changed() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  INSERT INTO public.change (kind, organization_id, key, members)
  VALUES (6, NEW.organization_id, NEW.product_id, ARRAY[NEW.identity_id]);
  RETURN NULL;
END $$;

CREATE FUNCTION public.seat_decide(o bigint, p bigint, ops smallint[], identities bigint[], generations bigint[], asks jsonb) RETURNS SETOF public.seat_answer
    LANGUAGE plpgsql
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    AS $$
#variable_conflict use_column
DECLARE
  t timestamptz; g bigint; counters bigint[];
  licenses bigint[]; states text[]; leases interval[]; ends timestamptz[]; bases jsonb[];
  tenant public.organization; product public.product; lost bigint[]; count integer; x record; y record;
  found integer := 0;  -- rows written of those seen in step 1
  -- requests by what becomes of them, in parallel arrays: position, identity, row of the seat, configuration, revision
  renew_at integer[]; renew_spot tid[]; renew_config jsonb[]; renew_beside bigint[];
  lend_at integer[]; lend_by bigint[]; lend_config jsonb[]; lend_beside bigint[];
  release_at integer[]; release_spot tid[]; return_spot tid[]; dead_spot tid[];
  claim_at integer[]; claim_by bigint[]; claim_config jsonb[]; claim_beside bigint[]; done integer[] := '{}';
  no_at integer[]; no_to bigint[]; no_why text[]; no_loss text[]; no_license bigint[]; no_until timestamptz[];
  no_candidates jsonb[];
  why text; why_license bigint; candidates jsonb; open bigint[]; is_full boolean := false;
  is_moving boolean;
BEGIN
  SELECT l.t, l.generation, l.licenses INTO t, g, counters FROM public.seat_lock(o, p) l;
  IF counters IS NULL THEN
    RETURN QUERY SELECT x.i::integer, CASE x.op WHEN 3 THEN 'released' ELSE 'product-unknown' END, NULL::text,
      NULL::bigint, NULL::uuid, NULL::smallint, NULL::boolean, NULL::bigint, NULL::bigint, NULL::timestamptz,
      NULL::timestamptz, clock_timestamp(), NULL::integer, NULL::integer, NULL::timestamptz, NULL::jsonb,
      NULL::integer, NULL::integer, NULL::timestamptz, NULL::timestamptz, NULL::jsonb, NULL::jsonb, NULL::bigint
      FROM unnest(ops) WITH ORDINALITY x(op, i);
    RETURN;
  END IF;
  SELECT * INTO tenant FROM public.organization d WHERE d.id = o;
  SELECT * INTO product FROM public.product d WHERE d.id = p;
  SELECT array_agg(r.license_id), array_agg(r.state), array_agg(r.lease_seconds * interval '1 second'),
      array_agg(r.ends_at), array_agg(tenant.config || r.config)
    INTO licenses, states, leases, ends, bases FROM public.license_rooms(o, p, t) r;

  -- 1. Who asks, what they hold, and what becomes of it: found once for each, which is what OFFSET 0 is for. `state` says
  --    why a license is out of force; `is_live` that the seat has not run out. A lease on a license out of force may move to another license; what is lent there stays, and
  --    so does what is assigned, unless the license ended.
  SELECT array_agg(v.i) FILTER (WHERE v.fate = 'renew'), array_agg(v.spot) FILTER (WHERE v.fate = 'renew'),
      array_agg(v.config) FILTER (WHERE v.fate = 'renew'), array_agg(v.beside) FILTER (WHERE v.fate = 'renew'),
      array_agg(v.i) FILTER (WHERE v.fate = 'lend'), array_agg(v.id) FILTER (WHERE v.fate = 'lend'),
      array_agg(v.config) FILTER (WHERE v.fate = 'lend'), array_agg(v.beside) FILTER (WHERE v.fate = 'lend'),
      array_agg(v.i) FILTER (WHERE v.fate = 'release'),
      array_agg(v.spot) FILTER (WHERE v.fate = 'release' AND v.kind = 1),
      array_agg(v.spot) FILTER (WHERE v.fate = 'release' AND v.kind = 2 AND v.is_lent),
      array_agg(v.spot) FILTER (WHERE v.fate = 'claim' AND NOT v.is_live),
      array_agg(v.i) FILTER (WHERE v.fate = 'claim'), array_agg(v.id) FILTER (WHERE v.fate = 'claim'),
      array_agg(v.config) FILTER (WHERE v.fate = 'claim'), array_agg(v.beside) FILTER (WHERE v.fate = 'claim'),
      array_agg(v.i) FILTER (WHERE v.fate = 'no'), array_agg(v.id) FILTER (WHERE v.fate = 'no'),
      array_agg(v.why) FILTER (WHERE v.fate = 'no'), array_agg(v.loss) FILTER (WHERE v.fate = 'no'),
      array_agg(v.license_id) FILTER (WHERE v.fate = 'no'), array_agg(v.until) FILTER (WHERE v.fate = 'no'),
      array_agg(NULL::jsonb) FILTER (WHERE v.fate = 'no'), bool_or(v.fate = 'claim' AND v.is_live)
    INTO renew_at, renew_spot, renew_config, renew_beside, lend_at, lend_by, lend_config, lend_beside,
      release_at, release_spot, return_spot, dead_spot, claim_at, claim_by, claim_config, claim_beside,
      no_at, no_to, no_why, no_loss, no_license, no_until, no_candidates, is_moving
    FROM (
      SELECT x.i, x.id, h.spot, h.kind, h.license_id, h.is_live, h.is_lent, w.why, d.revision AS beside,
        CASE WHEN d.has_config AND w.why IS NULL THEN CASE WHEN h.is_live
          THEN bases[array_position(licenses, h.license_id)] || d.config ELSE d.config END END AS config,
        CASE WHEN x.op = 3 THEN 'release' WHEN w.why IS NOT NULL THEN 'no' WHEN NOT (h.is_live AND h.state IS NULL)
          OR h.is_live IS NULL THEN 'claim' WHEN x.op = 4 THEN 'lend' ELSE 'renew' END AS fate,
        CASE w.why WHEN 'lease-lost' THEN CASE WHEN h.at_risk THEN 'released'
          WHEN h.generation IS DISTINCT FROM x.generation
          AND b.generation >= x.generation THEN CASE b.reason WHEN 1 THEN 'released' ELSE 'drained' END
          ELSE 'expired' END END AS loss,
        CASE w.why WHEN 'seat-blocked' THEN CASE WHEN h.is_live THEN h.expires_at ELSE b.blocked_until END END AS until
      FROM (SELECT o AS o, p AS p, x.op, x.id, x.generation, x.i::integer
              FROM unnest(ops, identities, generations) WITH ORDINALITY x(op, id, generation, i) OFFSET 0) x
      LEFT JOIN LATERAL (SELECT d.status, d.revision, d.config::jsonb AS config, d.config::jsonb <> '{}' AS has_config
        FROM public.identity d
        WHERE d.organization_id = x.o AND d.id = x.id AND x.op <> 3 OFFSET 0) d ON true
      LEFT JOIN LATERAL (SELECT s.ctid AS spot, s.kind, s.license_id, s.generation, s.expires_at, s.at_risk,
          s.expires_at > t AS is_live, coalesce(s.lent_until > t, false) AS is_lent,
          CASE WHEN s.license_id = ANY (licenses) THEN states[array_position(licenses, s.license_id)]
            ELSE 'license-expired' END AS state
        FROM public.seat s WHERE s.organization_id = x.o AND s.product_id = x.p AND s.identity_id = x.id OFFSET 0) h
        ON true
      LEFT JOIN LATERAL (SELECT b.generation, b.reason, b.blocked_until FROM public.seat_loss b
        WHERE b.organization_id = x.o AND b.product_id = x.p AND b.identity_id = x.id AND x.op <> 3
          AND (h.is_live IS NOT TRUE OR x.op = 2 AND h.generation <> x.generation) OFFSET 0) b ON true
      CROSS JOIN LATERAL (SELECT CASE
        WHEN x.op = 3 THEN NULL
        WHEN d.status IS DISTINCT FROM 1 THEN 'identity-suspended'
        WHEN tenant.status IS DISTINCT FROM 1 THEN 'organization-suspended'
        WHEN x.op = 2 THEN CASE WHEN h.is_live AND NOT h.at_risk AND h.generation = x.generation THEN h.state
          ELSE 'lease-lost' END
        WHEN h.is_live AND h.at_risk THEN 'seat-blocked'
        WHEN h.is_live THEN CASE WHEN h.is_lent OR h.kind = 2 AND h.state <> 'license-expired' THEN h.state END
        WHEN b.blocked_until > t THEN 'seat-blocked' END AS why OFFSET 0) w OFFSET 0) v;

  -- 2. Releases first: what they free serves the claims of this batch. An assigned seat stays, but is lent no more.
  IF release_at IS NOT NULL THEN
    IF release_spot IS NOT NULL THEN
      WITH gone AS (
          DELETE FROM public.seat s USING unnest(release_spot) x(spot) WHERE s.ctid = x.spot
          RETURNING s.license_id, s.identity_id, s.generation, s.expires_at, s.expires_at > t AS was_live),
        told AS (
          INSERT INTO public.event (organization_id, at, type, actor_kind, actor_id, license_id, identity_id, generation)
          SELECT o, least(t, d.expires_at), CASE WHEN d.was_live THEN 'seat.released' ELSE 'seat.expired' END,
            CASE WHEN d.was_live THEN 2 ELSE 0 END, CASE WHEN d.was_live THEN d.identity_id END,
            d.license_id, d.identity_id, d.generation FROM gone d),
        past AS (
          INSERT INTO public.seat_loss AS b (organization_id, product_id, identity_id, generation, reason, at)
          SELECT o, p, d.identity_id, d.generation, 1, t FROM gone d WHERE d.was_live
          ON CONFLICT (organization_id, product_id, identity_id)
          DO UPDATE SET generation = excluded.generation, reason = excluded.reason, at = excluded.at)
        SELECT array_agg(d.identity_id) FILTER (WHERE d.was_live), count(*) INTO lost, found FROM gone d;
    END IF;
    IF return_spot IS NOT NULL THEN
      g := g + 1;
      WITH back AS (
          UPDATE public.seat s SET lent_until = NULL, revision = g FROM unnest(return_spot) x(spot) WHERE s.ctid = x.spot
          RETURNING s.*)
        INSERT INTO public.event (organization_id, at, type, actor_kind, actor_id, license_id, identity_id, generation)
        SELECT o, t, 'seat.returned', 2, d.identity_id, d.license_id, d.identity_id, d.generation FROM back d;
      GET DIAGNOSTICS count = ROW_COUNT;
      found := found + count;
    END IF;
    RETURN QUERY SELECT x.i, 'released', NULL::text, NULL::bigint, NULL::uuid, NULL::smallint, NULL::boolean,
      NULL::bigint, NULL::bigint, NULL::timestamptz, NULL::timestamptz, t, NULL::integer, NULL::integer,
      NULL::timestamptz, NULL::jsonb, NULL::integer, NULL::integer, NULL::timestamptz, NULL::timestamptz, NULL::jsonb,
      NULL::jsonb, NULL::bigint FROM unnest(release_at) x(i);
    IF lost IS NOT NULL THEN
      INSERT INTO public.change (kind, organization_id, key, members) VALUES (6, o, p, lost);
    END IF;
  END IF;

  -- 3. Renewals. An expiry never moves back. `reclaim_at` moves only when less than half a lease is left of it, so that a
  --    client that renews at a third of its lease moves the index at every second or third renewal.
  IF renew_at IS NOT NULL THEN
    RETURN QUERY UPDATE public.seat s SET last_seen_at = t,
        expires_at = greatest(s.expires_at, least(t + leases[array_position(licenses, s.license_id)],
          ends[array_position(licenses, s.license_id)])),
        reclaim_at = CASE WHEN s.reclaim_at < t + leases[array_position(licenses, s.license_id)] / 2
          THEN greatest(s.expires_at, least(t + leases[array_position(licenses, s.license_id)],
            ends[array_position(licenses, s.license_id)])) ELSE s.reclaim_at END
      FROM unnest(renew_at, renew_spot, renew_config, renew_beside) x(i, spot, config, beside) WHERE s.ctid = x.spot
    RETURNING x.i, 'renewed', NULL::text, s.license_id, NULL::uuid,
      CASE WHEN s.lent_until > t THEN 3::smallint ELSE s.kind END, s.overdraft, s.generation, s.revision,
      s.granted_at, nullif(least(s.expires_at, ends[array_position(licenses, s.license_id)]), 'infinity'), t,
      NULL::integer, NULL::integer, NULL::timestamptz, NULL::jsonb, NULL::integer, NULL::integer, NULL::timestamptz,
      CASE WHEN s.lent_until > t THEN s.lent_until END, x.config, NULL::jsonb, x.beside;
    GET DIAGNOSTICS count = ROW_COUNT;
    found := found + count;
  END IF;

  -- 4. Who claims with a lease of theirs that has run out gets a new seat: the key would collide.
  IF dead_spot IS NOT NULL THEN
    WITH dead AS (DELETE FROM public.seat s USING unnest(dead_spot) x(spot) WHERE s.ctid = x.spot RETURNING s.*)
      INSERT INTO public.event (organization_id, at, type, license_id, identity_id, generation)
      SELECT o, d.expires_at, 'seat.expired', d.license_id, d.identity_id, d.generation FROM dead d;
    GET DIAGNOSTICS count = ROW_COUNT;
    found := found + count;
  END IF;
  -- Whoever goes through these functions waited for the lock. A row that is not where it was, somebody wrote by hand.
  IF found <> coalesce(cardinality(release_spot), 0) + coalesce(cardinality(return_spot), 0)
      + coalesce(cardinality(renew_spot), 0) + coalesce(cardinality(dead_spot), 0) THEN
    RAISE 'seats were changed by hand meanwhile' USING ERRCODE = 'serialization_failure';
  END IF;

  -- 5. Loans of seats that are held, one after the other: each may take the last that is lent.
  IF lend_at IS NOT NULL THEN
    FOR x IN SELECT * FROM unnest(lend_at, lend_by, lend_config, lend_beside) x(i, id, config, beside) LOOP
      SELECT f.why, f.license_id INTO why, why_license
        FROM public.seat_lend(o, p, x.id, (asks -> x.i::text ->> 'until')::bigint, t, g + 1) f;
      IF why IS NULL THEN
        g := g + 1;
        RETURN QUERY SELECT x.i, 'renewed', NULL::text, s.license_id, NULL::uuid, 3::smallint, s.overdraft,
          s.generation, s.revision, s.granted_at,
          nullif(least(s.expires_at, ends[array_position(licenses, s.license_id)]), 'infinity'), t, NULL::integer,
          NULL::integer, NULL::timestamptz, NULL::jsonb, NULL::integer, NULL::integer, NULL::timestamptz, s.lent_until,
          x.config, NULL::jsonb, x.beside FROM public.seat s
         WHERE s.organization_id = o AND s.product_id = p AND s.identity_id = x.id;
      ELSE
        no_at := no_at || x.i; no_to := no_to || x.id; no_why := no_why || why; no_loss := no_loss || NULL::text;
        no_license := no_license || why_license; no_until := no_until || NULL::timestamptz;
        no_candidates := no_candidates || (SELECT jsonb_build_array(jsonb_build_object('license', r.license, 'code', why))
          FROM public.license_rooms(o, p, t) r WHERE r.license_id = why_license);
        is_full := is_full OR why = 'no-seat-available';
      END IF;
    END LOOP;
  END IF;

  -- 6. Claims. What was reserved goes to whom it was reserved for; the rest get what is left, those who demand the same
  --    together.
  IF claim_at IS NOT NULL THEN
    PERFORM public.seat_reclaim(o, p, counters, t, cardinality(claim_at));
    IF EXISTS (SELECT FROM public.license_rooms(o, p, t) r WHERE r.reserved > 0) THEN
      FOR x IN
        SELECT k.license_id, v.ask, array_agg(v.i) AS at, array_agg(v.id) AS ids, array_agg(v.config) AS configs,
            array_agg(v.beside) AS beside
          FROM (SELECT o AS o, p AS p, x.*, asks -> x.i::text AS ask
            FROM unnest(claim_at, claim_by, claim_config, claim_beside) x(i, id, config, beside) OFFSET 0) v
          CROSS JOIN LATERAL (SELECT r.license_id FROM public.license_rooms(v.o, v.p, t) r WHERE r.reserved > 0
              AND EXISTS (SELECT FROM public.reservation k WHERE k.organization_id = v.o AND k.product_id = v.p
                AND k.identity_id = v.id AND k.license_id = r.license_id OFFSET 0)
              AND public.license_objection(r, product.features, v.ask, t) IS NULL
              AND r.in_use < r.seats + r.overdraft
            ORDER BY r.ends_at NULLS LAST, r.license_id LIMIT 1) k
         GROUP BY 1, 2 ORDER BY min(v.i)
      LOOP
        RETURN QUERY SELECT * FROM public.seat_grant(o, p, t, g, ARRAY[x.license_id], true, is_moving, x.at, x.ids, x.beside,
          x.configs, NULL, (x.ask ->> 'until')::bigint, 2::smallint, NULL);
        GET DIAGNOSTICS count = ROW_COUNT;
        g := g + count;
        done := done || x.at[:count];
      END LOOP;
    END IF;
    FOR x IN
      SELECT v.ask, array_agg(v.i) AS at, array_agg(v.id) AS ids, array_agg(v.config) AS configs,
          array_agg(v.beside) AS beside
        FROM (SELECT x.*, asks -> x.i::text AS ask
          FROM unnest(claim_at, claim_by, claim_config, claim_beside) x(i, id, config, beside)) v
       WHERE done = '{}' OR v.i <> ALL (done) GROUP BY 1 ORDER BY min(v.i)
    LOOP
      SELECT array_agg(r.license_id) INTO open FROM public.license_rooms(o, p, t) r
       WHERE CASE WHEN x.ask IS NULL THEN r.is_open
         ELSE public.license_objection(r, product.features, x.ask, t) IS NULL END;
      count := 0;
      IF open IS NOT NULL THEN
        RETURN QUERY SELECT * FROM public.seat_grant(o, p, t, g, open, false, is_moving, x.at, x.ids, x.beside, x.configs, NULL,
          (x.ask ->> 'until')::bigint, 2::smallint, NULL);
        GET DIAGNOSTICS count = ROW_COUNT;
        g := g + count;
      END IF;
      CONTINUE WHEN count = cardinality(x.at);
      -- The first reason that applies, in the order of the API.
      why := NULL; why_license := NULL; candidates := NULL;
      FOR y IN SELECT r.license_id, r.license, coalesce(CASE WHEN x.ask IS NOT NULL
              THEN public.license_objection(r, product.features, x.ask, t)
              ELSE coalesce(r.state, CASE WHEN NOT r.is_open THEN 'seat-not-assigned' END) END, 'no-seat-available') AS why
            FROM public.license_rooms(o, p, t) r ORDER BY r.ends_at NULLS LAST, r.license_id LOOP
        IF why IS NULL OR public.refusal_rank(y.why) < public.refusal_rank(why) THEN
          why := y.why; why_license := y.license_id;
        END IF;
        IF x.ask IS NOT NULL THEN
          candidates := coalesce(candidates, '[]') || jsonb_build_object('license', y.license, 'code', y.why);
        END IF;
      END LOOP;
      is_full := is_full OR coalesce(why = 'no-seat-available', false);
      count := cardinality(x.at) - count;
      no_at := no_at || x.at[cardinality(x.at) - count + 1:]; no_to := no_to || x.ids[cardinality(x.at) - count + 1:];
      no_why := no_why || array_fill(coalesce(why, 'license-required'), ARRAY[count]);
      no_loss := no_loss || array_fill(NULL::text, ARRAY[count]);
      no_license := no_license || array_fill(why_license, ARRAY[count]);
      no_until := no_until || array_fill(NULL::timestamptz, ARRAY[count]);
      no_candidates := no_candidates || array_fill(candidates, ARRAY[count]);
    END LOOP;
  END IF;

  -- 7. The clock of this product's seats.
  IF claim_at IS NOT NULL OR lend_at IS NOT NULL OR return_spot IS NOT NULL THEN
    UPDATE public.license_counter c SET generation = g
     WHERE c.organization_id = o AND c.product_id = p AND c.generation < g;
  END IF;

  -- 8. Refusals: told, counted, and the first of a minute recorded.
  IF no_at IS NOT NULL THEN
    RETURN QUERY SELECT x.i, x.why, x.loss, x.license_id, NULL::uuid, NULL::smallint, NULL::boolean, NULL::bigint,
      NULL::bigint, NULL::timestamptz, NULL::timestamptz, t, NULL::integer, NULL::integer, NULL::timestamptz,
      NULL::jsonb, NULL::integer, NULL::integer, x.until, NULL::timestamptz, NULL::jsonb, x.candidates, NULL::bigint
      FROM unnest(no_at, no_why, no_loss, no_license, no_until, no_candidates) x(i, why, loss, license_id, until,
        candidates);
    WITH counted AS (
        INSERT INTO public.denial_minute AS m (organization_id, product_id, license_id, minute, reason, count)
        SELECT o, p, coalesce(x.license_id, 0), date_trunc('minute', t), x.why, count(*)
          FROM unnest(no_license, no_why) x(license_id, why) GROUP BY 3, 5 ORDER BY 3, 5
        ON CONFLICT (organization_id, product_id, license_id, minute, reason)
        DO UPDATE SET count = m.count + excluded.count
        RETURNING m.license_id, m.reason, xmax = 0 AS is_first)
      INSERT INTO public.event (organization_id, at, type, actor_kind, actor_id, license_id, identity_id, detail)
      SELECT o, t, 'seat.refused', 2, x.id, nullif(c.license_id, 0), x.id, jsonb_build_object('reason', c.reason)
        FROM counted c CROSS JOIN LATERAL (
          SELECT x.id FROM unnest(no_to, no_license, no_why) x(id, license_id, why)
           WHERE coalesce(x.license_id, 0) = c.license_id AND x.why = c.reason LIMIT 1) x
       WHERE c.is_first;
  END IF;

  -- 9. What the seats carry, and why a newcomer would get none. The earliest end is exact among the 64 that may end first.
  RETURN QUERY SELECT 0, coalesce(r.state, CASE WHEN NOT r.is_open THEN 'seat-not-assigned'
      WHEN r.in_use + r.reserved >= r.seats + r.overdraft THEN 'no-seat-available' END), NULL::text, r.license_id,
    r.license, NULL::smallint, NULL::boolean, NULL::bigint, r.revision, NULL::timestamptz, NULL::timestamptz, t,
    r.lease_seconds, r.grace_seconds, r.ends_at, product.features || r.features, r.seats, r.in_use,
    CASE WHEN r.is_open AND is_full THEN (
      SELECT nullif(min(e.expires_at), 'infinity') FROM (
        SELECT s.expires_at FROM public.seat s WHERE s.license_id = r.license_id
         ORDER BY s.reclaim_at LIMIT 64) e) END, NULL::timestamptz, tenant.config || r.config, NULL::jsonb,
    tenant.revision + product.revision
    FROM public.license_rooms(o, p, t) r;
END $$;

CREATE FUNCTION public.seat_expire(o bigint, p bigint) RETURNS bigint
    LANGUAGE plpgsql
    AS $$
DECLARE locked record;
BEGIN
  SELECT * INTO locked FROM public.seat_lock(o, p);
  RETURN public.seat_sweep(o, p, locked.licenses, locked.t, 4096);
END $$;

CREATE FUNCTION public.seat_free(o bigint, p bigint, license bigint, identity bigint, block_seconds bigint, is_forced boolean, actor_kind smallint, actor bigint, OUT freed bigint, OUT borrowed_until timestamp with time zone) RETURNS record
    LANGUAGE plpgsql
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    AS $$
#variable_conflict use_variable
DECLARE t timestamptz; g bigint; lost bigint[]; risked bigint[]; x record;
BEGIN
  SELECT l.t, l.generation INTO t, g FROM public.seat_lock(o, p) l;
  freed := 0;
  SELECT max(s.lent_until) INTO borrowed_until FROM public.seat s
   WHERE s.organization_id = o AND s.product_id = p AND (license IS NULL OR s.license_id = license)
     AND s.identity_id BETWEEN coalesce(identity, 0) AND coalesce(identity, 9223372036854775807) AND s.lent_until > t;
  IF borrowed_until IS NOT NULL AND NOT is_forced THEN RETURN; END IF;
  IF borrowed_until IS NOT NULL THEN
    g := g + 1;
    WITH kept AS (
        UPDATE public.seat s SET kind = 1, at_risk = true, expires_at = s.lent_until, reclaim_at = s.lent_until,
            revision = g
         WHERE s.organization_id = o AND s.product_id = p AND (license IS NULL OR s.license_id = license)
           AND s.identity_id BETWEEN coalesce(identity, 0) AND coalesce(identity, 9223372036854775807)
           AND s.lent_until > t AND NOT s.at_risk RETURNING s.*),
      told AS (
        INSERT INTO public.event (organization_id, at, type, actor_kind, actor_id, license_id, identity_id, generation,
          detail)
        SELECT o, t, 'seat.forfeited', actor_kind, actor, d.license_id, d.identity_id, d.generation,
          jsonb_build_object('until', d.lent_until) FROM kept d)
      SELECT array_agg(d.identity_id) INTO risked FROM kept d;
    UPDATE public.license_counter c SET generation = g WHERE c.organization_id = o AND c.product_id = p;
  END IF;
  FOR x IN
    WITH gone AS (
        DELETE FROM public.seat s
         WHERE s.organization_id = o AND s.product_id = p AND (license IS NULL OR s.license_id = license)
           AND s.identity_id BETWEEN coalesce(identity, 0) AND coalesce(identity, 9223372036854775807)
           AND (s.lent_until > t) IS NOT TRUE
        RETURNING s.license_id, s.identity_id, s.kind, s.generation, s.expires_at, s.expires_at > t AS was_live),
      told AS (
        INSERT INTO public.event (organization_id, at, type, actor_kind, actor_id, license_id, identity_id, generation)
        SELECT o, least(t, d.expires_at), CASE WHEN d.was_live THEN 'seat.freed' ELSE 'seat.expired' END,
          CASE WHEN d.was_live THEN actor_kind ELSE 0 END, CASE WHEN d.was_live THEN actor END,
          d.license_id, d.identity_id, d.generation FROM gone d),
      past AS (
        INSERT INTO public.seat_loss AS b (organization_id, product_id, identity_id, generation, reason, at)
        SELECT o, p, d.identity_id, d.generation, 1, t FROM gone d WHERE d.was_live
        ON CONFLICT (organization_id, product_id, identity_id)
        DO UPDATE SET generation = excluded.generation, reason = excluded.reason, at = excluded.at)
      SELECT * FROM gone d WHERE d.was_live
  LOOP
    lost := lost || x.identity_id;
    -- Where the license holds less than it has given, there is no seat to keep.
    IF x.kind = 2 AND public.seat_reclaim(o, p, ARRAY[x.license_id], t, 1) > 0 THEN
      INSERT INTO public.reservation AS r (organization_id, product_id, identity_id, license_id, until)
      SELECT o, p, x.identity_id, x.license_id, t + l.reassign_seconds * interval '1 second'
        FROM public.license l
       WHERE l.organization_id = o AND l.id = x.license_id AND l.reassign_seconds > 0 AND l.status < 3
      ON CONFLICT (organization_id, product_id, identity_id, license_id)
      DO UPDATE SET until = greatest(r.until, excluded.until) WHERE r.until IS NOT NULL;
    END IF;
  END LOOP;
  IF block_seconds > 0 AND identity IS NOT NULL THEN
    INSERT INTO public.seat_loss AS b (organization_id, product_id, identity_id, generation, reason, at, blocked_until)
    VALUES (o, p, identity, 0, 1, t, t + block_seconds * interval '1 second')
    ON CONFLICT (organization_id, product_id, identity_id) DO UPDATE SET blocked_until = excluded.blocked_until;
  END IF;
  IF license IS NULL AND identity IS NOT NULL THEN  -- the identity itself goes
    DELETE FROM public.reservation r
     WHERE r.organization_id = o AND r.product_id = p AND r.identity_id = identity AND r.until IS NULL;
  END IF;
  lost := lost || risked;
  freed := coalesce(cardinality(lost), 0);
  IF freed > 0 THEN
    INSERT INTO public.change (kind, organization_id, key, members) VALUES (6, o, p, lost);
  END IF;
END $$;

CREATE FUNCTION public.seat_grant(o bigint, p bigint, t timestamp with time zone, g bigint, among bigint[], is_kept boolean, is_moving boolean, places integer[], people bigint[], beside bigint[], configs jsonb[], new_kind smallint, until bigint, actor_kind smallint, actor bigint) RETURNS SETOF public.seat_answer
    LANGUAGE plpgsql
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    AS $$
#variable_conflict use_column
DECLARE tiers bigint[]; lows bigint[]; highs bigint[]; overs boolean[]; kinds smallint[]; leases interval[];
  ends timestamptz[]; bases jsonb[]; room bigint; lost bigint[];
  loan timestamptz := timestamptz 'epoch' + until * interval '1 microsecond';
BEGIN
  -- Where there is room, as one stretch of places after the other.
  WITH tier AS (
      SELECT r.license_id, v.is_over, r.ends_at, coalesce(new_kind, r.kind) AS kind,
          r.lease_seconds * interval '1 second' AS lease, r.config, least(CASE
          WHEN is_kept THEN CASE WHEN v.is_over THEN 0 ELSE greatest(0, r.seats + r.overdraft - r.in_use) END
          WHEN v.is_over THEN least(r.overdraft, greatest(0, r.seats + r.overdraft - r.in_use - r.reserved))
          ELSE greatest(0, r.seats - r.in_use - r.reserved) END,
          CASE WHEN until IS NOT NULL THEN CASE WHEN v.is_over THEN 0
            ELSE public.license_lendable(r.license_id, r.seats, r.unborrowable_seats, t) END END) AS room
      FROM public.license_rooms(o, p, t) r CROSS JOIN (VALUES (false), (true)) v(is_over)
     WHERE r.license_id = ANY (among)),
    span AS (
      SELECT x.*, sum(x.room) OVER w AS high
      FROM tier x WINDOW w AS (ORDER BY x.is_over, x.ends_at NULLS LAST, x.license_id))
    SELECT array_agg(x.license_id ORDER BY x.high), array_agg(x.high - x.room ORDER BY x.high),
        array_agg(x.high ORDER BY x.high), array_agg(x.is_over ORDER BY x.high), array_agg(x.kind ORDER BY x.high),
        array_agg(x.lease ORDER BY x.high), array_agg(x.ends_at ORDER BY x.high),
        array_agg(d.config || x.config ORDER BY x.high), max(x.high)
      INTO tiers, lows, highs, overs, kinds, leases, ends, bases, room
      FROM span x CROSS JOIN (SELECT d.config FROM public.organization d WHERE d.id = o) d WHERE x.room > 0;
  IF room IS NULL THEN RETURN; END IF;
  -- A seat of another license of the product goes first: there is one each.
  IF is_moving THEN
    WITH moved AS MATERIALIZED (
        SELECT s.spot FROM (SELECT o AS o, p AS p, x.id FROM unnest(people[:room]) x(id) OFFSET 0) x
        CROSS JOIN LATERAL (SELECT s.ctid AS spot FROM public.seat s
          WHERE s.organization_id = x.o AND s.product_id = x.p AND s.identity_id = x.id OFFSET 0) s),
      gone AS (DELETE FROM public.seat s USING moved x WHERE s.ctid = x.spot RETURNING s.*),
      told AS (
        INSERT INTO public.event (organization_id, at, type, actor_kind, actor_id, license_id, identity_id, generation)
        SELECT o, t, 'seat.moved', actor_kind, coalesce(actor, CASE actor_kind WHEN 2 THEN d.identity_id END),
          d.license_id, d.identity_id, d.generation FROM gone d)
      SELECT array_agg(d.identity_id) INTO lost FROM gone d;
    IF lost IS NOT NULL THEN
      INSERT INTO public.change (kind, organization_id, key, members) VALUES (6, o, p, lost);
    END IF;
  END IF;
  RETURN QUERY WITH
    won AS MATERIALIZED (
      SELECT x.place, x.id, x.beside, x.config, g + x.k AS generation, z.license_id, z.kind, z.is_over, z.ends_at,
        CASE z.kind WHEN 2 THEN 'infinity' ELSE greatest(loan, least(t + z.lease, z.ends_at)) END AS expires_at,
        CASE WHEN x.config IS NOT NULL THEN z.base END AS base
      FROM unnest(places[:room], people[:room], beside[:room], configs[:room])
        WITH ORDINALITY x(place, id, beside, config, k)
      JOIN unnest(tiers, lows, highs, overs, kinds, leases, ends, bases)
        z(license_id, low, high, is_over, kind, lease, ends_at, base) ON x.k > z.low AND x.k <= z.high),
    put AS (
      INSERT INTO public.seat (organization_id, product_id, identity_id, license_id, kind, overdraft, reserved,
        generation, revision, granted_at, last_seen_at, expires_at, reclaim_at, lent_until)
      SELECT o, p, w.id, w.license_id, w.kind, w.is_over, is_kept, w.generation, w.generation, t,
        CASE actor_kind WHEN 2 THEN t END, w.expires_at, w.expires_at, loan
      FROM won w),
    told AS (
      INSERT INTO public.event (organization_id, at, type, actor_kind, actor_id, license_id, identity_id, generation,
        detail)
      SELECT o, t, CASE WHEN loan IS NOT NULL THEN 'seat.borrowed' WHEN w.kind = 2 THEN 'seat.assigned'
          ELSE 'seat.granted' END, actor_kind, coalesce(actor, CASE actor_kind WHEN 2 THEN w.id END), w.license_id, w.id,
        w.generation, CASE WHEN loan IS NOT NULL THEN jsonb_build_object('until', loan) END FROM won w)
    SELECT w.place, 'granted', NULL::text, w.license_id, NULL::uuid,
      CASE WHEN loan IS NOT NULL THEN 3::smallint ELSE w.kind END, w.is_over, w.generation, w.generation, t,
      nullif(least(w.expires_at, w.ends_at), 'infinity'), t, NULL::integer, NULL::integer, NULL::timestamptz,
      NULL::jsonb, NULL::integer, NULL::integer, NULL::timestamptz, loan, w.base || w.config, NULL::jsonb, w.beside
      FROM won w;
END $$;

CREATE FUNCTION public.seat_lend(o bigint, p bigint, identity bigint, until bigint, t timestamp with time zone, g bigint, OUT why text, OUT license_id bigint) RETURNS record
    LANGUAGE plpgsql
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    AS $$
#variable_conflict use_column
DECLARE own public.seat; r record; loan timestamptz := timestamptz 'epoch' + until * interval '1 microsecond';
BEGIN
  SELECT * INTO own FROM public.seat s WHERE s.organization_id = o AND s.product_id = p AND s.identity_id = identity;
  SELECT * INTO r FROM public.license_rooms(o, p, t) r WHERE r.license_id = own.license_id;
  license_id := own.license_id;
  why := public.loan_objection(r, until, t);
  IF why IS NULL AND (own.lent_until > t) IS NOT TRUE AND (own.overdraft
      OR public.license_lendable(own.license_id, r.seats, r.unborrowable_seats, t) = 0) THEN
    why := 'no-seat-available';
  END IF;
  IF why IS NULL THEN
    UPDATE public.seat s SET lent_until = greatest(s.lent_until, loan), expires_at = greatest(s.expires_at, loan),
        reclaim_at = greatest(s.reclaim_at, loan), last_seen_at = t, revision = g
     WHERE s.organization_id = o AND s.product_id = p AND s.identity_id = identity;
    INSERT INTO public.event (organization_id, at, type, actor_kind, actor_id, license_id, identity_id, generation, detail)
    VALUES (o, t, 'seat.borrowed', 2, identity, own.license_id, identity, own.generation,
      jsonb_build_object('until', greatest(own.lent_until, loan)));
  END IF;
END $$;

CREATE FUNCTION public.seat_lock(o bigint, p bigint, OUT t timestamp with time zone, OUT generation bigint, OUT licenses bigint[]) RETURNS record
    LANGUAGE plpgsql
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    AS $$
#variable_conflict use_column
BEGIN
  IF current_setting('transaction_isolation') <> 'read committed' THEN
    RAISE 'seats are decided under READ COMMITTED only' USING ERRCODE = 'active_sql_transaction';
  END IF;
  PERFORM pg_advisory_xact_lock(hashint8extended(o, p));
  SELECT greatest(clock_timestamp(), max(c.last_at)), max(c.generation), array_agg(c.license_id)
    INTO t, generation, licenses
    FROM (SELECT * FROM public.license_counter c WHERE c.organization_id = o AND c.product_id = p
          ORDER BY c.license_id FOR NO KEY UPDATE) c;
  UPDATE public.license_counter c SET last_at = seat_lock.t WHERE c.organization_id = o AND c.product_id = p;
END $$;

CREATE FUNCTION public.seat_preview(o bigint, p bigint, op smallint, identity bigint, generation bigint, asks jsonb) RETURNS SETOF public.seat_answer
    LANGUAGE plpgsql
    AS $$
DECLARE answers public.seat_answer[];
BEGIN
  BEGIN
    answers := ARRAY(SELECT d FROM public.seat_decide(o, p, ARRAY[op], ARRAY[identity], ARRAY[generation], asks) d);
    RAISE 'undone' USING ERRCODE = 'U0001';
  EXCEPTION WHEN SQLSTATE 'U0001' THEN NULL;  -- variables keep what they were given
  END;
  RETURN QUERY SELECT * FROM unnest(answers);
END $$;

CREATE FUNCTION public.seat_reclaim(o bigint, p bigint, among bigint[], t timestamp with time zone, wanted bigint) RETURNS bigint
    LANGUAGE plpgsql
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    AS $$
#variable_conflict use_column
DECLARE free bigint; touched bigint;
BEGIN
  LOOP
    touched := public.seat_sweep(o, p, among, t, wanted + 512);
    SELECT coalesce(sum(greatest(0, c.seats + CASE WHEN c.overdraft_until <= t THEN 0 ELSE c.overdraft END
        - c.in_use - c.reserved)), 0) INTO free
      FROM unnest(among) x(id) CROSS JOIN LATERAL (SELECT c.* FROM public.license_counter c
        WHERE c.organization_id = o AND c.product_id = p AND c.license_id = x.id OFFSET 0) c;
    EXIT WHEN free >= wanted OR touched = 0;
  END LOOP;
  RETURN free;
END $$;

CREATE FUNCTION public.seat_removed() RETURNS trigger
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    AS $$
DECLARE x record; before integer; this_minute timestamptz;
BEGIN
  FOR x IN SELECT r.organization_id, r.product_id, r.license_id, count(*)::integer AS count,
        (count(*) FILTER (WHERE r.reserved))::integer AS reserved, array_agg(CASE r.kind WHEN 1 THEN r.expires_at ELSE
          greatest(r.lent_until, coalesce((SELECT l.ends_at FROM public.license l
            WHERE l.organization_id = r.organization_id AND l.id = r.license_id), 'infinity')) END) AS ends
      FROM removed r GROUP BY 1, 2, 3 ORDER BY 1, 2, 3 LOOP
    UPDATE public.license_counter c SET in_use = c.in_use - x.count, reserved = c.reserved + x.reserved
     WHERE c.organization_id = x.organization_id AND c.product_id = x.product_id AND c.license_id = x.license_id
    RETURNING c.in_use + x.count, date_trunc('minute', c.last_at) INTO before, this_minute;
    INSERT INTO public.usage_minute (organization_id, license_id, minute, peak, final, grants)
    VALUES (x.organization_id, x.license_id, this_minute, before, before, 0) ON CONFLICT DO NOTHING;
    WITH gone AS MATERIALIZED (
        SELECT least(date_trunc('minute', e.at), this_minute) AS minute, count(*)::integer AS count
          FROM unnest(x.ends) e(at) GROUP BY 1),
      -- A minute in which nothing else happened has no row yet.
      carried AS MATERIALIZED (
        SELECT g.minute, m.final FROM gone g CROSS JOIN LATERAL (
          SELECT m.minute, m.final FROM public.usage_minute m WHERE m.organization_id = x.organization_id
             AND m.license_id = x.license_id AND m.minute <= g.minute ORDER BY m.minute DESC LIMIT 1) m
         WHERE g.minute < this_minute AND m.minute < g.minute),
      made AS (
        INSERT INTO public.usage_minute (organization_id, license_id, minute, peak, final, grants)
        SELECT x.organization_id, x.license_id, c.minute,
          c.final - coalesce((SELECT sum(g.count) FROM gone g WHERE g.minute < c.minute), 0),
          c.final - (SELECT sum(g.count) FROM gone g WHERE g.minute <= c.minute), 0 FROM carried c)
    UPDATE public.usage_minute m SET
        peak = m.peak - coalesce((SELECT sum(g.count) FROM gone g WHERE g.minute < m.minute), 0),
        final = m.final - (SELECT sum(g.count) FROM gone g WHERE g.minute <= m.minute)
     WHERE m.organization_id = x.organization_id AND m.license_id = x.license_id
       AND m.minute BETWEEN (SELECT min(g.minute) FROM gone g) AND this_minute;
  END LOOP;
  RETURN NULL;
END $$;

CREATE FUNCTION public.seat_renew(o bigint, p bigint, identities bigint[], generations bigint[]) RETURNS SETOF public.seat_answer
    LANGUAGE plpgsql
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    AS $$
#variable_conflict use_column
DECLARE
  t timestamptz; tenant public.organization; product public.product;
  licenses bigint[]; leases interval[]; ends timestamptz[]; bases jsonb[];
BEGIN
  SELECT l.t INTO t FROM public.seat_lock(o, p) l;
  SELECT * INTO tenant FROM public.organization d WHERE d.id = o;
  IF tenant.status IS DISTINCT FROM 1 THEN RETURN; END IF;
  SELECT * INTO product FROM public.product d WHERE d.id = p;
  SELECT array_agg(r.license_id), array_agg(r.lease_seconds * interval '1 second'), array_agg(r.ends_at),
      array_agg(tenant.config || r.config)
    INTO licenses, leases, ends, bases FROM public.license_rooms(o, p, t) r WHERE r.state IS NULL;

  -- As step 3 of `seat_decide`. A seat that is not where it was, somebody wrote by hand: it has no row, and is judged.
  RETURN QUERY UPDATE public.seat s SET last_seen_at = t, expires_at = h.later,
      reclaim_at = CASE WHEN s.reclaim_at < t + leases[h.n] / 2 THEN h.later ELSE s.reclaim_at END
    FROM (SELECT o AS o, p AS p, x.id, x.generation, x.i::integer
            FROM unnest(identities, generations) WITH ORDINALITY x(id, generation, i) OFFSET 0) x
    CROSS JOIN LATERAL (SELECT d.revision, d.config::jsonb AS config FROM public.identity d
      WHERE d.organization_id = x.o AND d.id = x.id AND d.status = 1 OFFSET 0) d
    CROSS JOIN LATERAL (SELECT v.spot, v.n, greatest(v.expires_at, least(t + leases[v.n], ends[v.n])) AS later
      FROM (SELECT s.ctid AS spot, s.expires_at, array_position(licenses, s.license_id) AS n FROM public.seat s
        WHERE s.organization_id = x.o AND s.product_id = x.p AND s.identity_id = x.id AND s.expires_at > t
          AND NOT s.at_risk AND (x.generation = 0 OR s.generation = x.generation) OFFSET 0) v
      WHERE v.n IS NOT NULL OFFSET 0) h
   WHERE s.ctid = h.spot
  RETURNING x.i, 'renewed', NULL::text, s.license_id, NULL::uuid,
    CASE WHEN s.lent_until > t THEN 3::smallint ELSE s.kind END, s.overdraft, s.generation, s.revision,
    s.granted_at, nullif(least(h.later, ends[h.n]), 'infinity'), t,
    NULL::integer, NULL::integer, NULL::timestamptz, NULL::jsonb, NULL::integer, NULL::integer, NULL::timestamptz,
    CASE WHEN s.lent_until > t THEN s.lent_until END,
    CASE WHEN d.config <> '{}' THEN bases[h.n] || d.config END, NULL::jsonb, d.revision;

  RETURN QUERY SELECT 0, NULL::text, NULL::text, r.license_id, r.license, NULL::smallint, NULL::boolean, NULL::bigint,
    r.revision, NULL::timestamptz, NULL::timestamptz, t, r.lease_seconds, r.grace_seconds, r.ends_at,
    product.features || r.features, r.seats, r.in_use, NULL::timestamptz, NULL::timestamptz,
    tenant.config || r.config, NULL::jsonb, tenant.revision + product.revision
    FROM public.license_rooms(o, p, t) r;
END $$;

CREATE FUNCTION public.seat_sweep(o bigint, p bigint, among bigint[], t timestamp with time zone, most bigint) RETURNS bigint
    LANGUAGE plpgsql
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    AS $$
#variable_conflict use_column
DECLARE touched bigint;
BEGIN
  WITH stale AS MATERIALIZED (
      SELECT s.ctid AS spot, s.expires_at <= t AS is_dead FROM unnest(among) x(id) CROSS JOIN LATERAL (
        SELECT s.ctid, s.expires_at FROM public.seat s
         WHERE s.license_id = x.id AND s.reclaim_at <= t
         ORDER BY s.reclaim_at LIMIT most) s),
    dead AS (DELETE FROM public.seat s USING stale x WHERE s.ctid = x.spot AND x.is_dead RETURNING s.*),
    told AS (INSERT INTO public.event (organization_id, at, type, license_id, identity_id, generation)
      SELECT o, d.expires_at, 'seat.expired', d.license_id, d.identity_id, d.generation FROM dead d),
    late AS (UPDATE public.seat s SET reclaim_at = s.expires_at FROM stale x WHERE s.ctid = x.spot AND NOT x.is_dead
      RETURNING 1)
    SELECT (SELECT count(*) FROM dead) + (SELECT count(*) FROM late) INTO touched;
  -- After the seats, so that it finds what is left of theirs.
  WITH stale AS MATERIALIZED (
      SELECT r.ctid AS spot FROM unnest(among) x(id) CROSS JOIN LATERAL (
        SELECT r.ctid FROM public.reservation r
         WHERE r.license_id = x.id AND r.until IS NOT NULL AND r.until <= t
         ORDER BY r.until LIMIT most) r),
    gone AS (DELETE FROM public.reservation r USING stale x WHERE r.ctid = x.spot RETURNING 1)
    SELECT touched + count(*) INTO touched FROM gone;
  RETURN touched;
END $$;

CREATE FUNCTION public.tenant() RETURNS bigint
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$ SELECT nullif(current_setting('usher.organization', true), '')::bigint $$;

CREATE FUNCTION public.touch() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  NEW.updated_at := now();
  NEW.revision := OLD.revision + 1;
  RETURN NEW;
END $$;

CREATE TABLE public.api_token (
    id bigint NOT NULL,
    organization_id bigint,
    public_id uuid NOT NULL,
    external_id text,
    metadata public.string_map,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    revision bigint DEFAULT 1 NOT NULL,
    token_hash bytea NOT NULL,
    name text NOT NULL,
    role smallint NOT NULL,
    expires_at timestamp with time zone,
    revoked_at timestamp with time zone,
    last_used_at timestamp with time zone,
    CONSTRAINT api_token_check CHECK (((role = 3) = (organization_id IS NULL))),
    CONSTRAINT api_token_role_check CHECK (((role >= 1) AND (role <= 3))),
    CONSTRAINT api_token_token_hash_check CHECK ((octet_length(token_hash) = 32))
);

ALTER TABLE public.api_token ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.api_token_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.authority (
    organization_id bigint NOT NULL,
    id bigint NOT NULL,
    public_id uuid NOT NULL,
    external_id text,
    metadata public.string_map,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    revision bigint DEFAULT 1 NOT NULL,
    kind smallint NOT NULL,
    status smallint NOT NULL,
    name text,
    key_type text,
    certificate bytea,
    spki_sha256 bytea,
    subject bytea,
    subject_key_id bytea,
    intermediates bytea[] DEFAULT '{}'::bytea[] NOT NULL,
    sealed_key bytea,
    group_key text NOT NULL,
    mapping_fields text[] DEFAULT '{}'::text[] NOT NULL,
    mapping_prefixes text[] DEFAULT '{}'::text[] NOT NULL,
    match_usages text[],
    match_policies text[],
    match_unit text,
    match_uri_prefix text,
    auto_provision boolean DEFAULT false NOT NULL,
    challenge text,
    challenge_until timestamp with time zone,
    proven_at timestamp with time zone,
    proof_fingerprint bytea,
    warnings text[] DEFAULT '{}'::text[] NOT NULL,
    request bytea,
    key_uri text,
    sealing_key text GENERATED ALWAYS AS (encode(substr(sealed_key, 2, 8), 'hex'::text)) STORED,
    allow_missing_client_auth boolean DEFAULT false NOT NULL,
    CONSTRAINT authority_check CHECK (((status = ANY (ARRAY[1, 5])) OR ((proven_at IS NOT NULL) AND (certificate IS NOT NULL)))),
    CONSTRAINT authority_check1 CHECK ((num_nonnulls(certificate, spki_sha256, subject) = ANY (ARRAY[0, 3]))),
    CONSTRAINT authority_check2 CHECK (((kind <> 2) OR (sealed_key IS NULL))),
    CONSTRAINT authority_check3 CHECK ((cardinality(mapping_fields) = cardinality(mapping_prefixes))),
    CONSTRAINT authority_check4 CHECK ((num_nonnulls(sealed_key, key_uri) < 2)),
    CONSTRAINT authority_check5 CHECK (((kind <> 2) OR (key_uri IS NULL))),
    CONSTRAINT authority_check6 CHECK (((kind = 2) OR (NOT allow_missing_client_auth))),
    CONSTRAINT authority_kind_check CHECK (((kind >= 1) AND (kind <= 3))),
    CONSTRAINT authority_proof_fingerprint_check CHECK ((octet_length(proof_fingerprint) = 32)),
    CONSTRAINT authority_spki_sha256_check CHECK ((octet_length(spki_sha256) = 32)),
    CONSTRAINT authority_status_check CHECK (((status >= 1) AND (status <= 5)))
);

ALTER TABLE public.authority ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.authority_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.certificate (
    organization_id bigint NOT NULL,
    id bigint NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    authority_id bigint NOT NULL,
    identity_id bigint NOT NULL,
    serial text NOT NULL,
    fingerprint bytea NOT NULL,
    spki_sha256 bytea NOT NULL,
    not_before timestamp with time zone NOT NULL,
    not_after timestamp with time zone NOT NULL,
    source smallint NOT NULL,
    status smallint DEFAULT 1 NOT NULL,
    revoked_at timestamp with time zone,
    reason smallint,
    der bytea NOT NULL,
    predecessor_id bigint,
    enrollment_id bigint,
    used_at timestamp with time zone,
    revoked_xid xid8,
    listed_by bytea,
    CONSTRAINT certificate_check CHECK (((status = 2) = (revoked_at IS NOT NULL))),
    CONSTRAINT certificate_fingerprint_check CHECK ((octet_length(fingerprint) = 32)),
    CONSTRAINT certificate_reason_check CHECK (((reason >= 0) AND (reason <= 10))),
    CONSTRAINT certificate_serial_check CHECK ((serial ~ '^[0-9a-f]+$'::text)),
    CONSTRAINT certificate_source_check CHECK ((source = ANY (ARRAY[1, 2]))),
    CONSTRAINT certificate_spki_sha256_check CHECK ((octet_length(spki_sha256) = 32)),
    CONSTRAINT certificate_status_check CHECK ((status = ANY (ARRAY[1, 2])))
);
ALTER TABLE ONLY public.certificate ALTER COLUMN organization_id SET STATISTICS 0;

ALTER TABLE public.certificate ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.certificate_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.identity (
    organization_id bigint NOT NULL,
    id bigint NOT NULL,
    public_id uuid NOT NULL,
    external_id text,
    metadata public.string_map,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    revision bigint DEFAULT 1 NOT NULL,
    name text NOT NULL,
    role smallint DEFAULT 1 NOT NULL,
    status smallint DEFAULT 1 NOT NULL,
    attributes public.string_map,
    external_group text,
    external_field text,
    external_value bytea,
    config public.config_map,
    CONSTRAINT identity_check CHECK ((num_nonnulls(external_group, external_field, external_value) = ANY (ARRAY[0, 3]))),
    CONSTRAINT identity_name_check CHECK (((name ~ '^[A-Za-z0-9._@:/-]+$'::text) AND (length(name) <= 256))),
    CONSTRAINT identity_role_check CHECK ((role = ANY (ARRAY[1, 2]))),
    CONSTRAINT identity_status_check CHECK (((status >= 1) AND (status <= 3)))
);
ALTER TABLE ONLY public.identity ALTER COLUMN organization_id SET STATISTICS 0;

CREATE VIEW public.certificate_state WITH (security_invoker='true') AS
 SELECT c.id,
    c.organization_id,
    c.authority_id,
    a.public_id AS authority,
    c.identity_id,
    i.public_id AS identity,
    c.der,
    c.serial,
    c.fingerprint,
    c.spki_sha256,
    c.not_before,
    c.not_after,
    c.source,
    c.status,
    c.revoked_at,
    c.reason,
    c.created_at,
    c.predecessor_id,
    c.enrollment_id,
    c.used_at
   FROM ((public.certificate c
     JOIN public.authority a ON (((a.organization_id = c.organization_id) AND (a.id = c.authority_id))))
     JOIN public.identity i ON (((i.organization_id = c.organization_id) AND (i.id = c.identity_id))));

CREATE TABLE public.change (
    xid xid8 DEFAULT pg_current_xact_id() NOT NULL,
    id bigint NOT NULL,
    kind smallint NOT NULL,
    organization_id bigint,
    key bigint NOT NULL,
    members bigint[],
    at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT change_kind_check CHECK (((kind >= 1) AND (kind <= 7)))
);

ALTER TABLE public.change ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.change_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.denial_minute (
    organization_id bigint NOT NULL,
    product_id bigint NOT NULL,
    license_id bigint NOT NULL,
    minute timestamp with time zone NOT NULL,
    reason text NOT NULL,
    count integer NOT NULL
)
WITH (fillfactor='50');

CREATE TABLE public.enrollment (
    organization_id bigint NOT NULL,
    id bigint NOT NULL,
    public_id uuid NOT NULL,
    external_id text,
    metadata public.string_map,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    revision bigint DEFAULT 1 NOT NULL,
    token_hash bytea NOT NULL,
    identity_id bigint,
    license_id bigint,
    uses integer DEFAULT 1 NOT NULL,
    used integer DEFAULT 0 NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    revoked_at timestamp with time zone,
    last_spki bytea,
    last_certificate_id bigint,
    last_used_at timestamp with time zone,
    CONSTRAINT enrollment_check CHECK (((used >= 0) AND (used <= uses))),
    CONSTRAINT enrollment_check1 CHECK ((num_nonnulls(last_spki, last_certificate_id, last_used_at) = ANY (ARRAY[0, 3]))),
    CONSTRAINT enrollment_last_spki_check CHECK ((octet_length(last_spki) = 32)),
    CONSTRAINT enrollment_token_hash_check CHECK ((octet_length(token_hash) = 32)),
    CONSTRAINT enrollment_uses_check CHECK (((uses >= 1) AND (uses <= 1000000)))
);
ALTER TABLE ONLY public.enrollment ALTER COLUMN organization_id SET STATISTICS 0;

ALTER TABLE public.enrollment ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.enrollment_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.license (
    organization_id bigint NOT NULL,
    id bigint NOT NULL,
    public_id uuid NOT NULL,
    external_id text,
    metadata public.string_map,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    revision bigint DEFAULT 1 NOT NULL,
    product_id bigint NOT NULL,
    model smallint NOT NULL,
    assignment smallint DEFAULT 1 NOT NULL,
    status smallint DEFAULT 1 NOT NULL,
    lease_seconds integer DEFAULT 600 NOT NULL,
    grace_seconds integer DEFAULT 0 NOT NULL,
    starts_at timestamp with time zone,
    ends_at timestamp with time zone,
    features public.feature_map,
    config public.config_map,
    max_borrow_seconds integer DEFAULT 0 NOT NULL,
    unborrowable_seats integer DEFAULT 0 NOT NULL,
    reassign_seconds integer DEFAULT 0 NOT NULL,
    CONSTRAINT license_assignment_check CHECK ((assignment = ANY (ARRAY[1, 2]))),
    CONSTRAINT license_ends_at_check CHECK (isfinite(ends_at)),
    CONSTRAINT license_grace_seconds_check CHECK ((grace_seconds >= 0)),
    CONSTRAINT license_lease_seconds_check CHECK (((lease_seconds >= 1) AND (lease_seconds <= 2592000))),
    CONSTRAINT license_max_borrow_seconds_check CHECK (((max_borrow_seconds >= 0) AND (max_borrow_seconds <= 31536000))),
    CONSTRAINT license_model_check CHECK ((model = ANY (ARRAY[1, 2]))),
    CONSTRAINT license_reassign_seconds_check CHECK (((reassign_seconds >= 0) AND (reassign_seconds <= 31536000))),
    CONSTRAINT license_starts_at_check CHECK (isfinite(starts_at)),
    CONSTRAINT license_status_check CHECK (((status >= 1) AND (status <= 3))),
    CONSTRAINT license_unborrowable_seats_check CHECK (((unborrowable_seats >= 0) AND (unborrowable_seats <= 1000000000)))
);

CREATE VIEW public.enrollment_state WITH (security_invoker='true') AS
 SELECT e.id,
    e.public_id,
    e.external_id,
    e.metadata,
    e.created_at,
    e.updated_at,
    e.revision,
    e.organization_id,
    e.identity_id,
    i.name AS identity_name,
    l.public_id AS license,
    e.uses,
    e.used,
    e.expires_at,
    (e.revoked_at IS NOT NULL) AS is_revoked,
    e.last_spki,
    e.last_certificate_id,
    e.last_used_at,
    e.token_hash
   FROM ((public.enrollment e
     LEFT JOIN public.identity i ON (((i.organization_id = e.organization_id) AND (i.id = e.identity_id))))
     LEFT JOIN public.license l ON (((l.organization_id = e.organization_id) AND (l.id = e.license_id))));

CREATE TABLE public.event (
    organization_id bigint DEFAULT 0 NOT NULL,
    at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    id bigint NOT NULL,
    xid xid8 DEFAULT pg_current_xact_id() NOT NULL,
    type text NOT NULL,
    actor_kind smallint DEFAULT 0 NOT NULL,
    actor_id bigint,
    license_id bigint,
    identity_id bigint,
    generation bigint,
    detail jsonb,
    actor_certificate_id bigint DEFAULT (NULLIF(current_setting('usher.certificate'::text, true), ''::text))::bigint,
    CONSTRAINT event_actor_kind_check CHECK (((actor_kind >= 0) AND (actor_kind <= 4)))
)
PARTITION BY RANGE (at);

CREATE TABLE public.event_chain (
    organization_id bigint NOT NULL,
    "position" bigint NOT NULL,
    digest bytea NOT NULL,
    pruned_position bigint,
    pruned_digest bytea,
    CONSTRAINT event_chain_check CHECK ((((pruned_position IS NULL) = (pruned_digest IS NULL)) AND (pruned_position <= "position"))),
    CONSTRAINT event_chain_digest_check CHECK ((octet_length(digest) = 32)),
    CONSTRAINT event_chain_pruned_digest_check CHECK ((octet_length(pruned_digest) = 32))
);

CREATE TABLE public.event_default (
    organization_id bigint DEFAULT 0 NOT NULL,
    at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    id bigint NOT NULL,
    xid xid8 DEFAULT pg_current_xact_id() NOT NULL,
    type text NOT NULL,
    actor_kind smallint DEFAULT 0 NOT NULL,
    actor_id bigint,
    license_id bigint,
    identity_id bigint,
    generation bigint,
    detail jsonb,
    actor_certificate_id bigint DEFAULT (NULLIF(current_setting('usher.certificate'::text, true), ''::text))::bigint,
    CONSTRAINT event_actor_kind_check CHECK (((actor_kind >= 0) AND (actor_kind <= 4)))
);

ALTER TABLE public.event ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.event_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.event_seal_cursor (
    is_only boolean DEFAULT true NOT NULL,
    sealed_below xid8 DEFAULT '0'::xid8 NOT NULL,
    CONSTRAINT event_seal_cursor_is_only_check CHECK (is_only)
);

CREATE TABLE public.organization (
    id bigint NOT NULL,
    public_id uuid NOT NULL,
    external_id text,
    metadata public.string_map,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    revision bigint DEFAULT 1 NOT NULL,
    slug text NOT NULL,
    name text NOT NULL,
    status smallint DEFAULT 1 NOT NULL,
    contact_url text,
    hostname text,
    renew_after_expiry_seconds bigint DEFAULT 2592000 NOT NULL,
    leaf_seconds bigint DEFAULT 2592000 NOT NULL,
    renew_before_seconds bigint,
    overlap_seconds bigint DEFAULT 2592000 NOT NULL,
    key_types text[],
    subject smallint DEFAULT 1 NOT NULL,
    config public.config_map,
    CONSTRAINT organization_key_types_check CHECK ((cardinality(key_types) > 0)),
    CONSTRAINT organization_leaf_seconds_check CHECK (((leaf_seconds >= 60) AND (leaf_seconds <= 315360000))),
    CONSTRAINT organization_overlap_seconds_check CHECK (((overlap_seconds >= 0) AND (overlap_seconds <= 315360000))),
    CONSTRAINT organization_renew_after_expiry_seconds_check CHECK ((renew_after_expiry_seconds >= 0)),
    CONSTRAINT organization_renew_before_seconds_check CHECK (((renew_before_seconds >= 0) AND (renew_before_seconds <= 315360000))),
    CONSTRAINT organization_slug_check CHECK ((slug ~ '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$'::text)),
    CONSTRAINT organization_status_check CHECK (((status >= 1) AND (status <= 3))),
    CONSTRAINT organization_subject_check CHECK ((subject = ANY (ARRAY[1, 2])))
);

CREATE TABLE public.sealed_event (
    organization_id bigint NOT NULL,
    "position" bigint NOT NULL,
    at timestamp with time zone NOT NULL,
    event_id bigint NOT NULL,
    digest bytea NOT NULL,
    CONSTRAINT sealed_event_digest_check CHECK ((octet_length(digest) = 32)),
    CONSTRAINT sealed_event_position_check CHECK (("position" > 0))
);

CREATE VIEW public.event_told WITH (security_invoker='true') AS
 SELECT e.organization_id,
    e.at,
    e.id,
    e.xid,
    o.slug,
    o.public_id AS organization,
    e.type,
    e.actor_kind,
    COALESCE(t.public_id, a.public_id, n.public_id) AS actor,
    c.serial,
    c.fingerprint,
    l.public_id AS license,
    i.public_id AS identity,
    e.generation,
    COALESCE(e.detail, '{}'::jsonb) AS detail,
    s."position",
    s.digest
   FROM ((((((((public.event e
     LEFT JOIN public.organization o ON ((o.id = e.organization_id)))
     LEFT JOIN public.license l ON (((l.organization_id = e.organization_id) AND (l.id = e.license_id))))
     LEFT JOIN public.identity i ON (((i.organization_id = e.organization_id) AND (i.id = e.identity_id))))
     LEFT JOIN public.api_token t ON (((e.actor_kind = 1) AND (t.id = e.actor_id))))
     LEFT JOIN public.identity a ON (((e.actor_kind = 2) AND (a.organization_id = e.organization_id) AND (a.id = e.actor_id))))
     LEFT JOIN public.enrollment n ON (((e.actor_kind = 3) AND (n.organization_id = e.organization_id) AND (n.id = e.actor_id))))
     LEFT JOIN public.certificate c ON (((c.organization_id = e.organization_id) AND (c.id = e.actor_certificate_id))))
     LEFT JOIN public.sealed_event s ON (((s.organization_id = e.organization_id) AND (s.at = e.at) AND (s.event_id = e.id))));

CREATE TABLE public.idempotency (
    scope bytea NOT NULL,
    key text NOT NULL,
    body_hash bytea NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    status smallint,
    headers jsonb,
    body bytea,
    sealed boolean DEFAULT false NOT NULL,
    CONSTRAINT idempotency_body_hash_check CHECK ((octet_length(body_hash) = 32)),
    CONSTRAINT idempotency_key_check CHECK (((octet_length(key) >= 1) AND (octet_length(key) <= 255))),
    CONSTRAINT idempotency_scope_check CHECK ((octet_length(scope) = 32))
);

ALTER TABLE public.identity ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.identity_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.identity_seen (
    organization_id bigint NOT NULL,
    identity_id bigint NOT NULL,
    seen_at timestamp with time zone NOT NULL
)
WITH (fillfactor='80');
ALTER TABLE ONLY public.identity_seen ALTER COLUMN organization_id SET STATISTICS 0;

CREATE TABLE public.lease_key (
    id bigint NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    public_key bytea NOT NULL,
    sealed_key bytea,
    signs_from timestamp with time zone NOT NULL,
    withdrawn_at timestamp with time zone,
    CONSTRAINT lease_key_check CHECK (((withdrawn_at IS NULL) OR (sealed_key IS NULL)))
);

ALTER TABLE public.lease_key ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.lease_key_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.license_counter (
    organization_id bigint NOT NULL,
    product_id bigint NOT NULL,
    license_id bigint NOT NULL,
    seats integer NOT NULL,
    overdraft integer DEFAULT 0 NOT NULL,
    in_use integer DEFAULT 0 NOT NULL,
    generation bigint DEFAULT 0 NOT NULL,
    revision bigint DEFAULT 0 NOT NULL,
    last_at timestamp with time zone DEFAULT '1970-01-01 00:00:00+00'::timestamp with time zone NOT NULL,
    overdraft_until timestamp with time zone,
    reserved integer DEFAULT 0 NOT NULL,
    CONSTRAINT license_counter_in_use_check CHECK ((in_use >= 0)),
    CONSTRAINT license_counter_overdraft_check CHECK (((overdraft >= 0) AND (overdraft <= 1000000000))),
    CONSTRAINT license_counter_overdraft_until_check CHECK (isfinite(overdraft_until)),
    CONSTRAINT license_counter_reserved_check CHECK ((reserved >= 0)),
    CONSTRAINT license_counter_seats_check CHECK (((seats >= 0) AND (seats <= 1000000000)))
)
WITH (fillfactor='10', autovacuum_vacuum_scale_factor='0.05', autovacuum_vacuum_cost_delay='0');

ALTER TABLE public.license ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.license_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.product (
    id bigint NOT NULL,
    public_id uuid NOT NULL,
    external_id text,
    metadata public.string_map,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    revision bigint DEFAULT 1 NOT NULL,
    code text NOT NULL,
    name text NOT NULL,
    features public.feature_map,
    CONSTRAINT product_code_check CHECK (((code ~ '^[A-Za-z0-9._-]{1,64}$'::text) AND (code <> ALL (ARRAY['.'::text, '..'::text]))))
);

CREATE TABLE public.reservation (
    organization_id bigint NOT NULL,
    product_id bigint NOT NULL,
    identity_id bigint NOT NULL,
    license_id bigint NOT NULL,
    until timestamp with time zone
);
ALTER TABLE ONLY public.reservation ALTER COLUMN organization_id SET STATISTICS 0;

CREATE TABLE public.seat (
    organization_id bigint NOT NULL,
    product_id bigint NOT NULL,
    identity_id bigint NOT NULL,
    license_id bigint NOT NULL,
    kind smallint DEFAULT 1 NOT NULL,
    overdraft boolean DEFAULT false NOT NULL,
    generation bigint NOT NULL,
    revision bigint NOT NULL,
    granted_at timestamp with time zone NOT NULL,
    last_seen_at timestamp with time zone,
    expires_at timestamp with time zone NOT NULL,
    reclaim_at timestamp with time zone NOT NULL,
    lent_until timestamp with time zone,
    at_risk boolean DEFAULT false NOT NULL,
    reserved boolean DEFAULT false NOT NULL,
    CONSTRAINT seat_check CHECK ((reclaim_at <= expires_at)),
    CONSTRAINT seat_check1 CHECK (((kind <> 2) OR (expires_at = 'infinity'::timestamp with time zone))),
    CONSTRAINT seat_check2 CHECK ((lent_until <= expires_at)),
    CONSTRAINT seat_check3 CHECK (((NOT at_risk) OR ((kind = 1) AND (lent_until = expires_at)))),
    CONSTRAINT seat_kind_check CHECK (((kind >= 1) AND (kind <= 3))),
    CONSTRAINT seat_kind_check1 CHECK ((kind < 3))
)
WITH (fillfactor='50', autovacuum_vacuum_scale_factor='0.02', autovacuum_vacuum_cost_delay='0');
ALTER TABLE ONLY public.seat ALTER COLUMN organization_id SET STATISTICS 0;

CREATE VIEW public.license_state WITH (security_invoker='true') AS
 SELECT l.id,
    l.public_id,
    l.external_id,
    l.metadata,
    l.created_at,
    l.updated_at,
    l.revision,
    l.organization_id,
    l.product_id,
    p.code AS product_code,
    l.model,
    l.assignment,
    l.status,
    c.seats,
    c.overdraft,
    l.lease_seconds,
    l.grace_seconds,
    l.starts_at,
    l.ends_at,
    l.features,
    c.overdraft_until,
    l.max_borrow_seconds,
    l.unborrowable_seats,
    l.reassign_seconds,
    l.config,
    ((c.in_use - d.dead) - z.dormant) AS held,
    ((c.reserved + d.idle) - k.over) AS reserved,
    (c.seats +
        CASE
            WHEN (c.overdraft_until <= n.t) THEN 0
            ELSE c.overdraft
        END) AS seat_limit,
    z.dormant
   FROM ((((((public.license l
     JOIN public.license_counter c ON (((c.organization_id = l.organization_id) AND (c.product_id = l.product_id) AND (c.license_id = l.id))))
     JOIN public.product p ON ((p.id = l.product_id)))
     CROSS JOIN LATERAL ( SELECT GREATEST(statement_timestamp(), c.last_at) AS t) n)
     CROSS JOIN LATERAL ( SELECT count(*) AS dead,
            count(*) FILTER (WHERE (s.reserved AND (NOT (EXISTS ( SELECT
                   FROM public.reservation r
                  WHERE ((r.organization_id = s.organization_id) AND (r.product_id = s.product_id) AND (r.identity_id = s.identity_id) AND (r.license_id = s.license_id) AND (r.until <= n.t))))))) AS idle
           FROM public.seat s
          WHERE ((s.license_id = c.license_id) AND (s.reclaim_at <= n.t) AND (s.expires_at <= n.t))) d)
     CROSS JOIN LATERAL ( SELECT count(*) AS dormant
           FROM public.seat s
          WHERE ((l.ends_at <= n.t) AND (s.license_id = c.license_id) AND (s.reclaim_at = 'infinity'::timestamp with time zone) AND (s.kind = 2) AND ((s.lent_until > n.t) IS NOT TRUE))) z)
     CROSS JOIN LATERAL ( SELECT count(*) AS over
           FROM public.reservation r
          WHERE ((r.license_id = c.license_id) AND (r.until IS NOT NULL) AND (r.until <= n.t) AND (NOT (EXISTS ( SELECT
                   FROM public.seat s
                  WHERE ((s.organization_id = r.organization_id) AND (s.product_id = r.product_id) AND (s.identity_id = r.identity_id) AND (s.license_id = r.license_id))))))) k);

ALTER TABLE public.organization ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.organization_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

ALTER TABLE public.product ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.product_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.revocation_list (
    organization_id bigint NOT NULL,
    authority_id bigint NOT NULL,
    issuer bytea NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    number bytea NOT NULL,
    this_update timestamp with time zone NOT NULL,
    next_update timestamp with time zone NOT NULL,
    snapshot pg_snapshot,
    certificate bytea,
    der bytea NOT NULL,
    CONSTRAINT revocation_list_check CHECK ((num_nonnulls(snapshot, certificate) = 1)),
    CONSTRAINT revocation_list_issuer_check CHECK ((octet_length(issuer) = 32)),
    CONSTRAINT revocation_list_number_check CHECK (((octet_length(number) >= 1) AND (octet_length(number) <= 20)))
);
ALTER TABLE ONLY public.revocation_list ALTER COLUMN der SET STORAGE EXTERNAL;

CREATE TABLE public.revoked_serial (
    organization_id bigint NOT NULL,
    authority_id bigint NOT NULL,
    issuer bytea NOT NULL,
    serial text NOT NULL,
    revoked_at timestamp with time zone NOT NULL,
    reason smallint NOT NULL,
    CONSTRAINT revoked_serial_reason_check CHECK (((reason >= 0) AND (reason <= 10)))
);
ALTER TABLE ONLY public.revoked_serial ALTER COLUMN organization_id SET STATISTICS 0;

CREATE TABLE public.schema_version (
    version integer NOT NULL,
    name text NOT NULL,
    min_binary integer NOT NULL,
    applied_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE public.seat_loss (
    organization_id bigint NOT NULL,
    product_id bigint NOT NULL,
    identity_id bigint NOT NULL,
    generation bigint NOT NULL,
    reason smallint NOT NULL,
    at timestamp with time zone NOT NULL,
    blocked_until timestamp with time zone,
    CONSTRAINT seat_loss_reason_check CHECK ((reason = ANY (ARRAY[1, 2])))
)
WITH (fillfactor='70');

CREATE VIEW public.seat_state WITH (security_invoker='true') AS
 SELECT s.organization_id,
    s.product_id,
    p.code AS product_code,
    s.identity_id,
    i.name AS identity_name,
    i.public_id AS identity,
    s.license_id,
    l.public_id AS license,
        CASE
            WHEN (s.lent_until > n.t) THEN (3)::smallint
            ELSE s.kind
        END AS kind,
    s.generation,
    (((GREATEST(s.revision, c.revision) + o.revision) + p.revision) + COALESCE(i.revision, (0)::bigint)) AS revision,
    s.granted_at,
    NULLIF(LEAST(s.expires_at, l.ends_at), 'infinity'::timestamp with time zone) AS expires_at,
    l.lease_seconds,
    l.grace_seconds,
    s.overdraft,
    ((p.features)::jsonb || (l.features)::jsonb) AS features,
    l.ends_at,
    n.t AS stated_at,
    s.last_seen_at,
    (((o.config)::jsonb || (l.config)::jsonb) || COALESCE((i.config)::jsonb, '{}'::jsonb)) AS config,
        CASE
            WHEN (s.lent_until > n.t) THEN s.lent_until
            ELSE NULL::timestamp with time zone
        END AS lent_until,
    s.at_risk,
    ((l.status = 1) AND COALESCE((l.starts_at <= n.t), true) AND COALESCE((l.ends_at > n.t), true) AND (NOT s.at_risk)) AS in_force
   FROM ((((((public.seat s
     JOIN public.license l ON (((l.organization_id = s.organization_id) AND (l.id = s.license_id))))
     JOIN public.license_counter c ON (((c.organization_id = s.organization_id) AND (c.product_id = s.product_id) AND (c.license_id = s.license_id))))
     JOIN public.product p ON ((p.id = s.product_id)))
     JOIN public.organization o ON ((o.id = s.organization_id)))
     LEFT JOIN public.identity i ON (((i.organization_id = s.organization_id) AND (i.id = s.identity_id))))
     CROSS JOIN LATERAL ( SELECT GREATEST(statement_timestamp(), c.last_at) AS t) n)
  WHERE (s.expires_at > n.t);

CREATE TABLE public.setup_token (
    organization_id bigint NOT NULL,
    id bigint NOT NULL,
    public_id uuid NOT NULL,
    token_hash bytea NOT NULL,
    name text NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    used_at timestamp with time zone,
    CONSTRAINT setup_token_token_hash_check CHECK ((octet_length(token_hash) = 32))
);

ALTER TABLE public.setup_token ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.setup_token_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.usage_minute (
    organization_id bigint NOT NULL,
    license_id bigint NOT NULL,
    minute timestamp with time zone NOT NULL,
    peak integer NOT NULL,
    final integer NOT NULL,
    grants integer NOT NULL
)
WITH (fillfactor='50');

CREATE TABLE public.webhook (
    organization_id bigint NOT NULL,
    id bigint NOT NULL,
    public_id uuid NOT NULL,
    external_id text,
    metadata public.string_map,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    revision bigint DEFAULT 1 NOT NULL,
    url text NOT NULL,
    types text[] NOT NULL,
    status smallint DEFAULT 1 NOT NULL,
    sealed_secret bytea NOT NULL,
    earlier_secret bytea,
    earlier_until timestamp with time zone,
    "position" bigint NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    attempt_at timestamp with time zone DEFAULT now() NOT NULL,
    busy_until timestamp with time zone,
    last_error text,
    CONSTRAINT webhook_check CHECK (((earlier_secret IS NULL) = (earlier_until IS NULL))),
    CONSTRAINT webhook_status_check CHECK (((status >= 1) AND (status <= 3)))
);

CREATE TABLE public.webhook_dead_letter (
    organization_id bigint NOT NULL,
    webhook_id bigint NOT NULL,
    "position" bigint NOT NULL,
    attempts integer NOT NULL,
    error text NOT NULL,
    at timestamp with time zone NOT NULL
);

ALTER TABLE public.webhook ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.webhook_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

ALTER TABLE ONLY public.event ATTACH PARTITION public.event_default DEFAULT;

ALTER TABLE ONLY public.api_token
    ADD CONSTRAINT api_token_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.api_token
    ADD CONSTRAINT api_token_public_id_key UNIQUE (public_id);

ALTER TABLE ONLY public.api_token
    ADD CONSTRAINT api_token_token_hash_key UNIQUE (token_hash);

ALTER TABLE ONLY public.authority
    ADD CONSTRAINT authority_pkey PRIMARY KEY (organization_id, id);

ALTER TABLE ONLY public.certificate
    ADD CONSTRAINT certificate_pkey PRIMARY KEY (organization_id, id);

ALTER TABLE ONLY public.change
    ADD CONSTRAINT change_pkey PRIMARY KEY (xid, id);

ALTER TABLE ONLY public.denial_minute
    ADD CONSTRAINT denial_minute_pkey PRIMARY KEY (organization_id, product_id, license_id, minute, reason);

ALTER TABLE ONLY public.enrollment
    ADD CONSTRAINT enrollment_pkey PRIMARY KEY (organization_id, id);

ALTER TABLE ONLY public.event_chain
    ADD CONSTRAINT event_chain_pkey PRIMARY KEY (organization_id);

ALTER TABLE ONLY public.event
    ADD CONSTRAINT event_pkey PRIMARY KEY (organization_id, at, id);

ALTER TABLE ONLY public.event_default
    ADD CONSTRAINT event_default_pkey PRIMARY KEY (organization_id, at, id);

ALTER TABLE ONLY public.event_seal_cursor
    ADD CONSTRAINT event_seal_cursor_pkey PRIMARY KEY (is_only);

ALTER TABLE ONLY public.idempotency
    ADD CONSTRAINT idempotency_pkey PRIMARY KEY (scope, key);

ALTER TABLE ONLY public.identity
    ADD CONSTRAINT identity_pkey PRIMARY KEY (organization_id, id);

ALTER TABLE ONLY public.identity_seen
    ADD CONSTRAINT identity_seen_pkey PRIMARY KEY (organization_id, identity_id);

ALTER TABLE ONLY public.lease_key
    ADD CONSTRAINT lease_key_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.lease_key
    ADD CONSTRAINT lease_key_public_key_key UNIQUE (public_key);

ALTER TABLE ONLY public.license_counter
    ADD CONSTRAINT license_counter_pkey PRIMARY KEY (organization_id, product_id, license_id);

ALTER TABLE ONLY public.license
    ADD CONSTRAINT license_pkey PRIMARY KEY (organization_id, id);

ALTER TABLE ONLY public.organization
    ADD CONSTRAINT organization_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.organization
    ADD CONSTRAINT organization_public_id_key UNIQUE (public_id);

ALTER TABLE ONLY public.product
    ADD CONSTRAINT product_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.product
    ADD CONSTRAINT product_public_id_key UNIQUE (public_id);

ALTER TABLE ONLY public.reservation
    ADD CONSTRAINT reservation_pkey PRIMARY KEY (organization_id, product_id, identity_id, license_id);

ALTER TABLE ONLY public.revocation_list
    ADD CONSTRAINT revocation_list_pkey PRIMARY KEY (organization_id, authority_id, issuer);

ALTER TABLE ONLY public.revoked_serial
    ADD CONSTRAINT revoked_serial_pkey PRIMARY KEY (organization_id, authority_id, issuer, serial);

ALTER TABLE ONLY public.schema_version
    ADD CONSTRAINT schema_version_pkey PRIMARY KEY (version);

ALTER TABLE ONLY public.sealed_event
    ADD CONSTRAINT sealed_event_organization_id_at_event_id_key UNIQUE (organization_id, at, event_id);

ALTER TABLE ONLY public.sealed_event
    ADD CONSTRAINT sealed_event_pkey PRIMARY KEY (organization_id, "position");

ALTER TABLE ONLY public.seat_loss
    ADD CONSTRAINT seat_loss_pkey PRIMARY KEY (organization_id, product_id, identity_id);

ALTER TABLE ONLY public.seat
    ADD CONSTRAINT seat_pkey PRIMARY KEY (organization_id, product_id, identity_id);

ALTER TABLE ONLY public.setup_token
    ADD CONSTRAINT setup_token_pkey PRIMARY KEY (organization_id, id);

ALTER TABLE ONLY public.setup_token
    ADD CONSTRAINT setup_token_token_hash_key UNIQUE (token_hash);

ALTER TABLE ONLY public.usage_minute
    ADD CONSTRAINT usage_minute_pkey PRIMARY KEY (organization_id, license_id, minute);

ALTER TABLE ONLY public.webhook_dead_letter
    ADD CONSTRAINT webhook_dead_letter_pkey PRIMARY KEY (organization_id, webhook_id, "position");

ALTER TABLE ONLY public.webhook
    ADD CONSTRAINT webhook_pkey PRIMARY KEY (organization_id, id);

ALTER TABLE ONLY public.webhook
    ADD CONSTRAINT webhook_public_id_key UNIQUE (public_id);

CREATE UNIQUE INDEX api_token_external_id ON public.api_token USING btree (COALESCE(organization_id, (0)::bigint), external_id) WHERE (revoked_at IS NULL);

CREATE INDEX api_token_list ON public.api_token USING btree (COALESCE(organization_id, (0)::bigint), id) WHERE (revoked_at IS NULL);

CREATE INDEX api_token_organization ON public.api_token USING btree (organization_id, id) WHERE (revoked_at IS NULL);

CREATE UNIQUE INDEX authority_external_id ON public.authority USING btree (organization_id, external_id) WHERE (status < 5);

CREATE INDEX authority_id ON public.authority USING btree (id);

CREATE UNIQUE INDEX authority_proven_key ON public.authority USING btree (spki_sha256) WHERE ((proven_at IS NOT NULL) AND (status < 5));

CREATE INDEX authority_public_id ON public.authority USING btree (public_id);

CREATE UNIQUE INDEX authority_subject ON public.authority USING btree (organization_id, subject, subject_key_id) NULLS NOT DISTINCT WHERE ((status < 5) AND (certificate IS NOT NULL));

CREATE INDEX certificate_authority ON public.certificate USING btree (authority_id, not_after) WHERE (status = 1);

CREATE UNIQUE INDEX certificate_fingerprint ON public.certificate USING btree (fingerprint, organization_id);

CREATE INDEX certificate_id ON public.certificate USING btree (id);

CREATE INDEX certificate_identity ON public.certificate USING btree (identity_id, id);

CREATE INDEX certificate_key ON public.certificate USING btree (spki_sha256, organization_id);

CREATE INDEX certificate_predecessor ON public.certificate USING btree (predecessor_id, id) WHERE (predecessor_id IS NOT NULL);

CREATE INDEX certificate_revoked ON public.certificate USING btree (authority_id, id) WHERE (status = 2);

CREATE INDEX certificate_revoked_xid ON public.certificate USING btree (authority_id, revoked_xid) WHERE (status = 2);

CREATE UNIQUE INDEX certificate_serial ON public.certificate USING btree (serial, authority_id, organization_id);

CREATE INDEX change_at ON public.change USING btree (at);

CREATE UNIQUE INDEX enrollment_external_id ON public.enrollment USING btree (external_id, organization_id) WHERE (revoked_at IS NULL);

CREATE INDEX enrollment_id ON public.enrollment USING btree (id);

CREATE UNIQUE INDEX enrollment_public_id ON public.enrollment USING btree (public_id, organization_id);

CREATE UNIQUE INDEX enrollment_token_hash ON public.enrollment USING btree (token_hash);

CREATE INDEX event_xid ON ONLY public.event USING btree (xid);

CREATE INDEX event_default_xid_idx ON public.event_default USING btree (xid);

CREATE INDEX idempotency_created_at ON public.idempotency USING btree (created_at);

CREATE UNIQUE INDEX identity_external_id ON public.identity USING btree (external_id, organization_id) WHERE (status < 3);

CREATE UNIQUE INDEX identity_external_name ON public.identity USING btree (external_value, external_field, external_group, organization_id);

CREATE UNIQUE INDEX identity_name ON public.identity USING btree (name, organization_id) WHERE (status < 3);

CREATE UNIQUE INDEX identity_public_id ON public.identity USING btree (public_id, organization_id);

CREATE UNIQUE INDEX license_external_id ON public.license USING btree (organization_id, external_id) WHERE (status < 3);

CREATE INDEX license_product ON public.license USING btree (product_id);

CREATE UNIQUE INDEX license_public_id ON public.license USING btree (organization_id, public_id);

CREATE UNIQUE INDEX organization_external_id ON public.organization USING btree (external_id) WHERE (status < 3);

CREATE UNIQUE INDEX organization_hostname ON public.organization USING btree (hostname) WHERE (status < 3);

CREATE UNIQUE INDEX organization_slug ON public.organization USING btree (slug) WHERE (status < 3);

CREATE UNIQUE INDEX product_code ON public.product USING btree (code);

CREATE UNIQUE INDEX product_external_id ON public.product USING btree (external_id);

CREATE INDEX reservation_license ON public.reservation USING btree (license_id, identity_id);

CREATE INDEX reservation_until ON public.reservation USING btree (license_id, until) WHERE (until IS NOT NULL);

CREATE INDEX revoked_serial_serial ON public.revoked_serial USING btree (authority_id, serial);

CREATE INDEX seat_lent ON public.seat USING btree (license_id, lent_until) WHERE (lent_until IS NOT NULL);

CREATE INDEX seat_reclaim ON public.seat USING btree (license_id, reclaim_at);

CREATE UNIQUE INDEX webhook_external_id ON public.webhook USING btree (organization_id, external_id) WHERE (status < 3);

ALTER INDEX public.event_pkey ATTACH PARTITION public.event_default_pkey;

ALTER INDEX public.event_xid ATTACH PARTITION public.event_default_xid_idx;

CREATE TRIGGER announce AFTER INSERT OR UPDATE ON public.authority FOR EACH ROW EXECUTE FUNCTION public.announce('2', 'organization_id', 'id');

CREATE TRIGGER announce AFTER UPDATE OF status ON public.certificate FOR EACH ROW EXECUTE FUNCTION public.announce('4', 'organization_id', 'id');

CREATE TRIGGER announce AFTER UPDATE ON public.identity FOR EACH ROW EXECUTE FUNCTION public.announce('3', 'organization_id', 'id');

CREATE TRIGGER announce AFTER INSERT OR UPDATE ON public.license FOR EACH ROW EXECUTE FUNCTION public.announce('5', 'organization_id', 'product_id');

CREATE TRIGGER announce AFTER INSERT OR UPDATE ON public.organization FOR EACH ROW EXECUTE FUNCTION public.announce('1', 'id', 'id');

CREATE TRIGGER announce AFTER INSERT OR UPDATE ON public.product FOR EACH ROW EXECUTE FUNCTION public.announce('7', '', 'id');

CREATE TRIGGER certificate_key BEFORE INSERT ON public.certificate FOR EACH ROW WHEN ((new.source = 1)) EXECUTE FUNCTION public.certificate_key();

CREATE TRIGGER certificate_pinned BEFORE UPDATE ON public.certificate FOR EACH ROW WHEN ((((((((((((old.organization_id IS DISTINCT FROM new.organization_id) OR (old.id IS DISTINCT FROM new.id)) OR (old.authority_id IS DISTINCT FROM new.authority_id)) OR (old.identity_id IS DISTINCT FROM new.identity_id)) OR (old.serial IS DISTINCT FROM new.serial)) OR (old.fingerprint IS DISTINCT FROM new.fingerprint)) OR (old.spki_sha256 IS DISTINCT FROM new.spki_sha256)) OR (old.not_before IS DISTINCT FROM new.not_before)) OR (old.not_after IS DISTINCT FROM new.not_after)) OR (old.source IS DISTINCT FROM new.source)) OR ((old.der = new.der) AND (old.status = 2) AND ((old.listed_by IS NULL) OR (new.status = 2))) OR ((old.der <> new.der) AND ((new.der <> '\x'::bytea) OR (old.status = 1) OR ((((old.status IS DISTINCT FROM new.status) OR (old.revoked_at IS DISTINCT FROM new.revoked_at)) OR (old.reason IS DISTINCT FROM new.reason)) OR (old.listed_by IS DISTINCT FROM new.listed_by)))))) EXECUTE FUNCTION public.certificate_pinned();

CREATE TRIGGER certificate_revoked BEFORE UPDATE OF status ON public.certificate FOR EACH ROW WHEN (((old.status = 1) AND (new.status = 2))) EXECUTE FUNCTION public.certificate_revoked();

CREATE TRIGGER counter_clock BEFORE UPDATE OF generation, revision, last_at ON public.license_counter FOR EACH ROW WHEN (((new.generation < old.generation) OR (new.revision < old.revision) OR (new.last_at < old.last_at))) EXECUTE FUNCTION public.refuse('a license''s generation, revision and clock only grow');

CREATE TRIGGER counter_deleted BEFORE DELETE ON public.license_counter FOR EACH ROW EXECUTE FUNCTION public.refuse('a license''s generations must not start again');

CREATE TRIGGER counter_inserted AFTER INSERT ON public.license_counter FOR EACH ROW EXECUTE FUNCTION public.counter_inserted();

CREATE TRIGGER counter_moved_by_hand BEFORE UPDATE OF in_use, reserved ON public.license_counter FOR EACH ROW WHEN ((((new.in_use <> old.in_use) OR (new.reserved <> old.reserved)) AND (pg_trigger_depth() = 0))) EXECUTE FUNCTION public.refuse('only seats and reservations move in_use and reserved');

CREATE TRIGGER counter_truncated BEFORE TRUNCATE ON public.license_counter FOR EACH STATEMENT EXECUTE FUNCTION public.refuse('a license''s generations must not start again');

CREATE TRIGGER license_deleted BEFORE DELETE ON public.license FOR EACH ROW EXECUTE FUNCTION public.refuse('licenses become deleted by status: their counters stay');

CREATE TRIGGER license_full BEFORE UPDATE OF in_use, reserved ON public.license_counter FOR EACH ROW WHEN ((((new.in_use > old.in_use) AND (new.in_use > (new.seats +
        CASE
            WHEN (new.overdraft_until <= new.last_at) THEN 0
            ELSE new.overdraft
        END))) OR (((new.in_use + new.reserved) > (old.in_use + old.reserved)) AND ((new.in_use + new.reserved) > (new.seats +
        CASE
            WHEN (new.overdraft_until <= new.last_at) THEN 0
            ELSE new.overdraft
        END))))) EXECUTE FUNCTION public.refuse('the license has no seat left');

CREATE TRIGGER reservation_added AFTER INSERT ON public.reservation FOR EACH ROW EXECUTE FUNCTION public.reservation_added();

CREATE TRIGGER reservation_pinned BEFORE UPDATE OF organization_id, product_id, identity_id, license_id ON public.reservation FOR EACH ROW EXECUTE FUNCTION public.refuse('a reservation cannot move between licenses or identities');

CREATE TRIGGER reservation_removed AFTER DELETE ON public.reservation FOR EACH ROW EXECUTE FUNCTION public.reservation_removed();

CREATE TRIGGER reservation_truncated BEFORE TRUNCATE ON public.reservation FOR EACH STATEMENT EXECUTE FUNCTION public.refuse('reservations are deleted, not truncated: the counters must follow');

CREATE TRIGGER revocation_list_forward BEFORE UPDATE OF number, der ON public.revocation_list FOR EACH ROW WHEN ((ROW(octet_length(new.number), new.number) <= ROW(octet_length(old.number), old.number))) EXECUTE FUNCTION public.revocation_list_forward();

CREATE TRIGGER seat_added AFTER INSERT ON public.seat REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION public.seat_added();

CREATE TRIGGER seat_changed AFTER UPDATE OF revision ON public.seat FOR EACH ROW WHEN ((new.revision > old.revision)) EXECUTE FUNCTION public.seat_changed();

CREATE TRIGGER seat_generation BEFORE UPDATE OF generation, revision ON public.seat FOR EACH ROW WHEN (((new.generation < old.generation) OR (new.revision < old.revision))) EXECUTE FUNCTION public.refuse('a seat''s generation and revision only grow');

CREATE TRIGGER seat_pinned BEFORE UPDATE OF organization_id, product_id, identity_id, license_id ON public.seat FOR EACH ROW EXECUTE FUNCTION public.refuse('a seat cannot move between licenses or identities');

CREATE TRIGGER seat_removed AFTER DELETE ON public.seat REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION public.seat_removed();

CREATE TRIGGER seat_reserved_by_hand BEFORE UPDATE OF reserved ON public.seat FOR EACH ROW WHEN (((new.reserved <> old.reserved) AND (pg_trigger_depth() = 0))) EXECUTE FUNCTION public.refuse('only reservations reserve a seat');

CREATE TRIGGER seat_truncated BEFORE TRUNCATE ON public.seat FOR EACH STATEMENT EXECUTE FUNCTION public.refuse('seats are deleted, not truncated: the counters must follow');

CREATE TRIGGER touch BEFORE UPDATE OF token_hash, name, metadata, external_id, expires_at, revoked_at ON public.api_token FOR EACH ROW EXECUTE FUNCTION public.touch();

CREATE TRIGGER touch BEFORE UPDATE ON public.authority FOR EACH ROW EXECUTE FUNCTION public.touch();

CREATE TRIGGER touch BEFORE UPDATE ON public.enrollment FOR EACH ROW EXECUTE FUNCTION public.touch();

CREATE TRIGGER touch BEFORE UPDATE ON public.identity FOR EACH ROW EXECUTE FUNCTION public.touch();

CREATE TRIGGER touch BEFORE UPDATE ON public.license FOR EACH ROW EXECUTE FUNCTION public.touch();

CREATE TRIGGER touch BEFORE UPDATE ON public.organization FOR EACH ROW EXECUTE FUNCTION public.touch();

CREATE TRIGGER touch BEFORE UPDATE ON public.product FOR EACH ROW EXECUTE FUNCTION public.touch();

CREATE TRIGGER touch BEFORE UPDATE OF external_id, metadata, url, types, status, sealed_secret ON public.webhook FOR EACH ROW EXECUTE FUNCTION public.touch();

ALTER TABLE ONLY public.api_token
    ADD CONSTRAINT api_token_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organization(id);

ALTER TABLE ONLY public.authority
    ADD CONSTRAINT authority_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organization(id);

ALTER TABLE ONLY public.certificate
    ADD CONSTRAINT certificate_organization_id_authority_id_fkey FOREIGN KEY (organization_id, authority_id) REFERENCES public.authority(organization_id, id);

ALTER TABLE ONLY public.certificate
    ADD CONSTRAINT certificate_organization_id_enrollment_id_fkey FOREIGN KEY (organization_id, enrollment_id) REFERENCES public.enrollment(organization_id, id);

ALTER TABLE ONLY public.certificate
    ADD CONSTRAINT certificate_organization_id_identity_id_fkey FOREIGN KEY (organization_id, identity_id) REFERENCES public.identity(organization_id, id);

ALTER TABLE ONLY public.certificate
    ADD CONSTRAINT certificate_organization_id_predecessor_id_fkey FOREIGN KEY (organization_id, predecessor_id) REFERENCES public.certificate(organization_id, id);

ALTER TABLE ONLY public.enrollment
    ADD CONSTRAINT enrollment_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organization(id);

ALTER TABLE ONLY public.enrollment
    ADD CONSTRAINT enrollment_organization_id_identity_id_fkey FOREIGN KEY (organization_id, identity_id) REFERENCES public.identity(organization_id, id);

ALTER TABLE ONLY public.enrollment
    ADD CONSTRAINT enrollment_organization_id_last_certificate_id_fkey FOREIGN KEY (organization_id, last_certificate_id) REFERENCES public.certificate(organization_id, id);

ALTER TABLE ONLY public.enrollment
    ADD CONSTRAINT enrollment_organization_id_license_id_fkey FOREIGN KEY (organization_id, license_id) REFERENCES public.license(organization_id, id);

ALTER TABLE ONLY public.identity
    ADD CONSTRAINT identity_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organization(id);

ALTER TABLE ONLY public.license
    ADD CONSTRAINT license_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organization(id);

ALTER TABLE ONLY public.license
    ADD CONSTRAINT license_product_id_fkey FOREIGN KEY (product_id) REFERENCES public.product(id);

ALTER TABLE ONLY public.revocation_list
    ADD CONSTRAINT revocation_list_organization_id_authority_id_fkey FOREIGN KEY (organization_id, authority_id) REFERENCES public.authority(organization_id, id);

ALTER TABLE ONLY public.setup_token
    ADD CONSTRAINT setup_token_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organization(id);

ALTER TABLE ONLY public.webhook_dead_letter
    ADD CONSTRAINT webhook_dead_letter_organization_id_webhook_id_fkey FOREIGN KEY (organization_id, webhook_id) REFERENCES public.webhook(organization_id, id);

ALTER TABLE ONLY public.webhook
    ADD CONSTRAINT webhook_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organization(id);

CREATE POLICY anyone ON public.api_token USING (true);

CREATE POLICY anyone ON public.authority USING (true);

CREATE POLICY anyone ON public.certificate USING (true);

CREATE POLICY anyone ON public.change USING (true);

CREATE POLICY anyone ON public.denial_minute USING (true);

CREATE POLICY anyone ON public.enrollment USING (true);

CREATE POLICY anyone ON public.event USING (true);

CREATE POLICY anyone ON public.event_chain USING (true);

CREATE POLICY anyone ON public.identity USING (true);

CREATE POLICY anyone ON public.identity_seen USING (true);

CREATE POLICY anyone ON public.license USING (true);

CREATE POLICY anyone ON public.license_counter USING (true);

CREATE POLICY anyone ON public.organization USING (true);

CREATE POLICY anyone ON public.reservation USING (true);

CREATE POLICY anyone ON public.revocation_list USING (true);

CREATE POLICY anyone ON public.revoked_serial USING (true);

CREATE POLICY anyone ON public.sealed_event USING (true);

CREATE POLICY anyone ON public.seat USING (true);

CREATE POLICY anyone ON public.seat_loss USING (true);

CREATE POLICY anyone ON public.setup_token USING (true);

CREATE POLICY anyone ON public.usage_minute USING (true);

CREATE POLICY anyone ON public.webhook USING (true);

CREATE POLICY anyone ON public.webhook_dead_letter USING (true);

ALTER TABLE public.api_token ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.authority ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.certificate ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.change ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.denial_minute ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.enrollment ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.event ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.event_chain ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.identity ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.identity_seen ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.license ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.license_counter ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.organization ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.reservation ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.revocation_list ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.revoked_serial ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.sealed_event ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.seat ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.seat_loss ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.setup_token ENABLE ROW LEVEL SECURITY;

CREATE POLICY tenant ON public.api_token AS RESTRICTIVE TO usher_tenant USING (((
CASE
    WHEN ((organization_id = ( SELECT public.tenant() AS tenant)) OR (CURRENT_USER <> 'usher_tenant'::name)) THEN true
    ELSE NULL::boolean
END IS NOT NULL) OR (organization_id IS NULL))) WITH CHECK ((
CASE
    WHEN ((organization_id = ( SELECT public.tenant() AS tenant)) OR (CURRENT_USER <> 'usher_tenant'::name)) THEN true
    ELSE NULL::boolean
END IS NOT NULL));

CREATE POLICY tenant ON public.authority AS RESTRICTIVE TO usher_tenant USING ((
CASE
    WHEN ((organization_id = ( SELECT public.tenant() AS tenant)) OR (CURRENT_USER <> 'usher_tenant'::name)) THEN true
    ELSE NULL::boolean
END IS NOT NULL)) WITH CHECK ((
CASE
    WHEN ((organization_id = ( SELECT public.tenant() AS tenant)) OR (CURRENT_USER <> 'usher_tenant'::name)) THEN true
    ELSE NULL::boolean
END IS NOT NULL));

CREATE POLICY tenant ON public.certificate AS RESTRICTIVE TO usher_tenant USING ((
CASE
    WHEN ((organization_id = ( SELECT public.tenant() AS tenant)) OR (CURRENT_USER <> 'usher_tenant'::name)) THEN true
    ELSE NULL::boolean
END IS NOT NULL)) WITH CHECK ((
CASE
    WHEN ((organization_id = ( SELECT public.tenant() AS tenant)) OR (CURRENT_USER <> 'usher_tenant'::name)) THEN true
    ELSE NULL::boolean
END IS NOT NULL));

CREATE POLICY tenant ON public.change AS RESTRICTIVE TO usher_tenant USING ((
CASE
    WHEN ((organization_id = ( SELECT public.tenant() AS tenant)) OR (CURRENT_USER <> 'usher_tenant'::name)) THEN true
    ELSE NULL::boolean
END IS NOT NULL)) WITH CHECK ((
CASE
    WHEN ((organization_id = ( SELECT public.tenant() AS tenant)) OR (CURRENT_USER <> 'usher_tenant'::name)) THEN true
    ELSE NULL::boolean
END IS NOT NULL));

CREATE POLICY tenant ON public.denial_minute AS RESTRICTIVE TO usher_tenant USING ((
CASE
    WHEN ((organization_id = ( SELECT public.tenant() AS tenant)) OR (CURRENT_USER <> 'usher_tenant'::name)) THEN true
    ELSE NULL::boolean
END IS NOT NULL)) WITH CHECK ((
CASE
    WHEN ((organization_id = ( SELECT public.tenant() AS tenant)) OR (CURRENT_USER <> 'usher_tenant'::name)) THEN true
    ELSE NULL::boolean
END IS NOT NULL));

CREATE POLICY tenant ON public.enrollment AS RESTRICTIVE TO usher_tenant USING ((
CASE
    WHEN ((organization_id = ( SELECT public.tenant() AS tenant)) OR (CURRENT_USER <> 'usher_tenant'::name)) THEN true
    ELSE NULL::boolean
END IS NOT NULL)) WITH CHECK ((
CASE
    WHEN ((organization_id = ( SELECT public.tenant() AS tenant)) OR (CURRENT_USER <> 'usher_tenant'::name)) THEN true
    ELSE NULL::boolean
END IS NOT NULL));

CREATE POLICY tenant ON public.event AS RESTRICTIVE TO usher_tenant USING ((
CASE
    WHEN ((organization_id = ( SELECT public.tenant() AS tenant)) OR (CURRENT_USER <> 'usher_tenant'::name)) THEN true
    ELSE NULL::boolean
END IS NOT NULL)) WITH CHECK ((
CASE
    WHEN ((organization_id = ( SELECT public.tenant() AS tenant)) OR (CURRENT_USER <> 'usher_tenant'::name)) THEN true
    ELSE NULL::boolean
END IS NOT NULL));

CREATE POLICY tenant ON public.event_chain AS RESTRICTIVE TO usher_tenant USING ((
CASE
    WHEN ((organization_id = ( SELECT public.tenant() AS tenant)) OR (CURRENT_USER <> 'usher_tenant'::name)) THEN true
    ELSE NULL::boolean
END IS NOT NULL)) WITH CHECK ((
CASE
    WHEN ((organization_id = ( SELECT public.tenant() AS tenant)) OR (CURRENT_USER <> 'usher_tenant'::name)) THEN true
    ELSE NULL::boolean
END IS NOT NULL));

CREATE POLICY tenant ON public.identity AS RESTRICTIVE TO usher_tenant USING ((
CASE
    WHEN ((organization_id = ( SELECT public.tenant() AS tenant)) OR (CURRENT_USER <> 'usher_tenant'::name)) THEN true
    ELSE NULL::boolean
END IS NOT NULL)) WITH CHECK ((
CASE
    WHEN ((organization_id = ( SELECT public.tenant() AS tenant)) OR (CURRENT_USER <> 'usher_tenant'::name)) THEN true
    ELSE NULL::boolean
END IS NOT NULL));

CREATE POLICY tenant ON public.identity_seen AS RESTRICTIVE TO usher_tenant USING ((
CASE
    WHEN ((organization_id = ( SELECT public.tenant() AS tenant)) OR (CURRENT_USER <> 'usher_tenant'::name)) THEN true
    ELSE NULL::boolean
END IS NOT NULL)) WITH CHECK ((
CASE
    WHEN ((organization_id = ( SELECT public.tenant() AS tenant)) OR (CURRENT_USER <> 'usher_tenant'::name)) THEN true
    ELSE NULL::boolean
END IS NOT NULL));

CREATE POLICY tenant ON public.license AS RESTRICTIVE TO usher_tenant USING ((
CASE
    WHEN ((organization_id = ( SELECT public.tenant() AS tenant)) OR (CURRENT_USER <> 'usher_tenant'::name)) THEN true
    ELSE NULL::boolean
END IS NOT NULL)) WITH CHECK ((
CASE
    WHEN ((organization_id = ( SELECT public.tenant() AS tenant)) OR (CURRENT_USER <> 'usher_tenant'::name)) THEN true
    ELSE NULL::boolean
END IS NOT NULL));

CREATE POLICY tenant ON public.license_counter AS RESTRICTIVE TO usher_tenant USING ((
CASE
    WHEN ((organization_id = ( SELECT public.tenant() AS tenant)) OR (CURRENT_USER <> 'usher_tenant'::name)) THEN true
    ELSE NULL::boolean
END IS NOT NULL)) WITH CHECK ((
CASE
    WHEN ((organization_id = ( SELECT public.tenant() AS tenant)) OR (CURRENT_USER <> 'usher_tenant'::name)) THEN true
    ELSE NULL::boolean
END IS NOT NULL));

CREATE POLICY tenant ON public.organization AS RESTRICTIVE TO usher_tenant USING ((
CASE
    WHEN ((id = ( SELECT public.tenant() AS tenant)) OR (CURRENT_USER <> 'usher_tenant'::name)) THEN true
    ELSE NULL::boolean
END IS NOT NULL)) WITH CHECK ((
CASE
    WHEN ((id = ( SELECT public.tenant() AS tenant)) OR (CURRENT_USER <> 'usher_tenant'::name)) THEN true
    ELSE NULL::boolean
END IS NOT NULL));

CREATE POLICY tenant ON public.reservation AS RESTRICTIVE TO usher_tenant USING ((
CASE
    WHEN ((organization_id = ( SELECT public.tenant() AS tenant)) OR (CURRENT_USER <> 'usher_tenant'::name)) THEN true
    ELSE NULL::boolean
END IS NOT NULL)) WITH CHECK ((
CASE
    WHEN ((organization_id = ( SELECT public.tenant() AS tenant)) OR (CURRENT_USER <> 'usher_tenant'::name)) THEN true
    ELSE NULL::boolean
END IS NOT NULL));

CREATE POLICY tenant ON public.revocation_list AS RESTRICTIVE TO usher_tenant USING ((
CASE
    WHEN ((organization_id = ( SELECT public.tenant() AS tenant)) OR (CURRENT_USER <> 'usher_tenant'::name)) THEN true
    ELSE NULL::boolean
END IS NOT NULL)) WITH CHECK ((
CASE
    WHEN ((organization_id = ( SELECT public.tenant() AS tenant)) OR (CURRENT_USER <> 'usher_tenant'::name)) THEN true
    ELSE NULL::boolean
END IS NOT NULL));

CREATE POLICY tenant ON public.revoked_serial AS RESTRICTIVE TO usher_tenant USING ((
CASE
    WHEN ((organization_id = ( SELECT public.tenant() AS tenant)) OR (CURRENT_USER <> 'usher_tenant'::name)) THEN true
    ELSE NULL::boolean
END IS NOT NULL)) WITH CHECK ((
CASE
    WHEN ((organization_id = ( SELECT public.tenant() AS tenant)) OR (CURRENT_USER <> 'usher_tenant'::name)) THEN true
    ELSE NULL::boolean
END IS NOT NULL));

CREATE POLICY tenant ON public.sealed_event AS RESTRICTIVE TO usher_tenant USING ((
CASE
    WHEN ((organization_id = ( SELECT public.tenant() AS tenant)) OR (CURRENT_USER <> 'usher_tenant'::name)) THEN true
    ELSE NULL::boolean
END IS NOT NULL)) WITH CHECK ((
CASE
    WHEN ((organization_id = ( SELECT public.tenant() AS tenant)) OR (CURRENT_USER <> 'usher_tenant'::name)) THEN true
    ELSE NULL::boolean
END IS NOT NULL));

CREATE POLICY tenant ON public.seat AS RESTRICTIVE TO usher_tenant USING ((
CASE
    WHEN ((organization_id = ( SELECT public.tenant() AS tenant)) OR (CURRENT_USER <> 'usher_tenant'::name)) THEN true
    ELSE NULL::boolean
END IS NOT NULL)) WITH CHECK ((
CASE
    WHEN ((organization_id = ( SELECT public.tenant() AS tenant)) OR (CURRENT_USER <> 'usher_tenant'::name)) THEN true
    ELSE NULL::boolean
END IS NOT NULL));

CREATE POLICY tenant ON public.seat_loss AS RESTRICTIVE TO usher_tenant USING ((
CASE
    WHEN ((organization_id = ( SELECT public.tenant() AS tenant)) OR (CURRENT_USER <> 'usher_tenant'::name)) THEN true
    ELSE NULL::boolean
END IS NOT NULL)) WITH CHECK ((
CASE
    WHEN ((organization_id = ( SELECT public.tenant() AS tenant)) OR (CURRENT_USER <> 'usher_tenant'::name)) THEN true
    ELSE NULL::boolean
END IS NOT NULL));

CREATE POLICY tenant ON public.setup_token AS RESTRICTIVE TO usher_tenant USING ((
CASE
    WHEN ((organization_id = ( SELECT public.tenant() AS tenant)) OR (CURRENT_USER <> 'usher_tenant'::name)) THEN true
    ELSE NULL::boolean
END IS NOT NULL)) WITH CHECK ((
CASE
    WHEN ((organization_id = ( SELECT public.tenant() AS tenant)) OR (CURRENT_USER <> 'usher_tenant'::name)) THEN true
    ELSE NULL::boolean
END IS NOT NULL));

CREATE POLICY tenant ON public.usage_minute AS RESTRICTIVE TO usher_tenant USING ((
CASE
    WHEN ((organization_id = ( SELECT public.tenant() AS tenant)) OR (CURRENT_USER <> 'usher_tenant'::name)) THEN true
    ELSE NULL::boolean
END IS NOT NULL)) WITH CHECK ((
CASE
    WHEN ((organization_id = ( SELECT public.tenant() AS tenant)) OR (CURRENT_USER <> 'usher_tenant'::name)) THEN true
    ELSE NULL::boolean
END IS NOT NULL));

CREATE POLICY tenant ON public.webhook AS RESTRICTIVE TO usher_tenant USING ((
CASE
    WHEN ((organization_id = ( SELECT public.tenant() AS tenant)) OR (CURRENT_USER <> 'usher_tenant'::name)) THEN true
    ELSE NULL::boolean
END IS NOT NULL)) WITH CHECK ((
CASE
    WHEN ((organization_id = ( SELECT public.tenant() AS tenant)) OR (CURRENT_USER <> 'usher_tenant'::name)) THEN true
    ELSE NULL::boolean
END IS NOT NULL));

CREATE POLICY tenant ON public.webhook_dead_letter AS RESTRICTIVE TO usher_tenant USING ((
CASE
    WHEN ((organization_id = ( SELECT public.tenant() AS tenant)) OR (CURRENT_USER <> 'usher_tenant'::name)) THEN true
    ELSE NULL::boolean
END IS NOT NULL)) WITH CHECK ((
CASE
    WHEN ((organization_id = ( SELECT public.tenant() AS tenant)) OR (CURRENT_USER <> 'usher_tenant'::name)) THEN true
    ELSE NULL::boolean
END IS NOT NULL));

ALTER TABLE public.usage_minute ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.webhook ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.webhook_dead_letter ENABLE ROW LEVEL SECURITY;
