#include "pyrunner/stack_text.h"

#include <cxxabi.h>

#include <charconv>
#include <cstdlib>
#include <memory>
#include <sstream>

namespace jp::pyrunner {
namespace {

constexpr std::size_t kMostFrames = 64;

// `  File "path", line 12 in name`
bool parse_frame(std::string_view line, const FileNames& names, std::vector<Frame>& frames) {
  constexpr std::string_view kStart = "  File \"";
  if (!line.starts_with(kStart)) return false;
  std::size_t quote = line.find("\", line ", kStart.size());
  if (quote == std::string_view::npos) return false;
  std::string_view path = line.substr(kStart.size(), quote - kStart.size());
  std::string_view rest = line.substr(quote + 8);
  Frame frame;
  auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), frame.line);
  std::size_t used = static_cast<std::size_t>(end - rest.data());
  if (rest.substr(used).starts_with(" in ")) frame.function = rest.substr(used + 4);
  frame.file = normal_file(path, names);
  bool ours = path.find("/pyrunner/runtime/") != std::string_view::npos;
  if (error == std::errc() && !ours && frames.size() < kMostFrames) frames.push_back(frame);
  return true;
}

bool starts_thread(std::string_view line) {
  return line.starts_with("Thread 0x") || line.starts_with("Current thread 0x") || line.starts_with("Stack (");
}

// "_ZN2at5emptyEv" -> "at::empty()"; other names as they are.
std::string demangled(const std::string& symbol) {
  if (!symbol.starts_with("_Z")) return symbol;
  int status = 0;
  std::unique_ptr<char, decltype(&std::free)> name(abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status),
                                                   &std::free);
  return name ? name.get() : symbol;
}

}  // namespace

std::string normal_file(std::string_view path, const FileNames& names) {
  constexpr std::string_view kPackages = "/site-packages/";
  if (path == names.program) return "program";
  if (std::size_t at = path.rfind(kPackages); at != std::string_view::npos) {
    return "site-packages/" + std::string(path.substr(at + kPackages.size()));
  }
  if (!names.library.empty() && path.starts_with(names.library)) {
    return "lib/python" + std::string(path.substr(names.library.size()));
  }
  if (path.starts_with("<eval_with_key>")) return "<eval_with_key>";
  if (path.find("/inductor/") != std::string_view::npos) return "<generated>";
  std::size_t slash = path.rfind('/');
  return std::string(slash == std::string_view::npos ? path : path.substr(slash + 1));
}

std::vector<Frame> python_stack(std::string_view text, const FileNames& names) {
  std::vector<Frame> first;
  std::vector<Frame> current;
  std::vector<Frame> frames;
  bool is_current = false;
  auto end_thread = [&] {
    if (is_current) current = frames;
    if (first.empty()) first = frames;
    frames.clear();
  };
  std::istringstream lines{std::string(text)};
  std::string line;
  while (std::getline(lines, line)) {
    if (starts_thread(line)) {
      end_thread();
      is_current = line.starts_with("Current thread");
      continue;
    }
    parse_frame(line, names, frames);
  }
  end_thread();
  return current.empty() ? first : current;
}

std::vector<std::string> native_stack(std::string_view text) {
  std::vector<std::string> frames;
  std::istringstream lines{std::string(text)};
  std::string line;
  while (std::getline(lines, line)) {
    // `/path/lib.so(symbol+0x12) [0x7f…]`
    std::string path = line.substr(0, line.find_first_of("( "));
    std::string name = path.substr(path.rfind('/') + 1);
    std::size_t open = line.find('(');
    std::size_t close = line.find_first_of("+)", open == std::string::npos ? 0 : open);
    std::string symbol =
        open == std::string::npos || close == std::string::npos ? "" : line.substr(open + 1, close - open - 1);
    bool interpreter = name.starts_with("libpython") || symbol.starts_with("_Py") || symbol.starts_with("Py");
    if (interpreter && !frames.empty()) break;
    bool handler = name.starts_with("jitprobe-worker") || interpreter ||
                   (frames.empty() && name.starts_with("libc.so") && symbol.empty());
    if (!handler && frames.size() < kMostFrames) frames.push_back(name + "(" + demangled(symbol) + ")");
  }
  return frames;
}

}  // namespace jp::pyrunner
