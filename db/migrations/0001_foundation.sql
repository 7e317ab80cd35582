-- What everything stands on: schema versions, tenants, the audit trail, the change feed.
--
-- Conventions. Every table of a tenant has a key that begins with its organization. Internal keys (`id`) are bigint and
-- never leave the service; `public_id` is the UUIDv7 that the outside sees. Small enumerations are smallint with a CHECK
-- and a comment. Times are timestamptz; NULL, not infinity, means "no such time" wherever the server reads it.
--
-- Of a table that may be large within one tenant and small within thousands of others, only the primary key begins with
-- the organization, and the organization has no statistics. Otherwise the planner, which in a generic plan knows only the
-- average tenant, finds that one column as good as the whole key and reads a large tenant row by row.

CREATE TABLE schema_version (
  version     integer PRIMARY KEY,
  name        text NOT NULL,
  min_binary  integer NOT NULL,          -- the newest migration a binary must know to work with this schema
  applied_at  timestamptz NOT NULL DEFAULT now()
);

-- The vendor's notes and an identity's attributes: name → string, at most 4 KB of names and values together.
CREATE FUNCTION is_string_map(value jsonb) RETURNS boolean LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN CASE WHEN jsonb_typeof(value) <> 'object' THEN false ELSE
  (SELECT coalesce(bool_and(jsonb_typeof(e.value) = 'string')
          AND sum(octet_length(e.key) + octet_length(e.value #>> '{}')) <= 4096, true)
     FROM jsonb_each(value) e) END;
CREATE DOMAIN string_map AS jsonb DEFAULT '{}' NOT NULL CHECK (is_string_map(VALUE));

-- Feature maps: name → true, number or string.
CREATE DOMAIN feature_map AS jsonb DEFAULT '{}' NOT NULL CHECK (
  jsonb_typeof(VALUE) = 'object'
  AND NOT jsonb_path_exists(VALUE, 'strict $.* ? (@.type() == "object" || @.type() == "array" || @.type() == "null")'));

-- Every change of a resource moves its ETag, whoever makes it.
CREATE FUNCTION touch() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.updated_at := now();
  NEW.revision := OLD.revision + 1;
  RETURN NEW;
END $$;

-- What other servers must hear of. A row says where to look again, not what is there. Read by snapshot: every server
-- asks for `xid >= cursor` and then moves its cursor to that snapshot's xmin, so that no late commit is missed.
CREATE TABLE change (
  xid              xid8 NOT NULL DEFAULT pg_current_xact_id(),
  id               bigint GENERATED ALWAYS AS IDENTITY,
  kind             smallint NOT NULL CHECK (kind BETWEEN 1 AND 7),
                   -- 1 organization, 2 authority, 3 identity, 4 certificate, 5 license, 6 seats lost, 7 product
  organization_id  bigint,               -- NULL for a product
  key              bigint NOT NULL,      -- the row's id; the product's for 5 and 6
  members          bigint[],             -- the identities, for 6
  at               timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (xid, id)
);
CREATE INDEX change_at ON change (at);   -- for pruning

-- Announces a row that changed: arguments are the kind, the column of the organization ('' for none), that of the key.
CREATE FUNCTION announce() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE row_now jsonb := to_jsonb(NEW);
BEGIN
  INSERT INTO public.change (kind, organization_id, key)
  VALUES (TG_ARGV[0]::smallint, (row_now ->> TG_ARGV[1])::bigint, (row_now ->> TG_ARGV[2])::bigint);
  RETURN NULL;
END $$;

CREATE TABLE organization (
  id                          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  public_id                   uuid NOT NULL UNIQUE,
  external_id                 text,
  metadata                    string_map,
  created_at                  timestamptz NOT NULL DEFAULT now(),
  updated_at                  timestamptz NOT NULL DEFAULT now(),
  revision                    bigint NOT NULL DEFAULT 1,
  slug                        text NOT NULL CHECK (slug ~ '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$'),
  name                        text NOT NULL,
  status                      smallint NOT NULL DEFAULT 1 CHECK (status BETWEEN 1 AND 3),  -- active, suspended, deleted
  contact_url                 text,
  hostname                    text,
  renew_after_expiry_seconds  bigint NOT NULL DEFAULT 2592000 CHECK (renew_after_expiry_seconds >= 0)
);
CREATE UNIQUE INDEX organization_slug ON organization (slug) WHERE status < 3;
CREATE UNIQUE INDEX organization_hostname ON organization (hostname) WHERE status < 3;
CREATE UNIQUE INDEX organization_external_id ON organization (external_id) WHERE status < 3;
CREATE TRIGGER touch BEFORE UPDATE ON organization FOR EACH ROW EXECUTE FUNCTION touch();
CREATE TRIGGER announce AFTER INSERT OR UPDATE ON organization FOR EACH ROW EXECUTE FUNCTION announce('1', 'id', 'id');

CREATE TABLE product (
  id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  public_id    uuid NOT NULL UNIQUE,
  external_id  text,
  metadata     string_map,
  created_at   timestamptz NOT NULL DEFAULT now(),
  updated_at   timestamptz NOT NULL DEFAULT now(),
  revision     bigint NOT NULL DEFAULT 1,
  code         text NOT NULL CHECK (code ~ '^[A-Za-z0-9._-]{1,64}$' AND code NOT IN ('.', '..')),
  name         text NOT NULL,
  features     feature_map
);
CREATE UNIQUE INDEX product_code ON product (code);
CREATE UNIQUE INDEX product_external_id ON product (external_id);
CREATE TRIGGER touch BEFORE UPDATE ON product FOR EACH ROW EXECUTE FUNCTION touch();
CREATE TRIGGER announce AFTER INSERT OR UPDATE ON product FOR EACH ROW EXECUTE FUNCTION announce('7', '', 'id');

CREATE TABLE api_token (
  id               bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  organization_id  bigint REFERENCES organization,      -- NULL: an operator's
  public_id        uuid NOT NULL UNIQUE,
  external_id      text,
  metadata         string_map,
  created_at       timestamptz NOT NULL DEFAULT now(),
  updated_at       timestamptz NOT NULL DEFAULT now(),
  revision         bigint NOT NULL DEFAULT 1,
  token_hash       bytea NOT NULL UNIQUE CHECK (octet_length(token_hash) = 32),
  name             text NOT NULL,
  role             smallint NOT NULL CHECK (role BETWEEN 1 AND 3),                          -- viewer, admin, operator
  expires_at       timestamptz,
  revoked_at       timestamptz,
  last_used_at     timestamptz,
  CHECK ((role = 3) = (organization_id IS NULL))
);
CREATE INDEX api_token_list ON api_token ((coalesce(organization_id, 0)), id) WHERE revoked_at IS NULL;
CREATE UNIQUE INDEX api_token_external_id ON api_token (coalesce(organization_id, 0), external_id)
  WHERE revoked_at IS NULL;
CREATE TRIGGER touch BEFORE UPDATE OF token_hash, name, metadata, external_id, expires_at, revoked_at ON api_token
  FOR EACH ROW EXECUTE FUNCTION touch();

-- The audit trail, by month. Rows go to the default partition until `make_event_partition` has made their month's.
-- No foreign keys and no further index: both halve the rate of claims.
CREATE TABLE event (
  organization_id  bigint NOT NULL DEFAULT 0,           -- 0: the operator's own
  at               timestamptz NOT NULL DEFAULT clock_timestamp(),
  id               bigint GENERATED ALWAYS AS IDENTITY,
  xid              xid8 NOT NULL DEFAULT pg_current_xact_id(),
  type             text NOT NULL,                       -- <resource>.<past participle>
  actor_kind       smallint NOT NULL DEFAULT 0 CHECK (actor_kind BETWEEN 0 AND 4),
                   -- 0 the service, 1 API token, 2 identity, 3 enrollment, 4 the command line on the machine
  actor_id         bigint,
  license_id       bigint,
  identity_id      bigint,
  generation       bigint,
  detail           jsonb,
  PRIMARY KEY (organization_id, at, id)
) PARTITION BY RANGE (at);
CREATE TABLE event_default PARTITION OF event DEFAULT;

-- Makes the partition of the month that holds `month`, moving rows that already wait in the default one.
-- True when it was made, false when it was there.
CREATE FUNCTION make_event_partition(month timestamptz) RETURNS boolean LANGUAGE plpgsql SET timezone = 'UTC'
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

-- Answers to POSTs with an Idempotency-Key, kept for a day, written in the effect's own transaction.
CREATE TABLE idempotency (
  scope       bytea NOT NULL CHECK (octet_length(scope) = 32),        -- SHA-256 of principal and path
  key         text NOT NULL CHECK (octet_length(key) BETWEEN 1 AND 255),
  body_hash   bytea NOT NULL CHECK (octet_length(body_hash) = 32),
  created_at  timestamptz NOT NULL DEFAULT now(),
  status      smallint,                                               -- NULL while the first request is running
  headers     jsonb,
  body        bytea,
  sealed      boolean NOT NULL DEFAULT false,                         -- it holds a secret
  PRIMARY KEY (scope, key)
);
CREATE INDEX idempotency_created_at ON idempotency (created_at);
