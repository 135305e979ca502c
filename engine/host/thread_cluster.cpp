#include "host/thread_cluster.h"

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

#include "program/instruction.h"

namespace lockstep {
namespace {

using Clock = std::chrono::steady_clock;
using Mail = std::vector<std::byte>;

/// Where a device's peers leave its messages.
class Mailbox {
 public:
  void post(Mail mail) {
    {
      const std::lock_guard lock(mutex_);
      mail_.push_back(std::move(mail));
    }
    arrived_.notify_one();
  }

  /// All that has come; first waits, if nothing has, for mail, a stop or the deadline.
  std::vector<Mail> wait(const std::stop_token& stop, Clock::time_point deadline) {
    std::unique_lock lock(mutex_);
    arrived_.wait_until(lock, stop, deadline, [this] { return !mail_.empty(); });
    return std::exchange(mail_, {});
  }

 private:
  std::mutex mutex_;
  std::condition_variable_any arrived_;
  std::vector<Mail> mail_;
};

class ThreadCluster {
 public:
  ThreadCluster(std::vector<Device> devices, const ThreadOptions& options)
      : mailboxes_(devices.size()), start_(Clock::now()) {
    run_.spans.resize(devices.size());
    run_.devices = std::move(devices);
    if (options.deadline && *options.deadline < Clock::time_point::max() - start_) {
      deadline_ = start_ + *options.deadline;
    }
    cancel_ = options.cancel;
  }

  ThreadRun run() {
    {
      const std::stop_callback on_cancel(cancel_, [this] {
        stop_with(Error{"cancelled", "cluster", "the run was cancelled"});
      });
      std::vector<std::jthread> threads;
      for (std::size_t rank = 0; rank < run_.devices.size(); ++rank) start(threads, rank);
    }
    run_.duration_ns = since_start();
    return std::move(run_);
  }

 private:
  void start(std::vector<std::jthread>& threads, std::size_t rank) {
    try {
      threads.emplace_back([this, rank] { work(rank); });
    } catch (const std::system_error&) {
      const std::string place = "device " + std::to_string(rank);
      stop_with(Error{"no_thread", place,
                      "the system gives no thread for " + place + ": use fewer devices"});
    }
  }

  /// The life of one device's thread.
  void work(std::size_t rank) {
    Device& device = run_.devices[rank];
    const std::stop_token stop = stop_.get_token();
    while (!stop.stop_requested()) {
      const std::int64_t start_ns = since_start();
      const StepResult result = device.step();
      if (std::holds_alternative<Done>(result)) return;
      if (Clock::now() >= deadline_) return stop_with(deadline_passed(device));
      if (const auto* failed = std::get_if<Failed>(&result)) return stop_with(failed->error);
      if (const auto* ran = std::get_if<Ran>(&result)) {
        run_.spans[rank].push_back({ran->instruction, start_ns, since_start()});
        post(device.take_outbox());
        continue;
      }
      for (const Mail& mail : mailboxes_[rank].wait(stop, deadline_)) {
        if (const Status status = device.deliver(mail); !status.ok()) {
          return stop_with(status.error());
        }
      }
    }
  }

  void post(std::vector<Outgoing> messages) {
    for (Outgoing& message : messages) {
      mailboxes_[static_cast<std::size_t>(message.to)].post(std::move(message.bytes));
    }
  }

  /// The first reason counts; all devices stop at it.
  void stop_with(Error error) {
    {
      const std::lock_guard lock(error_mutex_);
      if (!run_.error) run_.error = std::move(error);
    }
    stop_.request_stop();
  }

  static Error deadline_passed(const Device& device) {
    const std::string place = "device " + std::to_string(device.rank());
    const Instruction* next = device.next_instruction();
    return Error{"deadline_passed", place,
                 "the deadline passed while " + place + " stood at \"" +
                     (next != nullptr ? to_text(*next) : "the end") + "\""};
  }

  std::int64_t since_start() const {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - start_).count();
  }

  ThreadRun run_;
  std::deque<Mailbox> mailboxes_;  // a deque: mailboxes cannot be moved
  Clock::time_point start_;
  Clock::time_point deadline_ = Clock::time_point::max();
  std::stop_token cancel_;
  std::stop_source stop_;
  std::mutex error_mutex_;
};

}  // namespace

ThreadRun run_thread_cluster(std::vector<Device> devices, const ThreadOptions& options) {
  return ThreadCluster(std::move(devices), options).run();
}

}  // namespace lockstep
