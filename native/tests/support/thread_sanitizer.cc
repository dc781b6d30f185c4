// Read by the thread sanitizer when the test program starts; unused in other builds.

extern "C" const char *__tsan_default_options() {
    // GLib is not instrumented: what happens inside it, ordered by its own locks, is not ours to
    // report.
    return "ignore_noninstrumented_modules=1";
}
