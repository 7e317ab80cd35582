-- An assigned seat ends with its license: it is not held any more, and does not keep anybody from deleting the license or
-- its organization. It stays where it is: a license that is renewed finds its seats as they were.

-- `held`: unexpired seats, whether or not the expired ones have been dropped; `dormant`: assigned ones that ended with
-- their license, and come back with it.
CREATE OR REPLACE VIEW license_state AS
  SELECT l.id, l.public_id, l.external_id, l.metadata, l.created_at, l.updated_at, l.revision, l.organization_id,
    l.product_id, p.code AS product_code, l.model, l.assignment, l.status, c.seats, c.overdraft, l.lease_seconds,
    l.grace_seconds, l.starts_at, l.ends_at, l.features, c.overdraft_until, l.max_borrow_seconds, l.unborrowable_seats,
    l.reassign_seconds, l.config, c.in_use - d.dead - z.dormant AS held, c.reserved + d.idle - k.over AS reserved,
    c.seats + CASE WHEN c.overdraft_until <= n.t THEN 0 ELSE c.overdraft END AS seat_limit, z.dormant
  FROM license l
  JOIN license_counter c
    ON c.organization_id = l.organization_id AND c.product_id = l.product_id AND c.license_id = l.id
  JOIN product p ON p.id = l.product_id
  CROSS JOIN LATERAL (SELECT greatest(statement_timestamp(), c.last_at) AS t) n
  CROSS JOIN LATERAL (SELECT count(*) AS dead, count(*) FILTER (WHERE s.reserved AND NOT EXISTS (
        SELECT FROM reservation r WHERE r.organization_id = s.organization_id AND r.product_id = s.product_id
          AND r.identity_id = s.identity_id AND r.license_id = s.license_id AND r.until <= n.t)) AS idle
      FROM seat s WHERE s.license_id = c.license_id AND s.reclaim_at <= n.t AND s.expires_at <= n.t) d
  -- Looked for only where the license has ended.
  CROSS JOIN LATERAL (SELECT count(*) AS dormant FROM seat s WHERE l.ends_at <= n.t AND s.license_id = c.license_id
      AND s.reclaim_at = 'infinity' AND s.kind = 2 AND (s.lent_until > n.t) IS NOT TRUE) z
  CROSS JOIN LATERAL (SELECT count(*) AS over FROM reservation r
      WHERE r.license_id = c.license_id AND r.until IS NOT NULL AND r.until <= n.t
        AND NOT EXISTS (SELECT FROM seat s WHERE s.organization_id = r.organization_id AND s.product_id = r.product_id
          AND s.identity_id = r.identity_id AND s.license_id = r.license_id)) k;

-- Seats that go: each was in use until it ended (an assigned one: with its license), or until now. One that ended in an
-- earlier minute was counted in every minute since, and is taken out of them.
CREATE OR REPLACE FUNCTION seat_removed() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off AS $$
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

-- What happened to a license minute by minute, in [since, past): minutes without a row are as the last one before them
-- ended, and the first row says what the period began with. Exact although seats that have ended may not have been
-- dropped yet: those are taken out of the minutes since their end.
CREATE OR REPLACE FUNCTION license_usage(o bigint, p bigint, license bigint, since timestamptz, past timestamptz)
RETURNS TABLE (minute timestamptz, peak bigint, final bigint, grants bigint, denials jsonb)
LANGUAGE sql STABLE AS $$
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
