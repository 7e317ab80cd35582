/// The schema's history as this binary knows it: the files in `migrations/`, in order.
///
/// A step that only adds works with older binaries, which go on running beside the newer one: it repeats the
/// `minimumBinary` of the step before. One that takes away raises it to the first version that no longer uses what goes.
public enum Migrations {
  public static let all: [Migration] = [
    Migration(1, "foundation", minimumBinary: 1, PackageResources._001_foundation_sql),
    Migration(2, "trust", minimumBinary: 2, PackageResources._002_trust_sql),
    Migration(3, "licenses", minimumBinary: 3, PackageResources._003_licenses_sql),
    Migration(4, "seat_allocator", minimumBinary: 4, PackageResources._004_seat_allocator_sql),
    Migration(5, "enrollments", minimumBinary: 5, PackageResources._005_enrollments_sql),
    Migration(6, "issuance", minimumBinary: 5, PackageResources._006_issuance_sql),
    Migration(7, "revocation", minimumBinary: 5, PackageResources._007_revocation_sql),
    Migration(8, "authority_terms", minimumBinary: 5, PackageResources._008_authority_terms_sql),
    Migration(9, "seat_rules", minimumBinary: 9, PackageResources._009_seat_rules_sql),
    Migration(10, "live", minimumBinary: 9, PackageResources._010_live_sql),
    Migration(11, "lease_keys", minimumBinary: 9, PackageResources._011_lease_keys_sql),
    Migration(12, "admin", minimumBinary: 9, PackageResources._012_admin_sql),
    Migration(13, "ended_seats", minimumBinary: 9, PackageResources._013_ended_seats_sql),
    Migration(14, "audit_chain", minimumBinary: 9, PackageResources._014_audit_chain_sql),
    Migration(15, "lean_batches", minimumBinary: 9, PackageResources._015_lean_batches_sql),
    Migration(16, "webhooks", minimumBinary: 9, PackageResources._016_webhooks_sql),
    Migration(17, "last_seen", minimumBinary: 9, PackageResources._017_last_seen_sql),
    Migration(18, "walls", minimumBinary: 9, PackageResources._018_walls_sql),
    Migration(19, "renewals", minimumBinary: 9, PackageResources._019_renewals_sql),
    Migration(20, "renewals_by_place", minimumBinary: 9, PackageResources._020_renewals_by_place_sql),
  ]

  /// What this binary was built for.
  public static var newest: Int32 { all.last?.version ?? 0 }
}
