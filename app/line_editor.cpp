#include "app/line_editor.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <histedit.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <clocale>
#include <csignal>
#include <cstdio>
#include <cwchar>
#include <filesystem>
#include <iostream>
#include <utility>

#include "core/text.h"

namespace jp::app {
namespace {

constexpr int kMostHistory = 1000;  // lines; chosen, not measured

std::atomic<bool> interrupt{false};

void on_interrupt(int /*number*/) { interrupt = true; }

// What all candidates begin with.
std::string common_beginning(const std::vector<std::string>& words) {
  std::string common = words.front();
  for (const std::string& word : words)
    common.resize(static_cast<std::size_t>(std::mismatch(common.begin(), common.end(), word.begin(), word.end()).first -
                                           common.begin()));
  return common;
}

// One character of standard input. libedit's own reader tries again after a signal, so that Ctrl-C would show with the
// next key only.
int read_character(EditLine* /*editor*/, wchar_t* character) {
  std::mbstate_t state{};
  for (;;) {
    char byte = 0;
    const ssize_t count = read(STDIN_FILENO, &byte, 1);
    if (count == 0) return 0;
    if (count < 0) {
      if (errno == EINTR && !interrupt) continue;
      return -1;
    }
    const std::size_t length = std::mbrtowc(character, &byte, 1, &state);
    if (length == 0 || length == 1) return 1;
    if (length == static_cast<std::size_t>(-1)) state = {};  // no character: its bytes are dropped
  }
}

}  // namespace

bool interrupted() { return interrupt; }

void forget_interrupt() { interrupt = false; }

struct LineEditor::Terminal {
  EditLine* editor = nullptr;
  History* history = nullptr;
  std::string prompt;
  Complete complete;
  std::string kept;
  struct sigaction before = {};

  static Terminal& of(EditLine* editor) {
    void* found = nullptr;
    el_get(editor, EL_CLIENTDATA, &found);
    return *static_cast<Terminal*>(found);
  }
  static char* prompt_of(EditLine* editor) { return of(editor).prompt.data(); }
  static unsigned char on_tab(EditLine* editor, int /*key*/) { return of(editor).completed(); }

  unsigned char completed() const {
    const LineInfo* info = el_line(editor);
    const std::string line(info->buffer, info->cursor);
    const std::string word = line.substr(line.find_last_of(' ') + 1);
    std::vector<std::string> fitting;
    for (std::string& candidate : complete(line))
      if (candidate.starts_with(word)) fitting.push_back(std::move(candidate));
    if (fitting.empty()) return CC_ERROR;
    std::string rest = common_beginning(fitting).substr(word.size());
    if (fitting.size() == 1 && !fitting.front().ends_with('/') && !fitting.front().ends_with('=')) rest += ' ';
    if (!rest.empty()) return el_insertstr(editor, rest.c_str()) == 0 ? CC_REFRESH : CC_ERROR;
    fmt::print("\n{}\n", escaped(fmt::format("{}", fmt::join(fitting, "  "))));
    std::fflush(stdout);
    return CC_REDISPLAY;
  }
};

LineEditor::LineEditor(std::string prompt, Complete complete, std::string kept) {
  if (isatty(STDIN_FILENO) == 0 || isatty(STDOUT_FILENO) == 0) return;
  std::setlocale(LC_CTYPE, "");
  terminal_ = std::make_unique<Terminal>();
  terminal_->prompt = std::move(prompt);
  terminal_->complete = std::move(complete);
  terminal_->kept = std::move(kept);
  terminal_->editor = el_init("jitprobe", stdin, stdout, stderr);
  terminal_->history = history_init();
  HistEvent event;
  history(terminal_->history, &event, H_SETSIZE, kMostHistory);
  history(terminal_->history, &event, H_SETUNIQUE, 1);
  if (!terminal_->kept.empty()) history(terminal_->history, &event, H_LOAD, terminal_->kept.c_str());
  EditLine* editor = terminal_->editor;
  el_set(editor, EL_CLIENTDATA, terminal_.get());
  el_set(editor, EL_PROMPT, &Terminal::prompt_of);
  el_set(editor, EL_EDITOR, "emacs");
  el_set(editor, EL_HIST, &::history, terminal_->history);
  el_set(editor, EL_GETCFN, &read_character);
  el_set(editor, EL_ADDFN, "complete", "completes a word", &Terminal::on_tab);
  el_set(editor, EL_BIND, "^I", "complete", nullptr);
  struct sigaction action = {};
  action.sa_handler = on_interrupt;  // without SA_RESTART: it ends the reading of a key
  sigaction(SIGINT, &action, &terminal_->before);
}

LineEditor::~LineEditor() {
  if (!terminal_) return;
  sigaction(SIGINT, &terminal_->before, nullptr);
  el_end(terminal_->editor);
  if (!terminal_->kept.empty()) {
    std::error_code error;
    std::filesystem::create_directories(std::filesystem::path(terminal_->kept).parent_path(), error);
    HistEvent event;
    history(terminal_->history, &event, H_SAVE, terminal_->kept.c_str());
  }
  history_end(terminal_->history);
}

bool LineEditor::on_terminal() const { return terminal_ != nullptr; }

std::optional<std::string> LineEditor::next() {
  if (terminal_) return edited();
  std::string line;
  if (!std::getline(std::cin, line)) return std::nullopt;
  return line;
}

std::optional<std::string> LineEditor::edited() {
  std::fflush(stdout);
  int count = 0;
  const char* typed = el_gets(terminal_->editor, &count);
  if (interrupted()) {
    forget_interrupt();
    fmt::print("\n");
    return "";
  }
  if (typed == nullptr || count <= 0) {
    fmt::print("\n");
    return std::nullopt;
  }
  std::string line(typed);
  while (line.ends_with('\n')) line.pop_back();
  HistEvent event;
  if (line.find_first_not_of(' ') != std::string::npos) history(terminal_->history, &event, H_ENTER, line.c_str());
  return line;
}

}  // namespace jp::app
