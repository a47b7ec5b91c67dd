// Lines that a person types: on a terminal with editing, history and completion (libedit), from a pipe as they come.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace jp::app {

/// Whether Ctrl-C was pressed since the last call of forget_interrupt(). For work that a person may cancel.
bool interrupted();
void forget_interrupt();

class LineEditor {
 public:
  /// The words that may stand where the line's last word begins. `line`: what stands before the cursor.
  using Complete = std::function<std::vector<std::string>(const std::string& line)>;

  /// From now on, and until this ends, Ctrl-C ends no process: interrupted() tells of it. `kept`: the file with the
  /// last lines of earlier editors, to which those of this one come when it ends; "" for none. Where it can't be read
  /// or written there is no such history.
  LineEditor(std::string prompt, Complete complete, std::string kept = "");
  ~LineEditor();
  LineEditor(const LineEditor&) = delete;
  LineEditor& operator=(const LineEditor&) = delete;

  /// The next line without its line break; nothing at the end of the input (Ctrl-D). Ctrl-C gives an empty line and
  /// drops what was typed.
  std::optional<std::string> next();
  /// Whether a person types: standard input and output are a terminal.
  bool on_terminal() const;

 private:
  struct Terminal;
  std::optional<std::string> edited();
  std::unique_ptr<Terminal> terminal_;  // nullptr for a pipe
};

}  // namespace jp::app
