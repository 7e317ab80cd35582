-- Who is believed: authorities, the identities they name, and the certificates that speak for them.

CREATE TABLE authority (
  organization_id    bigint NOT NULL REFERENCES organization,
  id                 bigint GENERATED ALWAYS AS IDENTITY,
  public_id          uuid NOT NULL,
  external_id        text,
  metadata           string_map,
  created_at         timestamptz NOT NULL DEFAULT now(),
  updated_at         timestamptz NOT NULL DEFAULT now(),
  revision           bigint NOT NULL DEFAULT 1,
  kind               smallint NOT NULL CHECK (kind BETWEEN 1 AND 3),      -- managed, external, subordinate
  status             smallint NOT NULL CHECK (status BETWEEN 1 AND 5),    -- pending, active, retired, revoked, deleted
  name               text,
  key_type           text,
  certificate        bytea,                             -- DER; NULL while a subordinate waits for its own
  spki_sha256        bytea CHECK (octet_length(spki_sha256) = 32),
  subject            bytea,                             -- DER; this and the key id are hints, never proof
  subject_key_id     bytea,
  intermediates      bytea[] NOT NULL DEFAULT '{}',     -- DER
  sealed_key         bytea,                             -- never that of an external one
  group_key          text NOT NULL,                     -- authorities of one group name the same identities
  mapping_fields     text[] NOT NULL DEFAULT '{}',      -- where the identity's name is, in order
  mapping_prefixes   text[] NOT NULL DEFAULT '{}',      -- beside them; NULL: any
  match_usages       text[],                            -- who is admitted at all; all NULL: everyone it signed
  match_policies     text[],
  match_unit         text,
  match_uri_prefix   text,
  auto_provision     boolean NOT NULL DEFAULT false,
  challenge          text,                              -- the subject CN of the proof certificate
  challenge_until    timestamptz,
  proven_at          timestamptz,                       -- NULL: not ours to trust yet
  proof_fingerprint  bytea CHECK (octet_length(proof_fingerprint) = 32),  -- this certificate can never authenticate
  warnings           text[] NOT NULL DEFAULT '{}',
  PRIMARY KEY (organization_id, id),
  CHECK (status IN (1, 5) OR (proven_at IS NOT NULL AND certificate IS NOT NULL)),
  CHECK (num_nonnulls(certificate, spki_sha256, subject) IN (0, 3)),
  CHECK (kind <> 2 OR sealed_key IS NULL),
  CHECK (cardinality(mapping_fields) = cardinality(mapping_prefixes))
);
-- A proven CA key belongs to one organization, and to one of its authorities.
CREATE UNIQUE INDEX authority_proven_key ON authority (spki_sha256) WHERE proven_at IS NOT NULL AND status < 5;
-- Within an organization a subject and key id name one authority.
CREATE UNIQUE INDEX authority_subject ON authority (organization_id, subject, subject_key_id) NULLS NOT DISTINCT
  WHERE status < 5 AND certificate IS NOT NULL;
CREATE UNIQUE INDEX authority_external_id ON authority (organization_id, external_id) WHERE status < 5;
-- Public addresses, and the peer of a connection, name an authority without its organization.
CREATE INDEX authority_public_id ON authority (public_id);
CREATE INDEX authority_id ON authority (id);
CREATE TRIGGER touch BEFORE UPDATE ON authority FOR EACH ROW EXECUTE FUNCTION touch();
CREATE TRIGGER announce AFTER INSERT OR UPDATE ON authority FOR EACH ROW
  EXECUTE FUNCTION announce('2', 'organization_id', 'id');

CREATE TABLE identity (
  organization_id  bigint NOT NULL REFERENCES organization,
  id               bigint GENERATED ALWAYS AS IDENTITY,
  public_id        uuid NOT NULL,
  external_id      text,
  metadata         string_map,
  created_at       timestamptz NOT NULL DEFAULT now(),
  updated_at       timestamptz NOT NULL DEFAULT now(),
  revision         bigint NOT NULL DEFAULT 1,
  name             text NOT NULL CHECK (name ~ '^[A-Za-z0-9._@:/-]+$' AND length(name) <= 256),
  role             smallint NOT NULL DEFAULT 1 CHECK (role IN (1, 2)),               -- device, admin
  status           smallint NOT NULL DEFAULT 1 CHECK (status BETWEEN 1 AND 3),       -- active, suspended, deleted
  attributes       string_map,
  -- Set when an external CA names it; exactly these bytes of this field, within a group of authorities.
  external_group   text,
  external_field   text,
  external_value   bytea,
  PRIMARY KEY (organization_id, id),
  CHECK (num_nonnulls(external_group, external_field, external_value) IN (0, 3))
);
ALTER TABLE identity ALTER COLUMN organization_id SET STATISTICS 0;
CREATE UNIQUE INDEX identity_public_id ON identity (public_id, organization_id);
CREATE UNIQUE INDEX identity_name ON identity (name, organization_id) WHERE status < 3;
CREATE UNIQUE INDEX identity_external_id ON identity (external_id, organization_id) WHERE status < 3;
-- A deleted one keeps its external name, so that no certificate brings it back by itself.
CREATE UNIQUE INDEX identity_external_name ON identity (external_value, external_field, external_group, organization_id);
CREATE TRIGGER touch BEFORE UPDATE ON identity FOR EACH ROW EXECUTE FUNCTION touch();
CREATE TRIGGER announce AFTER UPDATE ON identity FOR EACH ROW                         -- a new one is found when it comes
  EXECUTE FUNCTION announce('3', 'organization_id', 'id');

CREATE TABLE certificate (
  organization_id  bigint NOT NULL,
  id               bigint GENERATED ALWAYS AS IDENTITY,
  created_at       timestamptz NOT NULL DEFAULT now(),
  authority_id     bigint NOT NULL,
  identity_id      bigint NOT NULL,
  serial           text NOT NULL CHECK (serial ~ '^[0-9a-f]+$'),
  fingerprint      bytea NOT NULL CHECK (octet_length(fingerprint) = 32),            -- SHA-256
  spki_sha256      bytea NOT NULL CHECK (octet_length(spki_sha256) = 32),
  not_before       timestamptz NOT NULL,
  not_after        timestamptz NOT NULL,
  source           smallint NOT NULL CHECK (source IN (1, 2)),                       -- issued here, seen here
  status           smallint NOT NULL DEFAULT 1 CHECK (status IN (1, 2)),             -- active, revoked
  revoked_at       timestamptz,
  reason           smallint CHECK (reason BETWEEN 0 AND 10),                         -- RFC 5280 §5.3.1
  der              bytea NOT NULL,
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, authority_id) REFERENCES authority,
  FOREIGN KEY (organization_id, identity_id) REFERENCES identity,
  CHECK ((status = 2) = (revoked_at IS NOT NULL))
);
ALTER TABLE certificate ALTER COLUMN organization_id SET STATISTICS 0;
CREATE UNIQUE INDEX certificate_serial ON certificate (serial, authority_id, organization_id);
CREATE UNIQUE INDEX certificate_fingerprint ON certificate (fingerprint, organization_id);
CREATE INDEX certificate_identity ON certificate (identity_id, id);
CREATE INDEX certificate_authority ON certificate (authority_id, not_after) WHERE status = 1;
CREATE INDEX certificate_key ON certificate (spki_sha256, organization_id);
CREATE INDEX certificate_id ON certificate (id);
CREATE TRIGGER announce AFTER UPDATE ON certificate FOR EACH ROW                      -- a new one is found when it comes
  EXECUTE FUNCTION announce('4', 'organization_id', 'id');
-- What a certificate is never changes, and revocation is final.
CREATE FUNCTION certificate_pinned() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE 'a certificate can only be revoked' USING ERRCODE = 'integrity_constraint_violation';
END $$;
CREATE TRIGGER certificate_pinned BEFORE UPDATE ON certificate FOR EACH ROW
  WHEN ((OLD.organization_id, OLD.id, OLD.authority_id, OLD.identity_id, OLD.serial, OLD.fingerprint, OLD.spki_sha256,
         OLD.not_before, OLD.not_after, OLD.source, OLD.der)
     IS DISTINCT FROM
        (NEW.organization_id, NEW.id, NEW.authority_id, NEW.identity_id, NEW.serial, NEW.fingerprint, NEW.spki_sha256,
         NEW.not_before, NEW.not_after, NEW.source, NEW.der)
     OR OLD.status = 2)
  EXECUTE FUNCTION certificate_pinned();

-- A certificate as the server reads it.
CREATE VIEW certificate_state AS
  SELECT c.id, c.organization_id, c.authority_id, a.public_id AS authority, c.identity_id, i.public_id AS identity,
    c.der, c.serial, c.fingerprint, c.spki_sha256, c.not_before, c.not_after, c.source, c.status, c.revoked_at, c.reason,
    c.created_at
  FROM certificate c
  JOIN authority a ON a.organization_id = c.organization_id AND a.id = c.authority_id
  JOIN identity i ON i.organization_id = c.organization_id AND i.id = c.identity_id;
