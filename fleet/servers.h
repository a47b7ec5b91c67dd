// Lease servers, wherever they run: processes of `jitprobe lease --serve`, by number.
//
// Messages are MessagePack maps in frames (pyrunner/wire.h). To a server:
//   {op: "terms", terms}          first of all, once (campaign/lease.h)
//   {op: "tables", tables}        the tables of an epoch, before its first lease
//   {op: "lease", begin, end}     a range of tests
//   {op: "case", asked}           a case to study, as JSON text (campaign/case_lease.h)
// From a server:
//   {ready: true}                 it has started, and is like the campaign's machine
//   {refused: text}               it is not; it ends with status 3
//   {error: text}                 it can't; it ends
//   {tested}                      the result of a test, in the order of tests
//   {done: true}                  all of the lease have been given back
//   {alive: true}                 a case is still being studied: now and then, while its programs run
//   {studied}                     the answers of the case
#pragma once

#include <string>
#include <vector>

#include "core/result.h"

namespace jp::fleet {

/// Used by one thread.
class Servers {
 public:
  virtual ~Servers() = default;
  /// Servers are numbered from 0; there may be more with time, and never fewer.
  virtual int count() const = 0;
  /// Starts a server that is not there, or says why that can't be.
  virtual Status start(int server) = 0;
  /// False if it is gone, or doesn't take it in.
  virtual bool send(int server, const std::string& message) = 0;
  /// What servers said, waiting for something up to `seconds`.
  struct Said {
    int server = 0;
    bool gone = false;  // it has ended; `bytes` says why if that is known
    std::string bytes;  // a message
  };
  virtual std::vector<Said> hear(double seconds) = 0;
  /// Ends a server, whatever it does; it is gone then, and that is not heard of again.
  virtual void kill(int server) = 0;
  /// Whether a server that was started has a machine to run on. If not it waits for one, however long that takes.
  virtual bool has_place(int /*server*/) const { return true; }
  /// Why none of them will ever be heard of again; "" if that is not so.
  virtual std::string failure() const { return ""; }
};

}  // namespace jp::fleet
