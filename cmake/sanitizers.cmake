# -DJITPROBE_SANITIZE=address,undefined or thread; the presets asan, tsan and fuzz set it. Whatever they find
# ends the test that shows it.
set(JITPROBE_SANITIZE "" CACHE STRING "Sanitizers, as -fsanitize takes them")
if(JITPROBE_SANITIZE)
  add_compile_options(-fsanitize=${JITPROBE_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${JITPROBE_SANITIZE})
endif()

# Targets for libFuzzer, which only clang has: tests/fuzz.
option(JITPROBE_FUZZ "Link the targets of tests/fuzz with libFuzzer" OFF)
if(JITPROBE_FUZZ)
  # The standard library of g++ 12 calls what it deprecates.
  add_compile_options(-Wno-deprecated-declarations)
endif()
