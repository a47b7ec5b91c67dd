# A room is a static library of the .cpp files in its folder. A catalogue is a folder of rules that register
# themselves: globbed into an OBJECT library, so that the linker keeps every one of them.

# jitprobe_room(NAME [FOLDERS folders...] [LINKS targets...]): library jp_NAME from the *.cpp of this folder and of these
# folders in it.
function(jitprobe_room name)
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

# jitprobe_catalogue(ROOM FOLDER): the rules in FOLDER, linked whole into everything that links jp_ROOM_rules.
function(jitprobe_catalogue room folder)
  string(REPLACE "/" "_" suffix ${folder})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${folder}/*.cpp)
  if(NOT sources)
    return()
  endif()
  set(objects jp_${room}_${suffix})
  add_library(${objects} OBJECT ${sources})
  target_link_libraries(${objects} PUBLIC jp_${room})
  if(NOT TARGET jp_${room}_rules)
    add_library(jp_${room}_rules INTERFACE)
    target_link_libraries(jp_${room}_rules INTERFACE jp_${room})
  endif()
  target_sources(jp_${room}_rules INTERFACE $<TARGET_OBJECTS:${objects}>)
endfunction()

# jitprobe_tests(ROOM LINKS targets... [LABELS labels...]): executable test_ROOM from tests/ROOM/*_test.cpp; each
# GoogleTest case is a ctest case.
function(jitprobe_tests room)
  cmake_parse_arguments(arg "WHOLE" "" "LINKS;LABELS" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${room}/*.cpp)
  if(NOT sources)
    return()
  endif()
  add_executable(test_${room} ${sources})
  jitprobe_cold(test_${room})
  target_link_libraries(test_${room} PRIVATE jitprobe_options ${arg_LINKS} GTest::gtest GTest::gtest_main)
  target_compile_definitions(test_${room} PRIVATE JITPROBE_TEST_DIR="${CMAKE_CURRENT_SOURCE_DIR}"
    JITPROBE_SOURCE_DIR="${PROJECT_SOURCE_DIR}" JITPROBE_BINARY_DIR="${PROJECT_BINARY_DIR}")
  if(NOT arg_LABELS)
    set(arg_LABELS fast)
  endif()
  if(arg_WHOLE)
    add_test(NAME ${room} COMMAND test_${room})
    set_tests_properties(${room} PROPERTIES LABELS "${arg_LABELS}" TIMEOUT 900)
  else()
    include(GoogleTest)
    gtest_discover_tests(test_${room} TEST_PREFIX "${room}." DISCOVERY_TIMEOUT 60
      PROPERTIES LABELS "${arg_LABELS}" TIMEOUT 300)
  endif()
endfunction()
