# Warnings of our own code are errors; those of third-party headers are not seen (they are SYSTEM). Designated
# initialisers leave members at their default on purpose.
add_library(jitprobe_options INTERFACE)
target_compile_features(jitprobe_options INTERFACE cxx_std_20)
target_include_directories(jitprobe_options INTERFACE ${PROJECT_SOURCE_DIR})
target_compile_options(jitprobe_options INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual -Wcast-align
  -Wunused -Wformat=2 -Wno-missing-field-initializers -Werror>)
set(CMAKE_CXX_EXTENSIONS OFF)

# clang-tidy with the checks of .clang-tidy, during compilation (the `tidy` preset).
option(JITPROBE_TIDY "Run clang-tidy on every file" OFF)
if(JITPROBE_TIDY)
  set(CMAKE_CXX_CLANG_TIDY clang-tidy --quiet --warnings-as-errors=*)
endif()
