// Reports that ThreadSanitizer must suppress: code built without it, whose locks and atomics it
// can't see. Built into the tests, so the list applies however they are started. `called_from_lib`
// silences only such a library's own accesses, never our callbacks further up its stack.
extern "C" [[gnu::visibility("default")]] const char *__tsan_default_suppressions() {
    return "called_from_lib:libglib-2.0.so\n"
           "called_from_lib:libgobject-2.0.so\n"
           "called_from_lib:libgio-2.0.so\n"
           "called_from_lib:libnice.so\n"
           "called_from_lib:libgnutls.so\n"
           // libnice closes sockets where the sanitizer doesn't look: when another thread's file
           // gets the same number later, it seems to race with the socket's last use.
           "race:thru::receive_batch\n"
           "race:thru::send_batch\n"
           "race:thru::SocketSet::set\n"
           // The same, if the socket's last use is too long ago to be reported. Reports omit the
           // prefix of an interceptor's name; suppressions need it.
           "race:thru::fs::FileHandle::close\n"
           "race:^__interceptor_closedir$\n"
           // OpenSSL's table of algorithms is read without a lock.
           "race:^ossl_ht_get$\n";
}
