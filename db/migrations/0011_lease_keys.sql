-- The keys that sign leases: one signs at a time, the installation's own, for every organization and on every server.
-- Those before it stay published, so that what they signed is believed to its end.
CREATE TABLE lease_key (
  id            bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  created_at    timestamptz NOT NULL DEFAULT now(),
  public_key    bytea NOT NULL UNIQUE,                  -- SubjectPublicKeyInfo, P-256
  sealed_key    bytea,                                  -- NULL once it signs no more
  signs_from    timestamptz NOT NULL,
  withdrawn_at  timestamptz,                            -- it leaked: nothing that it signed is believed
  CHECK (withdrawn_at IS NULL OR sealed_key IS NULL)
);
