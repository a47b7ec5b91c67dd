#include "interpreters.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>

namespace jp::report::test {
namespace {

// Replaces this process, a child, by the interpreter. By its full path: that is how it finds its packages.
[[noreturn]] void become_python(const std::vector<std::string>& arguments) {
  // In torch's own CI its test runner asks for a package that only that has (xmlrunner).
  unsetenv("CI");
  const std::string interpreter = python();
  std::vector<char*> argv = {const_cast<char*>(interpreter.c_str())};
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  execv(interpreter.c_str(), argv.data());
  _exit(98);
}

// forking.py, which ends when its input does.
class Forking {
 public:
  Forking() {
    std::array<int, 2> asks{};
    std::array<int, 2> answers{};
    if (pipe2(asks.data(), O_CLOEXEC) != 0 || pipe2(answers.data(), O_CLOEXEC) != 0) std::abort();
    if (fork() == 0) {
      dup2(asks[0], 0);
      dup2(answers[1], 1);
      become_python({JITPROBE_TEST_DIR "/report_run/forking.py"});
    }
    close(asks[0]);
    close(answers[1]);
    to_ = fdopen(asks[1], "w");
    from_ = fdopen(answers[0], "r");
  }

  int run(const std::string& folder, const std::string& file, const std::string& fault) {
    fmt::print(to_, "{}\t{}\t{}\n", folder, file, fault);
    std::fflush(to_);
    int status = 97;
    EXPECT_EQ(std::fscanf(from_, "%d", &status), 1) << "forking.py is gone";
    return status;
  }

 private:
  std::FILE* to_;
  std::FILE* from_;
};

}  // namespace

std::string python() {
  const char* chosen = std::getenv("JITPROBE_PYTHON");
  return chosen ? chosen : JITPROBE_SOURCE_DIR "/.venv/bin/python";
}

bool has_python() { return access(python().c_str(), X_OK) == 0; }

int run_python(const Folder& folder, const std::vector<std::string>& arguments, const std::string& fault) {
  const pid_t child = fork();
  if (child == 0) {
    const int output = open((folder / "output").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
    dup2(output, 1);
    dup2(output, 2);
    if (chdir(folder.path().c_str()) != 0) _exit(99);
    setenv("FAULT", fault.c_str(), 1);
    become_python(arguments);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int run_forked(const Folder& folder, const std::string& file, const std::string& fault) {
  static Forking forking;
  return forking.run(folder.path(), file, fault);
}

int run_in(Interpreter interpreter, const Folder& folder, const std::string& file, const std::string& fault) {
  return interpreter == Interpreter::kNew ? run_python(folder, {file}, fault) : run_forked(folder, file, fault);
}

}  // namespace jp::report::test
