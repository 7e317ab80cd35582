/// Every route of every surface.
public enum Routes {
  public static let all: [Route] =
    ProblemPages.routes + OrganizationRoutes.all + ProductRoutes.all + LicenseRoutes.all + SeatRoutes.all
    + IdentityRoutes.all + CertificateRoutes.all + EnrollmentRoutes.all + TokenRoutes.all
}
