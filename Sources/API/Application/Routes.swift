/// Every route of every surface.
public enum Routes {
  public static let all: [Route] = ProblemPages.routes
}
