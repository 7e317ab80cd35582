internal import UsherClient

/// The CAs that an organization trusts.
extension Resource {
  private static let authorityPath = "/v1/organizations/{org}/authorities"

  static let authorities = Resource(
    "authority", "The CAs that an organization trusts",
    [
      .list(authorityPath, "List the authorities", columns: "id kind status name createdAt"),
      .show("\(authorityPath)/{authority}", "Show an authority"),
      .create(
        authorityPath, "Make or register a CA",
        [
          Parameter(
            name: "KIND", place: .member("kind"), form: .choice(["managed", "external", "subordinate"]),
            kind: .operand,
            help: "managed: the service holds its key; subordinate: likewise, below the organization's root;"
              + " external: the organization's own", isRequired: true),
          .member("name", "name", "What people call it"),
          .member(
            "key-type", "keyType", .choice(["P-256", "P-384", "RSA-3072", "RSA-4096"]),
            "Of the key that is made"),
          .member("key-uri", "keyUri", "A key in a token (RFC 7512), without a PIN"),
          .member("certificate", "certificate", .file, "External: its certificate, PEM"),
        ] + external + [
          .member("trusted", "trusted", .truth, "Skip the proof (operators only)")
        ],
        note: "An external one waits for authority prove, a subordinate one for authority certify."),
      .update(
        "\(authorityPath)/{authority}", "Change, retire or revoke an authority",
        [
          .member("name", "name", "What people call it, or none", clearable: true),
          .member("status", "status", .choice(["active", "retired", "revoked"]), "What it is from now on"),
        ] + external),
      .becoming(
        "retired", named: "retire", "\(authorityPath)/{authority}",
        "Let an authority issue no more certificates"),
      .becoming(
        "revoked", named: "revoke", "\(authorityPath)/{authority}",
        "End an authority and all its certificates, at once"),
      .delete("\(authorityPath)/{authority}", "Delete an authority under which no certificate lives"),
      judging(
        "prove", .post, "proof", "Prove that the CA's key is the organization's own",
        "A certificate signed by that CA, whose common name is the challenge"),
      judging(
        "certify", .put, "certificate", "Give a subordinate authority its certificate",
        "What the organization's root signed, with its chain, PEM", [.ifMatch]),
      Verb(
        name: "crl", summary: "Upload the revocation list of an external CA", method: .put,
        path: "\(authorityPath)/{authority}/crl",
        parameters: [.file("application/pkix-crl", "The list, DER or PEM")]),
      judging(
        "preview", .post, "preview", "Ask what a certificate would be", "The certificate, PEM"),
    ])

  private static func judging(
    _ name: String, _ method: Administrator.Method, _ place: String, _ summary: String, _ help: String,
    _ further: [Parameter] = []
  ) -> Verb {
    Verb(
      name: name, summary: summary, method: method, path: "\(authorityPath)/{authority}/\(place)",
      parameters: [
        Parameter(
          name: "FILE", place: .member("certificate"), form: .file, kind: .operand, help: help,
          isRequired: true)
      ] + further)
  }

  private static let external: [Parameter] = [
    .member("intermediate", "intermediates", .files, "External: a CA below it, PEM"),
    .member(
      "mapping", "mapping", .json, #"External: where the name is, such as '[{"field": "san-email"}]'"#),
    .member("match", "match", .json, "External: which certificates are admitted at all"),
    .member("auto-provision", "autoProvision", .truth, "External: whether an unknown name makes an identity"),
    .member(
      "allow-missing-client-auth", "allowMissingClientAuth", .truth,
      "External: whether certificates need not say that they are for clients"),
    .member("group", "group", "External: authorities of one group name the same identities"),
  ]
}
