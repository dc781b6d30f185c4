// GIO, which includes GLib; loop/glib.h sets the version.
#pragma once

#include "loop/glib.h"

#include <gio/gio.h>

namespace thru {

struct ObjectDeleter {
    void operator()(gpointer object) const { g_object_unref(object); }
};

} // namespace thru
