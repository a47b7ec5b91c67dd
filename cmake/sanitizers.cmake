# -DJITPROBE_SANITIZE=address,undefined or thread; the presets asan and tsan set it.
set(JITPROBE_SANITIZE "" CACHE STRING "Sanitizers, as -fsanitize takes them")
if(JITPROBE_SANITIZE)
  add_compile_options(-fsanitize=${JITPROBE_SANITIZE} -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${JITPROBE_SANITIZE})
endif()
