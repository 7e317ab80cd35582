/// The event that tells of events that were dropped because of their age; its detail says `through` which position.
public enum EventPruning {
  public static let type = "events.pruned"
}
