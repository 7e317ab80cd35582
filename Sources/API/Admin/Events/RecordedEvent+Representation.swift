import Audit
import Licensing

extension RecordedEvent: Representation {}
