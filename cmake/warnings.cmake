# Warnings of our own code are errors; those of third-party headers are not seen (they are SYSTEM).
add_library(jitprobe_options INTERFACE)
target_compile_features(jitprobe_options INTERFACE cxx_std_20)
target_include_directories(jitprobe_options INTERFACE ${PROJECT_SOURCE_DIR})
target_compile_options(jitprobe_options INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual -Wcast-align
  -Wunused -Wnull-dereference -Wformat=2 -Werror>)
set(CMAKE_CXX_EXTENSIONS OFF)

# clang-tidy with the checks of .clang-tidy, during compilation (the `tidy` preset).
option(JITPROBE_TIDY "Run clang-tidy on every file" OFF)
if(JITPROBE_TIDY)
  set(CMAKE_CXX_CLANG_TIDY clang-tidy --quiet --warnings-as-errors=*)
endif()
