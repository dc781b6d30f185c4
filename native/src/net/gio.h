// GIO, which brings GLib, as loop/glib.h asks for it.
#pragma once

#include "loop/glib.h"

#include <gio/gio.h>

namespace thru {

struct ObjectDeleter {
    void operator()(gpointer object) const { g_object_unref(object); }
};

} // namespace thru
