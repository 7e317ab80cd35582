-- Who gets a seat: one call decides a whole batch of one (organization, product).
--
-- The rules that make it exact and fast, each measured or broken once:
-- · An advisory lock first: many servers queue there fairly, and not on a row. Then the counters are locked in license
--   order; only a statement after that sees what the holder before us committed (READ COMMITTED, VOLATILE).
-- · `t` is read after the lock and never goes back: now() is the time before the wait.
-- · Plans are cached, and made while tables are small. So every hot look-up is a LATERAL by its full key behind OFFSET 0,
--   which can be planned in one way only; rows found so are written by ctid, under the lock; and key columns come from
--   the request rows, because as constants a generic plan would fit one tenant and crawl for another.
-- · Requests of a batch are of different identities, so nothing in it depends on the order of two requests.
-- · Refusals are rows, never errors: an error would refuse the whole batch.

-- A row of an answer. `request` counts from 1. Rows with `request` 0 state the licenses of the product, once per batch:
-- what a seat of theirs carries and, in `outcome`, why a newcomer gets none (NULL: there is room).
CREATE TYPE seat_answer AS (
  request        integer,
  outcome        text,          -- granted, renewed, released, or the reason of a refusal as the API names it
  loss           text,          -- with lease-lost: expired, released, drained
  license_id     bigint,
  license        uuid,
  kind           smallint,
  overdraft      boolean,
  generation     bigint,
  revision       bigint,        -- of a license row: that of its terms; a seat's is the greater of both
  granted_at     timestamptz,
  expires_at     timestamptz,   -- NULL: assigned for good
  stated_at      timestamptz,   -- the database's time at which all this held
  lease_seconds  integer,
  grace_seconds  integer,
  ends_at        timestamptz,
  features       jsonb,
  seats          integer,
  held           integer,
  retry_at       timestamptz    -- when a seat may be free, or the block is over
);

-- The licenses of a product as a newcomer finds them at `t`. `state`: why nobody may use it now.
-- `is_open`: a claim alone may take a seat.
CREATE FUNCTION license_rooms(o bigint, p bigint, t timestamptz)
RETURNS TABLE (license_id bigint, license uuid, state text, is_open boolean, seats integer, overdraft integer,
  in_use integer, kind smallint, lease_seconds integer, grace_seconds integer, ends_at timestamptz, features jsonb,
  revision bigint)
LANGUAGE sql STABLE AS $$
  SELECT c.license_id, l.public_id, s.state, s.state IS NULL AND (l.model = 1 OR l.assignment = 2),
    c.seats, c.overdraft, c.in_use, (CASE l.model WHEN 1 THEN 1 ELSE 2 END)::smallint,
    l.lease_seconds, l.grace_seconds, l.ends_at, l.features::jsonb, c.revision
  FROM public.license_counter c
  CROSS JOIN LATERAL (SELECT l.* FROM public.license l
    WHERE l.organization_id = c.organization_id AND l.id = c.license_id OFFSET 0) l
  CROSS JOIN LATERAL (SELECT CASE WHEN l.status = 2 THEN 'license-suspended' WHEN l.ends_at <= t THEN 'license-expired'
    WHEN l.starts_at > t THEN 'license-not-started' END AS state) s
  WHERE c.organization_id = o AND c.product_id = p AND l.status < 3
$$;

-- Locks the seats of a product until the transaction ends. No license ever: `licenses` is NULL.
CREATE FUNCTION seat_lock(o bigint, p bigint, OUT t timestamptz, OUT generation bigint, OUT licenses bigint[],
  OUT in_use integer[])
LANGUAGE plpgsql VOLATILE
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
#variable_conflict use_column
BEGIN
  IF current_setting('transaction_isolation') <> 'read committed' THEN
    RAISE 'seats are decided under READ COMMITTED only' USING ERRCODE = 'active_sql_transaction';
  END IF;
  PERFORM pg_advisory_xact_lock(hashint8extended(o, p));
  SELECT greatest(clock_timestamp(), max(c.last_at)), max(c.generation), array_agg(c.license_id), array_agg(c.in_use)
    INTO t, generation, licenses, in_use
    FROM (SELECT * FROM public.license_counter c WHERE c.organization_id = o AND c.product_id = p
          ORDER BY c.license_id FOR NO KEY UPDATE) c;
END $$;

-- Drops expired leases of these licenses until `wanted` seats are free or none is left to drop; the number free.
-- The work of a round is bounded. Rows that only look expired (renewed since) get their lower bound moved along.
CREATE FUNCTION seat_reclaim(o bigint, p bigint, among bigint[], t timestamptz, wanted bigint) RETURNS bigint
LANGUAGE plpgsql VOLATILE
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_hashjoin = off
SET enable_mergejoin = off AS $$
#variable_conflict use_column
DECLARE free bigint; touched bigint;
BEGIN
  LOOP
    SELECT coalesce(sum(greatest(0, c.seats + c.overdraft - c.in_use)), 0) INTO free
      FROM unnest(among) x(id) CROSS JOIN LATERAL (SELECT c.* FROM public.license_counter c
        WHERE c.organization_id = o AND c.product_id = p AND c.license_id = x.id OFFSET 0) c;
    EXIT WHEN free >= wanted;
    WITH stale AS MATERIALIZED (
        SELECT s.ctid AS spot, s.expires_at <= t AS is_dead FROM unnest(among) x(id) CROSS JOIN LATERAL (
          SELECT s.ctid, s.expires_at FROM public.seat s
           WHERE s.license_id = x.id AND s.reclaim_at <= t
           ORDER BY s.reclaim_at LIMIT wanted - free + 64) s),
      dead AS (DELETE FROM public.seat s USING stale x WHERE s.ctid = x.spot AND x.is_dead RETURNING s.*),
      told AS (INSERT INTO public.event (organization_id, at, type, license_id, identity_id, generation)
        SELECT o, d.expires_at, 'seat.expired', d.license_id, d.identity_id, d.generation FROM dead d),
      late AS (UPDATE public.seat s SET reclaim_at = s.expires_at FROM stale x WHERE s.ctid = x.spot AND NOT x.is_dead
        RETURNING 1)
      SELECT (SELECT count(*) FROM dead) + (SELECT count(*) FROM late) INTO touched;
    EXIT WHEN touched = 0;
  END LOOP;
  RETURN free;
END $$;

-- Decides a batch. `ops`: 1 claim or renew, 2 renew the seat of this generation only, 3 release.
CREATE FUNCTION seat_decide(o bigint, p bigint, ops smallint[], identities bigint[], generations bigint[])
RETURNS SETOF seat_answer
LANGUAGE plpgsql VOLATILE
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_hashjoin = off
SET enable_mergejoin = off AS $$
#variable_conflict use_column
DECLARE
  t timestamptz; g bigint; counters bigint[]; used_before integer[]; used_reclaimed integer[];
  licenses bigint[]; states text[]; leases interval[]; ends timestamptz[];
  organization_good boolean; open bigint[]; free bigint; granted integer := 0; rest integer; lost bigint[];
  found integer := 0;  -- rows written of those seen in step 1
  -- requests by what becomes of them, in parallel arrays: position, identity, row of the seat
  renew_at integer[]; renew_spot tid[]; release_at integer[]; release_spot tid[]; dead_spot tid[];
  claim_at integer[]; claim_by bigint[]; claim_spot tid[];
  no_at integer[]; no_to bigint[]; no_why text[]; no_loss text[]; no_license bigint[]; no_until timestamptz[];
  why text; why_license bigint; is_full boolean := false;
BEGIN
  SELECT l.t, l.generation, l.licenses, l.in_use INTO t, g, counters, used_before FROM public.seat_lock(o, p) l;
  IF counters IS NULL THEN
    RETURN QUERY SELECT x.i::integer, CASE x.op WHEN 3 THEN 'released' ELSE 'product-unknown' END, NULL::text,
      NULL::bigint, NULL::uuid, NULL::smallint, NULL::boolean, NULL::bigint, NULL::bigint, NULL::timestamptz,
      NULL::timestamptz, t, NULL::integer, NULL::integer, NULL::timestamptz, NULL::jsonb,
      NULL::integer, NULL::integer, NULL::timestamptz
      FROM unnest(ops) WITH ORDINALITY x(op, i);
    RETURN;
  END IF;
  SELECT d.status = 1 INTO organization_good FROM public.organization d WHERE d.id = o;
  SELECT array_agg(r.license_id), array_agg(r.state), array_agg(r.lease_seconds * interval '1 second'),
      array_agg(r.ends_at)
    INTO licenses, states, leases, ends FROM public.license_rooms(o, p, t) r;

  -- 1. Who asks, what they hold, and what becomes of it. `state` says why a license is out of force; `is_live` that the
  --    seat has not run out. A lease on a license out of force may move to another license; what is assigned or borrowed
  --    there stays, unless the license ended.
  SELECT array_agg(v.i) FILTER (WHERE v.fate = 'renew'), array_agg(v.spot) FILTER (WHERE v.fate = 'renew'),
      array_agg(v.i) FILTER (WHERE v.fate = 'release'),
      array_agg(v.spot) FILTER (WHERE v.fate = 'release' AND v.kind = 1),
      array_agg(v.spot) FILTER (WHERE v.fate = 'claim' AND NOT v.is_live),
      array_agg(v.i) FILTER (WHERE v.fate = 'claim'), array_agg(v.id) FILTER (WHERE v.fate = 'claim'),
      array_agg(CASE WHEN v.is_live THEN v.spot END) FILTER (WHERE v.fate = 'claim'),
      array_agg(v.i) FILTER (WHERE v.fate = 'no'), array_agg(v.id) FILTER (WHERE v.fate = 'no'),
      array_agg(v.why) FILTER (WHERE v.fate = 'no'), array_agg(v.loss) FILTER (WHERE v.fate = 'no'),
      array_agg(v.license_id) FILTER (WHERE v.fate = 'no'), array_agg(v.until) FILTER (WHERE v.fate = 'no')
    INTO renew_at, renew_spot, release_at, release_spot, dead_spot, claim_at, claim_by, claim_spot,
      no_at, no_to, no_why, no_loss, no_license, no_until
    FROM (
      SELECT x.i, x.id, h.spot, h.kind, h.license_id, h.is_live, w.why,
        CASE WHEN x.op = 3 THEN 'release' WHEN w.why IS NOT NULL THEN 'no' WHEN h.is_live AND h.state IS NULL
          THEN 'renew' ELSE 'claim' END AS fate,
        CASE w.why WHEN 'lease-lost' THEN CASE WHEN h.generation IS DISTINCT FROM x.generation
          AND b.generation >= x.generation THEN CASE b.reason WHEN 1 THEN 'released' ELSE 'drained' END
          ELSE 'expired' END END AS loss,
        CASE w.why WHEN 'seat-blocked' THEN b.blocked_until END AS until
      FROM (SELECT o AS o, p AS p, x.op, x.id, x.generation, x.i::integer
              FROM unnest(ops, identities, generations) WITH ORDINALITY x(op, id, generation, i) OFFSET 0) x
      LEFT JOIN LATERAL (SELECT d.status FROM public.identity d
        WHERE d.organization_id = x.o AND d.id = x.id AND x.op < 3 OFFSET 0) d ON true
      LEFT JOIN LATERAL (SELECT s.ctid AS spot, s.kind, s.license_id, s.generation, s.expires_at > t AS is_live,
          CASE WHEN s.license_id = ANY (licenses) THEN states[array_position(licenses, s.license_id)]
            ELSE 'license-expired' END AS state
        FROM public.seat s WHERE s.organization_id = x.o AND s.product_id = x.p AND s.identity_id = x.id OFFSET 0) h
        ON true
      LEFT JOIN LATERAL (SELECT b.generation, b.reason, b.blocked_until FROM public.seat_loss b
        WHERE b.organization_id = x.o AND b.product_id = x.p AND b.identity_id = x.id
          AND x.op < 3 AND (h.is_live IS NOT TRUE OR x.op = 2 AND h.generation <> x.generation) OFFSET 0) b ON true
      CROSS JOIN LATERAL (SELECT CASE
        WHEN x.op = 3 THEN NULL
        WHEN d.status IS DISTINCT FROM 1 THEN 'identity-suspended'
        WHEN organization_good IS NOT TRUE THEN 'organization-suspended'
        WHEN x.op = 2 THEN CASE WHEN h.is_live AND h.generation = x.generation THEN h.state ELSE 'lease-lost' END
        WHEN h.is_live THEN CASE WHEN h.kind = 3 OR h.kind = 2 AND h.state <> 'license-expired' THEN h.state END
        WHEN b.blocked_until > t THEN 'seat-blocked' END AS why) w) v;

  -- 2. Releases first: what they free serves the claims of this batch. An assigned seat stays.
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
    RETURN QUERY SELECT x.i, 'released', NULL::text, NULL::bigint, NULL::uuid, NULL::smallint, NULL::boolean,
      NULL::bigint, NULL::bigint, NULL::timestamptz, NULL::timestamptz, t, NULL::integer, NULL::integer,
      NULL::timestamptz, NULL::jsonb, NULL::integer, NULL::integer, NULL::timestamptz FROM unnest(release_at) x(i);
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
      FROM unnest(renew_at, renew_spot) x(i, spot) WHERE s.ctid = x.spot
    RETURNING x.i, 'renewed', NULL::text, s.license_id, NULL::uuid, s.kind, s.overdraft, s.generation, s.revision,
      s.granted_at, nullif(least(s.expires_at, ends[array_position(licenses, s.license_id)]), 'infinity'), t,
      NULL::integer, NULL::integer, NULL::timestamptz, NULL::jsonb, NULL::integer, NULL::integer, NULL::timestamptz;
    GET DIAGNOSTICS rest = ROW_COUNT;
    found := found + rest;
  END IF;

  IF claim_at IS NOT NULL THEN
    -- 4. Room: the claimants' own expired leases go first (the key would collide), then others' as far as needed.
    IF dead_spot IS NOT NULL THEN
      WITH dead AS (DELETE FROM public.seat s USING unnest(dead_spot) x(spot) WHERE s.ctid = x.spot RETURNING s.*)
        INSERT INTO public.event (organization_id, at, type, license_id, identity_id, generation)
        SELECT o, d.expires_at, 'seat.expired', d.license_id, d.identity_id, d.generation FROM dead d;
      GET DIAGNOSTICS rest = ROW_COUNT;
      found := found + rest;
    END IF;
    SELECT array_agg(r.license_id) INTO open FROM public.license_rooms(o, p, t) r WHERE r.is_open;
    free := public.seat_reclaim(o, p, open, t, cardinality(claim_at));
    granted := least(free, cardinality(claim_at));
    claim_spot := array_remove(claim_spot[:granted], NULL);
    IF claim_spot <> '{}' THEN
      WITH gone AS (DELETE FROM public.seat s USING unnest(claim_spot) x(spot) WHERE s.ctid = x.spot RETURNING s.*),
        told AS (
          INSERT INTO public.event (organization_id, at, type, actor_kind, actor_id, license_id, identity_id, generation)
          SELECT o, t, 'seat.moved', 2, d.identity_id, d.license_id, d.identity_id, d.generation FROM gone d)
        SELECT lost || array_agg(d.identity_id), found + count(*) INTO lost, found FROM gone d;
    END IF;
  END IF;
  -- Whoever goes through these functions waited for the lock. A row that is not where it was, somebody wrote by hand.
  IF found <> coalesce(cardinality(release_spot), 0) + coalesce(cardinality(renew_spot), 0)
      + coalesce(cardinality(dead_spot), 0) + coalesce(cardinality(claim_spot), 0) THEN
    RAISE 'seats were changed by hand meanwhile' USING ERRCODE = 'serialization_failure';
  END IF;

  IF claim_at IS NOT NULL THEN
    SELECT array_agg(c.in_use ORDER BY c.license_id) INTO used_reclaimed FROM public.license_counter c
     WHERE c.organization_id = o AND c.product_id = p;

    -- 5. Grants: plain seats of every license before anyone's overdraft, the license that ends first before the others.
    IF granted > 0 THEN
      RETURN QUERY WITH tier AS (
          SELECT r.*, v.is_over, CASE WHEN v.is_over THEN least(r.overdraft, greatest(0, r.seats + r.overdraft - r.in_use))
            ELSE greatest(0, r.seats - r.in_use) END AS room
          FROM public.license_rooms(o, p, t) r CROSS JOIN (VALUES (false), (true)) v(is_over) WHERE r.is_open),
        span AS (
          SELECT r.*, sum(r.room) OVER w - r.room AS low, sum(r.room) OVER w AS high
          FROM tier r WINDOW w AS (ORDER BY r.is_over, r.ends_at NULLS LAST, r.license_id)),
        won AS MATERIALIZED (
          SELECT x.i, x.id, g + x.k AS generation, r.license_id, r.kind, r.is_over, CASE r.kind WHEN 2 THEN 'infinity'
            ELSE least(t + r.lease_seconds * interval '1 second', r.ends_at) END AS expires_at, r.ends_at
          FROM unnest(claim_at, claim_by) WITH ORDINALITY x(i, id, k) JOIN span r ON x.k > r.low AND x.k <= r.high),
        put AS (
          INSERT INTO public.seat (organization_id, product_id, identity_id, license_id, kind, overdraft, generation,
            revision, granted_at, last_seen_at, expires_at, reclaim_at)
          SELECT o, p, w.id, w.license_id, w.kind, w.is_over, w.generation, w.generation, t, t, w.expires_at, w.expires_at
          FROM won w),
        told AS (
          INSERT INTO public.event (organization_id, at, type, actor_kind, actor_id, license_id, identity_id, generation)
          SELECT o, t, CASE w.kind WHEN 2 THEN 'seat.assigned' ELSE 'seat.granted' END, 2, w.id, w.license_id, w.id,
            w.generation FROM won w)
        SELECT w.i, 'granted', NULL::text, w.license_id, NULL::uuid, w.kind, w.is_over, w.generation, w.generation, t,
          nullif(least(w.expires_at, w.ends_at), 'infinity'), t, NULL::integer, NULL::integer, NULL::timestamptz,
          NULL::jsonb, NULL::integer, NULL::integer, NULL::timestamptz FROM won w;
    END IF;
    IF granted < cardinality(claim_at) THEN
      -- The first reason that applies, in the order of the API.
      SELECT r.why, r.license_id INTO why, why_license
        FROM (SELECT r.license_id, r.ends_at, coalesce(r.state, CASE WHEN r.is_open THEN 'no-seat-available'
                ELSE 'seat-not-assigned' END) AS why FROM public.license_rooms(o, p, t) r) r
       ORDER BY array_position(ARRAY['no-seat-available', 'seat-not-assigned', 'license-suspended', 'license-expired',
         'license-not-started'], r.why), r.ends_at NULLS LAST, r.license_id LIMIT 1;
      rest := cardinality(claim_at) - granted;
      no_at := no_at || claim_at[granted + 1:]; no_to := no_to || claim_by[granted + 1:];
      no_why := no_why || array_fill(coalesce(why, 'license-required'), ARRAY[rest]);
      no_loss := no_loss || array_fill(NULL::text, ARRAY[rest]);
      no_license := no_license || array_fill(why_license, ARRAY[rest]);
      no_until := no_until || array_fill(NULL::timestamptz, ARRAY[rest]);
      is_full := coalesce(why = 'no-seat-available', false);
    END IF;
  END IF;

  -- 6. The clock of this product's seats.
  g := g + granted;
  UPDATE public.license_counter c SET generation = g, last_at = t WHERE c.organization_id = o AND c.product_id = p;

  -- 7. Refusals: told, counted, and the first of a minute recorded.
  IF no_at IS NOT NULL THEN
    RETURN QUERY SELECT x.i, x.why, x.loss, x.license_id, NULL::uuid, NULL::smallint, NULL::boolean, NULL::bigint,
      NULL::bigint, NULL::timestamptz, NULL::timestamptz, t, NULL::integer, NULL::integer, NULL::timestamptz,
      NULL::jsonb, NULL::integer, NULL::integer, x.until
      FROM unnest(no_at, no_why, no_loss, no_license, no_until) x(i, why, loss, license_id, until);
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

  -- 8. Other servers must forget what was released; the usage of the minute.
  IF lost IS NOT NULL THEN
    INSERT INTO public.change (kind, organization_id, key, members) VALUES (6, o, p, lost);
  END IF;
  IF granted > 0 OR lost IS NOT NULL THEN
    INSERT INTO public.usage_minute AS m (organization_id, license_id, minute, peak, final, grants)
    SELECT o, c.license_id, date_trunc('minute', t), greatest(x.before, c.in_use), c.in_use,
        c.in_use - coalesce(x.reclaimed, c.in_use)
      FROM unnest(counters, used_before, used_reclaimed) x(id, before, reclaimed)
      JOIN public.license_counter c ON c.organization_id = o AND c.product_id = p AND c.license_id = x.id
     WHERE c.in_use <> x.before OR c.in_use <> x.reclaimed
    ON CONFLICT (organization_id, license_id, minute)
    DO UPDATE SET peak = greatest(m.peak, excluded.peak), final = excluded.final, grants = m.grants + excluded.grants;
  END IF;

  -- 9. What the seats carry, and why a newcomer would get none. The earliest end is exact among the 64 that may end first.
  RETURN QUERY SELECT 0, coalesce(r.state, CASE WHEN NOT r.is_open THEN 'seat-not-assigned'
      WHEN r.in_use >= r.seats + r.overdraft THEN 'no-seat-available' END), NULL::text, r.license_id, r.license,
    NULL::smallint, NULL::boolean, NULL::bigint, r.revision, NULL::timestamptz, NULL::timestamptz, t, r.lease_seconds,
    r.grace_seconds, r.ends_at, d.features || r.features, r.seats, r.in_use,
    CASE WHEN r.is_open AND is_full THEN (
      SELECT nullif(min(e.expires_at), 'infinity') FROM (
        SELECT s.expires_at FROM public.seat s WHERE s.license_id = r.license_id
         ORDER BY s.reclaim_at LIMIT 64) e) END
    FROM public.license_rooms(o, p, t) r JOIN public.product d ON d.id = p;
END $$;

-- Assigns a seat of one license for good: an admin's act, in the admin's transaction. One row: `granted` (new, or made of
-- a lease), `renewed` (it was assigned already) or the reason of a refusal.
CREATE FUNCTION seat_assign(o bigint, p bigint, license bigint, identity bigint, actor_kind smallint, actor bigint)
RETURNS SETOF seat_answer
LANGUAGE plpgsql VOLATILE
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
#variable_conflict use_variable
DECLARE
  t timestamptz; g bigint; own public.seat; room record; result text; free bigint;
BEGIN
  SELECT l.t, l.generation INTO t, g FROM public.seat_lock(o, p) l;
  SELECT * INTO room FROM public.license_rooms(o, p, t) r WHERE r.license_id = license;
  SELECT * INTO own FROM public.seat s WHERE s.organization_id = o AND s.product_id = p AND s.identity_id = identity;
  IF room.license_id IS NULL OR room.state = 'license-expired' THEN
    result := 'license-expired';
  ELSIF own.expires_at > t AND own.license_id = license THEN
    result := CASE own.kind WHEN 2 THEN 'renewed' ELSE 'granted' END;
    IF own.kind <> 2 THEN
      g := g + 1;
      UPDATE public.seat s SET kind = 2, revision = g, expires_at = 'infinity', reclaim_at = 'infinity'
       WHERE s.organization_id = o AND s.product_id = p AND s.identity_id = identity;
    END IF;
  ELSE
    IF own.expires_at <= t THEN
      DELETE FROM public.seat s WHERE s.organization_id = o AND s.product_id = p AND s.identity_id = identity;
      INSERT INTO public.event (organization_id, at, type, license_id, identity_id, generation)
      VALUES (o, own.expires_at, 'seat.expired', own.license_id, identity, own.generation);
    END IF;
    free := public.seat_reclaim(o, p, ARRAY[license], t, 1);
    SELECT r.in_use INTO room.in_use FROM public.license_rooms(o, p, t) r WHERE r.license_id = license;
    IF free < 1 THEN
      result := 'no-seat-available';
    ELSE
      result := 'granted';
      g := g + 1;
      IF own.expires_at > t THEN   -- from another license of the product
        DELETE FROM public.seat s WHERE s.organization_id = o AND s.product_id = p AND s.identity_id = identity;
        INSERT INTO public.event (organization_id, at, type, actor_kind, actor_id, license_id, identity_id, generation)
        VALUES (o, t, 'seat.moved', actor_kind, actor, own.license_id, identity, own.generation);
        INSERT INTO public.change (kind, organization_id, key, members) VALUES (6, o, p, ARRAY[identity]);
      END IF;
      INSERT INTO public.seat (organization_id, product_id, identity_id, license_id, kind, overdraft, generation,
        revision, granted_at, expires_at, reclaim_at)
      VALUES (o, p, identity, license, 2, room.in_use >= room.seats, g, g, t, 'infinity', 'infinity');
    END IF;
  END IF;
  UPDATE public.license_counter c SET generation = g, last_at = t WHERE c.organization_id = o AND c.product_id = p;
  IF result = 'granted' THEN
    UPDATE public.seat_loss b SET blocked_until = NULL
     WHERE b.organization_id = o AND b.product_id = p AND b.identity_id = identity AND b.blocked_until IS NOT NULL;
    INSERT INTO public.event (organization_id, at, type, actor_kind, actor_id, license_id, identity_id, generation)
    SELECT o, t, 'seat.assigned', actor_kind, actor, license, identity, s.generation FROM public.seat s
     WHERE s.organization_id = o AND s.product_id = p AND s.identity_id = identity;
    INSERT INTO public.usage_minute AS m (organization_id, license_id, minute, peak, final, grants)
    SELECT o, c.license_id, date_trunc('minute', t), c.in_use, c.in_use, 1 FROM public.license_counter c
     WHERE c.organization_id = o AND c.product_id = p AND c.license_id = license
    ON CONFLICT (organization_id, license_id, minute)
    DO UPDATE SET peak = greatest(m.peak, excluded.peak), final = excluded.final, grants = m.grants + excluded.grants;
  END IF;
  RETURN QUERY SELECT 1, result, NULL::text, r.license_id, r.license, s.kind, s.overdraft, s.generation,
    greatest(s.revision, r.revision), s.granted_at, r.ends_at, t, r.lease_seconds, r.grace_seconds, r.ends_at,
    d.features || r.features, r.seats, r.in_use, CASE result WHEN 'no-seat-available' THEN (
      SELECT nullif(min(e.expires_at), 'infinity') FROM (
        SELECT s.expires_at FROM public.seat s WHERE s.license_id = license
         ORDER BY s.reclaim_at LIMIT 64) e) END
    FROM public.license_rooms(o, p, t) r JOIN public.product d ON d.id = p
    LEFT JOIN public.seat s ON s.organization_id = o AND s.product_id = p AND s.identity_id = identity
      AND s.license_id = r.license_id
   WHERE r.license_id = license;
END $$;

-- Takes seats from identities: an admin's act. `license` NULL: of any license of the product; `identity` NULL: of every
-- holder. With `block_seconds` the identity may not claim a seat of the product before they are over.
-- The number of live seats that were taken.
CREATE FUNCTION seat_free(o bigint, p bigint, license bigint, identity bigint, block_seconds bigint,
  actor_kind smallint, actor bigint) RETURNS bigint
LANGUAGE plpgsql VOLATILE
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
#variable_conflict use_variable
DECLARE t timestamptz; lost bigint[]; licenses bigint[]; used integer[];
BEGIN
  SELECT l.t, l.licenses, l.in_use INTO t, licenses, used FROM public.seat_lock(o, p) l;
  WITH gone AS (
      DELETE FROM public.seat s
       WHERE s.organization_id = o AND s.product_id = p AND (license IS NULL OR s.license_id = license)
         AND s.identity_id BETWEEN coalesce(identity, 0) AND coalesce(identity, 9223372036854775807)
      RETURNING s.license_id, s.identity_id, s.generation, s.expires_at, s.expires_at > t AS was_live),
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
    SELECT array_agg(d.identity_id) FILTER (WHERE d.was_live) INTO lost FROM gone d;
  IF block_seconds > 0 AND identity IS NOT NULL THEN
    INSERT INTO public.seat_loss AS b (organization_id, product_id, identity_id, generation, reason, at, blocked_until)
    VALUES (o, p, identity, 0, 1, t, t + block_seconds * interval '1 second')
    ON CONFLICT (organization_id, product_id, identity_id) DO UPDATE SET blocked_until = excluded.blocked_until;
  END IF;
  IF lost IS NOT NULL THEN
    INSERT INTO public.change (kind, organization_id, key, members) VALUES (6, o, p, lost);
    INSERT INTO public.usage_minute AS m (organization_id, license_id, minute, peak, final, grants)
    SELECT o, c.license_id, date_trunc('minute', t), x.before, c.in_use, 0 FROM unnest(licenses, used) x(id, before)
      JOIN public.license_counter c ON c.organization_id = o AND c.product_id = p AND c.license_id = x.id
     WHERE c.in_use <> x.before
    ON CONFLICT (organization_id, license_id, minute)
    DO UPDATE SET peak = greatest(m.peak, excluded.peak), final = excluded.final;
  END IF;
  UPDATE public.license_counter c SET last_at = t WHERE c.organization_id = o AND c.product_id = p;
  RETURN coalesce(cardinality(lost), 0);
END $$;

-- Writes a license's limits, under the lock of its seats, and moves the clock: its seats are not what they were.
CREATE FUNCTION license_limit(o bigint, p bigint, license bigint, seats integer, overdraft integer) RETURNS void
LANGUAGE plpgsql VOLATILE
SET enable_seqscan = off AS $$
#variable_conflict use_variable
DECLARE locked record;
BEGIN
  SELECT * INTO locked FROM public.seat_lock(o, p);
  UPDATE public.license_counter c SET generation = locked.generation + 1, last_at = locked.t,
      revision = CASE c.license_id WHEN license THEN locked.generation + 1 ELSE c.revision END,
      seats = CASE c.license_id WHEN license THEN license_limit.seats ELSE c.seats END,
      overdraft = CASE c.license_id WHEN license THEN license_limit.overdraft ELSE c.overdraft END
   WHERE c.organization_id = o AND c.product_id = p;
END $$;
