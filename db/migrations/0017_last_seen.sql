-- When an identity was last seen, to a quarter of an hour. Apart from `identity`, whose every change is told to all servers:
-- each of them writes down once a minute whom it has seen, and nobody has to know.

CREATE TABLE identity_seen (
  organization_id bigint NOT NULL,
  identity_id bigint NOT NULL,
  seen_at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, identity_id)
) WITH (fillfactor = 80);

ALTER TABLE identity_seen ALTER organization_id SET STATISTICS 0;
