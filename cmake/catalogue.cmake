# A library is a static library of the .cpp files in its folder. A catalogue is a folder of rules that register
# themselves: globbed into an OBJECT library, so that the linker keeps every one of them.

# jitprobe_library(NAME [FOLDERS folders...] [LINKS targets...]): library jp_NAME from the *.cpp of this folder and of these
# folders in it.
function(jitprobe_library name)
  cmake_parse_arguments(arg "" "" "FOLDERS;LINKS" ${ARGN})
  list(TRANSFORM arg_FOLDERS PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/)
  list(TRANSFORM arg_FOLDERS APPEND /*.cpp)
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp ${arg_FOLDERS})
  if(NOT sources)
    add_library(jp_${name} INTERFACE)
    target_link_libraries(jp_${name} INTERFACE jitprobe_options fmt::fmt ${arg_LINKS})
    return()
  endif()
  add_library(jp_${name} STATIC ${sources})
  target_link_libraries(jp_${name} PUBLIC jitprobe_options fmt::fmt ${arg_LINKS})
endfunction()

# jitprobe_unity(TARGET GROUPS SOURCES...): files that put all they define into a namespace of their own, named after the
# file, are compiled several at a time; any other file by itself. A file's group follows from its name, so that a new file
# moves no other one. docs/decisions/0009-build-time.md has the figures.
function(jitprobe_unity target groups)
  if(NOT JITPROBE_UNITY)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  foreach(source ${ARGN})
    get_filename_component(stem ${source} NAME_WE)
    file(STRINGS ${source} own REGEX "^namespace jp::[a-z:]*${stem}_[a-z]+ {$")
    if(own)
      string(SHA256 digest ${stem})
      string(SUBSTRING ${digest} 0 4 digest)
      math(EXPR group "0x${digest} % ${groups}")
      set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${group})
    endif()
  endforeach()
endfunction()

# jitprobe_catalogue(LIBRARY FOLDER GROUPS): the rules in FOLDER, linked whole into everything that links jp_ROOM_rules, and
# compiled in that many groups.
function(jitprobe_catalogue library folder groups)
  string(REPLACE "/" "_" suffix ${folder})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${folder}/*.cpp)
  if(NOT sources)
    return()
  endif()
  set(objects jp_${library}_${suffix})
  add_library(${objects} OBJECT ${sources})
  target_link_libraries(${objects} PUBLIC jp_${library})
  jitprobe_unity(${objects} ${groups} ${sources})
  if(NOT TARGET jp_${library}_rules)
    add_library(jp_${library}_rules INTERFACE)
    target_link_libraries(jp_${library}_rules INTERFACE jp_${library})
  endif()
  target_sources(jp_${library}_rules INTERFACE $<TARGET_OBJECTS:${objects}>)
endfunction()

# jitprobe_tests(LIBRARY LINKS targets... [LABELS labels...]): executable test_ROOM from tests/LIBRARY/*_test.cpp; each
# GoogleTest case is a ctest case.
function(jitprobe_tests library)
  cmake_parse_arguments(arg "WHOLE" "" "LINKS;LABELS" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${library}/*.cpp)
  if(NOT sources)
    return()
  endif()
  add_executable(test_${library} ${sources})
  jitprobe_cold(test_${library})
  target_link_libraries(test_${library} PRIVATE jitprobe_options ${arg_LINKS} GTest::gtest GTest::gtest_main)
  target_compile_definitions(test_${library} PRIVATE JITPROBE_TEST_DIR="${CMAKE_CURRENT_SOURCE_DIR}"
    JITPROBE_SOURCE_DIR="${PROJECT_SOURCE_DIR}" JITPROBE_BINARY_DIR="${PROJECT_BINARY_DIR}")
  if(NOT arg_LABELS)
    set(arg_LABELS fast)
  endif()
  if(arg_WHOLE)
    add_test(NAME ${library} COMMAND test_${library})
    set_tests_properties(${library} PROPERTIES LABELS "${arg_LABELS}" TIMEOUT 900)
  else()
    include(GoogleTest)
    gtest_discover_tests(test_${library} TEST_PREFIX "${library}." DISCOVERY_TIMEOUT 60
      PROPERTIES LABELS "${arg_LABELS}" TIMEOUT 300)
  endif()
endfunction()
