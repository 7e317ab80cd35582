-- A right to get certificates: a bearer token of which only the hash is kept.

CREATE TABLE enrollment (
  organization_id      bigint NOT NULL REFERENCES organization,
  id                   bigint GENERATED ALWAYS AS IDENTITY,
  public_id            uuid NOT NULL,
  external_id          text,
  metadata             string_map,
  created_at           timestamptz NOT NULL DEFAULT now(),
  updated_at           timestamptz NOT NULL DEFAULT now(),
  revision             bigint NOT NULL DEFAULT 1,
  token_hash           bytea NOT NULL CHECK (octet_length(token_hash) = 32),
  identity_id          bigint,                          -- NULL: each use makes one
  license_id           bigint,                          -- a seat of it is assigned with each use
  uses                 integer NOT NULL DEFAULT 1 CHECK (uses BETWEEN 1 AND 1000000),
  used                 integer NOT NULL DEFAULT 0,
  expires_at           timestamptz NOT NULL,
  revoked_at           timestamptz,
  -- The last use: a client that lost the answer asks again with the same key.
  last_spki            bytea CHECK (octet_length(last_spki) = 32),
  last_certificate_id  bigint,
  last_used_at         timestamptz,
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, identity_id) REFERENCES identity,
  FOREIGN KEY (organization_id, license_id) REFERENCES license,
  FOREIGN KEY (organization_id, last_certificate_id) REFERENCES certificate,
  CHECK (used BETWEEN 0 AND uses),
  CHECK (num_nonnulls(last_spki, last_certificate_id, last_used_at) IN (0, 3))
);
CREATE UNIQUE INDEX enrollment_token_hash ON enrollment (token_hash);
ALTER TABLE enrollment ALTER COLUMN organization_id SET STATISTICS 0;
CREATE UNIQUE INDEX enrollment_public_id ON enrollment (public_id, organization_id);
CREATE UNIQUE INDEX enrollment_external_id ON enrollment (external_id, organization_id) WHERE revoked_at IS NULL;
CREATE INDEX enrollment_id ON enrollment (id);
CREATE TRIGGER touch BEFORE UPDATE ON enrollment FOR EACH ROW EXECUTE FUNCTION touch();

-- An enrollment as the server reads it.
CREATE VIEW enrollment_state AS
  SELECT e.id, e.public_id, e.external_id, e.metadata, e.created_at, e.updated_at, e.revision, e.organization_id,
    e.identity_id, i.name AS identity_name, l.public_id AS license, e.uses, e.used, e.expires_at,
    e.revoked_at IS NOT NULL AS is_revoked, e.last_spki, e.last_certificate_id, e.last_used_at, e.token_hash
  FROM enrollment e
  LEFT JOIN identity i ON i.organization_id = e.organization_id AND i.id = e.identity_id
  LEFT JOIN license l ON l.organization_id = e.organization_id AND l.id = e.license_id;
