// What ThreadSanitizer shall not report: code built without it, whose locks and atomics it cannot
// see. Built into the tests, so that the list holds however they are started. `called_from_lib`
// silences only what such a library does itself, never our callbacks further up its stack.
extern "C" [[gnu::visibility("default")]] const char *__tsan_default_suppressions() {
    return "called_from_lib:libglib-2.0.so\n"
           "called_from_lib:libgobject-2.0.so\n"
           "called_from_lib:libgio-2.0.so\n"
           "called_from_lib:libnice.so\n"
           "called_from_lib:libgnutls.so\n"
           // libnice closes its sockets where the sanitizer does not look: another thread's file
           // that gets the same number later seems to race with the last use of the socket.
           "race:thru::receive_batch\n"
           "race:thru::send_batch\n"
           "race:thru::SocketSet::set\n"
           // The same, where the last use of the socket is too long ago to be told. A report leaves
           // the prefix of an interceptor out of its name, a suppression must have it.
           "race:thru::fs::FileHandle::close\n"
           "race:^__interceptor_closedir$\n"
           // OpenSSL's table of algorithms is read without a lock.
           "race:^ossl_ht_get$\n";
}
