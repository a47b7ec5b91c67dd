#include "report/logical_lines.h"

#include <algorithm>

namespace jp::report {
namespace {

class Reader {
 public:
  explicit Reader(std::string_view source) : source_(source) {}

  bool done() const { return at_ >= source_.size(); }

  std::string next() {
    const std::size_t begin = at_;
    for (depth_ = 0; !done() && (source_[at_] != '\n' || depth_ > 0);) step(source_[at_]);
    std::string line(source_.substr(begin, at_ - begin));
    ++at_;
    return line;
  }

 private:
  bool is_here(std::string_view text) const { return source_.substr(at_, text.size()) == text; }

  void step(char c) {
    if (c == '"' || c == '\'') return string(c);
    if (c == '#') {
      at_ = std::min(source_.find('\n', at_), source_.size());
      return;
    }
    if (c == '(' || c == '[' || c == '{') ++depth_;
    if ((c == ')' || c == ']' || c == '}') && depth_ > 0) --depth_;
    at_ += c != '\\' ? 1 : is_here("\\\r\n") ? 3 : 2;
  }

  void string(char quote) {
    const std::string three(3, quote);
    const std::string_view end = std::string_view(three).substr(0, is_here(three) ? 3 : 1);
    for (at_ += end.size(); !done(); ++at_) {
      if (end.size() == 1 && source_[at_] == '\n') return;  // not closed, which Python refuses
      if (is_here(end)) break;
      if (source_[at_] == '\\') at_ += is_here("\\\r\n") ? 2 : 1;
    }
    at_ += end.size();
  }

  std::string_view source_;
  std::size_t at_ = 0;
  int depth_ = 0;  // of brackets
};

}  // namespace

std::vector<std::string> logical_lines(std::string_view source) {
  std::vector<std::string> lines;
  for (Reader reader(source); !reader.done();) lines.push_back(reader.next());
  return lines;
}

}  // namespace jp::report
