# cpp-httplib as Debian builds it: a library without a CMake package. The definitions are those it was compiled with; they change
# the layout of its classes.
find_path(HTTPLIB_INCLUDE_DIR httplib.h)
find_library(HTTPLIB_LIBRARY cpp-httplib)
find_package(Threads REQUIRED)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Httplib REQUIRED_VARS HTTPLIB_LIBRARY HTTPLIB_INCLUDE_DIR)
if(Httplib_FOUND AND NOT TARGET Httplib::Httplib)
  add_library(Httplib::Httplib UNKNOWN IMPORTED)
  set_target_properties(Httplib::Httplib PROPERTIES IMPORTED_LOCATION ${HTTPLIB_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES ${HTTPLIB_INCLUDE_DIR}
    INTERFACE_COMPILE_DEFINITIONS "CPPHTTPLIB_OPENSSL_SUPPORT;CPPHTTPLIB_ZLIB_SUPPORT;CPPHTTPLIB_BROTLI_SUPPORT"
    INTERFACE_LINK_LIBRARIES Threads::Threads)
endif()
