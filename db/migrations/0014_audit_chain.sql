-- The audit trail as chains: events are numbered and linked by digests after they were written, in the background, so that
-- it costs the effect's path no lock.

-- For whoever seals, to find what came since.
CREATE INDEX event_xid ON event (xid);

-- An event's place in the chain of its organization (0: the operator's own). A digest covers the event and all before it.
CREATE TABLE sealed_event (
  organization_id  bigint NOT NULL,
  position         bigint NOT NULL CHECK (position > 0),
  at               timestamptz NOT NULL,
  event_id         bigint NOT NULL,
  digest           bytea NOT NULL CHECK (octet_length(digest) = 32),
  PRIMARY KEY (organization_id, position),
  UNIQUE (organization_id, at, event_id)
);

-- Where each chain ends, and which of its events were dropped because of their age.
CREATE TABLE event_chain (
  organization_id  bigint PRIMARY KEY,
  position         bigint NOT NULL,
  digest           bytea NOT NULL CHECK (octet_length(digest) = 32),
  pruned_position  bigint,
  pruned_digest    bytea CHECK (octet_length(pruned_digest) = 32),
  CHECK ((pruned_position IS NULL) = (pruned_digest IS NULL) AND pruned_position <= position)
);

-- Every event of a lower transaction is sealed. Whoever seals holds this row.
CREATE TABLE event_seal_cursor (
  is_only       boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  sealed_below  xid8 NOT NULL DEFAULT '0'
);
INSERT INTO event_seal_cursor DEFAULT VALUES;

-- An event as it is told: ids that anybody may see, and nothing that names someone.
CREATE VIEW event_told AS
SELECT e.organization_id, e.at, e.id, e.xid, o.slug, o.public_id AS organization, e.type, e.actor_kind,
  coalesce(t.public_id, a.public_id, n.public_id) AS actor, c.serial, c.fingerprint, l.public_id AS license,
  i.public_id AS identity, e.generation, coalesce(e.detail, '{}') AS detail, s.position, s.digest
FROM event e
LEFT JOIN organization o ON o.id = e.organization_id
LEFT JOIN license l ON l.organization_id = e.organization_id AND l.id = e.license_id
LEFT JOIN identity i ON i.organization_id = e.organization_id AND i.id = e.identity_id
LEFT JOIN api_token t ON e.actor_kind = 1 AND t.id = e.actor_id
LEFT JOIN identity a ON e.actor_kind = 2 AND a.organization_id = e.organization_id AND a.id = e.actor_id
LEFT JOIN enrollment n ON e.actor_kind = 3 AND n.organization_id = e.organization_id AND n.id = e.actor_id
LEFT JOIN certificate c ON c.organization_id = e.organization_id AND c.id = e.actor_certificate_id
LEFT JOIN sealed_event s ON s.organization_id = e.organization_id AND s.at = e.at AND s.event_id = e.id;

-- Drops the events of an organization from the front of its chain that are older than `past`, at most so many, and says so
-- in an event. How many went.
CREATE FUNCTION event_prune(o bigint, past timestamptz, most bigint) RETURNS bigint LANGUAGE plpgsql AS $$
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
