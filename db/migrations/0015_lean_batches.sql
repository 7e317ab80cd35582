-- The same allocator, in less time: what a request is to become is computed once and not again for every array that it
-- may go into; what a license says of its seats is read once for a batch; and only who holds a seat elsewhere is moved.

DROP FUNCTION seat_grant;

-- Gives a seat of one of these licenses to as many of `people` as there is room for, the first before the others: plain
-- seats of every license before anyone's overdraft, the license that ends first before the others. What they held goes.
-- One row each, in their order: whoever has none was refused.
--
-- `is_kept`: the seats are those that were reserved for these people, and plain. `new_kind`: other than the license's own.
-- `until`: lent until then (microseconds since 1970), and never of an overdraft. `actor_kind`: 2 for whom it is.
-- `is_moving`: some of them hold a seat of another license.
CREATE FUNCTION seat_grant(o bigint, p bigint, t timestamptz, g bigint, among bigint[], is_kept boolean,
  is_moving boolean, places integer[], people bigint[], beside bigint[], configs jsonb[], new_kind smallint, until bigint,
  actor_kind smallint, actor bigint) RETURNS SETOF seat_answer
LANGUAGE plpgsql VOLATILE
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_hashjoin = off
SET enable_mergejoin = off AS $$
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

-- Decides a batch. `ops`: 1 claim or renew, 2 renew the seat of this generation only, 3 release, 4 borrow.
-- `asks`: NULL, or what single requests demand: position → {"license"?: id, "features"?: [name], "until"?: microseconds
-- since 1970}.
CREATE OR REPLACE FUNCTION seat_decide(o bigint, p bigint, ops smallint[], identities bigint[], generations bigint[], asks jsonb)
RETURNS SETOF seat_answer
LANGUAGE plpgsql VOLATILE
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_hashjoin = off
SET enable_mergejoin = off AS $$
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

-- Assigns a seat of one license for good: an admin's act, in the admin's transaction. One row: `granted` (new, or made of
-- a lease), `renewed` (it was assigned already) or the reason of a refusal.
CREATE OR REPLACE FUNCTION seat_assign(o bigint, p bigint, license bigint, identity bigint, actor_kind smallint, actor bigint)
RETURNS SETOF seat_answer
LANGUAGE plpgsql VOLATILE
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
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
