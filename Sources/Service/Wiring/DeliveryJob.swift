import Licensing
import Reactor
import Telemetry
import Webhooks

/// Sends events to webhooks, a few at a time; every server does it, and each webhook belongs to one at a time.
final class DeliveryJob: Sendable {
  private let delivery: WebhookDelivery
  private let sender: CurlSender
  private let loop: EventLoop
  private let logger: ThrottledLogger

  init(_ delivery: WebhookDelivery, _ sender: CurlSender, on loop: EventLoop, logger: Logger) {
    self.delivery = delivery
    self.sender = sender
    self.loop = loop
    self.logger = ThrottledLogger(logger, interval: .seconds(60))
  }

  /// Works until cancelled; a slow receiver does not keep a server that is to stop.
  func run() async {
    await withTaskCancellationHandler {
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<CurlSender.usual { group.addTask { await self.work() } }
      }
    } onCancel: {
      sender.stop()
    }
    sender.shutdown()
  }

  private func work() async {
    while (try? await loop.sleep(for: .seconds(1))) != nil {
      do {
        while try await delivery.step(), !Task.isCancelled {}
      } catch {
        if Task.isCancelled { return }
        logger.log(.warning, key: "", "webhooks were not served", ["error": .text("\(error)")])
      }
    }
  }
}
